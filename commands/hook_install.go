package commands

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"

	"mayi/commands/agents"
)

// installHook changes the settings of an agent, or shows what they would be.
func (a *app) installHook(c *cli.Context, agent *agents.Agent) error {
	e, err := newEnv(c, a.stdin, a.stdout, a.stderr)
	if err != nil {
		return &runError{exitDeny, err}
	}
	count := 0
	for _, name := range []string{"install", "uninstall", "print"} {
		if c.Bool(name) {
			count++
		}
	}
	switch {
	case count > 1:
		err = usagef("--install, --uninstall and --print exclude each other")
	case c.Bool("uninstall"):
		// Or an agent would take its own gate away, or put a lenient one there.
		if err = e.requireHuman(c.Context, "hook "+agent.Name+" --uninstall"); err == nil {
			err = e.uninstall(c, agent)
		}
	case c.Bool("install"):
		if err = e.requireHuman(c.Context, "hook "+agent.Name+" --install"); err == nil {
			err = e.install(c, agent, a.account())
		}
	default:
		err = e.install(c, agent, a.account())
	}
	if err != nil {
		// The codes of a hook are 0 and 2, also where nothing is judged.
		return &runError{exitDeny, err}
	}
	return nil
}

// A change is a file of settings as it is and as it would be.
type change struct {
	agents.File
	target string      // the file itself, behind links
	mode   fs.FileMode // to be
	had    fs.FileMode
	exists bool
	before []byte
	after  []byte
}

// maxSettings is how much of a file of settings is read.
const maxSettings = 16 << 20

// load reads a file that an install touches.
func load(f agents.File) (change, error) {
	ch := change{File: f, target: canonical(f.Path), mode: f.Mode}
	if ch.mode == 0 {
		ch.mode = 0o644
	}
	info, err := os.Stat(ch.target)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return ch, nil
	case err != nil:
		return ch, err
	case !info.Mode().IsRegular() || info.Size() > maxSettings:
		return ch, fmt.Errorf("%s is not a file of settings", f.Path)
	}
	ch.exists, ch.had = true, info.Mode().Perm()
	if f.Whole == "" {
		ch.mode = ch.had
	}
	ch.before, err = os.ReadFile(ch.target)
	return ch, err
}

// inProject is an error where a link leads out of the project: who wrote that may
// not say which file of the person is changed.
func (e *env) inProject(ch change) error {
	if rel, err := filepath.Rel(canonical(e.project), ch.target); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s leads out of the project, to %s", ch.Path, ch.target)
	}
	return nil
}

func (e *env) install(c *cli.Context, agent *agents.Agent, account string) error {
	line, err := e.hookLine(c, agent, account)
	if err != nil {
		return err
	}
	files, err := agent.Files(line, e.places(boolFlag(c, "project")))
	if err != nil {
		return &usageError{msg: err.Error()}
	}
	// Nothing is written unless everything can be.
	var changes []change
	for _, f := range files {
		ch, err := load(f)
		if err == nil && boolFlag(c, "project") {
			err = e.inProject(ch)
		}
		if err == nil {
			ch.after, err = agent.Put(f, ch.before)
		}
		if err != nil {
			return err
		}
		changes = append(changes, ch)
	}
	for _, ch := range changes {
		if c.Bool("print") {
			e.out.notice("mayi: %s", ch.Path)
			if _, err := e.out.out.Write(ch.after); err != nil {
				return err
			}
			continue
		}
		if ch.exists && ch.had == ch.mode && bytes.Equal(ch.before, ch.after) {
			e.out.printf("already in %s\n", e.short(ch.Path))
			continue
		}
		_, ours := agent.Installed(ch.File, ch.before)
		if ch.exists && (ch.Whole == "" && !ours || e.edited(c, agent, ch)) {
			if err := writeFile(ch.target+backup, ch.before, ch.mode, ch.target); err != nil {
				return err
			}
		}
		if err := writeFile(ch.target, ch.after, ch.mode, ch.target); err != nil {
			return err
		}
		e.out.printf("installed in %s\n", e.short(ch.Path))
	}
	if agent.Name == "codex" && !c.Bool("print") {
		e.out.notice("mayi: Codex runs a new hook only after you have trusted it: open Codex and say /hooks")
	}
	e.out.notice("mayi: what a hook of %s cannot stop: %s", agent.Title, agent.Misses)
	return nil
}

// backup ends the name of the file that keeps what was there before.
const backup = ".before-mayi"

func (e *env) uninstall(c *cli.Context, agent *agents.Agent) error {
	files, err := agent.Files(agents.Line{Program: "/mayi", Args: []string{"hook", agent.Name}, Seconds: 10}, e.places(boolFlag(c, "project")))
	if err != nil {
		return &usageError{msg: err.Error()}
	}
	var changes []change
	for _, f := range files {
		ch, err := load(f)
		if err == nil && boolFlag(c, "project") {
			err = e.inProject(ch)
		}
		if err != nil {
			return err
		}
		if !ch.exists {
			continue
		}
		if ch.after, err = agent.Cut(f, ch.before); err != nil {
			return err
		}
		changes = append(changes, ch)
	}
	found := false
	for i, ch := range changes {
		kept, err := e.asBefore(c, agent, ch, changes)
		switch {
		case err != nil:
			return err
		case kept != nil:
			changes[i].after = kept.before
			if !kept.exists {
				changes[i].after = nil
			}
		}
	}
	for _, ch := range changes {
		if bytes.Equal(ch.before, ch.after) {
			continue
		}
		found = true
		switch {
		case ch.after == nil && e.edited(c, agent, ch):
			err = os.Rename(ch.target, ch.target+backup)
		case ch.after == nil:
			err = os.Remove(ch.target)
		default:
			err = writeFile(ch.target, ch.after, ch.mode, ch.target)
		}
		if err != nil {
			return err
		}
		if kept, err := os.ReadFile(ch.target + backup); err == nil && bytes.Equal(kept, ch.after) {
			if err := os.Remove(ch.target + backup); err != nil {
				return err
			}
		}
		e.out.printf("taken out of %s\n", e.short(ch.Path))
	}
	if !found {
		e.out.notice("mayi: no hook of %s is installed there", agent.Title)
	}
	return nil
}

// edited reports whether a file that is ours holds what no install wrote.
func (e *env) edited(c *cli.Context, agent *agents.Agent, ch change) bool {
	if ch.Whole == "" || !ch.exists {
		return false
	}
	line, _ := agent.Installed(ch.File, ch.before)
	files, err := agent.Files(line, e.places(boolFlag(c, "project")))
	i := slices.IndexFunc(files, func(f agents.File) bool { return f.Path == ch.Path })
	return err != nil || i < 0 || files[i].Whole != string(ch.before)
}

// asBefore is the file as it was, or was not, before the install, when it holds
// what an install makes of that and nothing that was changed since; else nil.
func (e *env) asBefore(c *cli.Context, agent *agents.Agent, ch change, all []change) (*change, error) {
	var line agents.Line
	found := false
	for _, other := range all {
		if l, ok := agent.Installed(other.File, other.before); ok && (!found || len(l.Args) > 0) {
			line, found = l, true
		}
	}
	if !found || ch.Whole != "" {
		return nil, nil
	}
	files, err := agent.Files(line, e.places(boolFlag(c, "project")))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.Path != ch.Path {
			continue
		}
		was := change{File: f}
		if was.before, err = os.ReadFile(ch.target + backup); err == nil {
			was.exists = true
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if again, err := agent.Put(f, was.before); err == nil && bytes.Equal(again, ch.before) {
			return &was, nil
		}
	}
	return nil, nil
}

// writeFile puts a text in the place of a file at once, with the owner of the file
// it is like.
func writeFile(path string, data []byte, mode fs.FileMode, like string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".mayi-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // in vain once it has its name
	if info, err := os.Stat(like); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			_ = f.Chown(int(stat.Uid), int(stat.Gid)) // ours to give only as root
		}
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
