package db

import (
	"context"
	"database/sql"
)

// Refuse records that an answer to a request was refused, by whom it was tried
// and why, in the log and for whoever waits or watches. The request stays as it
// is. The entry says what else the log holds of it.
func (db *DB) Refuse(ctx context.Context, r Request, e Entry, why string) error {
	e.Outcome, e.RequestID = OutcomeRefused, r.ID
	by := e.By
	e.By += ": " + why
	err := db.write(ctx, func(tx *sql.Tx) error {
		if _, err := db.insertLog(ctx, tx, e); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO events (at, kind, request_id, who, why) VALUES (?, ?, ?, ?, ?)`,
			db.millis(), Refused, r.ID, by, why)
		return err
	})
	if err != nil {
		return err
	}
	db.ring([]Request{r})
	return nil
}

// refusals returns the answers to a request that were refused after an event.
func (db *DB) refusals(ctx context.Context, request, since int64) ([]Event, error) {
	rows, err := db.sql.QueryContext(ctx, `
		SELECT id, at, who, why FROM events WHERE request_id = ? AND kind = 'refused' AND id > ? ORDER BY id`, request, since)
	list, err := collect(rows, err, func(rows *sql.Rows) (e Event, err error) {
		var at int64
		err = rows.Scan(&e.ID, &at, &e.By, &e.Feedback)
		e.Kind, e.At, e.Request.ID = Refused, fromMillis(at), request
		return e, err
	})
	return list, db.fail(err)
}
