package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrInUse is a database that cannot be repaired because others have it open.
var ErrInUse = errors.New("another process has it open")

// besides are the suffixes of what SQLite keeps beside a database.
var besides = [...]string{"-wal", "-shm", "-journal"}

// Salvageable reads a private copy of the database and says what [Rebuild] would
// keep of it.
func Salvageable(ctx context.Context, path string) (s Salvage, err error) {
	err = locked(ctx, path, func(old *os.File) (err error) {
		s, _, err = salvageCopy(ctx, path, old, func(logRow) error { return nil })
		return err
	})
	return s, err
}

// Rebuild moves the database and what SQLite keeps beside it into a new
// directory, aside, and puts a new database in its place with what the log of
// the old one proves. by is who wants it, for the new log. It fails with an error
// that is [ErrInUse] while other processes have the old one open, and changes
// nothing then.
//
// There is no moment at which a process could find no database, or the new one
// with what belongs to the old one: a crash in between leaves a file with two
// names, which nobody trusts, and the next Rebuild ends what was begun.
func Rebuild(ctx context.Context, path, aside, by string, now time.Time) (s Salvage, err error) {
	err = locked(ctx, path, func(old *os.File) error {
		var always map[int64]Entry
		fresh, err := build(ctx, path, func(db *DB) error {
			return db.write(ctx, func(tx *sql.Tx) (err error) {
				var last logRow
				s, always, err = salvageCopy(ctx, path, old, func(r logRow) error {
					last = r
					return r.insert(ctx, tx)
				})
				if err != nil {
					return err
				}
				return s.restore(ctx, tx, always, last, logRow{
					Entry: Entry{Verb: "doctor --repair", Outcome: OutcomeError, Line: s.line(aside), By: by, PID: os.Getpid()}, at: now.UnixMilli(), reasons: "[]",
				})
			})
		})
		if err != nil {
			return err
		}
		return exchange(path, fresh, aside)
	})
	return s, err
}

// line says in the log what became of the one before.
func (s Salvage) line(aside string) string {
	why := "all of the log was kept"
	if s.Broken != nil {
		why = "the log was kept up to here: " + s.Broken.Error()
	}
	return fmt.Sprintf("the database was moved to %s; %s; %d approvals kept, %d dropped", aside, why, len(s.Kept), len(s.Dropped))
}

// restore puts back the approvals, with the requests they came from as far as
// the log tells of them, and ends the log with an entry about that. Ids are not
// used again.
func (s Salvage) restore(ctx context.Context, tx *sql.Tx, always map[int64]Entry, last, end logRow) error {
	for _, a := range s.Kept {
		if err := insertProven(ctx, tx, a, always[a.RequestID]); err != nil {
			return err
		}
	}
	for table, id := range s.highest {
		if _, err := tx.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name = ?`, table); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)`, table, id); err != nil {
			return err
		}
	}
	end.ID = last.ID + 1
	end.hash = end.chain(last.hash)
	return end.insert(ctx, tx)
}

func insertProven(ctx context.Context, tx *sql.Tx, a Approval, e Entry) error {
	done, err := tx.ExecContext(ctx, `
		INSERT INTO requests (id, state, project, session, agent, cwd, permission, line, program, bell, pid, start, boot, space, at, settled, who)
		VALUES (?1, 'always', ?2, ?3, ?4, ?5, ?6, ?7, '', '', ?8, '', '', '', ?9, ?9, ?10) ON CONFLICT (id) DO NOTHING`,
		e.RequestID, e.Project, e.Session, e.Agent, e.Cwd, cmp.Or(e.Permission, "bash"), e.Line, e.PID, e.At.UnixMilli(), e.By)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil {
		return err
	} else if n == 1 {
		for i, reason := range e.Reasons {
			if err := insertPart(ctx, tx, e.RequestID, i, reason); err != nil {
				return err
			}
		}
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO approvals (id, scope, key, permission, pattern, head, at, request_id, sum, directory) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		a.ID, a.Scope, a.Key, a.Permission, a.Pattern, head(a.Pattern), a.At.UnixMilli(), a.RequestID, a.sum(), a.directory)
	return err
}

// salvageCopy reads a copy, so that what is moved aside stays as it was found,
// and closing it drops no lock. old is nil where the database is gone.
func salvageCopy(ctx context.Context, path string, old *os.File, keep func(logRow) error) (s Salvage, always map[int64]Entry, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+newInfix)
	if err != nil {
		return s, nil, err
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, "copy.db")
	if old == nil {
		return Salvage{Broken: fmt.Errorf("database %s: %w", path, fs.ErrNotExist)}, nil, nil
	}
	if err := copyFile(to, io.NewSectionReader(old, 0, 1<<62)); err != nil {
		return Salvage{Broken: err}, nil, nil
	}
	for _, suffix := range [...]string{"-wal", "-journal"} {
		f, err := os.Open(path + suffix)
		if err == nil {
			err = errors.Join(copyFile(to+suffix, f), f.Close())
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Salvage{Broken: err}, nil, nil
		}
	}
	db, err := Open(ctx, to)
	if errors.As(err, new(*SchemaError)) || errors.Is(err, ErrForeign) {
		return s, nil, err // not damaged
	}
	if err != nil {
		return Salvage{Broken: renamed(err)}, nil, nil
	}
	defer db.Close()
	s, always, err = db.salvage(ctx, keep)
	s.Broken = renamed(s.Broken)
	return s, always, err
}

// renamed takes the name of the copy from an error about it.
func renamed(err error) error {
	var broken *ChainError
	for _, known := range []error{ErrEmpty, ErrGarbage} {
		if errors.Is(err, known) {
			return known
		}
	}
	switch {
	case errors.As(err, &broken):
		return broken
	case errors.Is(err, ErrCorrupt):
		return ErrCorrupt
	}
	return err
}

func copyFile(to string, from io.Reader) error {
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// locked calls f while nobody else has the database open or can open it. old is
// nil where it is gone.
func locked(ctx context.Context, path string, f func(old *os.File) error) error {
	unlock, err := lockDir(ctx, path)
	if err != nil {
		return err
	}
	defer unlock()
	if err := finish(path); err != nil {
		return err
	}
	for _, suffix := range append([]string{""}, besides[:]...) {
		if _, err := checkFile(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	old, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return f(nil)
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", path, err)
	}
	defer old.Close()
	// Where SQLite locks: from PENDING_BYTE on, 512 bytes. Whoever has a WAL
	// database open holds a read lock there.
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: 0x40000000, Len: 512}
	if err := unix.FcntlFlock(old.Fd(), unix.F_SETLK, &lock); err != nil {
		holder := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: 0x40000000, Len: 512}
		if unix.FcntlFlock(old.Fd(), unix.F_GETLK, &holder) == nil && holder.Type != unix.F_UNLCK && holder.Pid > 0 {
			return fmt.Errorf("database %s: %w: pid %d", path, ErrInUse, holder.Pid)
		}
		return fmt.Errorf("database %s: %w", path, ErrInUse)
	}
	return f(old)
}

// exchange puts fresh at the path and what was there into the directory aside,
// which it makes.
func exchange(path, fresh, aside string) error {
	if err := os.Mkdir(aside, 0o700); err != nil {
		return err
	}
	// The database first: where its other name is tells how far this got.
	for _, suffix := range append([]string{""}, besides[:]...) {
		err := os.Link(path+suffix, filepath.Join(aside, filepath.Base(path)+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			os.RemoveAll(aside)
			return err
		}
	}
	if err := syncDir(aside); err != nil {
		return err
	}
	if err := put(fresh, path); err != nil {
		return err
	}
	return removeBesides(path)
}

func removeBesides(path string) error {
	for _, suffix := range besides {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return syncDir(filepath.Dir(path))
}

// asideInfix is behind the name of the database in what was moved aside.
const asideInfix = ".broken-"

// Aside is where a database is moved to.
func Aside(path string, now time.Time) string {
	return path + asideInfix + now.UTC().Format("20060102T150405.000Z")
}

// halves returns the directories that hold a second name of a file which is
// still in its place.
func halves(path string) (dirs []string) {
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		dir := filepath.Join(filepath.Dir(path), e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), filepath.Base(path)+asideInfix) {
			continue
		}
		for _, suffix := range append([]string{""}, besides[:]...) {
			if sameFile(path+suffix, filepath.Join(dir, filepath.Base(path)+suffix)) {
				dirs = append(dirs, dir)
				break
			}
		}
	}
	return dirs
}

// finish ends what a Rebuild began that did not get to its end: where the
// database itself still has two names nothing was exchanged, and otherwise only
// what belonged to the old one is left to be removed.
func finish(path string) error {
	for _, dir := range halves(path) {
		var err error
		if sameFile(path, filepath.Join(dir, filepath.Base(path))) {
			err = os.RemoveAll(dir)
		} else {
			err = removeBesides(path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func sameFile(a, b string) bool {
	f, errA := os.Lstat(a)
	g, errB := os.Lstat(b)
	return errA == nil && errB == nil && os.SameFile(f, g)
}

// CutShort reports whether a [Rebuild] did not get to its end.
func CutShort(path string) bool { return len(halves(path)) > 0 }
