package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestManyProcessesCreateAndMigrateAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "mayi.db")
	var all []*process
	for range 32 {
		all = append(all, start(t, "open", path))
	}
	for _, p := range all {
		p.finish(t)
	}
	db, err := OpenRead(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var check string
	if err := db.sql.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		t.Errorf("integrity: %s, %v", check, err)
	}
}

// TestReaderOfADatabaseInTheMakingSeesNothing opens for reading while others
// create: there is no database yet, or there is one.
func TestReaderOfADatabaseInTheMakingSeesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mayi.db")
	var all []*process
	for range 8 {
		all = append(all, start(t, "open", path), start(t, "read", path))
	}
	for _, p := range all {
		p.finish(t)
	}
}

func TestAcknowledgedSurvivesAKill(t *testing.T) {
	db := newDB(t)
	var all []*process
	for range 4 {
		all = append(all, start(t, "acknowledge", db.Path()))
	}
	var acknowledged []int64
	for i, p := range all {
		for range 5 + 3*i {
			acknowledged = append(acknowledged, waiterID(t, p))
		}
		p.Process.Kill()
	}
	for _, p := range all {
		p.Wait()
	}
	for _, id := range acknowledged {
		wantState(t, db, id, StateAlways)
	}
	if err := db.VerifyLog(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := db.Pending(t.Context(), Filter{}); err != nil {
		t.Error(err)
	}
	var check string
	if err := db.sql.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		t.Errorf("integrity: %s, %v", check, err)
	}
}

func TestWriteWaitsForTheDisk(t *testing.T) {
	db := newDB(t)
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "fullfsync": "1", "foreign_keys": "1", "busy_timeout": "10000",
		"application_id": fmt.Sprint(applicationID), "user_version": fmt.Sprint(len(migrations())),
	} {
		var have string
		if err := db.sql.QueryRow("PRAGMA " + pragma).Scan(&have); err != nil || have != want {
			t.Errorf("%s is %s (%v), want %s", pragma, have, err, want)
		}
	}
}

func TestFilesArePrivate(t *testing.T) {
	db := newDB(t)
	submit(t, db, request("s", part("ls", "ls *")))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		f, err := os.Stat(db.Path() + suffix)
		if err != nil || f.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", db.Path()+suffix, f.Mode(), err)
		}
	}
	dir, err := os.Stat(filepath.Dir(db.Path()))
	if err != nil || dir.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v, %v", dir.Mode(), err)
	}
}

func TestPathMayHoldAnything(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), `a ?b=c&#d%41"é`, "x?mode=memory.db"))
	submit(t, db, request("s", part("ls", "ls *")))
	if _, err := os.Stat(db.Path()); err != nil {
		t.Error(err)
	}
	read, err := OpenRead(t.Context(), db.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if pending, err := read.Pending(t.Context(), Filter{}); err != nil || len(pending) != 1 {
		t.Errorf("%d pending, %v", len(pending), err)
	}
}

func TestReaderSeesWhatWasCommitted(t *testing.T) {
	db := newDB(t)
	read, err := OpenRead(t.Context(), db.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	id := submit(t, db, request("s", part("ls", "ls *")))
	wantState(t, read, id, StatePending)
	settle(t, db, id, Answer{Reply: Always, Scope: ScopeGlobal})
	if n := approvalCount(t, read); n != 1 {
		t.Errorf("reader sees %d approvals, want 1", n)
	}
	if _, err := read.Settle(t.Context(), id, Answer{}); err == nil {
		t.Error("a database opened for reading settled a request")
	}
	if _, err := read.Log(t.Context(), Entry{Verb: "ask", Outcome: OutcomeAllow}); err == nil {
		t.Error("a database opened for reading took a log entry")
	}
	if _, err := read.sql.Exec(`DELETE FROM approvals`); err == nil {
		t.Error("a database opened for reading took a DELETE")
	}
}

func TestReadWithoutDatabaseIsNotExist(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "none.db"), filepath.Join(dir, "no", "dir.db"), bare(t, "")} {
		if _, err := OpenRead(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: have %v, want fs.ErrNotExist", path, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "no")); err == nil {
		t.Error("reading created a directory")
	}
}

func TestEmptyDatabaseIsInitialised(t *testing.T) {
	submit(t, open(t, bare(t, "")), request("s", part("ls", "ls *")))
}

// TestEmptyFileIsNoDatabase demands that a file that was cut short is not taken
// for one that is new.
func TestEmptyFileIsNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.db")
	write(t, path, "")
	if _, err := Open(t.Context(), path); !errors.Is(err, ErrEmpty) {
		t.Errorf("Open: %v", err)
	}
	if _, err := OpenRead(t.Context(), path); !errors.Is(err, ErrEmpty) {
		t.Errorf("OpenRead: %v", err)
	}
	if f, err := os.Stat(path); err != nil || f.Size() != 0 {
		t.Errorf("%v, %v", f.Size(), err)
	}
}

// TestLeftoversAreNotPlayedIntoANewDatabase removes the database and leaves what
// SQLite keeps beside it.
func TestLeftoversAreNotPlayedIntoANewDatabase(t *testing.T) {
	for _, suffix := range []string{"-wal", "-journal"} {
		path := filepath.Join(t.TempDir(), "mayi.db")
		write(t, path+suffix, "left")
		if _, err := Open(t.Context(), path); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", suffix, err)
		}
	}
}

func TestWriteToADatabaseThatWasMovedIsNotAcknowledged(t *testing.T) {
	db := newDB(t)
	submit(t, db, request("s", part("ls", "ls *")))
	if err := os.Rename(db.Path(), db.Path()+".old"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Submit(t.Context(), request("s", part("ls", "ls *"))); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("moved away: %v", err)
	}
	write(t, db.Path(), "x")
	if _, err := db.Log(t.Context(), Entry{Verb: "ask", Outcome: OutcomeAllow}); !errors.Is(err, ErrMoved) {
		t.Errorf("replaced: %v", err)
	}
}

// bare makes a database with nothing of ours in it.
func bare(t *testing.T, statements string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bare.db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("PRAGMA user_version = 0; CREATE TABLE x (y); DROP TABLE x; " + statements); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFileThatIsNotOursIsLeftAlone(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage.db")
	write(t, garbage, strings.Repeat("not a database\n", 1000))
	short := filepath.Join(t.TempDir(), "short.db")
	write(t, short, "only some text in a file")
	newer := newDB(t)
	if _, err := newer.sql.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	newer.Close()

	for _, test := range []struct {
		path string
		want error
	}{
		{garbage, ErrGarbage},
		{short, ErrGarbage},
		{bare(t, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)"), ErrForeign},
		{bare(t, "PRAGMA application_id = 7"), ErrForeign},
		{bare(t, "PRAGMA user_version = 7"), ErrForeign},
		{newer.Path(), nil},
	} {
		before, err := os.ReadFile(test.path)
		if err != nil {
			t.Fatal(err)
		}
		for name, open := range map[string]func(context.Context, string) (*DB, error){"Open": Open, "OpenRead": OpenRead} {
			_, err := open(t.Context(), test.path)
			if test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("%s %s: have %v, want %v", name, test.path, err, test.want)
			}
			var schema *SchemaError
			if test.want == nil && (!errors.As(err, &schema) || schema.Have != 99 || schema.Want != len(migrations())) {
				t.Errorf("%s of a newer database: %v", name, err)
			}
			if err != nil && !strings.Contains(err.Error(), test.path) {
				t.Errorf("%s: the error does not name %s: %v", name, test.path, err)
			}
		}
		after, err := os.ReadFile(test.path)
		if err != nil || string(after) != string(before) {
			t.Errorf("%s was changed (%v)", test.path, err)
		}
	}
}
