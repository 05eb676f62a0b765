package db

import (
	"context"
	"database/sql"
	"time"
)

// EventKind says what happened to a request.
type EventKind string

const (
	Asked   EventKind = "asked"
	Replied EventKind = "replied"
	Refused EventKind = "refused" // somebody tried to answer who was not taken for a person
)

// An Event is something that happened to a request, with the request as it was
// then. Each request is asked once and replied to once; in between, answers may be
// refused.
type Event struct {
	ID       int64
	At       time.Time
	Kind     EventKind
	Request  Request
	Reply    string // once, always, reject or withdrawn
	By       string
	Feedback string // of a refused answer, why it was
}

// Events returns what happened after the event since, oldest first, and not
// more than limit events.
func (db *DB) Events(ctx context.Context, since int64, limit int) ([]Event, error) {
	rows, err := db.sql.QueryContext(ctx, `
		SELECT id, at, kind, request_id, who, why FROM events WHERE id > ? ORDER BY id LIMIT ?`, since, limit)
	events, err := collect(rows, err, func(rows *sql.Rows) (e Event, err error) {
		var at int64
		err = rows.Scan(&e.ID, &at, &e.Kind, &e.Request.ID, &e.By, &e.Feedback)
		e.At = fromMillis(at)
		return e, err
	})
	if err != nil {
		return nil, db.fail(err)
	}
	for i := range events {
		if err := events[i].complete(ctx, db.sql); err != nil {
			return nil, db.fail(err)
		}
	}
	return events, nil
}

// complete reads the request. What its row says is how it was when it was
// replied to, for it never changes afterwards; before that it was the same but
// for the answer.
func (e *Event) complete(ctx context.Context, q querier) (err error) {
	if e.Request, err = oneRequest(ctx, q, e.Request.ID); err != nil {
		return err
	}
	r := &e.Request
	if e.Kind != Replied {
		r.State, r.Settled, r.By, r.Feedback = StatePending, time.Time{}, "", ""
		return nil
	}
	e.By, e.Feedback = r.By, r.Feedback
	switch r.State {
	case StateRejected:
		e.Reply = Reject.String()
	case StateExpired:
		e.Reply = string(StateWithdrawn)
	default:
		e.Reply = string(r.State)
	}
	return nil
}

// LastEvent returns the id of the newest event, 0 when there is none: from
// there on, Events returns what is yet to come.
func (db *DB) LastEvent(ctx context.Context) (id int64, err error) {
	err = db.sql.QueryRowContext(ctx, `SELECT ifnull(max(id), 0) FROM events`).Scan(&id)
	return id, db.fail(err)
}

func insertEvent(ctx context.Context, tx *sql.Tx, kind EventKind, request, at int64) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO events (at, kind, request_id) VALUES (?, ?, ?)`, at, kind, request)
	return err
}
