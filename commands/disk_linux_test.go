package commands

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk is a file system of 200 KiB with a database on it.
func smallDisk(t *testing.T) (h home, dir, database string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a small file system")
	}
	h = newHome(t)
	dir = filepath.Join(h.dir, "disk")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=200k,mode=700"); err != nil {
		t.Skipf("no small file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	database = filepath.Join(dir, "mayi.db")
	h.mayi(0, "--db", database, "ask", "--no-tty", "git status")
	return h, dir, database
}

func TestFullDiskAllowsNothingAndLosesNothing(t *testing.T) {
	h, dir, database := smallDisk(t)
	filler, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = filler.Write(make([]byte, 1024))
	}
	filler.Close()
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"ask", "--no-tty", "git status"},
		{"ask", "--no-tty", "--timeout", "1s", "make x"},
		{"check", "make x"},
	} {
		if out := h.mayi(74, append([]string{"--db", database}, args...)...); !strings.Contains(out, database) {
			t.Errorf("%v does not name the database:\n%s", args, out)
		}
	}
	if out := h.person(74, "--db", database, "approve", "1", "--once"); !strings.Contains(out, database) {
		t.Errorf("approve does not name the database:\n%s", out)
	}
	h.mayi(125, "--db", database, "run", "--no-tty", "git", "status")
	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	h.mayi(0, "--db", database, "ask", "--no-tty", "git status")
	if log := h.mayi(0, "--db", database, "log"); strings.Count(log, "git status") != 2 {
		t.Errorf("the log does not hold what was acknowledged, and that alone:\n%s", log)
	}
}

func TestReadOnlyDiskAllowsNothing(t *testing.T) {
	h, dir, database := smallDisk(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("it cannot be mounted read-only: %v", err)
	}
	for _, args := range [][]string{{"ask", "--no-tty", "git status"}, {"check", "make x"}, {"list", "--pending"}} {
		if out := h.mayi(74, append([]string{"--db", database}, args...)...); !strings.Contains(out, database) {
			t.Errorf("%v does not name the database:\n%s", args, out)
		}
	}
	h.mayi(0, "--db", database, "check", "git status") // the rules decide alone
}
