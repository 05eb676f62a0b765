package db

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// A Trust is a project's file that a person trusts, as it was then.
type Trust struct {
	Path  string // real and absolute
	Bytes []byte
	At    time.Time
	By    string

	// Replaced says that the directory of the file is another one now. The file is
	// not trusted there.
	Replaced bool
}

// trustSum is what makes a file the one that is trusted: where it is, and all that
// it says. No path holds a NUL, so that no other pair has the same sum.
func trustSum(path string, data []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s\x00%s", path, data)))
}

// Trusted reports whether a person trusts these bytes at this path. It is true for
// exactly what was given to [DB.Trust] last, while its directory is the same.
func (db *DB) Trusted(ctx context.Context, path string, data []byte) (bool, error) {
	var directory string
	err := db.sql.QueryRowContext(ctx, `SELECT directory FROM trusts WHERE path = ? AND sum = ?`, path, trustSum(path, data)).Scan(&directory)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil && directory == directoryID(filepath.Dir(path)), db.fail(err)
}

// Trust stores that a person trusts these bytes at this path, instead of those
// that were trusted there before.
func (db *DB) Trust(ctx context.Context, path string, data []byte, by string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO trusts (path, sum, bytes, directory, at, who) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (path) DO UPDATE SET sum = excluded.sum, bytes = excluded.bytes, directory = excluded.directory, at = excluded.at, who = excluded.who`,
			path, trustSum(path, data), data, directoryID(filepath.Dir(path)), db.millis(), by)
		return err
	})
}

// Untrust takes the trust in a file back. The error is [ErrNotFound] where there is
// none.
func (db *DB) Untrust(ctx context.Context, path string) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM trusts WHERE path = ?`, path)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
		return refuse(ErrNotFound, "trust in %s", path)
	})
}

// TrustIn returns what was trusted last at a path. The error is [ErrNotFound] where
// there is nothing, and [ErrCorrupt] when it is damaged.
func (db *DB) TrustIn(ctx context.Context, path string) (Trust, error) {
	found, err := db.trusts(ctx, `WHERE path = ?`, path)
	switch {
	case err != nil:
		return Trust{}, db.fail(err)
	case len(found) == 0:
		return Trust{}, refuse(ErrNotFound, "trust in %s", path)
	}
	return found[0], nil
}

// Trusts returns all that is trusted, by path.
func (db *DB) Trusts(ctx context.Context) ([]Trust, error) {
	all, err := db.trusts(ctx, `ORDER BY path`)
	return all, db.fail(err)
}

func (db *DB) trusts(ctx context.Context, where string, args ...any) ([]Trust, error) {
	rows, err := db.sql.QueryContext(ctx, `SELECT path, sum, bytes, directory, at, who FROM trusts `+where, args...)
	return collect(rows, err, func(rows *sql.Rows) (t Trust, err error) {
		var sum, directory string
		var at int64
		if err := rows.Scan(&t.Path, &sum, &t.Bytes, &directory, &at, &t.By); err != nil {
			return t, err
		}
		if sum != trustSum(t.Path, t.Bytes) {
			return t, fmt.Errorf("trust in %s: %w", t.Path, ErrCorrupt)
		}
		t.At, t.Replaced = fromMillis(at), directory != directoryID(filepath.Dir(t.Path))
		return t, nil
	})
}
