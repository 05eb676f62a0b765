package commands

import (
	"os"
	"path/filepath"
	"slices"
	"sync"

	"mayi/commands/agents"
	"mayi/rules"
)

// own is what belongs to mayi on this machine, by every name that it has: where
// config and answers live, this program, and the settings by which agents call it.
func (e *env) own() *rules.Own {
	own := &rules.Own{Trees: []string{e.machine}, Runs: e.runsThis}
	if user, err := e.userFile(); err == nil {
		own.Trees = append(own.Trees, filepath.Dir(user))
	}
	if state, err := e.xdg("XDG_STATE_HOME", ".local/state"); err == nil {
		own.Trees = append(own.Trees, filepath.Join(state, "mayi"))
	}
	if dir := filepath.Dir(e.db); !slices.Contains(own.Trees, dir) {
		own.Trees = append(own.Trees, filepath.Join(dir, "bells"))
		for _, part := range []string{"", "-journal", "-shm", "-wal"} {
			own.Files = append(own.Files, e.db+part)
		}
	}
	for _, path := range e.configs {
		if abs, err := filepath.Abs(path); err == nil {
			own.Files = append(own.Files, abs)
		}
	}
	files, names := agents.Protected(e.places(false))
	own.Files, own.Names = append(own.Files, files...), append(names, projectFile)
	for _, program := range []string{e.find("mayi"), thisProgram()} {
		if program != "" {
			own.Program = append(own.Program, program)
		}
	}
	for _, list := range []*[]string{&own.Trees, &own.Files, &own.Program} {
		*list = withTargets(*list)
	}
	own.Present = sync.OnceValue(func() []string { return e.presentOf(own) })
	own.Same = sameAs(own)
	return own
}

// withTargets adds to paths those that links lead to, each once.
func withTargets(paths []string) (all []string) {
	for _, path := range paths {
		for _, p := range []string{path, canonical(path)} {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// thisProgram is the file that runs, "" if that cannot be known.
func thisProgram() string {
	file, err := os.Executable()
	if err != nil {
		return ""
	}
	return file
}

// presentOf lists what is there of what is mayi's own: of what is protected in
// whatever directory that is here, above, and in the home directory.
func (e *env) presentOf(own *rules.Own) (present []string) {
	candidates := slices.Concat(own.Trees, own.Files, own.Program)
	for _, tree := range own.Trees {
		entries, _ := os.ReadDir(tree)
		for _, entry := range entries {
			candidates = append(candidates, filepath.Join(tree, entry.Name()))
		}
	}
	for _, dir := range append(ancestors(e.cwd, e.project), e.home) {
		for _, name := range own.Names {
			candidates = append(candidates, filepath.Join(dir, name))
		}
	}
	for _, path := range candidates {
		if exists(path) {
			present = append(present, path)
		}
	}
	return present
}

// sameAs reports whether a path is a file of mayi's own by another name, such as
// a hard link.
func sameAs(own *rules.Own) func(path string) bool {
	known := sync.OnceValue(func() (list []os.FileInfo) {
		for _, path := range slices.Concat(own.Files, own.Program) {
			if info, err := os.Stat(path); err == nil {
				list = append(list, info)
			}
		}
		for _, tree := range own.Trees {
			entries, _ := os.ReadDir(tree)
			for _, entry := range entries {
				if info, err := os.Stat(filepath.Join(tree, entry.Name())); err == nil && info.Mode().IsRegular() {
					list = append(list, info)
				}
			}
		}
		return list
	})
	return func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular() && slices.ContainsFunc(known(), func(k os.FileInfo) bool { return os.SameFile(info, k) })
	}
}

// runsThis reports whether the name of a command, as a shell in a directory would
// look it up, leads to the file of this program.
func (e *env) runsThis(name, dir string) bool {
	file := e.find(name)
	if filepath.Base(name) != name {
		if file = name; !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
	}
	if file == "" {
		return false
	}
	found, err := os.Stat(file)
	this, err2 := os.Stat(thisProgram())
	return err == nil && err2 == nil && os.SameFile(found, this)
}
