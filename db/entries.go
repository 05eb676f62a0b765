package db

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// A LogFilter chooses among the entries of the log. An empty field chooses all.
type LogFilter struct {
	Since    time.Time
	Session  string
	Outcomes []Outcome
	Newest   int // not more than so many, the newest ones
}

// matching is the condition on a row, with the parameters 1 to 3.
const matching = ` at >= ?1 AND (?2 = '' OR session = ?2) AND (?3 = '' OR instr(?3, ' ' || outcome || ' ') > 0) `

func (f LogFilter) args() []any {
	since := int64(0)
	if !f.Since.IsZero() {
		since = f.Since.UnixMilli()
	}
	outcomes := ""
	for _, o := range f.Outcomes {
		outcomes += " " + string(o) + " "
	}
	return []any{since, f.Session, outcomes}
}

// EachEntry calls f with the entries of the log that a filter chooses, the
// newest last, until f returns an error. It holds a few of them at a time and
// keeps nobody from writing: a log grows for ever.
func (db *DB) EachEntry(ctx context.Context, filter LogFilter, f func(Entry) error) error {
	var next int64
	if filter.Newest > 0 {
		err := db.sql.QueryRowContext(ctx, `SELECT id FROM log WHERE`+matching+`ORDER BY id DESC LIMIT 1 OFFSET ?4`,
			append(filter.args(), filter.Newest-1)...).Scan(&next)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return db.fail(err)
		}
	}
	for {
		rows, err := logRows(ctx, db.sql, `WHERE id >= ?4 AND`+matching+`ORDER BY id LIMIT 100`, append(filter.args(), next)...)
		if err != nil || len(rows) == 0 {
			return db.fail(err)
		}
		for _, r := range rows {
			e, err := r.entry()
			if err != nil {
				return db.fail(err)
			}
			if err := f(e); err != nil {
				return err
			}
			next = r.ID + 1
		}
	}
}

// Entries returns the newest entries of the log, not more than limit, the
// newest last.
func (db *DB) Entries(ctx context.Context, limit int) (entries []Entry, err error) {
	err = db.EachEntry(ctx, LogFilter{Newest: limit}, func(e Entry) error {
		entries = append(entries, e)
		return nil
	})
	return entries, err
}

// Entry returns one entry of the log, or an error that is [ErrNotFound].
func (db *DB) Entry(ctx context.Context, id int64) (Entry, error) {
	rows, err := logRows(ctx, db.sql, `WHERE id = ?`, id)
	if err != nil {
		return Entry{}, db.fail(err)
	}
	if len(rows) == 0 {
		return Entry{}, refuse(ErrNotFound, "log entry %d", id)
	}
	e, err := rows[0].entry()
	return e, db.fail(err)
}
