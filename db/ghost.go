package db

import (
	"context"
	"database/sql"
	"errors"

	"golang.org/x/sys/unix"
)

// Sweep withdraws the pending requests whose asker is gone, and returns their
// ids. Everything that looks at pending requests does so first; a waiter that
// was killed leaves no ghost behind. Where the database is open for reading
// only, it withdraws nothing and only says which they are.
func (db *DB) Sweep(ctx context.Context) ([]int64, error) { return db.sweep(ctx, 0) }

// sweep looks at one request, or at all of them for 0.
func (db *DB) sweep(ctx context.Context, only int64) ([]int64, error) {
	ghosts, err := db.ghosts(ctx, only)
	if err != nil || len(ghosts) == 0 || db.readOnly {
		return ghosts, err
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		for _, id := range ghosts {
			r, err := pendingRequest(ctx, tx, id)
			if errors.Is(err, ErrSettled) {
				continue // another process swept it
			}
			if err != nil {
				return err
			}
			if _, err := db.settle(ctx, tx, r, StateWithdrawn, "", ""); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	RingWatchers(db.Bells())
	return ghosts, nil
}

// ghosts returns the ids of the pending requests whose asker is gone. An asker
// does not come back, neither the process nor its bell, so that what is found
// here still holds in a later transaction.
func (db *DB) ghosts(ctx context.Context, only int64) ([]int64, error) {
	type asker struct {
		id   int64
		bell string
		Process
	}
	rows, err := db.sql.QueryContext(ctx, `SELECT id, bell, pid, start, boot, space FROM requests
		WHERE state = 'pending' AND (?1 = 0 OR id = ?1) ORDER BY id`, only)
	askers, err := collect(rows, err, func(rows *sql.Rows) (a asker, err error) {
		err = rows.Scan(&a.id, &a.bell, &a.PID, &a.Start, &a.Boot, &a.Space)
		return a, err
	})
	if err != nil {
		return nil, db.fail(err)
	}
	var ghosts []int64
	self := Self()
	for _, a := range askers {
		if db.on.Network && a.Boot != self.Boot {
			continue // it may well be another machine
		}
		if isGhost(db.bellPath(a.bell), a.Process, self) {
			ghosts = append(ghosts, a.id)
		}
	}
	return ghosts, nil
}

// isGhost reports whether it is certain that an asker is gone. The kernel
// closes a bell with the process, whatever kills it, and says so to everyone. A
// bell that is no longer there at all may also have been removed from under its
// owner.
func isGhost(bell string, asker, self Process) bool {
	if bell != "" {
		err := probe(bell)
		if errors.Is(err, unix.ECONNREFUSED) {
			return true
		}
		if !errors.Is(err, unix.ENOENT) {
			return false
		}
		if !asker.checkable(self) {
			return !isAway(bell) // a container has a /tmp of its own
		}
	}
	return asker.gone(self)
}
