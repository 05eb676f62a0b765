package agents

import (
	"errors"

	"mayi/rules"
)

// Cursor. It fires a generic and a special event for one call; with failClosed,
// which is what is installed, nothing on standard output is a deny.
var cursor = &Agent{
	Name: "cursor", Title: "Cursor", Ask: true, Timeout: seconds(60), Most: seconds(3600),
	Misses: "its own searches and listings (and an ask was seen to act as a deny, in 3.9.16)",
	read: func(p *payload) (*Call, error) {
		c := &Call{Event: p.text("hook_event_name"), Tool: p.text("tool_name"), Session: p.text("conversation_id", "session_id"), Cwd: p.text("cwd")}
		if roots, _ := p.fields["workspace_roots"].([]any); c.Cwd == "" && len(roots) > 0 {
			c.Cwd, _ = roots[0].(string)
		}
		// No other event puts an ask before a person.
		c.Unasked = true
		switch c.Event {
		case "beforeShellExecution":
			c.Tool, c.Unasked = "Shell", false
			c.Wants = []Want{{Permission: "bash", Line: p.text("command")}}
			if p.text("command") == "" {
				return nil, errors.New("the payload names no command")
			}
		case "beforeMCPExecution":
			if c.Tool == "" {
				return nil, errors.New("the payload names no tool")
			}
			// Older ones do not say which server's.
			c.Unasked = false
			c.Wants = []Want{mcpWant(first(p.text("server", "server_name"), "mcp"), c.Tool, p.input("tool_input").raw)}
		case "beforeReadFile", "beforeTabFileRead":
			c.Tool = "Read"
			c.Wants = p.wants("Read", p.object)
		case "preToolUse", "PreToolUse":
			if c.Tool == "" {
				return nil, errors.New("the payload names no tool")
			}
			c.Wants = p.wants(c.Tool, p.input("tool_input"))
		default:
			return c, p.complete(c, nil, nil)
		}
		return c, nil
	},
	answer: func(_ *Call, action rules.Action, reason string) Reply {
		// The model reads the one message, the person the other.
		return say(struct {
			Permission string `json:"permission"`
			User       string `json:"user_message"`
			Agent      string `json:"agent_message"`
		}{action.String(), reason, reason})
	},
	files: func(l Line, at Places) ([]File, error) {
		entry := func(matcher string) any {
			f := fields{{"command", l.Shell()}, {"failClosed", true}, {"timeout", l.Seconds}}
			if matcher != "" {
				f = append(f, field{"matcher", matcher})
			}
			return f
		}
		return []File{{Path: at.dir("", ".cursor", ".cursor") + "/hooks.json", Entries: []Entry{
			{Path: []string{"version"}, Value: 1, Default: true},
			{Path: []string{"hooks", "beforeShellExecution"}, Value: entry("")},
			{Path: []string{"hooks", "beforeMCPExecution"}, Value: entry("")},
			{Path: []string{"hooks", "beforeReadFile"}, Value: entry("")},
			{Path: []string{"hooks", "preToolUse"}, Value: entry("Write|Delete")},
		}}}, nil
	},
}
