package commands

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mayi/db"
)

// soundDatabase makes a database in which `make x` is approved, and returns its
// bytes.
func soundDatabase(t *testing.T, h home) []byte {
	t.Helper()
	ask := h.command("ask", "--no-tty", "make x")
	if err := ask.Start(); err != nil {
		t.Fatal(err)
	}
	if err := watchUntil(h.db(), func(list []db.Request) bool { return len(list) == 1 }); err != nil {
		t.Fatal(err)
	}
	h.person(0, "approve", "1", "--always")
	if err := ask.Wait(); err != nil {
		t.Fatal(err)
	}
	h.mayi(0, "check", "make x")
	// The last to close it puts the -wal into the file; a reader does not.
	h.mayi(0, "list", "--pending")
	data, err := os.ReadFile(h.db())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDamagedDatabaseDecidesNothing demands that every command fails with the
// same sentence on a damaged database, that doctor names it and what to do, and
// that all is well again after the repair.
func TestDamagedDatabaseDecidesNothing(t *testing.T) {
	h := newHome(t)
	sound := soundDatabase(t, h)
	garbage := bytes.Clone(sound)
	for i := 4096; i < len(garbage); i++ {
		garbage[i] ^= 0x55
	}
	for _, test := range []struct {
		name string
		main []byte // nil for none
		wal  string
		says string
	}{
		{"empty", []byte{}, "", "the file is empty, and was cut short"},
		{"cut short", sound[:5000], "", "the database is damaged"},
		{"cut to its first page", sound[:4096], "", "the database is damaged"},
		{"garbage", bytes.Repeat([]byte("garbage "), 4096), "", "not an SQLite database"},
		{"garbage in its header", append([]byte("garbage, garbage"), sound[16:]...), "", "not an SQLite database"},
		{"garbage in its pages", garbage, "", "the database is damaged"},
		{"gone, its -wal is left", nil, "left", "it is gone, and its mayi.db-wal is still there"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := h
			h.t = t
			dir := filepath.Dir(h.db())
			if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil {
				t.Fatal(err)
			}
			if test.main != nil {
				if err := os.WriteFile(h.db(), test.main, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if test.wal != "" {
				if err := os.WriteFile(h.db()+"-wal", []byte(test.wal), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range [][]string{
				{"ask", "--no-tty", "make x"}, {"ask", "--no-tty", "git status"}, {"check", "make x"}, {"list", "--approved"},
				{"list", "--pending"}, {"log"}, {"log", "verify"},
			} {
				if out := h.mayi(74, args...); !strings.Contains(out, test.says) || !strings.Contains(out, "hint: `mayi doctor`") {
					t.Errorf("%v says\n%s", args, out)
				}
			}
			h.mayi(125, "run", "--no-tty", "git", "status")
			if out := h.mayi(1, "doctor"); !strings.Contains(out, test.says) || !strings.Contains(out, "`mayi doctor --repair`") {
				t.Errorf("doctor says\n%s", out)
			}
			h.mayi(77, "doctor", "--repair")
			if have, err := os.ReadFile(h.db()); err == nil && !bytes.Equal(have, test.main) {
				t.Error("the file was changed")
			}
			if _, err := db.Rebuild(context.Background(), h.db(), db.Aside(h.db(), time.Unix(0, 0)), "me", time.Now()); err != nil {
				t.Fatal(err)
			}
			h.mayi(0, "doctor")
			h.mayi(0, "ask", "--no-tty", "git status")
			h.mayi(1, "check", "make y")
			h.mayi(0, "log", "verify")
		})
	}
}

// TestDatabaseOfOthersIsTrustedByNobody demands the same of files that others
// could have written, and that --repair leaves them alone.
func TestDatabaseOfOthersIsTrustedByNobody(t *testing.T) {
	h := newHome(t)
	sound := soundDatabase(t, h)
	for name, spoil := range map[string]func(path string) error{
		"a symbolic link":       func(path string) error { return errors.Join(os.Rename(path, path+".1"), os.Symlink(path+".1", path)) },
		"more than one name":    func(path string) error { return os.Link(path, path+".1") },
		"belongs to user 65534": func(path string) error { return os.Chown(path, 65534, 65534) },
		"not a regular file":    func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "65534") && os.Geteuid() != 0 {
				t.Skip("only root gives files away")
			}
			h := h
			h.t = t
			dir := filepath.Dir(h.db())
			if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700), os.WriteFile(h.db(), sound, 0o600), spoil(h.db())); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"check", "make x"}, {"ask", "--no-tty", "make x"}, {"ask", "--no-tty", "git status"}, {"log", "verify"}} {
				if out := h.mayi(74, args...); !strings.Contains(out, name) {
					t.Errorf("%v says\n%s", args, out)
				}
			}
			if out := h.mayi(1, "doctor"); !strings.Contains(out, "FAULT\tdatabase") || !strings.Contains(out, name) {
				t.Errorf("doctor says\n%s", out)
			}
			if _, err := db.Rebuild(context.Background(), h.db(), db.Aside(h.db(), time.Unix(0, 0)), "me", time.Now()); !errors.Is(err, db.ErrUnsafe) {
				t.Errorf("rebuild: %v", err)
			}
		})
	}
}

// TestDoctorIsQuick demands that doctor needs less than a second for a database
// with ten thousand decisions.
func TestDoctorIsQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a database")
	}
	h := newHome(t)
	soundDatabase(t, h)
	store, err := db.Open(t.Context(), h.db())
	if err != nil {
		t.Fatal(err)
	}
	for range 10_000 {
		if _, err := store.Log(t.Context(), db.Entry{Verb: "ask", Outcome: db.OutcomeAllow, Line: "git status"}); err != nil {
			t.Fatal(err)
		}
	}
	store.Close()
	cmd := h.command("doctor")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Of the processor: other tests run at the same time.
	if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took > time.Second {
		t.Errorf("it took %v", took)
	}
}
