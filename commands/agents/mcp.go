package agents

import "strings"

// mcpWants is what a tool of an MCP server needs, nil for another tool. The name
// may not tell where the server's ends: then every reading has to be allowed.
func mcpWants(tool string, in *object) []Want {
	var list []Want
	switch {
	case strings.HasPrefix(tool, "mcp__"):
		list = splits(strings.TrimPrefix(tool, "mcp__"), "__", in.raw)
	case strings.HasPrefix(tool, "mcp_"):
		list = splits(strings.TrimPrefix(tool, "mcp_"), "_", in.raw)
	case strings.HasPrefix(tool, "@") && strings.Contains(tool, "/"):
		server, name, _ := strings.Cut(tool[1:], "/")
		list = []Want{mcpWant(server, name, in.raw)}
	case strings.HasPrefix(tool, "MCP:"):
		list = []Want{mcpWant("mcp", tool[len("MCP:"):], in.raw)}
	case tool == "use_mcp_tool" && in.text("server_name") != "" && in.text("tool_name") != "": // Cline
		list = []Want{mcpWant(in.text("server_name"), in.text("tool_name"), in.raw)}
	}
	return list
}

// mcpWant is a tool of a server. A dot in the server's name would end it early.
func mcpWant(server, tool, args string) Want {
	return Want{Permission: strings.ReplaceAll(server, ".", "_") + "." + tool, Args: []string{args}}
}

// splits reads a name as server and tool in every way there is.
func splits(name, separator, args string) (list []Want) {
	if separator == "" {
		return nil
	}
	for i := 1; i+len(separator) < len(name); i++ {
		if strings.HasPrefix(name[i:], separator) {
			list = append(list, mcpWant(name[:i], name[i+len(separator):], args))
		}
		if len(list) > 64 {
			return nil // a name that is made to be long
		}
	}
	return list
}
