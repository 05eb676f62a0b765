package agents

import (
	"errors"
	"fmt"
)

// Kimi Code. Its settings are TOML.
var kimi = &Agent{
	Name: "kimi", Title: "Kimi Code", Timeout: seconds(30), Most: seconds(600),
	Misses: "a hook that crashes, times out or is missing",
	read:   func(p *payload) (*Call, error) { return p.hookCall("PreToolUse") },
	answer: silent,
	files: func(l Line, at Places) ([]File, error) {
		if at.Project != "" {
			return nil, errors.New("a project has no settings for Kimi Code: leave --project away")
		}
		return []File{{Path: at.dir("KIMI_CODE_HOME", ".kimi-code", "") + "/config.toml", TOML: fmt.Sprintf(
			"[[hooks]]\nevent = \"PreToolUse\"\ncommand = %s\ntimeout = %d\n", tomlString(l.Shell()), l.Seconds)}}, nil
	},
}
