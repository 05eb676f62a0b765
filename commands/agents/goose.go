package agents

import "mayi/rules"

// Goose. A matcher that is a bare star is an error to it, and drops the hook.
var goose = &Agent{
	Name: "goose", Title: "Goose", Timeout: seconds(30), Most: seconds(3600), joint: "__",
	Misses: "nothing that is known: a hook that fails blocks, as it is installed",
	read: func(p *payload) (*Call, error) {
		c := &Call{Event: p.text("event", "hook_event_name"), Tool: p.text("tool_name"), Session: p.text("session_id"), Cwd: p.text("working_dir", "cwd")}
		return c, p.complete(c, []string{"PreToolUse"}, func() []Want { return p.wants(c.Tool, p.input("tool_input")) })
	},
	answer: func(_ *Call, action rules.Action, reason string) Reply {
		if action != rules.Allow {
			return block(reason)
		}
		return say(decided{"allow", reason})
	},
	files: func(l Line, at Places) ([]File, error) {
		dir := at.dir("", ".agents/plugins/mayi", ".agents/plugins/mayi")
		entry := (fields{{"hooks", []any{
			(fields{{"type", "command"}, {"command", l.Shell()}, {"timeout", l.Seconds}, {"on_failure", "block"}}),
		}}})
		return []File{
			{Path: dir + "/plugin.json", Entries: []Entry{
				{Path: []string{"name"}, Value: "mayi", Default: true},
				{Path: []string{"version"}, Value: "1.0.0", Default: true},
				{Path: []string{"description"}, Value: "asks mayi before a tool is used", Default: true},
			}},
			{Path: dir + "/hooks/hooks.json", Entries: []Entry{{Path: []string{"hooks", "PreToolUse"}, Value: entry}}},
		}, nil
	},
}
