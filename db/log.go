package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mayi/rules"
)

// Outcome is what a command was told.
type Outcome string

const (
	OutcomeAllow     Outcome = "allow"
	OutcomeDeny      Outcome = "deny"
	OutcomeAsk       Outcome = "ask" // left to the agent, which asks its own person
	OutcomeOnce      Outcome = "once"
	OutcomeAlways    Outcome = "always"
	OutcomeRejected  Outcome = "rejected"
	OutcomeCorrected Outcome = "corrected"
	OutcomeExpired   Outcome = "expired"
	OutcomeWithdrawn Outcome = "withdrawn"
	OutcomeRefused   Outcome = "refused" // who answered was not taken for a person
	OutcomeError     Outcome = "error"
)

// An Entry is one decision that was given.
type Entry struct {
	ID         int64
	At         time.Time
	Verb       string // ask, run, hook …
	Outcome    Outcome
	Line       string
	Permission string
	Project    string
	Session    string
	Agent      string
	Cwd        string
	PID        int
	By         string
	RequestID  int64 // 0 for none
	Reasons    []rules.Reason
}

// A logRow is an entry as it is stored.
type logRow struct {
	Entry
	at      int64
	reasons string // JSON
	hash    string // of the row and the hash of the row before
}

// chain returns the hash of the row behind another one, of which before is the
// hash. It is over what is stored, not over what that means, so that it does
// not depend on the version of this program.
func (r logRow) chain(before string) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %d %d %q %q %q %q %q %q %q %q %d %q %d %q", before,
		r.ID, r.at, r.Verb, r.Outcome, r.Line, r.Permission, r.Project, r.Session, r.Agent, r.Cwd,
		r.PID, r.By, r.RequestID, r.reasons)))
}

// Log appends an entry, at the time the clock says. When it returns, the entry
// is on the disk.
func (db *DB) Log(ctx context.Context, e Entry) (id int64, err error) {
	err = db.write(ctx, func(tx *sql.Tx) (err error) {
		id, err = db.insertLog(ctx, tx, e)
		return err
	})
	if err != nil {
		return 0, err
	}
	return id, nil
}

func (db *DB) insertLog(ctx context.Context, tx *sql.Tx, e Entry) (id int64, err error) {
	reasons, err := json.Marshal(append([]rules.Reason{}, e.Reasons...))
	if err != nil {
		return 0, err
	}
	r := logRow{Entry: e, at: db.millis(), reasons: string(reasons)}
	var before string
	err = tx.QueryRowContext(ctx, `
		SELECT ifnull(max(id), 0) + 1, ifnull((SELECT hash FROM log ORDER BY id DESC LIMIT 1), '') FROM log`).Scan(&r.ID, &before)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO log (id, at, verb, outcome, line, permission, project, session, agent, cwd, pid, who, request_id, reasons, hash)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.at, r.Verb, r.Outcome, r.Line, r.Permission, r.Project, r.Session, r.Agent, r.Cwd,
		r.PID, r.By, r.RequestID, r.reasons, r.chain(before))
	return r.ID, err
}

// Entries returns the newest entries of the log, not more than limit, the
// newest last.
func (db *DB) Entries(ctx context.Context, limit int) ([]Entry, error) {
	rows, err := db.log(ctx, `ORDER BY id DESC LIMIT ?`, limit)
	if err != nil {
		return nil, db.fail(err)
	}
	entries := make([]Entry, 0, len(rows))
	for _, r := range slices.Backward(rows) {
		if err := json.Unmarshal([]byte(r.reasons), &r.Reasons); err != nil {
			return nil, db.fail(fmt.Errorf("log entry %d: %w", r.ID, err))
		}
		entries = append(entries, r.Entry)
	}
	return entries, nil
}

// VerifyLog walks the whole log. It fails with an error that is [ErrCorrupt] at
// the first entry that was changed after it was written, or that no longer
// follows the one before it. It does not notice that the newest entries are
// missing, or that all was written anew.
func (db *DB) VerifyLog(ctx context.Context) error {
	before, last := "", int64(0)
	for {
		// By the hundred, since a log grows for ever.
		rows, err := db.log(ctx, `WHERE id > ? ORDER BY id LIMIT 100`, last)
		if err != nil || len(rows) == 0 {
			return db.fail(err)
		}
		for _, r := range rows {
			if r.ID != last+1 || r.hash != r.chain(before) {
				return db.fail(fmt.Errorf("log entry %d does not follow entry %d: %w", r.ID, last, ErrCorrupt))
			}
			before, last = r.hash, r.ID
		}
	}
}

func (db *DB) log(ctx context.Context, where string, args ...any) ([]logRow, error) {
	rows, err := db.sql.QueryContext(ctx, `
		SELECT id, at, verb, outcome, line, permission, project, session, agent, cwd, pid, who, request_id, reasons, hash
		FROM log `+where, args...)
	return collect(rows, err, func(rows *sql.Rows) (r logRow, err error) {
		err = rows.Scan(&r.ID, &r.at, &r.Verb, &r.Outcome, &r.Line, &r.Permission, &r.Project, &r.Session, &r.Agent, &r.Cwd,
			&r.PID, &r.By, &r.RequestID, &r.reasons, &r.hash)
		r.At = fromMillis(r.at)
		return r, err
	})
}
