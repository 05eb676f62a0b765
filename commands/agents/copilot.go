package agents

import "mayi/rules"

// GitHub Copilot CLI. An event in PascalCase, as Claude's settings have it, comes
// with other names for everything.
var copilot = &Agent{
	Name: "copilot", Title: "Copilot CLI", Ask: true, Timeout: seconds(30), Most: seconds(3600), joint: "-",
	Misses: "a hook that times out (and an ask is a deny in autopilot and in the cloud)",
	runBy:  []string{"vscode"},
	read: func(p *payload) (*Call, error) {
		if p.text("hook_event_name") != "" {
			return p.hookCall("PreToolUse", "preToolUse")
		}
		c := &Call{
			Event: first(p.text("hookEventName", "eventName"), "preToolUse"), Tool: p.text("toolName"),
			Session: p.text("sessionId"), Cwd: p.text("cwd"),
		}
		return c, p.complete(c, []string{"preToolUse"}, func() []Want { return p.wants(c.Tool, p.input("toolArgs")) })
	},
	answer: func(c *Call, action rules.Action, reason string) Reply {
		if c.Event == "PreToolUse" || action == rules.Deny {
			return claudeAnswer(c, action, reason)
		}
		return say(struct {
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		}{action.String(), reason})
	},
	files: func(l Line, at Places) ([]File, error) {
		entry := (fields{{"type", "command"}, {"bash", l.Shell()}, {"timeoutSec", l.Seconds}})
		dir := at.dir("", ".copilot/hooks", ".github/hooks")
		return []File{{Path: dir + "/mayi.json", Entries: []Entry{
			{Path: []string{"version"}, Value: 1, Default: true},
			{Path: []string{"hooks", "preToolUse"}, Value: entry},
		}}}, nil
	},
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
