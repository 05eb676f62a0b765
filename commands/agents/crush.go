package agents

import "mayi/rules"

// Crush. Where a hook says nothing it asks its person itself.
var crush = &Agent{
	Name: "crush", Title: "Crush", Ask: true, Timeout: seconds(30), Most: seconds(3600),
	Misses: "everything its sub-agents do; a hook that crashes, times out or is missing; with --yolo it does not ask",
	read: func(p *payload) (*Call, error) {
		c := &Call{Event: p.text("event", "hook_event_name"), Tool: p.text("tool_name"), Session: p.text("session_id"), Cwd: p.text("cwd")}
		return c, p.complete(c, []string{"PreToolUse"}, func() []Want { return p.wants(c.Tool, p.input("tool_input")) })
	},
	answer: func(_ *Call, action rules.Action, reason string) Reply {
		switch action {
		case rules.Allow:
			return say(struct {
				Version int `json:"version"`
				decided
			}{1, decided{"allow", reason}})
		case rules.Ask:
			return Reply{}
		}
		return block(reason)
	},
	files: func(l Line, at Places) ([]File, error) {
		entry := (fields{{"name", "mayi"}, {"command", l.Shell()}, {"timeout", l.Seconds}})
		return []File{{Path: at.dir("", ".config/crush", "") + "/crush.json", Entries: []Entry{
			{Path: []string{"hooks", "PreToolUse"}, Value: entry},
		}}}, nil
	},
}
