package db

import (
	"context"
	"database/sql"
)

// Streak counts how often in a row a session has asked for the same thing, this
// time included. The digest stands for what it asks for.
func (db *DB) Streak(ctx context.Context, session, digest string) (count int, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, `
			INSERT INTO streaks (session, digest, count, at) VALUES (?1, ?2, 1, ?3)
			ON CONFLICT (session) DO UPDATE
				SET count = iif(digest = excluded.digest, count + 1, 1), digest = excluded.digest, at = excluded.at
			RETURNING count`, session, digest, db.millis()).Scan(&count)
	})
	if err != nil {
		return 0, err
	}
	return count, nil
}
