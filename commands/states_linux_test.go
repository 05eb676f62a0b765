package commands

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"mayi/db"
)

// TestHostileStates puts the files into states that decide nothing. Each has its
// exit code and its sentence, and none is taken for there being no approvals.
func TestHostileStates(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to become a user for whom modes count")
	}
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	shared, err := os.MkdirTemp("/tmp", "mayi-test-") // t.TempDir is closed to others
	must(err)
	t.Cleanup(func() { os.RemoveAll(shared) })
	self, err := os.Executable()
	must(err)
	program, err := os.ReadFile(self)
	must(err, os.Chmod(shared, 0o755), os.WriteFile(filepath.Join(shared, "mayi"), program, 0o755))

	replace := func(text string) func(h home) {
		return func(h home) { must(os.WriteFile(h.db(), []byte(text), 0o600)) }
	}
	mode := func(of string, mode fs.FileMode) func(h home) {
		return func(h home) { must(os.Chmod(filepath.Join(h.dir, of), mode)) }
	}
	statement := func(query string) func(h home) {
		return func(h home) {
			raw, err := sql.Open("sqlite3", h.db())
			must(err)
			_, err = raw.Exec(query)
			must(err, raw.Close())
		}
	}
	states := map[string]struct {
		change   func(home)
		ask      int // mayi ask, of what a rule allows
		check    int // mayi check, of what nothing but an approval could allow
		run      int // mayi run, of what a rule allows
		sentence string
	}{
		"as it should be":          {func(home) {}, 0, 0, 0, ""},
		"file of mode 0000":        {mode(".local/state/mayi/mayi.db", 0), 74, 74, 125, "cannot be opened or created"},
		"file read-only":           {mode(".local/state/mayi/mayi.db", 0o400), 74, 0, 125, "cannot be written to"},
		"directory read-only":      {mode(".local/state/mayi", 0o500), 74, 74, 125, "cannot be"},
		"directory of mode 0000":   {mode(".local/state/mayi", 0), 74, 74, 125, "permission denied"},
		"parent of mode 0000":      {mode(".local/state", 0), 74, 74, 125, "permission denied"},
		"no bytes":                 {replace(""), 74, 74, 125, "the file is empty"},
		"garbage":                  {replace("this is no database " + strings.Repeat("x", 5000)), 74, 74, 125, "not an SQLite database"},
		"half a page":              {replace("SQLite format 3\x00" + strings.Repeat("\x01", 100)), 74, 74, 125, "not an SQLite database"},
		"newer schema":             {statement("PRAGMA user_version = 999"), 74, 74, 125, "newer than"},
		"another program's":        {statement("PRAGMA application_id = 7"), 74, 74, 125, "a database of another program"},
		"a table gone":             {statement("DROP TABLE approvals"), 74, 74, 125, "no such table"},
		"open to others":           {mode(".local/state/mayi/mayi.db", 0o666), 74, 74, 125, "others may write to it"},
		"directory open to others": {mode(".local/state/mayi", 0o777), 74, 74, 125, "others may write to it"},
		"a symbolic link": {func(h home) {
			must(os.Rename(h.db(), h.db()+".real"), os.Symlink(h.db()+".real", h.db()))
		}, 74, 74, 125, "it is a symbolic link"},
		"a directory": {func(h home) { must(os.Remove(h.db()), os.Mkdir(h.db(), 0o700)) }, 74, 74, 125, "it is not a regular file"},
		"a fifo":      {func(h home) { must(os.Remove(h.db()), syscall.Mkfifo(h.db(), 0o600)) }, 74, 74, 125, "it is not a regular file"},
		"somebody else's": {func(h home) {
			must(os.Chown(h.db(), 1, 1))
		}, 74, 74, 125, "it belongs to user 1"},
	}
	t.Logf("figure: bad states of the files, as a user without rights | %d states, 3 commands each | documented code and sentence, or FAIL", len(states))
	for name, tt := range states {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := home{t, filepath.Join(shared, strings.ReplaceAll(name, " ", "-"))}
			must(os.MkdirAll(filepath.Join(h.dir, "project/.git"), 0o700))
			store, err := db.Open(t.Context(), h.db())
			must(err)
			r := questions("npm test")
			r.Project = filepath.Join(h.dir, "project")
			id, err := store.Submit(t.Context(), r)
			must(err)
			_, err = store.Settle(t.Context(), id, db.Answer{Reply: db.Always, Scope: db.ScopeProject})
			must(err, store.Close())
			must(filepath.WalkDir(h.dir, func(path string, _ fs.DirEntry, err error) error {
				return errors.Join(err, os.Lchown(path, nobody, nobody))
			}))
			before := sizes(t, h)
			tt.change(h)
			changed := sizes(t, h)
			for _, c := range []struct {
				want int
				args []string
			}{
				{tt.check, []string{"check", "npm test"}},
				{tt.ask, []string{"ask", "--no-tty", "git --version"}},
				{tt.run, []string{"run", "--no-tty", "git", "--version"}},
			} {
				cmd := h.command(c.args...)
				cmd.Path = filepath.Join(shared, "mayi")
				cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
				out, _ := cmd.CombinedOutput()
				if cmd.ProcessState == nil {
					t.Fatal("it does not start")
				}
				if have := cmd.ProcessState.ExitCode(); have != c.want {
					t.Errorf("%v: exit status %d, want %d\n%s", c.args, have, c.want, out)
				}
				if c.want >= 74 && (!strings.Contains(string(out), tt.sentence) || !strings.Contains(string(out), h.dir)) {
					t.Errorf("%v does not say %q with the path:\n%s", c.args, tt.sentence, out)
				}
			}
			if tt.ask == 74 && changed != before && sizes(t, h) != changed {
				t.Errorf("what was wrong was changed: %s, then %s", changed, sizes(t, h))
			}
		})
	}
}

// sizes is what a database looks like from outside.
func sizes(t *testing.T, h home) string {
	t.Helper()
	f, err := os.Lstat(h.db())
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(f.Mode(), f.Size())
}

// TestManyFirstRunsAtOnce lets many processes find nothing and make what they
// need at the same time.
func TestManyFirstRunsAtOnce(t *testing.T) {
	h := newHome(t)
	const many = 32
	var all sync.WaitGroup
	for i := range many {
		cmd := h.command("ask", "--no-tty", "--timeout", "1m", fmt.Sprintf("git log -n %d", i)) // the same would be a loop
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		all.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	store, err := db.OpenRead(t.Context(), h.db())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	entries, err := store.Entries(t.Context(), 2*many)
	if err != nil || len(entries) != many {
		t.Errorf("%d entries are in the log, %v, want %d", len(entries), err, many)
	}
	if err := store.VerifyLog(t.Context()); err != nil {
		t.Error(err)
	}
	t.Logf("figure: first runs at once | %d processes create and migrate | 0 violations", many)
}
