package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
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

// Outcomes returns all of them.
func Outcomes() []Outcome {
	return []Outcome{
		OutcomeAllow, OutcomeDeny, OutcomeAsk, OutcomeOnce, OutcomeAlways, OutcomeRejected, OutcomeCorrected,
		OutcomeExpired, OutcomeWithdrawn, OutcomeRefused, OutcomeError,
	}
}

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
//
// Its id is the one after the highest that ever was: when the newest entries
// are taken away, there is a gap for ever.
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
		SELECT max(`+lastID+`, ifnull((SELECT max(id) FROM log), 0)) + 1, ifnull((SELECT hash FROM log ORDER BY id DESC LIMIT 1), '')`).
		Scan(&r.ID, &before)
	if err != nil {
		return 0, err
	}
	r.hash = r.chain(before)
	return r.ID, r.insert(ctx, tx)
}

// lastID is the highest id an entry ever had: SQLite remembers it, for the ids
// of the table are never used twice.
const lastID = `ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'log'), 0)`

func (r logRow) insert(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO log (id, at, verb, outcome, line, permission, project, session, agent, cwd, pid, who, request_id, reasons, hash)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.at, r.Verb, r.Outcome, r.Line, r.Permission, r.Project, r.Session, r.Agent, r.Cwd,
		r.PID, r.By, r.RequestID, r.reasons, r.hash)
	return err
}

func logRows(ctx context.Context, q querier, where string, args ...any) ([]logRow, error) {
	rows, err := q.QueryContext(ctx, `
		SELECT id, at, verb, outcome, line, permission, project, session, agent, cwd, pid, who, request_id, reasons, hash
		FROM log `+where, args...)
	return collect(rows, err, func(rows *sql.Rows) (r logRow, err error) {
		err = rows.Scan(&r.ID, &r.at, &r.Verb, &r.Outcome, &r.Line, &r.Permission, &r.Project, &r.Session, &r.Agent, &r.Cwd,
			&r.PID, &r.By, &r.RequestID, &r.reasons, &r.hash)
		r.At = fromMillis(r.at)
		return r, err
	})
}

// entry returns what the row says, with its reasons read.
func (r logRow) entry() (Entry, error) {
	if err := json.Unmarshal([]byte(r.reasons), &r.Reasons); err != nil {
		return r.Entry, fmt.Errorf("log entry %d: %w", r.ID, err)
	}
	return r.Entry, nil
}
