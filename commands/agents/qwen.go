package agents

// Qwen Code, which speaks as Claude Code does.
var qwen = &Agent{
	Name: "qwen", Title: "Qwen Code", Ask: true, Timeout: seconds(60), Most: seconds(3600),
	Misses: "everything in a folder that is not trusted, for a hook of the project; a hook that times out or is missing",
	read:   func(p *payload) (*Call, error) { return p.hookCall("PreToolUse") },
	answer: claudeAnswer,
	files: func(l Line, at Places) ([]File, error) {
		// No matcher is every tool. A timeout is in milliseconds: 0.15 reads nothing
		// else, and would kill the hook, and run the tool, after a few; 0.24 reads
		// seconds below 1000 and milliseconds from there.
		entry := hookGroup("", (fields{{"type", "command"}, {"command", l.Shell()}, {"timeout", l.Seconds * 1000}}))
		return []File{{Path: at.dir("", ".qwen", ".qwen") + "/settings.json", Entries: []Entry{
			{Path: []string{"hooks", "PreToolUse"}, Value: entry},
		}}}, nil
	},
}
