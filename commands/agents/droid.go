package agents

// Droid, of Factory. It only logs an ask, and the first hook that decides in JSON
// wins; the exit code 2 is looked at apart.
var droid = &Agent{
	Name: "droid", Title: "Droid", Timeout: seconds(60), Most: seconds(3600),
	Misses: "a hook that times out or is missing",
	read:   func(p *payload) (*Call, error) { return p.hookCall("PreToolUse") },
	answer: claudeAnswer,
	files: func(l Line, at Places) ([]File, error) {
		entry := hookGroup("*", (fields{{"type", "command"}, {"command", l.Shell()}, {"timeout", l.Seconds}}))
		return []File{{Path: at.dir("", ".factory", ".factory") + "/hooks.json", Entries: []Entry{
			{Path: []string{"PreToolUse"}, Value: entry},
		}}}, nil
	},
}
