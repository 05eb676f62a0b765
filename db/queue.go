package db

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a writer stands in the queue. Who does not come to its
// turn by then goes on without: SQLite's own lock is the one that counts.
const patience = 2 * time.Second

// queueSuffix is behind the name of the database in that of an empty file whose
// lock is the queue. SQLite's own locks on the database would be lost with it.
const queueSuffix = ".queue"

// queue waits for this process's turn to write, and returns what ends it. Of many
// that wait for SQLite's lock each looks again after a pause that grows, so that
// some wait for long while the lock is free; the kernel wakes one that waits for a
// flock as soon as it is.
func (db *DB) queue(ctx context.Context) (leave func()) {
	f, err := os.OpenFile(db.path+queueSuffix, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return func() {}
	}
	fd := int(f.Fd())
	if unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) == nil {
		return func() { f.Close() }
	}
	turn := make(chan struct{})
	go func() {
		defer close(turn)
		for unix.Flock(fd, unix.LOCK_EX) == unix.EINTR {
		}
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-turn:
		return func() { f.Close() }
	case <-timer.C:
	case <-ctx.Done():
	}
	go func() { <-turn; f.Close() }()
	return func() {}
}
