package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
)

// sum is of all that makes an answer the answer to a question: which one it is,
// what was asked, where, and how that was answered. A byte of a damaged page that
// makes another request, another state or another line of a row is seen by it.
func (r Request) sum() string {
	settled := r.Settled
	if r.State == StatePending {
		settled = fromMillis(0)
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%d %q %q %q %q %q %q %q %q %q %d",
		r.ID, r.State, r.Project, r.Session, r.Cwd, r.Permission, r.Line, r.parts, r.By, r.Feedback, settled.UnixMilli())))
}

// sealPending stores the sum of a request that was just written.
func sealPending(ctx context.Context, tx *sql.Tx, id int64) error {
	r, err := oneRequest(ctx, tx, id)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE requests SET sum = ? WHERE id = ?`, r.sum(), id)
	return err
}

func damagedRequest(id int64) error { return fmt.Errorf("request %d: %w", id, ErrCorrupt) }
