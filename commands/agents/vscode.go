package agents

// VS Code. It reads Copilot's files and Claude's settings as well; what its tools
// are called is not settled, so one that is not known is also judged by the
// names of its arguments.
var vscode = &Agent{
	Name: "vscode", Title: "VS Code", Ask: true, Timeout: seconds(30), Most: seconds(3600),
	Misses: "a hook that times out or is missing",
	runBy:  []string{"copilot"},
	read: func(p *payload) (*Call, error) {
		c := &Call{
			Event: p.text("hookEventName", "hook_event_name"), Tool: p.text("tool_name"),
			Session: p.text("sessionId", "session_id"), Cwd: p.text("cwd"),
		}
		return c, p.complete(c, []string{"PreToolUse", "preToolUse"}, func() []Want { return p.wants(c.Tool, p.input("tool_input")) })
	},
	answer: claudeAnswer,
	files: func(l Line, at Places) ([]File, error) {
		entry := (fields{{"type", "command"}, {"command", l.Shell()}, {"timeout", l.Seconds}})
		dir := at.dir("", ".copilot/hooks", ".github/hooks")
		return []File{{Path: dir + "/mayi-vscode.json", Entries: []Entry{
			{Path: []string{"hooks", "PreToolUse"}, Value: entry},
		}}}, nil
	},
}
