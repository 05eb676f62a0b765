package agents

import (
	"fmt"
	"net/url"
	"path"
	"slices"
)

// Where the tools of the agents keep what counts. Every one that is there is
// judged.
var (
	commandKeys = []string{"command", "cmd", "command_line", "commandLine", "CommandLine", "script", "commands"}
	dirKeys     = []string{"workdir", "working_directory", "working_dir", "workingDirectory", "dir_path", "directory", "cwd", "Cwd"}
	pathKeys    = []string{
		"file_path", "filePath", "path", "absolute_path", "AbsolutePath", "TargetFile", "target_file", "notebook_path", "file", "filename",
		"relative_workspace_path", "DirectoryPath", "SearchDirectory", "SearchPath", "dir_path", "uri", "destination", "destination_path",
		"destinationPath", "source", "source_path", "sourcePath", "new_path", "newPath", "old_path", "oldPath", "target_path", "targetPath",
		"image_path", "imagePath", "image_paths", "imagePaths", "target_directory", "target_directories", "targetDirectories",
		"files", "paths", "file_paths", "filePaths", "edits", "operations",
	}
	manyKeys    = append([]string{"include"}, pathKeys...)
	patchKeys   = []string{"patchText", "patch_text", "patch", "input", "command", "diff"}
	patternKeys = []string{"pattern", "Pattern", "glob", "glob_pattern", "globPattern", "query", "Query", "regex"}
	filterKeys  = []string{"glob", "glob_pattern", "globPattern", "include", "include_pattern", "includePattern", "Includes", "file_pattern"}
	urlKeys     = []string{"url", "Url", "uri", "urls"}
	queryKeys   = []string{"query", "Query", "search_term", "prompt"}
	taskKeys    = []string{"subagent_type", "agent_name", "agentName", "description", "prompt"}
)

// texts are the strings at keys, also those in lists.
func (p *payload) texts(in *object, keys []string) (list []string) {
	for _, key := range keys {
		list = append(list, p.strings(key, in.fields[key])...)
	}
	return list
}

// strings are the ones of a value that is one or a list of them, but for empty
// ones.
func (p *payload) strings(key string, v any) (list []string) {
	switch v := v.(type) {
	case nil:
	case string:
		if v != "" {
			list = []string{v}
		}
	case []any:
		for _, item := range v {
			list = append(list, p.strings(key, item)...)
		}
	default:
		p.fail(fmt.Errorf("%s is neither a string nor a list of them", key))
	}
	return list
}

// paths are the files that keys name: as a string, in a list, or in objects that
// name them.
func (p *payload) paths(in *object, keys []string) (list []string) {
	for _, key := range keys {
		list = append(list, p.pathsAt(key, in.fields[key], keys)...)
	}
	return list
}

func (p *payload) pathsAt(key string, v any, keys []string) (list []string) {
	switch v := v.(type) {
	case nil:
	case string:
		if u, err := url.Parse(v); err == nil && u.Scheme == "file" {
			v = u.Path
		}
		if v != "" {
			list = []string{v}
		}
	case []any:
		for _, item := range v {
			list = append(list, p.pathsAt(key, item, keys)...)
		}
	case *object:
		list = p.paths(v, keys)
	default:
		p.fail(fmt.Errorf("%s does not name a file", key))
	}
	return list
}

// dirs are the directories that keys name, "" for an empty one. Which of several
// a tool means is not known. own are the keys that the tool is known to have:
// where there is none of them, it may as well stay where the agent is.
func (p *payload) dirs(in *object, own []string) (list []string) {
	stays := true
	for _, key := range dirKeys {
		switch v := in.fields[key].(type) {
		case nil:
		case string:
			if !slices.Contains(list, v) {
				list = append(list, v)
			}
			stays = stays && !slices.Contains(own, key)
		default:
			p.fail(fmt.Errorf("%s does not name a directory", key))
		}
	}
	if stays && !slices.Contains(list, "") {
		list = append([]string{""}, list...)
	}
	return list
}

// placed are the files that keys name, and where a directory is named as well,
// also those of these names there.
func (p *payload) placed(in *object, keys []string) []string {
	return joined(p.dirs(in, nil), p.paths(in, keys))
}

// joined are names as they are and, where they are relative, below directories.
func joined(dirs, names []string) []string {
	list := slices.Clone(names)
	for _, dir := range dirs {
		for _, name := range names {
			if dir != "" && dir != name && !path.IsAbs(name) {
				list = append(list, path.Join(dir, name))
			}
		}
	}
	return list
}

// below are the directories that a search goes through; there always is one.
func (p *payload) below(in *object) []string {
	list := p.placed(in, pathKeys)
	for _, dir := range p.dirs(in, nil) {
		if dir != "" && !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	if len(list) == 0 {
		list = []string{"."}
	}
	return list
}
