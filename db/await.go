package db

import (
	"context"
	"time"
)

// How often a waiter looks at its row when no bell rings: often while a person
// may be about to answer, seldom later.
const (
	tick       = 250 * time.Millisecond
	slowTick   = time.Second
	quickTicks = 120 // half a minute
)

// Await returns when the request is settled or ctx is done. A ring is a hint:
// Await believes only the row. When ctx ends, an answer may still have come in:
// [DB.Withdraw] tells.
//
// No answer is missed when the caller binds the bell first, then submits the
// request with the bell's path, then awaits: Await looks before it sleeps.
func (db *DB) Await(ctx context.Context, id int64, bell *Bell) (Status, error) {
	return db.AwaitHearing(ctx, id, bell, func(Event) {})
}

// AwaitHearing is [DB.Await] for one who wants to hear of the answers that are
// refused meanwhile.
func (db *DB) AwaitHearing(ctx context.Context, id int64, bell *Bell, refused func(Event)) (Status, error) {
	heard := int64(0)
	for ticks := 0; ; {
		status, err := db.look(ctx, id)
		if err == nil {
			heard, err = db.hear(ctx, id, heard, refused)
		}
		if err != nil || status.State != StatePending {
			return status, err
		}
		pause := tick
		if ticks >= quickTicks {
			pause = slowTick
		}
		select {
		case <-ctx.Done():
			return Status{}, ctx.Err()
		case <-bell.C():
		case <-time.After(pause):
			ticks++
		}
	}
}

// look reads the status, and makes sure that it is that of the row which others
// can settle.
func (db *DB) look(ctx context.Context, id int64) (Status, error) {
	status, err := db.Status(ctx, id)
	if err == nil {
		err = db.unmoved()
	}
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		return Status{}, err
	}
	return status, nil
}

// hear tells of the refused answers behind an event, and returns the last one.
func (db *DB) hear(ctx context.Context, id, heard int64, refused func(Event)) (int64, error) {
	list, err := db.refusals(ctx, id, heard)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	for _, e := range list {
		heard = e.ID
		refused(e)
	}
	return heard, err
}
