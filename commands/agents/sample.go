package agents

import (
	"encoding/json"
	"strings"
)

// Sample is a payload in which the agent is about to run a command.
func (a *Agent) Sample(command, cwd string) map[string]any {
	switch a.Name {
	case "antigravity":
		return map[string]any{
			"conversationId": "doctor", "workspacePaths": []string{cwd},
			"toolCall": map[string]any{"name": "run_command", "args": map[string]any{"CommandLine": command, "Cwd": cwd}},
		}
	case "cursor":
		return map[string]any{
			"conversation_id": "doctor", "cursor_version": "0", "workspace_roots": []string{cwd},
			"hook_event_name": "beforeShellExecution", "command": command, "cwd": cwd,
		}
	case "copilot":
		return map[string]any{"sessionId": "doctor", "cwd": cwd, "toolName": "bash", "toolArgs": map[string]any{"command": command}}
	case "vscode":
		return map[string]any{
			"sessionId": "doctor", "cwd": cwd, "hookEventName": "PreToolUse", "tool_name": "run_in_terminal",
			"tool_input": map[string]any{"command": command},
		}
	case "amp":
		return map[string]any{"cmd": command, "cwd": cwd}
	case "windsurf":
		return map[string]any{
			"agent_action_name": "pre_run_command", "trajectory_id": "doctor",
			"tool_info": map[string]any{"command_line": command, "cwd": cwd},
		}
	case "cline":
		return map[string]any{
			"hookName": "tool_call", "taskId": "doctor", "workspaceRoots": []string{cwd},
			"tool_call": map[string]any{"name": "execute_command", "input": map[string]any{"command": command}},
		}
	}
	event := map[string]string{"gemini": "BeforeTool", "opencode": "tool.execute.before"}[a.Name]
	p := map[string]any{
		"session_id": "doctor", "cwd": cwd, "hook_event_name": first(event, "PreToolUse"), "tool_name": "Bash",
		"tool_input": map[string]any{"command": command},
	}
	if a.Name == "goose" || a.Name == "crush" {
		p["event"] = p["hook_event_name"]
		delete(p, "hook_event_name")
	}
	return p
}

// SampleVariable is the environment of a sample.
func SampleVariable(name string) string {
	return map[string]string{"AGENT": "amp", "AGENT_TOOL_NAME": "Bash", "AMP_THREAD_ID": "doctor"}[name]
}

// Stops reports whether an answer keeps the agent from running a tool without
// asking its own person, which is all right only where it was an ask.
func (a *Agent) Stops(code int, stdout string, asks bool) bool {
	if code == 2 {
		return a.Name != "cline" || strings.Contains(stdout, `"cancel":true`)
	}
	if a.Name == "amp" {
		return code == 1 && asks
	}
	if code == 0 && strings.TrimSpace(stdout) == "" {
		return a.Name == "crush" && asks
	}
	var said struct {
		Cancel   bool
		Decision string
		// Of Cursor, of Copilot, of Claude and those that speak as it does.
		Permission         string
		PermissionDecision string
		Specific           struct{ PermissionDecision string } `json:"hookSpecificOutput"`
	}
	if code != 0 || json.Unmarshal([]byte(stdout), &said) != nil {
		return false
	}
	word := first(said.Decision, said.Permission, said.PermissionDecision, said.Specific.PermissionDecision)
	return said.Cancel || word == "deny" || asks && (word == "ask" || word == "force_ask")
}
