package agents

import "mayi/rules"

// Amp. A delegate is a program without arguments, so that a launcher stands
// between; the payload is the input of the tool and nothing else.
var amp = &Agent{
	Name: "amp", Title: "Amp", Ask: true, Timeout: seconds(10),
	Misses: "everything while permissions are switched off (dangerouslyAllowAll); rules in front of the installed one",
	read: func(p *payload) (*Call, error) {
		c := &Call{Event: "delegate", Tool: p.world.Lookup("AGENT_TOOL_NAME"), Session: p.world.Lookup("AMP_THREAD_ID")}
		// Where it works is not said: a cwd is an argument, which only its shell has.
		if toolTable[c.Tool].kind == shellTool {
			c.Cwd = p.text("cwd")
		}
		return c, p.complete(c, []string{"delegate"}, func() []Want { return p.wants(c.Tool, p.object) })
	},
	answer: func(_ *Call, action rules.Action, reason string) Reply {
		switch action {
		case rules.Allow:
			return Reply{}
		case rules.Ask:
			return Reply{Stderr: reason + "\n", Code: 1}
		}
		return block(reason)
	},
	files: func(l Line, at Places) ([]File, error) {
		dir := at.dir("", ".config/amp", ".amp")
		launcher := dir + "/mayi-hook-amp"
		entry := (fields{{"tool", "*"}, {"action", "delegate"}, {"to", launcher}})
		return []File{
			{Path: launcher, Mode: 0o755, Whole: "#!/bin/sh\n# Written by `mayi hook amp --install`.\nexec " + l.Shell() + "\n"},
			{Path: dir + "/settings.json", Entries: []Entry{
				// The first rule that matches counts.
				{Path: []string{"amp.permissions"}, Value: entry, Front: true},
			}},
		}, nil
	},
}
