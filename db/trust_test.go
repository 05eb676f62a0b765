package db

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"mayi/rules"
)

func TestOnlyTheSameBytesAtTheSamePathAreTrusted(t *testing.T) {
	db, dir := newDB(t), t.TempDir()
	path := filepath.Join(dir, ".mayi.jsonc")
	if err := db.Trust(t.Context(), path, []byte("first"), "ann"); err != nil {
		t.Fatal(err)
	}
	if err := db.Trust(t.Context(), path, []byte("second"), "ann"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, data string
		want       bool
	}{
		{path, "second", true},
		{path, "first", false},
		{path, "second ", false},
		{path, "", false},
		{path + "x", "second", false},
		{filepath.Join(dir, "sub", ".mayi.jsonc"), "second", false},
		{dir, "second", false},
	} {
		have, err := db.Trusted(t.Context(), c.path, []byte(c.data))
		if err != nil || have != c.want {
			t.Errorf("%q at %s: have %v (%v), want %v", c.data, c.path, have, err, c.want)
		}
	}
	if last, err := db.TrustIn(t.Context(), path); err != nil || string(last.Bytes) != "second" || last.By != "ann" || last.Replaced {
		t.Errorf("have %v (%v)", last, err)
	}
	if err := db.Untrust(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if have, err := db.Trusted(t.Context(), path, []byte("second")); have || err != nil {
		t.Errorf("taken back, and yet trusted: %v (%v)", have, err)
	}
	if err := db.Untrust(t.Context(), path); !errors.Is(err, ErrNotFound) {
		t.Errorf("have %v", err)
	}
	if _, err := db.TrustIn(t.Context(), path); !errors.Is(err, ErrNotFound) {
		t.Errorf("have %v", err)
	}
}

func TestDamagedTrustIsNone(t *testing.T) {
	db, dir := newDB(t), t.TempDir()
	path := filepath.Join(dir, ".mayi.jsonc")
	if err := db.Trust(t.Context(), path, []byte("good"), "ann"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.sql.Exec(`UPDATE trusts SET bytes = x'62616421'`); err != nil {
		t.Fatal(err)
	}
	if have, err := db.Trusted(t.Context(), path, []byte("bad!")); have || err != nil {
		t.Errorf("have %v (%v)", have, err)
	}
	if _, err := db.TrustIn(t.Context(), path); !errors.Is(err, ErrCorrupt) {
		t.Errorf("have %v", err)
	}
	if _, err := db.Trusts(t.Context()); !errors.Is(err, ErrCorrupt) {
		t.Errorf("have %v", err)
	}
}

// TestReplacedDirectoryInheritsNothing makes a directory anew, which gets the same
// inode where the file system gives it away again, and moves another one there.
func TestReplacedDirectoryInheritsNothing(t *testing.T) {
	parent := t.TempDir()
	project := filepath.Join(parent, "project")
	file := filepath.Join(project, ".mayi.jsonc")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Mkdir(project, 0o700))
	db := newDB(t)
	ask := func() int64 {
		t.Helper()
		r := request("s", part("make x", "make *"))
		r.Project = project
		return submit(t, db, r)
	}
	counts := func(what string, want bool) {
		t.Helper()
		found, err := db.Approvals(t.Context(), Place{Project: project}, []rules.Request{part("make x", "").Request})
		if err != nil || (len(found) > 0) != want {
			t.Errorf("%s: have %v (%v), want %v", what, found, err, want)
		}
		all, err := db.AllApprovals(t.Context(), &Place{Project: project})
		if err != nil || len(all) != 1 || all[0].Replaced == want {
			t.Errorf("%s: have %+v (%v)", what, all, err)
		}
		trusted, err := db.Trusted(t.Context(), file, []byte("x"))
		if err != nil || trusted != want {
			t.Errorf("%s: trusted %v (%v), want %v", what, trusted, err, want)
		}
	}
	settle(t, db, ask(), Answer{Reply: Always, Scope: ScopeProject})
	must(db.Trust(t.Context(), file, []byte("x"), "ann"))
	counts("as it was", true)
	must(os.WriteFile(filepath.Join(project, "f"), nil, 0o600))
	counts("with a new file", true)
	must(os.Rename(project, parent+"/away"))
	counts("moved away", false)
	must(os.Mkdir(project, 0o700))
	counts("another one there", false)
	must(os.Remove(project))
	must(os.Symlink(parent+"/away", project))
	counts("a link to it", true) // a project is a real path: its name never is a link
	must(os.Remove(project))
	must(os.Rename(parent+"/away", project))
	counts("moved back", true)
	must(os.RemoveAll(project))
	must(os.Mkdir(project, 0o700))
	counts("made anew", false)

	// Neither does a pending request: only a person's answer there counts.
	waiting := ask()
	wantState(t, db, waiting, StatePending)
	settle(t, db, waiting, Answer{Reply: Always, Scope: ScopeProject})
	must(db.Trust(t.Context(), file, []byte("x"), "ann"))
	counts("approved anew", true)

	must(os.RemoveAll(project))
	must(os.Mkdir(project, 0o700))
	must(db.Trust(t.Context(), file, []byte("x"), "ann"))
	revived, err := db.Revive(t.Context(), project)
	if err != nil || len(revived) != 1 || revived[0].Pattern != "make *" {
		t.Errorf("have %v (%v)", revived, err)
	}
	counts("revived", true)
	if revived, err = db.Revive(t.Context(), project); err != nil || len(revived) != 0 {
		t.Errorf("have %v (%v)", revived, err)
	}
}

// TestReplacedDirectoryReleasesNothing demands that an approval of the directory
// that was there does not release a request of the one that is.
func TestReplacedDirectoryReleasesNothing(t *testing.T) {
	project := filepath.Join(t.TempDir(), "project")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	db := newDB(t)
	ask := func(text, store string) int64 {
		r := request("s", part(text, store))
		r.Project = project
		return submit(t, db, r)
	}
	settle(t, db, ask("make x", "make *"), Answer{Reply: Always, Scope: ScopeProject})
	if err := errors.Join(os.Remove(project), os.Mkdir(project, 0o700)); err != nil {
		t.Fatal(err)
	}
	other := ask("make y", "make *")
	settle(t, db, ask("ls x", "ls *"), Answer{Reply: Always, Scope: ScopeProject})
	wantState(t, db, other, StatePending)
}

// TestApprovalsOfBeforeWaitForAPerson opens a database of the first schema, where
// directories were not recorded.
func TestApprovalsOfBeforeWaitForAPerson(t *testing.T) {
	project, path := t.TempDir(), filepath.Join(t.TempDir(), "mayi", "mayi.db")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	first, err := migrationFiles.ReadFile("migrations/0001_init.sql")
	if err != nil {
		t.Fatal(err)
	}
	old, err := connect(path, writing)
	if err != nil {
		t.Fatal(err)
	}
	a := Approval{Scope: ScopeProject, Key: project, Permission: "bash", Pattern: "make *"}
	_, err = old.sql.Exec(string(first)+`
		PRAGMA user_version = 1;
		INSERT INTO approvals (scope, key, permission, pattern, head, at, sum) VALUES (?, ?, ?, ?, 'make', 0, ?)`,
		a.Scope, a.Key, a.Permission, a.Pattern, a.sum())
	if err := errors.Join(err, old.Close()); err != nil {
		t.Fatal(err)
	}
	var schema *SchemaError
	if _, err := OpenRead(t.Context(), path); !errors.As(err, &schema) {
		t.Errorf("have %v", err)
	}
	db := open(t, path)
	counts := func(want int) {
		t.Helper()
		found, err := db.Approvals(t.Context(), Place{Project: project}, []rules.Request{part("make x", "").Request})
		if err != nil || len(found) != want {
			t.Errorf("have %v (%v), want %d", found, err, want)
		}
	}
	counts(0)
	if revived, err := db.Revive(t.Context(), project); err != nil || len(revived) != 1 {
		t.Errorf("have %v (%v)", revived, err)
	}
	counts(1)
}
