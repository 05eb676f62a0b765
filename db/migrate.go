package db

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
)

// applicationID marks the file as mayi's, in the header of SQLite: "mayi".
// The first migration writes it.
const applicationID = 0x6d617969

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations returns the names of the files that lead from each version of the
// schema to the next one; that at index 0 leads to version 1.
func migrations() []string {
	entries, _ := migrationFiles.ReadDir("migrations") // embedded: cannot fail
	var names []string
	for _, e := range entries {
		names = append(names, "migrations/"+e.Name())
	}
	return names
}

// identify returns the version of the schema, 0 when there is nothing at all,
// and an error when the database is not one this program can use. It is one
// statement, so that what it reads is from one moment.
func (db *DB) identify(ctx context.Context, q querier) (version int, err error) {
	var id, objects int
	err = q.QueryRowContext(ctx, `
		SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`).Scan(&id, &version, &objects)
	switch want := len(migrations()); {
	case err != nil:
		return 0, err
	case id == 0 && version == 0 && objects == 0:
		return 0, nil
	case id != applicationID || version < 1:
		return 0, ErrForeign
	case version > want:
		return 0, &SchemaError{Path: db.path, Have: version, Want: want}
	}
	return version, nil
}

// migrate brings the schema up to date, in one transaction: who only reads sees
// no version in between. The version is read again inside, for another process
// may just have done it.
func (db *DB) migrate(ctx context.Context) error {
	files := migrations()
	version, err := db.identify(ctx, db.sql)
	if err != nil {
		return db.fail(err)
	}
	if version == len(files) {
		return nil
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		version, err := db.identify(ctx, tx)
		if err != nil {
			return err
		}
		for ; version < len(files); version++ {
			step, err := migrationFiles.ReadFile(files[version])
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, string(step)); err != nil {
				return fmt.Errorf("%s: %w", files[version], err)
			}
			if _, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version+1)); err != nil {
				return err
			}
		}
		return nil
	})
}
