package db

import (
	"context"
	"fmt"
)

// A Chain is what was found of the log by following the hashes of its entries.
type Chain struct {
	Count int64  // entries in order, from the first one
	Head  string // the hash of the last of them, which stands for all; "" for none
	Known int64  // the entry whose hash was asked for, 0 when there is none
}

// A ChainError is the first entry of the log that does not follow from the one
// before. It is [ErrCorrupt].
type ChainError struct {
	ID   int64
	What string // what differs
	Have string // its hash; "" for an entry that is missing
	Want string // what its hash would be
}

func (e *ChainError) Error() string { return fmt.Sprintf("log entry %d: %s", e.ID, e.What) }
func (e *ChainError) Unwrap() error { return ErrCorrupt }

// VerifyLog walks the whole log and fails as [DB.Chain] does.
func (db *DB) VerifyLog(ctx context.Context) error {
	_, err := db.Chain(ctx, "")
	return err
}

// Chain walks the whole log. It fails with a *[ChainError] at the first entry
// that was changed after it was written, that no longer follows the one before
// it, or that is missing, the newest ones included. It does not notice that all
// was written anew by somebody who knows how, unless a hash is given that was
// noted before: a log that was written anew does not hold it.
func (db *DB) Chain(ctx context.Context, known string) (c Chain, err error) {
	for {
		rows, err := logRows(ctx, db.sql, `WHERE id > ? ORDER BY id LIMIT 100`, c.Count)
		if err != nil {
			return c, db.fail(err)
		}
		for _, r := range rows {
			if err := c.follow(r); err != nil {
				return c, db.fail(err)
			}
			if r.hash == known {
				c.Known = r.ID
			}
		}
		if len(rows) > 0 {
			continue
		}
		// One statement, so that an entry which is written now is in both.
		var last, ever int64
		err = db.sql.QueryRowContext(ctx, `SELECT ifnull(max(id), 0), `+lastID+` FROM log`).Scan(&last, &ever)
		if err != nil {
			return c, db.fail(err)
		}
		if last > c.Count {
			continue // it was written just now
		}
		if ever > last {
			return c, db.fail(&ChainError{ID: last + 1, What: missing(last+1, ever) + ", the newest there were"})
		}
		return c, nil
	}
}

// follow adds a row to the chain if it is the next one.
func (c *Chain) follow(r logRow) error {
	if r.ID != c.Count+1 {
		return &ChainError{ID: r.ID, What: fmt.Sprintf("it comes behind entry %d: %s", c.Count, missing(c.Count+1, r.ID-1)), Have: r.hash}
	}
	if want := r.chain(c.Head); r.hash != want {
		what := "what it says is not what its hash was made of, or the hash of the entry before is another one now"
		if c.Count == 0 {
			what = "what it says is not what its hash was made of"
		}
		return &ChainError{ID: r.ID, What: what, Have: r.hash, Want: want}
	}
	c.Count, c.Head = r.ID, r.hash
	return nil
}

func missing(from, to int64) string {
	if from == to {
		return fmt.Sprintf("entry %d is missing", from)
	}
	return fmt.Sprintf("entries %d to %d are missing", from, to)
}
