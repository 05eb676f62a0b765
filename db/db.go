// Package db is what mayi processes share: pending requests and their answers,
// approvals, events and the log, in one SQLite file; and the bells by which
// they wake each other.
//
// Its promise is that an answer which was acknowledged is on the disk, that a
// request is settled once, and that whatever goes wrong is returned as an
// error: no error of this package means "not denied". Its blindness is that
// whoever may write the file as this user may write anything into it.
package db

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"time"

	"github.com/mattn/go-sqlite3"
)

// A DB is an open database. It may be used by several goroutines at once.
type DB struct {
	// Now is the clock. Open sets it to time.Now.
	Now func() time.Time

	sql      *sql.DB
	path     string
	file     fs.FileInfo // what path led to when it was opened
	on       FileSystem
	readOnly bool
}

// The parameters of a connection. Every transaction is BEGIN IMMEDIATE: one
// that reads first and then writes would be told SQLITE_BUSY at once, whatever
// the timeout, when another process wrote in between. go-sqlite3 compiles WAL
// to synchronous NORMAL, which does not wait for the disk, hence FULL. What is
// deleted is overwritten, or a damaged page could bring it back.
//
// WAL needs memory that all processes share, so on a network file system the
// journal is one that is cut to nothing after each transaction.
const (
	writing  = "mode=rw&_txlock=immediate&_busy_timeout=10000&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=on&_secure_delete=on"
	reading  = "mode=ro&_busy_timeout=10000&_query_only=on"
	shared   = "mode=rw&_txlock=immediate&_busy_timeout=10000&_journal_mode=TRUNCATE&_synchronous=FULL&_foreign_keys=on&_secure_delete=on"
	checking = "mode=rw&_busy_timeout=10000&_query_only=on"
)

// Open opens the database for reading and writing. It creates the directory and
// the file when they are missing, and brings an older schema up to date; any
// number of processes may do so at once. It fails with an error that is
// [ErrUnsafe] when others could have written the file, [ErrEmpty], [ErrGarbage],
// [ErrCorrupt] or [ErrForeign] when it is not mayi's, and a *[SchemaError] when
// a newer mayi wrote it; a file that is not ours is left as it is.
func Open(ctx context.Context, path string) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if err := create(ctx, path); err != nil {
		return nil, err
	}
	// Connecting with the journal mode would turn another program's database
	// into a WAL one. So look first, in a way that changes nothing.
	look, err := connect(path, checking)
	if err != nil {
		return nil, err
	}
	var version int
	if err = look.whole(); err == nil {
		version, err = look.identify(ctx, look.sql)
	}
	look.Close()
	if err != nil {
		return nil, look.fail(err)
	}
	if version == 0 {
		// Of several connections that turn an empty file into a WAL database
		// at the same moment, SQLite tells some at once that it is busy.
		unlock, err := lockDir(ctx, path)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	db, err := connect(path, writing)
	if err != nil {
		return nil, err
	}
	if err := db.migrate(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// OpenRead opens the database for reading only, and sees what other processes
// have committed. It writes nothing and creates nothing but the two files that
// SQLite needs beside the database to read while others write. Where there is
// no database yet, or one that holds nothing, the error is fs.ErrNotExist.
// The schema must be of this version: of an older one the error is a
// *[SchemaError] too, and [Open] mends it.
func OpenRead(ctx context.Context, path string) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	db, err := connect(path, reading)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cmp.Or(leftover(path), err)
	}
	if err != nil {
		return nil, err
	}
	db.readOnly = true
	var version int
	if err = db.whole(); err == nil {
		version, err = db.identify(ctx, db.sql)
	}
	if err != nil {
		db.Close()
		return nil, db.fail(err)
	}
	if version == 0 {
		db.Close()
		return nil, fmt.Errorf("database %s holds nothing yet: %w", path, fs.ErrNotExist)
	}
	if want := len(migrations()); version != want {
		db.Close()
		return nil, &SchemaError{Path: path, Have: version, Want: want}
	}
	return db, nil
}

// Close closes the database.
func (db *DB) Close() error { return db.fail(db.sql.Close()) }

// Path returns the absolute path of the database.
func (db *DB) Path() string { return db.path }

// Bells returns the directory of the bells of everyone who shares this
// database.
func (db *DB) Bells() string { return filepath.Join(filepath.Dir(db.path), "bells") }

// connect checks that the file is safe to trust and prepares a connection. The
// file is not opened until the first statement.
func connect(path, parameters string) (*DB, error) {
	return connectOn(FileSystemOf(filepath.Dir(path)), path, parameters)
}

func connectOn(on FileSystem, path, parameters string) (*DB, error) {
	if on.Network && parameters == writing {
		parameters = shared
	}
	file, err := check(path)
	if err != nil {
		return nil, err
	}
	dsn := url.URL{Scheme: "file", Path: path, RawQuery: parameters}
	pool := sql.OpenDB(connector{dsn.String()})
	pool.SetMaxOpenConns(1)
	return &DB{Now: time.Now, sql: pool, path: path, file: file, on: on}, nil
}

// A connector opens connections as the DSN says, and adds what a DSN cannot
// say: macOS writes through to the disk only with fullfsync, and a damaged or
// forged file is not to be trusted.
type connector struct{ dsn string }

func (c connector) Driver() driver.Driver {
	return &sqlite3.SQLiteDriver{ConnectHook: func(conn *sqlite3.SQLiteConn) error {
		_, err := conn.Exec("PRAGMA fullfsync = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", nil)
		return err
	}}
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.Driver().Open(c.dsn) }

// write runs f in one BEGIN IMMEDIATE transaction. When it returns nil, what f
// did is on the disk; otherwise nothing of it is.
func (db *DB) write(ctx context.Context, f func(tx *sql.Tx) error) error {
	if db.readOnly {
		return db.fail(errReadOnly)
	}
	leave := db.queue(ctx)
	defer leave()
	tx, err := db.sql.BeginTx(ctx, nil)
	if err != nil {
		return db.fail(err)
	}
	// Nobody moves a file away while a transaction has it locked, so what is
	// written goes where others look.
	err = db.unmoved()
	if err == nil {
		err = f(tx)
	}
	if err != nil {
		tx.Rollback() // the error that led here says more
		return db.fail(err)
	}
	return db.fail(tx.Commit())
}

// flush writes what the -wal holds into the database and empties it. What was
// taken back must not return with a -wal that is damaged: SQLite believes it up
// to the first frame that is not whole, and that part may be from before. Where
// others are at it, it stays as it is: what was committed is on the disk.
func (db *DB) flush(ctx context.Context) {
	_, _ = db.sql.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
}

// A querier is the database itself or a transaction on it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// collect reads all rows. They are closed when it returns, so that the one
// connection is free for the next statement.
func collect[T any](rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

func (db *DB) millis() int64 { return db.Now().UnixMilli() }

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// stamp spells a time for JSON: RFC 3339 in UTC with milliseconds.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
