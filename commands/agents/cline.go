package agents

import "mayi/rules"

// Cline. It ignores exit codes and runs the tool when it cannot read the answer,
// so that the script which it starts ends what mayi does not answer.
var cline = &Agent{
	Name: "cline", Title: "Cline", Timeout: seconds(120), Most: seconds(120),
	Misses: "a hook that times out (and a deny ends the whole run: there is no softer one)",
	read: func(p *payload) (*Call, error) {
		call := p.within("tool_call")
		c := &Call{Event: p.text("hookName"), Tool: call.text("name"), Session: p.text("taskId")}
		if p.text("parent_agent_id") != "" {
			c.Sub = p.text("agent_id")
		}
		if roots, _ := p.fields["workspaceRoots"].([]any); len(roots) > 0 {
			c.Cwd, _ = roots[0].(string)
		}
		in := call.within("input")
		if c.Tool == "" { // an older form, whose parameters are all strings
			use := p.within("preToolUse")
			c.Tool, in = use.text("toolName", "tool"), use.within("parameters")
		}
		return c, p.complete(c, []string{"tool_call", "PreToolUse"}, func() []Want { return p.wants(c.Tool, in) })
	},
	answer: func(_ *Call, action rules.Action, reason string) Reply {
		if action == rules.Allow {
			return Reply{Stdout: "{}\n"}
		}
		return cancel(reason)
	},
	refuse: func(reason string) Reply {
		r := cancel(reason)
		r.Stderr, r.Code = reason+"\n", 2
		return r
	},
	files: func(l Line, at Places) ([]File, error) {
		script := "#!/bin/sh\n# Written by `mayi hook cline --install`.\n" + l.Shell() +
			` || printf '\nHOOK_CONTROL\t{"cancel":true,"errorMessage":"mayi: no answer, so not allowed"}\n'` + "\n"
		return []File{{Path: at.dir("CLINE_DIR", ".cline", ".clinerules") + "/hooks/PreToolUse", Mode: 0o755, Whole: script}}, nil
	},
}

func cancel(reason string) Reply {
	return say(struct {
		Cancel bool   `json:"cancel"`
		Error  string `json:"errorMessage"`
	}{true, reason})
}
