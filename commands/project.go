package commands

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// canonical is a path with its symbolic links followed, as far as it exists and
// can be seen.
func canonical(path string) string {
	real, _ := resolve(path)
	return real
}

// resolve follows symbolic links; where a path does not exist yet, those of its
// nearest existing parent. A link that leads to nothing yet is followed too:
// writing through it creates what it names. The error says that something on the
// way could not be looked at: what is returned then may lead elsewhere.
func resolve(path string) (real string, err error) {
	if path == "" {
		return "", nil
	}
	path = filepath.Clean(path)
	for range 40 { // as many links as Linux follows, path_resolution(7)
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return real, nil
		}
		fault := unseen(err)
		link, err := os.Readlink(path)
		if err == nil {
			if !filepath.IsAbs(link) {
				link = filepath.Join(filepath.Dir(path), link)
			}
			path = filepath.Clean(link)
			continue
		}
		fault = errors.Join(fault, unseen(err))
		dir := filepath.Dir(path)
		if dir == path {
			return path, fault
		}
		parent, err := resolve(dir)
		return filepath.Join(parent, filepath.Base(path)), errors.Join(fault, err)
	}
	return path, nil
}

// unseen is an error that leaves open whether something is there and what it is:
// one that neither says that there is nothing, nor that it is no link (EINVAL),
// nor that no call takes such a path.
func unseen(err error) error {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return nil // too many links: nothing opens it
	}
	switch number {
	case syscall.ENOENT, syscall.ENOTDIR, syscall.EINVAL, syscall.ELOOP, syscall.ENAMETOOLONG:
		return nil
	}
	return err
}

// look notes that something could not be looked at. Nothing is allowed then.
func (e *env) look(err error) {
	if err != nil && e.blind == "" {
		e.blind = "it cannot be told what is there: " + err.Error()
	}
}

func (e *env) canonical(path string) string {
	real, err := resolve(path)
	e.look(err)
	return real
}

// locate puts the world where a directory is.
func (e *env) locate(dir string) {
	e.cwd = e.canonical(dir)
	var err error
	e.project, e.tree, err = projectOf(e.cwd, e.canonical(e.home))
	e.look(err)
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
//
// The error says that one of them could not be looked for.
func projectOf(cwd, home string) (project, tree string, err error) {
	there := func(path string) bool {
		_, e := os.Lstat(path)
		err = errors.Join(err, unseen(e))
		return e == nil
	}
	for dir := cwd; ; dir = filepath.Dir(dir) {
		if there(filepath.Join(dir, projectFile)) {
			return dir, "", err
		}
		if git := filepath.Join(dir, ".git"); dir != home && dir != "/" && there(git) {
			if project = repositoryOf(dir, git); project != dir {
				tree = dir
			}
			return project, tree, err
		}
		if dir == filepath.Dir(dir) {
			return cwd, "", err
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

func (e *env) isDir(path string) bool {
	info, err := os.Stat(path)
	e.look(unseen(err))
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
