package agents

// Qwen Code, which speaks as Claude Code does.
var qwen = &Agent{
	Name: "qwen", Title: "Qwen Code", Ask: true, Timeout: seconds(60), Most: seconds(900),
	Misses: "everything in a folder that is not trusted, for a hook of the project; a hook that times out or is missing",
	read:   func(p *payload) (*Call, error) { return p.hookCall("PreToolUse") },
	answer: claudeAnswer,
	files: func(l Line, at Places) ([]File, error) {
		// An empty matcher is every tool; a timeout of 1000 or more would be
		// milliseconds.
		entry := hookGroup("", (fields{{"type", "command"}, {"command", l.Shell()}, {"timeout", l.Seconds}}))
		return []File{{Path: at.dir("", ".qwen", ".qwen") + "/settings.json", Entries: []Entry{
			{Path: []string{"hooks", "PreToolUse"}, Value: entry},
		}}}, nil
	},
}
