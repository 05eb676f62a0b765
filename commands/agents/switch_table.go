package agents

// switches are the settings by which people turn the hooks of an agent off, ours
// among them (the agents' contracts as of November 2026).
var switches = []turnsOff{
	{agent: "amp", home: ".config/amp", project: ".amp", file: "settings.json", key: []string{"amp.dangerouslyAllowAll"}, value: "true"},
	{agent: "claude", home: "/etc/claude-code", file: "managed-settings.json", key: []string{"allowManagedHooksOnly"}, value: "true"},
	{agent: "claude", home: "/etc/claude-code", file: "managed-settings.json", key: []string{"disableAllHooks"}, value: "true"},
	{agent: "claude", variable: "CLAUDE_CONFIG_DIR", home: ".claude", project: ".claude", file: "settings.json", key: []string{"disableAllHooks"}, value: "true"},
	{agent: "claude", variable: "CLAUDE_CONFIG_DIR", home: ".claude", project: ".claude", file: "settings.local.json", key: []string{"disableAllHooks"}, value: "true"},
	{agent: "codex", variable: "CODEX_HOME", home: ".codex", project: ".codex", file: "config.toml", key: []string{"features", "hooks"}, value: "false"},
	{agent: "droid", home: ".factory", project: ".factory", file: "hooks.json", key: []string{"hooksDisabled"}, value: "true"},
	{agent: "droid", home: ".factory", project: ".factory", file: "settings.json", key: []string{"hooksDisabled"}, value: "true"},
	{agent: "gemini", home: ".gemini", project: ".gemini", file: "settings.json", key: []string{"hooksConfig", "disabled"}, value: `"mayi"`},
	{agent: "gemini", home: ".gemini", project: ".gemini", file: "settings.json", key: []string{"hooksConfig", "enabled"}, value: "false"},
	{agent: "qwen", home: ".qwen", project: ".qwen", file: "settings.json", key: []string{"disableAllHooks"}, value: "true"},
	{agent: "qwen", home: ".qwen", project: ".qwen", file: "settings.json", key: []string{"hooksConfig", "enabled"}, value: "false"},
}
