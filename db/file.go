package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// create makes the directory and an empty file, where they are missing. SQLite
// gives the files beside it the mode of this one.
//
// A file that exists is not opened: closing it would drop the locks that this
// process may hold on it through another connection (fcntl(2): locks go with
// the first descriptor that is closed).
func create(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("database %s: %w", path, err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // what else is wrong with it, check says
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return fmt.Errorf("create database %s: %w", path, err)
	}
	return nil
}

// check refuses a database that others than this user and root could have
// written, or could replace: they could allow anything.
func check(path string) (fs.FileInfo, error) {
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if uid := owner(dir); uid != 0 && uid != os.Geteuid() {
		return nil, unsafeFile(filepath.Dir(path), "it belongs to user %d", uid)
	}
	if dir.Mode().Perm()&0o022 != 0 && dir.Mode()&fs.ModeSticky == 0 {
		return nil, unsafeFile(filepath.Dir(path), "others may write to it (mode %v)", dir.Mode().Perm())
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if _, err := checkFile(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return checkFile(path)
}

func checkFile(path string) (fs.FileInfo, error) {
	f, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("database %s: %w", path, err)
	case f.Mode()&fs.ModeSymlink != 0:
		return nil, unsafeFile(path, "it is a symbolic link")
	case !f.Mode().IsRegular():
		return nil, unsafeFile(path, "it is not a regular file")
	case owner(f) != os.Geteuid():
		return nil, unsafeFile(path, "it belongs to user %d", owner(f))
	case f.Mode().Perm()&0o022 != 0:
		return nil, unsafeFile(path, "others may write to it (mode %v)", f.Mode().Perm())
	case f.Sys().(*syscall.Stat_t).Nlink > 1:
		// SQLite finds the -wal by the name of the file, so by another name
		// it would be another database.
		return nil, unsafeFile(path, "it has more than one name (hard links)")
	}
	return f, nil
}

func owner(f fs.FileInfo) int { return int(f.Sys().(*syscall.Stat_t).Uid) }

func unsafeFile(path, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", path, ErrUnsafe, fmt.Sprintf(format, args...))
}

// lockDir waits until no other process has the directory of the database
// locked, and locks it. The lock goes with the process, whatever ends it.
func lockDir(ctx context.Context, path string) (unlock func() error, err error) {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	for {
		err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return dir.Close, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			dir.Close()
			return nil, fmt.Errorf("database %s: lock its directory: %w", path, err)
		}
		select {
		case <-ctx.Done():
			dir.Close()
			return nil, fmt.Errorf("database %s: lock its directory: %w", path, ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// unmoved fails when the path no longer leads to the file that is open. What
// others write to the new one would never be seen here.
func (db *DB) unmoved() error {
	f, err := os.Lstat(db.path)
	if err != nil {
		return db.fail(err)
	}
	if !os.SameFile(f, db.file) {
		return db.fail(ErrMoved)
	}
	return nil
}
