package agents

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// OpenCode. Its hooks are functions of a plugin, which runs mayi and throws
// unless that ends with 0.
var opencode = &Agent{
	Name: "opencode", Title: "OpenCode", Timeout: seconds(600), Most: seconds(3600), joint: "_",
	Misses: "what a plugin that was loaded later changes in the arguments",
	read: func(p *payload) (*Call, error) {
		c, err := p.hookCall("tool.execute.before")
		if err == nil && p.text("agent") != "" {
			c.Sub = p.text("agent")
		}
		return c, err
	},
	answer: silent,
	files: func(l Line, at Places) ([]File, error) {
		argv, err := json.Marshal(append([]string{l.Program}, l.Args...))
		if err != nil {
			return nil, err
		}
		text := strings.Replace(opencodePlugin, `["mayi", "hook", "opencode"]`, string(argv), 1)
		dir := at.dir("OPENCODE_CONFIG_DIR", ".config/opencode", ".opencode")
		return []File{{Path: dir + "/plugin/mayi.ts", Whole: text}}, nil
	},
}

//go:embed opencode.ts
var opencodePlugin string
