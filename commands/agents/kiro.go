package agents

import "errors"

// Kiro, once Amazon Q CLI. Hooks in files of their own are a project's.
var kiro = &Agent{
	Name: "kiro", Title: "Kiro", Timeout: seconds(30), Most: seconds(3600),
	Misses: "a hook that crashes, times out or is missing; agents of version 2, whose own files name their hooks",
	read:   func(p *payload) (*Call, error) { return p.hookCall("preToolUse", "PreToolUse") },
	answer: silent,
	files: func(l Line, at Places) ([]File, error) {
		if at.Project == "" {
			return nil, errors.New("hooks of Kiro are those of a project: add --project, in each")
		}
		entry := (fields{
			{"name", "mayi"}, {"trigger", "PreToolUse"}, {"matcher", ".*"},
			{"action", (fields{{"type", "command"}, {"command", l.Shell()}})}, {"timeout", l.Seconds}, {"enabled", true},
		})
		return []File{{Path: at.Project + "/.kiro/hooks/mayi.json", Entries: []Entry{
			{Path: []string{"version"}, Value: "v1", Default: true},
			{Path: []string{"hooks"}, Value: entry},
		}}}, nil
	},
}
