package agents

import (
	"path/filepath"
	"slices"
	"strings"
)

// Protected returns what decides whether agents call their hooks, whether it is
// there or not: files in the settings of the user, and names, such as
// .claude/settings.json, of files in a project.
func Protected(at Places) (files, names []string) {
	names = slices.Clone(otherSettings)
	project := at
	project.Project = "/"
	for _, a := range table {
		// An agent that has no settings of one kind says so by an error.
		inProject, _ := a.files(Line{}, project)
		for _, f := range inProject {
			names = append(names, strings.TrimPrefix(filepath.Clean(f.Path), "/"))
		}
		ofUser, _ := a.files(Line{}, at)
		for _, f := range ofUser {
			files = append(files, filepath.Clean(f.Path))
		}
	}
	slices.Sort(names)
	slices.Sort(files)
	files = slices.DeleteFunc(slices.Compact(files), func(f string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(f, "/"+name) })
	})
	return files, slices.Compact(names)
}

// otherSettings are the files beside those that an install writes in which hooks
// can be named or switched off as well. From each agent's contract for hooks.
var otherSettings = []string{
	".claude/settings.local.json",
	".codeium/hooks.json",
	".codex/config.toml",
	".copilot/settings.json",
	".crush.json",
	".cursor/cli-config.json",
	".cursor/cli.json",
	".devin/hooks.json",
	".devin/hooks.v1.json",
	".factory/settings.json",
	".github/copilot/settings.json",
	".github/copilot/settings.local.json",
}
