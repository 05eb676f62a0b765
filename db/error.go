package db

import (
	"errors"
	"fmt"
	"time"

	"github.com/mattn/go-sqlite3"
)

// What may be wrong with the file.
var (
	ErrUnsafe  = errors.New("not safe to trust")
	ErrGarbage = errors.New("not an SQLite database")
	ErrCorrupt = errors.New("the database is damaged")
	ErrEmpty   = errors.New("the file is empty, and was cut short: a database never is")
	ErrForeign = errors.New("a database of another program")
	ErrMoved   = errors.New("the file was moved or replaced while in use")

	errReadOnly = errors.New("opened for reading only")
)

// Why something that was asked of a sound database is not done.
var (
	ErrNotFound    = errors.New("not found")
	ErrSettled     = errors.New("already settled")
	ErrNotStorable = errors.New("can be answered only for this once")
	ErrNotCovered  = errors.New("the pattern does not cover it")
	ErrInvalid     = errors.New("invalid")
)

// SchemaError says that the database is not of the version this program knows.
type SchemaError struct {
	Path       string
	Have, Want int
}

func (e *SchemaError) Error() string {
	which := "newer"
	if e.Have < e.Want {
		which = "older"
	}
	return fmt.Sprintf("database %s has schema %d, %s than the %d of this mayi", e.Path, e.Have, which, e.Want)
}

// SettledError says how, by whom and when a request was settled that can no
// longer be. It is [ErrSettled].
type SettledError struct {
	ID    int64
	State State
	By    string
	At    time.Time
}

func (e *SettledError) Error() string {
	by := ""
	if e.By != "" {
		by = " by " + e.By
	}
	return fmt.Sprintf("request %d is already settled: %s%s at %s", e.ID, e.State, by, stamp(e.At))
}

func (e *SettledError) Unwrap() error { return ErrSettled }

// A refusal is an error about what was asked of the database, not about the
// database.
type refusal struct {
	kind error // one of the sentinels
	msg  string
}

func (e *refusal) Error() string { return e.msg }
func (e *refusal) Unwrap() error { return e.kind }

// refuse returns a refusal that names the thing in front of the kind.
func refuse(kind error, format string, args ...any) error {
	return &refusal{kind, fmt.Sprintf(format, args...) + ": " + kind.Error()}
}

// fail names the database in an error about it.
func (db *DB) fail(err error) error {
	var refused *refusal
	var settled *SettledError
	var schema *SchemaError
	if err == nil || errors.As(err, &refused) || errors.As(err, &settled) || errors.As(err, &schema) {
		return err
	}
	return fmt.Errorf("database %s: %w", db.path, explain(err))
}

// explain puts a sentence in front of what SQLite says, where that is terse.
func explain(err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case sqlite3.ErrNotADB:
		return fmt.Errorf("%w (%w)", ErrGarbage, err)
	case sqlite3.ErrCorrupt:
		return fmt.Errorf("%w (%w)", ErrCorrupt, err)
	case sqlite3.ErrBusy:
		return fmt.Errorf("other processes keep it busy (%w)", err)
	case sqlite3.ErrCantOpen:
		return fmt.Errorf("the file, or those that SQLite needs beside it (-wal, -shm), cannot be opened or created (%w)", err)
	case sqlite3.ErrReadonly:
		return fmt.Errorf("the file or its directory cannot be written to (%w)", err)
	}
	return err
}
