package agents

import "time"

// table lists the agents by name. What each promises, and what it does when a
// hook fails, is from its contract for hooks as of November 2026.
var table = []*Agent{
	amp,
	antigravity,
	claude,
	cline,
	codex,
	copilot,
	crush,
	cursor,
	droid,
	gemini,
	goose,
	kimi,
	kiro,
	opencode,
	qwen,
	vscode,
	windsurf,
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
