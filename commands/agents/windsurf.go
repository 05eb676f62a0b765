package agents

import "errors"

// Windsurf, now Devin Desktop. It hears exit codes only.
var windsurf = &Agent{
	Name: "windsurf", Title: "Windsurf", Timeout: seconds(30),
	Misses: "searches, fetches and whatever else has no event of its own; a hook that crashes, times out or is missing",
	read: func(p *payload) (*Call, error) {
		info := p.within("tool_info")
		c := &Call{Event: p.text("agent_action_name"), Session: p.text("trajectory_id"), Cwd: info.text("cwd")}
		switch c.Event {
		case "pre_run_command":
			c.Tool = "run_command"
			if info.text("command_line") == "" {
				return nil, errors.New("the payload names no command")
			}
			c.Wants = []Want{{Permission: "bash", Line: info.text("command_line")}}
		case "pre_write_code":
			c.Tool = "write_to_file"
			c.Wants = p.wants(c.Tool, info)
		case "pre_read_code":
			c.Tool = "view_file"
			c.Wants = p.wants(c.Tool, info)
		case "pre_mcp_tool_use":
			server := info.text("mcp_server_name")
			c.Tool = info.text("mcp_tool_name")
			if server == "" || c.Tool == "" {
				return nil, errors.New("the payload names no tool of a server")
			}
			in := &payload{object: info}
			c.Wants = []Want{mcpWant(server, c.Tool, in.input("mcp_tool_arguments").raw)}
			return c, in.err
		default:
			return c, p.complete(c, nil, nil)
		}
		return c, nil
	},
	answer: silent,
	files: func(l Line, at Places) ([]File, error) {
		file := File{Path: at.dir("", ".codeium/windsurf", ".windsurf") + "/hooks.json"}
		for _, event := range []string{"pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"} {
			file.Entries = append(file.Entries, Entry{
				Path: []string{"hooks", event}, Value: (fields{{"command", l.Shell()}, {"show_output", true}}),
			})
		}
		return []File{file}, nil
	},
}
