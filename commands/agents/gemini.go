package agents

import "mayi/rules"

// Gemini CLI. It reads standard error as JSON when nothing else was said, so a
// reason is plain text. Its ask waits for a terminal.
var gemini = &Agent{
	Name: "gemini", Title: "Gemini CLI", Ask: true, Timeout: seconds(60), Most: seconds(3600),
	Misses: "everything in a folder that is not trusted, for a hook of the project; a hook that times out or is missing",
	read: func(p *payload) (*Call, error) {
		c, err := p.hookCall("BeforeTool")
		if err != nil {
			return nil, err
		}
		c.Unasked = c.Unasked || !p.world.Terminal
		context := p.within("mcp_context")
		server, tool := context.text("server_name"), context.text("tool_name")
		if len(c.Wants) > 0 && server != "" && c.Tool == "mcp_"+server+"_"+tool {
			c.Wants = []Want{mcpWant(server, tool, p.input("tool_input").raw)}
		}
		return c, nil
	},
	answer: func(_ *Call, action rules.Action, reason string) Reply {
		if action == rules.Deny {
			return block(reason)
		}
		return say(decided{action.String(), reason})
	},
	files: func(l Line, at Places) ([]File, error) {
		entry := hookGroup(".*", (fields{
			{"type", "command"}, {"name", "mayi"}, {"command", l.Shell()}, {"timeout", l.Seconds * 1000},
		}))
		return []File{{Path: at.dir("", ".gemini", ".gemini") + "/settings.json", Entries: []Entry{
			{Path: []string{"hooks", "BeforeTool"}, Value: entry},
		}}}, nil
	},
}
