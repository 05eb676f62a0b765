package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"mayi/db"
)

// checkFiles looks at whom the state and the config belong to, and who may read
// and write them.
func checkFiles(_ context.Context, e *env) (list []finding) {
	dir := filepath.Dir(e.db)
	state := []ownFile{{dir, 0o700}, {filepath.Join(dir, "bells"), 0o700}}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		state = append(state, ownFile{e.db + suffix, 0o600})
	}
	if f := checkOwn(e, "state in "+e.short(dir), state, 0o077); f != nil {
		list = append(list, *f)
	}
	user, err := e.userFile()
	if err != nil {
		return append(list, finding{What: "config", Fault: err.Error(), Hint: hintFor(err)})
	}
	config := []ownFile{{filepath.Dir(user), 0o755}, {user, 0o644}}
	if f := checkOwn(e, "config in "+e.short(filepath.Dir(user)), config, 0o022); f != nil {
		list = append(list, *f)
	}
	return append(list, checkSystem(e)...)
}

// An ownFile is one that is to be the user's alone, with the mode it is to have.
type ownFile struct {
	path string
	mode fs.FileMode
}

// checkOwn looks at files, as far as there are any. No file may have a bit of a
// mode that is too much, and none may lack what its owner needs.
func checkOwn(e *env, what string, files []ownFile, tooMuch fs.FileMode) *finding {
	f := finding{What: what + ": its owner, modes and names are as they should be"}
	there := false
	for _, file := range files {
		info, err := os.Lstat(file.path)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
				return &finding{What: what, Fault: err.Error(), Hint: hintFor(err)}
			}
			continue
		}
		there = true
		stat, _ := info.Sys().(*syscall.Stat_t)
		mode := info.Mode().Perm()
		switch {
		case info.Mode()&fs.ModeSymlink != 0 && file.mode&0o111 != 0:
			continue // a directory that the user keeps elsewhere
		case info.Mode()&fs.ModeSymlink != 0 && tooMuch == 0o022:
			continue // a config, too
		case int(stat.Uid) != os.Geteuid() && !(info.IsDir() && stat.Uid == 0):
			return &finding{What: what, Fault: fmt.Sprintf("%s belongs to user %d", e.short(file.path), stat.Uid), Hint: "move it away, or have it given to you (chown)"}
		case info.IsDir() && info.Mode()&fs.ModeSticky != 0:
			continue // a directory for everyone, such as /tmp
		case mode&tooMuch != 0 || mode&file.mode&0o700 != file.mode&0o700:
			fault := fmt.Sprintf("%s has mode %04o", e.short(file.path), mode)
			if f.Fault == "" {
				f = finding{What: what, Fault: fault, Hint: fmt.Sprintf("`mayi doctor --repair`, or chmod %04o", file.mode)}
				f.cure = &cure{does("give the files in %s their modes", filepath.Dir(file.path)), func(context.Context) error { return mend(files, tooMuch) }}
			} else {
				f.Fault += "; " + fault
			}
			if mode&0o022 != 0 {
				f.Note = "others could have written to it: look at `mayi list`, `mayi list --approved --everywhere` and `mayi log`"
			}
		}
	}
	if !there {
		return nil
	}
	return &f
}

// mend gives files the modes they are to have, the directories first.
func mend(files []ownFile, tooMuch fs.FileMode) (failed error) {
	for _, file := range files {
		info, err := os.Lstat(file.path)
		if err != nil || info.Mode()&fs.ModeSymlink != 0 || info.Mode()&fs.ModeSticky != 0 {
			continue
		}
		mode := info.Mode().Perm()
		if mode&tooMuch != 0 || mode&file.mode&0o700 != file.mode&0o700 {
			failed = errors.Join(failed, os.Chmod(file.path, mode&^tooMuch|file.mode&0o700))
		}
	}
	return failed
}

// checkSystem looks at the config of the machine: whoever can write to it judges
// for everybody.
func checkSystem(e *env) (list []finding) {
	for _, path := range []string{e.machine, filepath.Join(e.machine, "policy.jsonc"), filepath.Join(e.machine, "config.jsonc")} {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		f := finding{What: path + ": only root can write to it"}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Uid != 0 || info.Mode().Perm()&0o022 != 0 {
			f = finding{What: path, Fault: fmt.Sprintf("it belongs to user %d and has mode %04o", stat.Uid, info.Mode().Perm()), Hint: "as root: chown root and chmod go-w"}
		}
		list = append(list, f)
	}
	return list
}

// checkBell makes a socket of its own where the others have theirs, and rings it.
func checkBell(_ context.Context, e *env) []finding {
	dir := filepath.Join(filepath.Dir(e.db), "bells")
	f := finding{What: "bells in " + e.short(dir)}
	if !exists(dir) {
		f.What += ": there are none yet"
		return []finding{f}
	}
	live, dead := db.Bells(dir)
	f.What += fmt.Sprintf(": %d, and one more rings", live)
	if err := db.TryBell(dir); err != nil {
		f.What = "bells in " + e.short(dir)
		f.Fault = "none can be rung: " + rootCause(err).Error()
		f.Hint = "who waits looks by the clock until then; `mayi doctor --repair` puts modes right"
	}
	if dead > 0 {
		f.Note = fmt.Sprintf("%d more are of processes that are gone; the next that waits removes them", dead)
		f.cure = &cure{does("remove %d sockets of processes that are gone", dead), func(context.Context) error {
			db.SweepBells(dir)
			return nil
		}}
	}
	return []finding{f}
}
