package db

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3"
	"golang.org/x/sys/unix"
)

// Health is what is to be known of a database that opens.
type Health struct {
	Schema    int
	Journal   string   // SQLite's journal mode
	Integrity []string // what SQLite finds wrong with the file, at most ten; none when all is well
	Chain     Chain    // of the log, up to where it breaks
	Broken    error    // where it does
	Approvals int
	Damaged   []int64 // the approvals that are not as they were stored
	Waiting   int     // pending requests whose asker lives
	Ghosts    []int64 // pending requests whose asker is gone
}

// Inspect looks at all of an open database. An error says that something cannot
// even be read.
func (db *DB) Inspect(ctx context.Context) (h Health, err error) {
	if err := db.sql.QueryRowContext(ctx, `SELECT user_version, journal_mode FROM pragma_user_version, pragma_journal_mode`).Scan(&h.Schema, &h.Journal); err != nil {
		return h, db.fail(err)
	}
	rows, err := db.sql.QueryContext(ctx, `PRAGMA integrity_check(10)`)
	found, err := collect(rows, err, func(rows *sql.Rows) (s string, err error) {
		err = rows.Scan(&s)
		return s, err
	})
	if err != nil {
		return h, db.fail(err)
	}
	if strings.Join(found, "") != "ok" {
		h.Integrity = found
	}
	h.Chain, h.Broken = db.Chain(ctx, "")
	if h.Broken != nil && !errors.As(h.Broken, new(*ChainError)) {
		return h, h.Broken
	}
	rows, err = db.sql.QueryContext(ctx, `SELECT `+approvalColumns+` FROM approvals ORDER BY id`)
	_, err = collect(rows, err, func(rows *sql.Rows) (a Approval, err error) {
		a, sum, err := scanUnchecked(rows)
		if err == nil && sum != a.sum() {
			h.Damaged = append(h.Damaged, a.ID)
		}
		h.Approvals++
		return a, err
	})
	if err != nil {
		return h, db.fail(err)
	}
	if h.Ghosts, err = db.ghosts(ctx, 0); err != nil {
		return h, err
	}
	err = db.sql.QueryRowContext(ctx, `SELECT count(*) FROM requests WHERE state = 'pending'`).Scan(&h.Waiting)
	h.Waiting -= len(h.Ghosts)
	return h, db.fail(err)
}

// SQLiteVersion is the version of SQLite that is built in.
func SQLiteVersion() string {
	version, _, _ := sqlite3.Version()
	return version
}

// Bells counts the sockets in a directory whose owners live, and those whose
// owners are gone.
func Bells(dir string) (live, dead int) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type() != fs.ModeSocket {
			continue
		}
		if errors.Is(probe(filepath.Join(dir, e.Name())), unix.ECONNREFUSED) {
			dead++
		} else {
			live++
		}
	}
	return live, dead
}
