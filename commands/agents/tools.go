package agents

import (
	"net/url"
	"path"
	"regexp"
	"strings"
)

// A kind says what a tool does with its arguments.
type kind uint8

const (
	plainTool kind = iota // its name is the permission, its arguments the pattern
	shellTool
	readTool
	manyTool // reads what patterns match
	editTool
	patchTool
	globTool
	grepTool
	listTool
	fetchTool
	searchTool
	taskTool
)

// Where the tools of the agents keep what counts. Every one that is there is
// judged.
var (
	commandKeys = []string{"command", "cmd", "command_line", "commandLine", "CommandLine", "script"}
	dirKeys     = []string{"workdir", "working_directory", "working_dir", "dir_path", "directory", "cwd", "Cwd"}
	pathKeys    = []string{
		"file_path", "filePath", "path", "absolute_path", "AbsolutePath", "TargetFile", "target_file", "notebook_path", "file", "filename",
		"relative_workspace_path", "DirectoryPath", "SearchDirectory", "SearchPath", "dir_path", "uri", "destination", "new_path", "newPath",
		"old_path", "oldPath", "files", "paths", "file_paths", "filePaths", "edits", "operations",
	}
	manyKeys    = append([]string{"include"}, pathKeys...)
	patchKeys   = []string{"patchText", "patch_text", "patch", "input", "command", "diff"}
	patternKeys = []string{"pattern", "Pattern", "glob", "glob_pattern", "globPattern", "query", "Query", "regex"}
	urlKeys     = []string{"url", "Url", "uri", "urls", "prompt"}
	queryKeys   = []string{"query", "Query", "search_term", "prompt"}
	taskKeys    = []string{"subagent_type", "agent_name", "agentName", "description", "prompt"}
)

// wants is what a tool needs to be allowed. It is never empty.
func wants(tool string, in *object) []Want {
	if list := mcpWants(tool, in); list != nil {
		return list
	}
	own := Want{Permission: tool, Args: []string{in.raw}}
	t, known := toolTable[tool]
	if t.permission != "" {
		own.Permission = t.permission
	}
	var list []Want
	switch t.kind {
	case shellTool:
		list = shellWants(in)
	case readTool, editTool:
		list = each(map[kind]string{readTool: "read", editTool: "edit"}[t.kind], paths(in, pathKeys))
	case manyTool:
		list = each("read", paths(in, manyKeys))
		for _, w := range list {
			if strings.ContainsAny(w.Args[0], "*?[{") {
				list = append(list, own) // who can say what it reads
				break
			}
		}
	case patchTool:
		for _, text := range texts(in, patchKeys) {
			list = append(list, each("edit", patched(text))...)
		}
		list = append(list, each("edit", paths(in, pathKeys))...)
	case globTool:
		dirs := paths(in, pathKeys)
		if len(dirs) == 0 {
			dirs = []string{""}
		}
		for _, pattern := range texts(in, patternKeys) {
			for _, dir := range dirs {
				list = append(list, each("glob", []string{path.Join(dir, pattern)})...)
			}
		}
	case grepTool:
		list = each("grep", texts(in, patternKeys))
		for _, p := range paths(in, pathKeys) {
			// The contents of what lies below are shown.
			list = append(list, each("read", []string{p, path.Join(p, "*")})...)
		}
	case listTool:
		list = each("list", paths(in, append([]string{"directory"}, pathKeys...)))
		if list == nil {
			list = each("list", []string{"."})
		}
	case fetchTool:
		list = fetchWants(in)
	case searchTool:
		list = each("websearch", texts(in, queryKeys))
	case taskTool:
		if texts := texts(in, taskKeys); len(texts) > 0 {
			list = each("task", texts[:1])
		}
	case plainTool:
		list = []Want{own}
		if !known {
			// Nothing is known of it but what its arguments are called.
			list = append(list, shellWants(in)...)
			list = append(list, each("edit", paths(in, pathKeys))...)
		}
	}
	if len(list) == 0 {
		// A tool of a kind that is known, without the argument that counts: it
		// could be anything, so it needs what its kind needs for all.
		list = append([]Want{own}, unknownWant(t.kind)...)
	}
	return list
}

// unknownWant is for a tool that does not say to what it does it: no text of a
// rule but one for everything allows the empty one.
func unknownWant(k kind) []Want {
	permission, ok := map[kind]string{
		shellTool: "bash", readTool: "read", manyTool: "read", editTool: "edit", patchTool: "edit", globTool: "glob",
		grepTool: "grep", fetchTool: "webfetch", searchTool: "websearch", taskTool: "task",
	}[k]
	if !ok {
		return nil
	}
	return []Want{{Permission: permission, Unknown: true}}
}

// each is one want for each text.
func each(permission string, list []string) (out []Want) {
	for _, text := range list {
		out = append(out, Want{Permission: permission, Args: []string{text}})
	}
	return out
}

// shellWants are the lines, or the argvs, that a tool runs.
func shellWants(in *object) (list []Want) {
	dir := in.text(dirKeys...)
	for _, key := range commandKeys {
		switch v := in.fields[key].(type) {
		case string:
			list = append(list, Want{Permission: "bash", Line: v, Dir: dir})
		case []any:
			var argv []string
			for _, word := range v {
				s, ok := word.(string)
				if !ok {
					return nil
				}
				argv = append(argv, s)
			}
			if len(argv) > 0 {
				list = append(list, Want{Permission: "bash", Args: argv, Dir: dir})
			}
		}
	}
	return list
}

// texts are the strings at keys.
func texts(in *object, keys []string) (list []string) {
	for _, key := range keys {
		if s, ok := in.fields[key].(string); ok && s != "" {
			list = append(list, s)
		}
	}
	return list
}

// paths are the files that keys name: as a string, in a list, or in a list of
// objects that name them.
func paths(in *object, keys []string) (list []string) {
	for _, key := range keys {
		switch v := in.fields[key].(type) {
		case string:
			list = append(list, v)
		case []any:
			for _, item := range v {
				switch item := item.(type) {
				case string:
					list = append(list, item)
				case *object:
					list = append(list, paths(item, keys)...)
				}
			}
		}
	}
	out := list[:0]
	for _, p := range list {
		if u, err := url.Parse(p); err == nil && u.Scheme == "file" {
			p = u.Path
		}
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

var address = regexp.MustCompile(`(?i)\b(?:https?|ftp|file)://[^\s"'<>)\]]+`)

// fetchWants are the addresses that a tool fetches; where it is told in words,
// those in the words.
func fetchWants(in *object) (list []Want) {
	for _, key := range urlKeys {
		switch v := in.fields[key].(type) {
		case string:
			found := address.FindAllString(v, -1)
			if key != "prompt" {
				found = []string{v}
			}
			list = append(list, each("webfetch", found)...)
		case []any:
			for _, item := range v {
				if s, ok := item.(string); ok {
					list = append(list, Want{Permission: "webfetch", Args: []string{s}})
				}
			}
		}
		if len(list) > 0 && key != "prompt" && in.text("url", "Url") != "" {
			break // the prompt says what to do with it
		}
	}
	return list
}

// mcpWants is what a tool of an MCP server needs, nil for another tool. The name
// may not tell where the server's ends: then every reading has to be allowed.
func mcpWants(tool string, in *object) []Want {
	var list []Want
	switch {
	case strings.HasPrefix(tool, "mcp__"):
		list = splits(strings.TrimPrefix(tool, "mcp__"), "__", in)
	case strings.HasPrefix(tool, "mcp_"):
		list = splits(strings.TrimPrefix(tool, "mcp_"), "_", in)
	case strings.HasPrefix(tool, "@") && strings.Contains(tool, "/"):
		server, name, _ := strings.Cut(tool[1:], "/")
		list = []Want{mcpWant(server, name, in.raw)}
	case strings.HasPrefix(tool, "MCP:"):
		list = []Want{mcpWant("mcp", tool[len("MCP:"):], in.raw)}
	}
	return list
}

// mcpWant is a tool of a server. A dot in the server's name would end it early.
func mcpWant(server, tool, args string) Want {
	return Want{Permission: strings.ReplaceAll(server, ".", "_") + "." + tool, Args: []string{args}}
}

// splits reads a name as server and tool in every way there is.
func splits(name, separator string, in *object) (list []Want) {
	for i := 1; i+len(separator) < len(name); i++ {
		if strings.HasPrefix(name[i:], separator) {
			list = append(list, mcpWant(name[:i], name[i+len(separator):], in.raw))
		}
		if len(list) > 16 {
			return nil // a name that is made to be long
		}
	}
	return list
}
