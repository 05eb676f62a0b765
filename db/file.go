package db

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// create makes the directory and the database, where they are missing. What
// appears at the path is a whole database, also when this process is killed in
// between: an empty file there was cut short.
//
// A file that exists is not opened: closing it would drop the locks that this
// process may hold on it through another connection (fcntl(2): locks go with
// the first descriptor that is closed).
func create(ctx context.Context, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("database %s: %w", path, err)
	}
	there := func() bool {
		_, err := os.Lstat(path)
		return !errors.Is(err, fs.ErrNotExist) // what else is wrong with it, check says
	}
	if there() {
		return nil
	}
	unlock, err := lockDir(ctx, path)
	if err != nil {
		return err
	}
	defer unlock()
	if there() {
		return nil // another process was faster
	}
	if err := leftover(path); err != nil {
		return err
	}
	fresh, err := build(ctx, path, nil)
	if err == nil {
		err = put(fresh, path)
	}
	if err != nil {
		return fmt.Errorf("create database %s: %w", path, err)
	}
	return nil
}

// leftover fails when the database is gone, and what SQLite keeps beside it is
// not. It would be played into a new one.
func leftover(path string) error {
	for _, suffix := range []string{"-wal", "-journal"} {
		if _, err := os.Lstat(path + suffix); err != nil {
			continue
		}
		// Unless it came just now.
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("database %s: %w: it is gone, and its %s is still there", path, ErrCorrupt, filepath.Base(path+suffix))
		}
	}
	return nil
}

// newInfix is behind the name of the database in what is on its way to become
// it, or helps with that.
const newInfix = ".new-"

// build makes a database beside the path, lets fill put something into it, and
// returns its name: it is one file, and on the disk. The directory must be
// locked.
func build(ctx context.Context, path string, fill func(*DB) error) (fresh string, err error) {
	sweepNew(path)
	fresh = path + newInfix + rand.Text()[:8]
	f, err := os.OpenFile(fresh, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	f.Close()
	defer func() {
		if err != nil {
			sweepNew(path)
		}
	}()
	db, err := connect(fresh, writing)
	if err != nil {
		return "", err
	}
	err = db.migrate(ctx)
	if err == nil && fill != nil {
		err = fill(db)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return "", err
	}
	os.Remove(fresh + queueSuffix)
	// The last connection puts the -wal into the file and removes it.
	if _, err := os.Lstat(fresh + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s-wal is still there", fresh)
	}
	return fresh, nil
}

// put gives a new database its name.
func put(fresh, path string) error {
	return errors.Join(os.Rename(fresh, path), syncDir(filepath.Dir(path)))
}

// sweepNew removes what a process that was killed left on its way.
func sweepNew(path string) {
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+newInfix) {
			os.RemoveAll(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}

// syncDir puts the names in a directory on the disk.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
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

// whole fails when the file is empty. That is never so with one of ours, and
// SQLite would take it, whatever stood there, for a database yet to be filled.
func (db *DB) whole() error {
	if db.file.Size() == 0 {
		return db.fail(ErrEmpty)
	}
	return nil
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
