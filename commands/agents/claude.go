package agents

import (
	"encoding/json"
	"strings"

	"mayi/rules"
)

// Claude Code. Its hooks are also run, with payloads of their own, by Cursor,
// Copilot and VS Code; Qwen, VS Code and Droid answer in its form.
var claude = &Agent{
	Name: "claude", Title: "Claude Code", Ask: true, Timeout: seconds(600), Most: seconds(3600),
	Misses: "files mentioned with @, the person's own ! commands, commands in skills before 2.1.332, a hook that times out before 2.1.295",
	runBy:  []string{"cursor", "copilot", "vscode"},
	read: func(p *payload) (*Call, error) {
		// Commands in skills have an event of their own.
		return p.hookCall("PreToolUse", "PreSkillShellCommand")
	},
	answer: claudeAnswer,
	files: func(l Line, at Places) ([]File, error) {
		dir := at.dir("CLAUDE_CONFIG_DIR", ".claude", ".claude")
		entry := (hookGroup("*", (fields{
			{"type", "command"}, {"command", l.Program}, {"args", l.Args}, {"timeout", l.Seconds}, {"onFailure", "block"},
		})))
		return []File{{Path: dir + "/settings.json", Entries: []Entry{
			{Path: []string{"hooks", "PreToolUse"}, Value: entry},
			{Path: []string{"hooks", "PreSkillShellCommand"}, Value: entry},
		}}}, nil
	},
}

// claudeAnswer allows and asks in Claude's JSON, and denies by the exit code 2,
// which no other hook's answer undoes.
func claudeAnswer(c *Call, action rules.Action, reason string) Reply {
	if action == rules.Deny {
		return block(reason)
	}
	type specific struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	}
	return say(struct {
		Specific specific `json:"hookSpecificOutput"`
	}{specific{c.Event, action.String(), reason}})
}

// say is an answer of JSON.
func say(v any) Reply {
	var line strings.Builder
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return block("mayi: " + err.Error()) // strings and numbers only: cannot be
	}
	return Reply{Stdout: line.String()}
}

// decided is an answer of agents that want a decision and a reason.
type decided struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
}

// silent allows by saying nothing, and denies whatever else it is given.
func silent(_ *Call, action rules.Action, reason string) Reply {
	if action == rules.Allow {
		return Reply{}
	}
	return block(reason)
}
