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
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for looks := 0; ; looks++ {
		status, err := db.Status(ctx, id)
		if ctx.Err() != nil && err != nil {
			return Status{}, ctx.Err()
		}
		if err == nil {
			err = db.unmoved()
		}
		if err != nil || status.State != StatePending {
			return status, err
		}
		if looks < quickTicks {
			timer.Reset(tick)
		} else {
			timer.Reset(slowTick)
		}
		select {
		case <-ctx.Done():
			return status, ctx.Err()
		case <-bell.C():
		case <-timer.C:
		}
	}
}
