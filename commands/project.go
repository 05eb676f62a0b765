package commands

import (
	"os"
	"path/filepath"
	"strings"
)

// canonical is a path with its symbolic links followed, as far as it exists.
func canonical(path string) string {
	if path == "" {
		return ""
	}
	return resolve(filepath.Clean(path))
}

// resolve follows symbolic links; where a path does not exist yet, those of its
// nearest existing parent. A link that leads to nothing yet is followed too:
// writing through it creates what it names.
func resolve(path string) string {
	for range 40 { // as many links as Linux follows, path_resolution(7)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		if link, err := os.Readlink(path); err == nil {
			if !filepath.IsAbs(link) {
				link = filepath.Join(filepath.Dir(path), link)
			}
			path = link
			continue
		}
		dir := filepath.Dir(path)
		if dir == path {
			return path
		}
		return filepath.Join(resolve(dir), filepath.Base(path))
	}
	return path
}

// remembered is f, asked about each path once.
func remembered[T any](f func(path string) T) func(path string) T {
	known := map[string]T{}
	return func(path string) T {
		t, ok := known[path]
		if !ok {
			t = f(path)
			known[path] = t
		}
		return t
	}
}

// projectOf is the project that a directory belongs to: the nearest ancestor
// with a .mayi.jsonc or a .git. The home directory and / are never projects
// through .git, or one repository there would make everything one project.
// Without either it is the directory itself. A worktree is part of the project that
// its repository is, and tree is its root then.
func projectOf(cwd, home string) (project, tree string) {
	for dir := cwd; ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, projectFile)) {
			return dir, ""
		}
		if git := filepath.Join(dir, ".git"); dir != home && dir != "/" && exists(git) {
			if project = repositoryOf(dir, git); project != dir {
				tree = dir
			}
			return project, tree
		}
		if dir == filepath.Dir(dir) {
			return cwd, ""
		}
	}
}

// repositoryOf is dir, or, where dir is a linked worktree, the repository it was
// made from. What a .git file claims counts only if the repository points back
// (gitrepository-layout(5): worktrees/*/gitdir): anybody can write a .git file.
func repositoryOf(dir, git string) string {
	pointer, ok := pointerFile(git, "gitdir: ")
	if !ok {
		return dir
	}
	if !filepath.IsAbs(pointer) {
		pointer = filepath.Join(dir, pointer)
	}
	back, ok := pointerFile(filepath.Join(pointer, "gitdir"), "")
	worktrees := filepath.Dir(pointer)
	common := filepath.Dir(worktrees)
	if !ok || filepath.Base(worktrees) != "worktrees" || filepath.Base(common) != ".git" || canonical(back) != canonical(git) {
		return dir
	}
	return canonical(filepath.Dir(common))
}

// pointerFile reads a file of one short line.
func pointerFile(path, prefix string) (string, bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 8<<10 {
		return "", false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
}

// ancestors lists the directories whose project files count: every one above
// the working directory and above the project, the outermost first.
func ancestors(dirs ...string) []string {
	var list []string
	seen := map[string]bool{}
	for _, dir := range dirs {
		var up []string
		for ; !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			up = append(up, dir)
		}
		for i := len(up) - 1; i >= 0; i-- {
			list = append(list, up[i])
		}
	}
	return list
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
