package db

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mayi/rules"
)

func TestUnsafeFileIsRefused(t *testing.T) {
	var paths []string
	fresh := func() string {
		db := newDB(t)
		db.Close()
		return db.Path()
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	link := filepath.Join(t.TempDir(), "link.db")
	must(os.Symlink(fresh(), link))
	paths = append(paths, link)

	dangling := filepath.Join(t.TempDir(), "dangling.db")
	must(os.Symlink(filepath.Join(t.TempDir(), "none"), dangling))
	paths = append(paths, dangling)

	hard := fresh()
	must(os.Link(hard, hard+"2"))
	paths = append(paths, hard)

	open := fresh()
	must(os.Chmod(open, 0o666))
	paths = append(paths, open)

	openDir := fresh()
	must(os.Chmod(filepath.Dir(openDir), 0o777))
	paths = append(paths, openDir)

	wal := fresh()
	must(os.Symlink("/etc/hostname", wal+"-wal"))
	paths = append(paths, wal)

	paths = append(paths, t.TempDir())

	if os.Geteuid() == 0 {
		theirs := fresh()
		must(os.Chown(theirs, nobody, nobody))
		paths = append(paths, theirs)
		theirDir := fresh()
		must(os.Chown(filepath.Dir(theirDir), nobody, nobody))
		paths = append(paths, theirDir)
	}
	for _, path := range paths {
		if _, err := Open(t.Context(), path); !errors.Is(err, ErrUnsafe) {
			t.Errorf("Open %s: have %v, want ErrUnsafe", path, err)
		}
		if _, err := OpenRead(t.Context(), path); !errors.Is(err, ErrUnsafe) {
			t.Errorf("OpenRead %s: have %v, want ErrUnsafe", path, err)
		}
	}
}

func TestDamagedDatabaseIsAnError(t *testing.T) {
	db := newDB(t)
	var patterns []string
	for i := range 500 {
		patterns = append(patterns, fmt.Sprintf("make target%d *", i))
	}
	approveAll(t, db, patterns)
	db.Close()
	f, err := os.OpenFile(db.Path(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for offset := int64(4096); offset < db.size(t); offset += 4096 {
		if _, err := f.WriteAt([]byte(strings.Repeat("\xaa", 100)), offset); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()

	read, err := OpenRead(t.Context(), db.Path())
	if err == nil {
		defer read.Close()
		_, err = read.Approvals(t.Context(), Place{Project: "/p"}, []rules.Request{part("make target7", "").Request})
	}
	if !errors.Is(err, ErrCorrupt) {
		t.Errorf("have %v, want ErrCorrupt", err)
	}
}

func (db *DB) size(t *testing.T) int64 {
	t.Helper()
	f, err := os.Stat(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	return f.Size()
}

func TestDamagedApprovalAllowsNothingAndCanBeRevoked(t *testing.T) {
	db := newDB(t)
	approve(t, db, "git status", "git status *", ScopeProject)
	if _, err := db.sql.Exec(`UPDATE approvals SET pattern = 'git * *', head = 'git'`); err != nil {
		t.Fatal(err)
	}
	q := part("git push", "").Request
	if found, err := db.Approvals(t.Context(), Place{Project: "/p"}, []rules.Request{q}); !errors.Is(err, ErrCorrupt) || found != nil {
		t.Errorf("have %v, %v, want ErrCorrupt", found, err)
	}
	if revoked, err := db.Revoke(t.Context(), 1); err != nil || len(revoked) != 1 {
		t.Errorf("revoke: %v, %v", revoked, err)
	}
}

func TestFullDiskLosesNothing(t *testing.T) {
	db := newDB(t)
	approve(t, db, "ls", "ls *", ScopeProject)
	var pages int
	if err := db.sql.QueryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := db.sql.Exec(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages)); err != nil {
		t.Fatal(err)
	}
	big := request("s", part(strings.Repeat("x", 1<<16), "x *"))
	if _, err := db.Submit(t.Context(), big); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("submit on a full disk: %v", err)
	}
	if _, err := db.Log(t.Context(), Entry{Verb: "ask", Outcome: OutcomeAllow, Line: strings.Repeat("x", 1<<16)}); err == nil {
		t.Error("log on a full disk: no error")
	}
	if pending, err := db.Pending(t.Context(), Filter{}); err != nil || len(pending) != 0 {
		t.Errorf("half a request is there: %v, %v", pending, err)
	}
	if n := approvalCount(t, db); n != 1 {
		t.Errorf("%d approvals are left, want 1", n)
	}
}

func TestFileThatCannotBeWrittenIsAClearError(t *testing.T) {
	dir := nobodysDir(t)
	path := filepath.Join(dir, "mayi.db")
	if out := start(t, "nobody", path).finish(t); out != "<nil>\n<nil>" {
		t.Fatalf("in a directory of its own: %s", out)
	}
	for _, test := range []struct {
		name      string
		dir, file fs.FileMode
		write     string
		read      string
	}{
		{"directory", 0o500, 0o600, "cannot be", "cannot be"},
		{"file", 0o700, 0o400, "cannot be written to", "<nil>"},
		{"file of mode 0000", 0o700, 0, "cannot be opened", "cannot be opened"},
	} {
		// A reader leaves these behind, and with them it would work.
		os.Remove(path + "-wal")
		os.Remove(path + "-shm")
		if err := errors.Join(os.Chmod(path, test.file), os.Chmod(dir, test.dir)); err != nil {
			t.Fatal(err)
		}
		out := start(t, "nobody", path).finish(t)
		write, read, _ := strings.Cut(out, "\n")
		for have, want := range map[string]string{write: test.write, read: test.read} {
			if !strings.Contains(have, want) || have != "<nil>" && !strings.Contains(have, path) {
				t.Errorf("%s: have %q, want %q", test.name, have, want)
			}
		}
	}
	if err := errors.Join(os.Chmod(dir, 0o700), os.Chmod(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	if out := start(t, "nobody", path).finish(t); out != "<nil>\n<nil>" {
		t.Errorf("writable again: %s", out)
	}
}

func TestMovedDatabaseStrandsNoWaiter(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("s", part("ls", "ls *")))
	if err := os.Rename(db.Path(), db.Path()+".old"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Await(t.Context(), id, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("moved away: %v", err)
	}
	write(t, db.Path(), "")
	if _, err := db.Await(t.Context(), id, nil); !errors.Is(err, ErrMoved) {
		t.Errorf("replaced: %v", err)
	}
}

// TestDamagedFileNeverAllowsMore flips single bits in and around an approval,
// in the table and in its indexes. What is decided with the file afterwards is
// the same, stricter, or an error.
func TestDamagedFileNeverAllowsMore(t *testing.T) {
	db := newDB(t)
	const approved = "git push"
	approve(t, db, approved, approved+" *", ScopeProject)
	approve(t, db, "make it", "make *", ScopeSession)
	db.Close()
	whole, err := os.ReadFile(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "damaged.db")
	texts := []string{approved, "make it"}
	for i := range approved {
		texts = append(texts, flip(approved, i))
	}
	allowed := func() map[string]bool {
		set := map[string]bool{}
		read, err := OpenRead(t.Context(), path)
		if err != nil {
			return set
		}
		defer read.Close()
		for _, place := range []Place{{"/p", "s"}, {"/q", "s"}, {"/p", "r"}, {"/q", "r"}} {
			for _, text := range texts {
				reason := part(text, "")
				found, err := read.Approvals(t.Context(), place, []rules.Request{reason.Request})
				if err == nil && rules.Answer(reason, found).Action == rules.Allow {
					set[fmt.Sprint(place, text)] = true
				}
			}
		}
		return set
	}
	write(t, path, string(whole))
	before := allowed()
	if len(before) != 4 {
		t.Fatal(before)
	}
	found := 0
	for at := range whole {
		if !bytes.HasPrefix(whole[at:], []byte(approved+" *")) {
			continue
		}
		found++
		for i := at - 30; i < at+20; i++ {
			write(t, path, flip(string(whole), i))
			for what := range allowed() {
				if !before[what] {
					t.Errorf("with byte %d changed, allowed: %s", i, what)
				}
			}
		}
	}
	if found < 2 {
		t.Errorf("found the approval %d times", found)
	}
}

// flip changes the lowest bit of a byte.
func flip(s string, i int) string { return s[:i] + string([]byte{s[i] ^ 1}) + s[i+1:] }
