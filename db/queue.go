package db

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a writer stands in a queue that does not move. Who has not
// come to its turn then goes on without: SQLite's own lock is the one that counts.
// While the queue moves nobody may leave it: those behind would never find the lock
// free, for there is always one whose turn it is.
const patience = 2 * time.Second

// longest is how long a writer stands in the queue in any case.
const longest = time.Minute

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
		return db.taken(f)
	}
	turn := make(chan struct{})
	go func() {
		defer close(turn)
		for unix.Flock(fd, unix.LOCK_EX) == unix.EINTR {
		}
	}()
	if queued(ctx, f, turn) {
		return db.taken(f)
	}
	go func() { <-turn; f.Close() }()
	return func() {}
}

// taken says to those behind that the queue moves, by the time in the file.
func (db *DB) taken(f *os.File) (leave func()) {
	now := unix.NsecToTimeval(db.Now().UnixNano())
	_ = unix.Futimes(int(f.Fd()), []unix.Timeval{now, now})
	return func() { f.Close() }
}

// queued waits for the turn, and reports whether it came.
func queued(ctx context.Context, f *os.File, turn <-chan struct{}) bool {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	for moved := movedAt(f); ; {
		select {
		case <-turn:
			return true
		case <-ctx.Done():
			return false
		case <-time.After(patience):
		}
		now := movedAt(f)
		if now.Equal(moved) {
			return false
		}
		moved = now
	}
}

func movedAt(f *os.File) time.Time {
	info, err := f.Stat()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
