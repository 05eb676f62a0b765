package agents

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// dirKeysOf are the keys by which a shell of this name is told where to start, as
// far as that is known. A directory under any other key may be one that the tool
// does not look at.
var dirKeysOf = map[string][]string{
	"bash":                 {"workdir", "working_dir"}, // OpenCode, Crush
	"exec_command":         {"workdir"},                // Codex
	"local_shell":          {"workdir"},
	"run_command":          {"Cwd"},                   // Antigravity
	"run_shell_command":    {"dir_path", "directory"}, // Gemini, Qwen
	"shell":                {"workdir"},
	"shell_command":        {"workdir"},
	"run_terminal_command": {"cwd"},
	"Bash":                 {"cwd"}, // Amp; Claude's has none
	"Shell":                {"working_directory"},
}

// commandKey is what a key looks like under which a command may be kept.
var commandKey = regexp.MustCompile(`(?i)(^|[a-z_])(cmd|command|script)s?(_?(lines?|list|array))?$`)

// shellWants are the lines, or the argvs, that a tool runs, in every directory it
// may mean.
func (p *payload) shellWants(tool string, in *object) (list []Want) {
	dirs := p.dirs(in, dirKeysOf[tool])
	for _, w := range p.commands(tool, in) {
		for _, dir := range dirs {
			if w.Dir == "" {
				w.Dir = dir
			}
			list = append(list, w)
			w.Dir = ""
		}
		// Codex takes a patch out of a command, whatever the command is.
		for _, text := range append([]string{w.Line}, w.Args...) {
			if strings.Contains(text, "*** Begin Patch") {
				list = append(list, patchWants(text, dirs)...)
				if before, _, _ := strings.Cut(text, "apply"); strings.Contains(before, "cd ") {
					list = append(list, Want{Permission: "edit", Unknown: true}) // somewhere else
				}
			}
		}
	}
	return list
}

func (p *payload) commands(tool string, in *object) (list []Want) {
	for _, key := range in.keys {
		v := in.fields[key]
		if !slices.Contains(commandKeys, key) {
			if _, isText := v.(string); commandKey.MatchString(key) && (isText || isList(v)) {
				list = append(list, Want{Permission: "bash", Unknown: true})
			}
			continue
		}
		switch v := v.(type) {
		case nil:
		case string:
			list = append(list, Want{Permission: "bash", Line: v})
		case []any:
			list = append(list, p.several(tool, key, v)...)
		default:
			p.fail(fmt.Errorf("%s is neither a line nor a list", key))
		}
	}
	return list
}

func isList(v any) bool {
	switch v.(type) {
	case []any, *object:
		return true
	}
	return false
}

// several is a list: of lines at "commands", of words elsewhere; or of objects
// that have a command each.
func (p *payload) several(tool, key string, items []any) (list []Want) {
	var argv []string
	for _, item := range items {
		switch item := item.(type) {
		case string:
			if key == "commands" {
				list = append(list, Want{Permission: "bash", Line: item})
				continue
			}
			argv = append(argv, item)
		case *object:
			wants := p.shellWants(tool, item)
			if wants == nil || item.has("args") {
				wants = append(wants, Want{Permission: "bash", Unknown: true})
			}
			list = append(list, wants...)
		default:
			p.fail(fmt.Errorf("%s holds what is neither a word nor a command", key))
		}
	}
	if len(argv) > 0 {
		list = append(list, Want{Permission: "bash", Args: argv})
		if strings.HasPrefix(path.Base(argv[0]), "apply") && len(argv) > 1 && !strings.Contains(argv[1], "*** Begin Patch") {
			list = append(list, patchWants(argv[1], []string{""})...)
		}
	}
	return list
}
