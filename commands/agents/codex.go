package agents

// OpenAI Codex. An allow said in JSON is an error to it, and an error runs the
// tool; nothing said leaves it to its own approval policy.
var codex = &Agent{
	Name: "codex", Title: "Codex", Timeout: seconds(600), Most: seconds(3600),
	Misses: "web searches; every tool until the hook was trusted with /hooks; a hook that times out or is missing",
	read:   func(p *payload) (*Call, error) { return p.hookCall("PreToolUse") },
	answer: silent,
	files: func(l Line, at Places) ([]File, error) {
		entry := hookGroup(".*", (fields{{"type", "command"}, {"command", l.Shell()}, {"timeout", l.Seconds}}))
		return []File{{Path: at.dir("CODEX_HOME", ".codex", ".codex") + "/hooks.json", Entries: []Entry{
			{Path: []string{"hooks", "PreToolUse"}, Value: entry},
		}}}, nil
	},
}
