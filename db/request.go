package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"mayi/rules"
	"mayi/shellparse"
)

// State is where a request stands. The zero value is none of them, and allows
// nothing.
type State string

const (
	StatePending   State = "pending"
	StateOnce      State = "once"
	StateAlways    State = "always"
	StateRejected  State = "rejected"
	StateWithdrawn State = "withdrawn" // its asker went away
	StateExpired   State = "expired"   // its asker waited long enough
)

// Allows reports whether what was asked for may happen.
func (s State) Allows() bool { return s == StateOnce || s == StateAlways }

// A Request is a question that waits for a person's answer, or did.
type Request struct {
	ID         int64
	State      State
	Project    string
	Session    string // "" belongs to no session, not all of them to one
	Agent      string
	Cwd        string
	Permission string
	Line       string // the source, or the argument
	Reasons    []rules.Reason
	Asker      Process
	Tree       []Relative // the asker first, then its ancestors to the root of its tree
	Program    string     // who asks, for people
	Bell       string     // the asker's [Bell], "" for none
	At         time.Time
	Settled    time.Time
	By         string // who answered
	Feedback   string

	parts  string // the reasons as they are stored
	sealed bool   // the row's sum is that of what it says
}

// Place returns where the request comes from.
func (r Request) Place() Place { return Place{Project: r.Project, Session: r.Session} }

// asking returns the indices of the parts that ask, the others being allowed
// already. A request without any was not understood: nothing but a person's
// once can answer it.
func (r Request) asking() []int {
	var parts []int
	for i, reason := range r.Reasons {
		if reason.Action == rules.Ask {
			parts = append(parts, i)
		}
	}
	return parts
}

// Submit stores a request as pending, whatever its state says, and returns its
// id. A request with a part that is denied is [ErrInvalid]: no answer undoes a
// deny.
//
// Of the bell, which must be one of [DB.Bells], only the name is stored: a
// container may see the directory at another path.
//
// A part that JSON cannot hold as it is (file names need not be UTF-8) is
// stored as one that can be answered only for this once: an approval would be
// of another text.
func (db *DB) Submit(ctx context.Context, r Request) (id int64, err error) {
	for _, reason := range r.Reasons {
		if reason.Action == rules.Deny {
			return 0, refuse(ErrInvalid, "%s %s is denied and cannot be asked for", reason.Request.Permission, reason.Request)
		}
	}
	tree, err := json.Marshal(append([]Relative{}, r.Tree...))
	if err != nil {
		return 0, db.fail(err)
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		now := db.millis()
		err := tx.QueryRowContext(ctx, `
			INSERT INTO requests (state, project, session, agent, cwd, permission, line, program, bell, pid, start, boot, space, tree, at)
			VALUES ('pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
			r.Project, r.Session, r.Agent, r.Cwd, r.Permission, r.Line, r.Program, bellName(r.Bell),
			r.Asker.PID, r.Asker.Start, r.Asker.Boot, r.Asker.Space, string(tree), now).Scan(&id)
		if err != nil {
			return err
		}
		for n, reason := range r.Reasons {
			if err := insertPart(ctx, tx, id, n, reason); err != nil {
				return err
			}
		}
		if err := sealPending(ctx, tx, id); err != nil {
			return err
		}
		return insertEvent(ctx, tx, Asked, id, now)
	})
	if err != nil {
		return 0, err
	}
	RingWatchers(db.Bells())
	return id, nil
}

func insertPart(ctx context.Context, tx *sql.Tx, id int64, n int, reason rules.Reason) error {
	if !isUTF8(reason.Request) && !reason.Final {
		reason.Final = true
		reason.Note = "its text is not UTF-8"
	}
	text, err := json.Marshal(reason)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO parts (request_id, n, permission, text, reason) VALUES (?, ?, ?, ?, ?)`,
		id, n, reason.Request.Permission, reason.Request.String(), string(text))
	return err
}

func isUTF8(r rules.Request) bool {
	for _, text := range slices.Concat([]shellparse.Word{r.Text}, r.Same) {
		for _, piece := range text {
			if !utf8.ValidString(piece.Text) {
				return false
			}
		}
	}
	return utf8.ValidString(r.Permission) && utf8.ValidString(r.Store)
}

// Status is what a waiter needs to know.
type Status struct {
	State    State
	By       string
	Feedback string
	Settled  time.Time
}

// Status returns where a request stands. The error is [ErrCorrupt] when its row is
// damaged, or when it says that something may happen and does not prove it.
func (db *DB) Status(ctx context.Context, id int64) (Status, error) {
	// Who waits looks often, and needs no proof that nothing happened yet.
	var state State
	err := db.sql.QueryRowContext(ctx, `SELECT state FROM requests WHERE id = ?`, id).Scan(&state)
	if errors.Is(err, sql.ErrNoRows) {
		err = refuse(ErrNotFound, "request %d", id)
	}
	if err != nil || state == StatePending {
		return Status{State: state}, db.fail(err)
	}
	r, err := oneRequest(ctx, db.sql, id)
	if err == nil && r.State.Allows() && !r.sealed {
		err = damagedRequest(id) // no waiter waits for an answer of before there were sums
	}
	if err != nil {
		return Status{}, db.fail(err)
	}
	return Status{r.State, r.By, r.Feedback, r.Settled}, nil
}

// Request returns one request with all its parts. The error is [ErrCorrupt] when
// its row is damaged.
func (db *DB) Request(ctx context.Context, id int64) (Request, error) {
	r, err := oneRequest(ctx, db.sql, id)
	return r, db.fail(err)
}

// Filter chooses among pending requests. An empty field chooses all.
type Filter struct {
	Session, Project string
}

// Pending returns the requests that wait for an answer, oldest first. Those
// whose asker is gone are withdrawn first, or left out where the database is
// open for reading only.
func (db *DB) Pending(ctx context.Context, f Filter) ([]Request, error) {
	gone, err := db.Sweep(ctx)
	if err != nil {
		return nil, err
	}
	pending, err := requests(ctx, db.sql, `
		WHERE state = 'pending' AND (?1 = '' OR session = ?1) AND (?2 = '' OR project = ?2) ORDER BY id`,
		f.Session, f.Project)
	pending = slices.DeleteFunc(pending, func(r Request) bool { return slices.Contains(gone, r.ID) })
	return pending, db.fail(err)
}

// Withdraw settles a request without an answer, as StateWithdrawn or
// StateExpired. When it has been answered in the meantime the error is a
// *[SettledError], and the answer stands.
func (db *DB) Withdraw(ctx context.Context, id int64, state State) error {
	if state != StateWithdrawn && state != StateExpired {
		return refuse(ErrInvalid, "withdraw request %d as %q", id, state)
	}
	err := db.write(ctx, func(tx *sql.Tx) error {
		r, err := pendingRequest(ctx, tx, id)
		if err != nil {
			return err
		}
		_, err = db.settle(ctx, tx, r, state, "", "")
		return err
	})
	if err != nil {
		return err
	}
	RingWatchers(db.Bells())
	return nil
}

// WithdrawSession withdraws every pending request of a session, which has ended,
// and returns how many there were.
func (db *DB) WithdrawSession(ctx context.Context, session string) (n int, err error) {
	var list []Request
	err = db.write(ctx, func(tx *sql.Tx) error {
		list, err = requests(ctx, tx, `WHERE state = 'pending' AND session = ? ORDER BY id`, session)
		for i := 0; err == nil && i < len(list); i++ {
			_, err = db.settle(ctx, tx, list[i], StateWithdrawn, "", "")
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	db.ring(list)
	return len(list), nil
}

// settle moves a request out of pending and records that.
func (db *DB) settle(ctx context.Context, tx *sql.Tx, r Request, state State, by, feedback string) (Request, error) {
	now := db.millis()
	r.State, r.By, r.Feedback, r.Settled = state, by, feedback, fromMillis(now)
	done, err := tx.ExecContext(ctx, `
		UPDATE requests SET state = ?, who = ?, feedback = ?, settled = ?, sum = ? WHERE id = ? AND state = 'pending'`,
		state, by, feedback, now, r.sum(), r.ID)
	if err != nil {
		return r, err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return r, errors.Join(err, fmt.Errorf("settled %d rows for request %d", n, r.ID))
	}
	return r, insertEvent(ctx, tx, Replied, r.ID, now)
}

// pendingRequest returns a request that can still be settled.
func pendingRequest(ctx context.Context, q querier, id int64) (Request, error) {
	r, err := oneRequest(ctx, q, id)
	if err == nil && r.State != StatePending {
		err = &SettledError{ID: id, State: r.State, By: r.By, At: r.Settled}
	}
	return r, err
}

func oneRequest(ctx context.Context, q querier, id int64) (Request, error) {
	found, err := requests(ctx, q, `WHERE id = ?`, id)
	if err != nil {
		return Request{}, err
	}
	if len(found) == 0 {
		return Request{}, refuse(ErrNotFound, "request %d", id)
	}
	return found[0], nil
}

func requests(ctx context.Context, q querier, where string, args ...any) ([]Request, error) {
	rows, err := q.QueryContext(ctx, `
		SELECT id, state, project, session, agent, cwd, permission, line, program, bell,
			pid, start, boot, space, tree, at, settled, who, feedback, sum,
			(SELECT group_concat(reason, ',' ORDER BY n) FROM parts WHERE request_id = requests.id)
		FROM requests `+where, args...)
	return collect(rows, err, scanRequest)
}

func scanRequest(rows *sql.Rows) (r Request, err error) {
	var at int64
	var settled sql.NullInt64
	var tree []byte
	var sum string
	var parts sql.NullString
	err = rows.Scan(&r.ID, &r.State, &r.Project, &r.Session, &r.Agent, &r.Cwd, &r.Permission, &r.Line, &r.Program, &r.Bell,
		&r.Asker.PID, &r.Asker.Start, &r.Asker.Boot, &r.Asker.Space, &tree, &at, &settled, &r.By, &r.Feedback, &sum, &parts)
	if err != nil {
		return r, err
	}
	r.At, r.parts = fromMillis(at), parts.String
	if settled.Valid {
		r.Settled = fromMillis(settled.Int64)
	}
	if r.sealed = sum == r.sum(); !r.sealed && sum != "" {
		return r, damagedRequest(r.ID)
	}
	if string(tree) != "[]" {
		err = json.Unmarshal(tree, &r.Tree)
	}
	if err == nil && parts.Valid {
		err = json.Unmarshal([]byte("["+r.parts+"]"), &r.Reasons)
	}
	if err != nil {
		err = fmt.Errorf("request %d: %w", r.ID, err)
	}
	return r, err
}
