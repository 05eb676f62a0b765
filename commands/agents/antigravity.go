package agents

import "mayi/rules"

// Antigravity. What it makes of exit codes is not written down, so that every
// answer, a refusal too, is JSON and the exit code 0.
var antigravity = &Agent{
	Name: "antigravity", Title: "Antigravity", Ask: true, Timeout: seconds(30), Most: seconds(600),
	Misses: "a hook that crashes, times out or is missing: what happens then is not documented",
	read: func(p *payload) (*Call, error) {
		call := p.within("toolCall")
		c := &Call{Event: "PreToolUse", Tool: call.text("name"), Session: p.text("conversationId")}
		if event := p.text("hookEventName", "hook_event_name", "event"); event != "" {
			c.Event = event
		}
		if roots, _ := p.fields["workspacePaths"].([]any); len(roots) > 0 {
			c.Cwd, _ = roots[0].(string)
		}
		return c, p.complete(c, []string{"PreToolUse"}, func() []Want { return p.wants(c.Tool, call.within("args")) })
	},
	answer: func(_ *Call, action rules.Action, reason string) Reply {
		word := action.String()
		if action == rules.Ask {
			word = "force_ask" // its own settings do not answer that
		}
		return say(decided{word, reason})
	},
	refuse: func(reason string) Reply {
		r := say(decided{"deny", reason})
		r.Stderr = reason + "\n"
		return r
	},
	files: func(l Line, at Places) ([]File, error) {
		entry := hookGroup(".*", (fields{{"type", "command"}, {"command", l.Shell()}, {"timeout", l.Seconds}}))
		dir := at.dir("", ".gemini/config", ".agents")
		return []File{{Path: dir + "/hooks.json", Entries: []Entry{
			{Path: []string{"mayi", "PreToolUse"}, Value: entry},
			{Path: []string{"mayi", "enabled"}, Value: true, Member: true},
		}}}, nil
	},
}
