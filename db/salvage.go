package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"mayi/rules"
)

// A Salvage is what the log of a damaged database proves, and what it does not.
type Salvage struct {
	Entries int64 // those of the log that follow from each other, from the first one
	Broken  error // why there are no more; nil when that is all of it
	Kept    []Approval
	Dropped []Dropped
	Lost    []string // what else is not kept, for people

	highest map[string]int64 // ids that were used, by table
}

// Dropped is an approval that the log does not prove.
type Dropped struct {
	Approval
	Why string
}

// salvage reads a damaged database, which may fail at any statement. An approval
// is proven by its own sum together with an entry of the log that tells of an
// always which would store it: the entry's hash is in the chain, so that a
// damaged page or a row that was put in by hand proves nothing. keep is called
// with each entry.
func (db *DB) salvage(ctx context.Context, keep func(logRow) error) (s Salvage, always map[int64]Entry, err error) {
	always = map[int64]Entry{}
	s.highest = db.sequences(ctx)
	var c Chain
	s.Broken = readOn(func(limit int) (int, error) {
		rows, err := logRows(ctx, db.sql, `WHERE id > ? ORDER BY id LIMIT ?`, c.Count, limit)
		for _, r := range rows {
			if err := c.follow(r); err != nil {
				return 0, err
			}
			if kept := keep(r); kept != nil {
				return 0, &keepError{kept}
			}
			s.highest["requests"] = max(s.highest["requests"], r.RequestID)
			if r.Outcome == OutcomeAlways && r.RequestID != 0 {
				if e, err := r.entry(); err == nil {
					always[r.RequestID] = e
				}
			}
		}
		return len(rows), err
	})
	var failed *keepError
	if errors.As(s.Broken, &failed) {
		return s, always, failed.error
	}
	if s.Entries = c.Count; s.Broken == nil {
		_, s.Broken = db.Chain(ctx, "")
	}
	var last int64
	err = readOn(func(limit int) (int, error) {
		type row struct {
			Approval
			sum string
		}
		found, err := db.sql.QueryContext(ctx, `SELECT `+approvalColumns+` FROM approvals WHERE id > ? ORDER BY id LIMIT ?`, last, limit)
		rows, err := collect(found, err, func(rows *sql.Rows) (r row, err error) {
			r.Approval, r.sum, err = scanUnchecked(rows)
			return r, err
		})
		for _, r := range rows {
			last = r.ID
			s.highest["approvals"] = max(s.highest["approvals"], r.ID)
			if why := r.unproven(r.sum, always); why != "" {
				s.Dropped = append(s.Dropped, Dropped{r.Approval, why})
			} else {
				s.Kept = append(s.Kept, r.Approval)
			}
		}
		return len(rows), err
	})
	if err != nil {
		s.Lost = append(s.Lost, fmt.Sprintf("the approvals behind #%d, which cannot be read", last))
	}
	s.Lost = append(s.Lost, db.others(ctx)...)
	return s, always, nil
}

// keepError is an error of what keeps, not of what is read.
type keepError struct{ error }

// readOn reads by the hundred until there is no more. Where that fails it reads
// one by one, up to the one that fails.
func readOn(read func(limit int) (int, error)) error {
	for limit := 100; ; {
		n, err := read(limit)
		switch {
		case err != nil && limit > 1 && !errors.As(err, new(*ChainError)) && !errors.As(err, new(*keepError)):
			limit = 1
		case err != nil:
			return err
		case n == 0:
			return nil
		}
	}
}

// unproven says what an approval lacks, "" for nothing.
func (a Approval) unproven(sum string, always map[int64]Entry) string {
	if sum != a.sum() {
		return "its row was damaged"
	}
	e, ok := always[a.RequestID]
	if !ok {
		return "no entry of the log tells of the always that stored it"
	}
	if a.Scope == ScopeProject && a.Key != e.Project || a.Scope == ScopeSession && a.Key != e.Session {
		return fmt.Sprintf("request %d was another %s's", a.RequestID, a.Scope)
	}
	covers := func(part rules.Reason) bool {
		return part.Action == rules.Ask && part.Storable() && part.Request.Permission == a.Permission &&
			rules.Answer(part, []rules.Rule{a.Rule()}).Action == rules.Allow
	}
	if !slices.ContainsFunc(e.Reasons, covers) {
		return fmt.Sprintf("it does not answer what request %d asked for", a.RequestID)
	}
	return ""
}

// others counts the rows of the tables about which the log says nothing.
func (db *DB) others(ctx context.Context) (lost []string) {
	rows, err := db.sql.QueryContext(ctx, `
		SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN ('log', 'approvals', 'parts') ORDER BY name`)
	names, err := collect(rows, err, func(rows *sql.Rows) (name string, err error) {
		err = rows.Scan(&name)
		return name, err
	})
	if err != nil {
		return []string{"everything else, which cannot be read"}
	}
	for _, name := range names {
		var n int
		err := db.sql.QueryRowContext(ctx, `SELECT count(*) FROM "`+name+`"`).Scan(&n)
		switch {
		case err != nil:
			lost = append(lost, name+", which cannot be read")
		case n > 0:
			lost = append(lost, fmt.Sprintf("%s: %d", name, n))
		}
	}
	return lost
}

// sequences returns what SQLite remembers of the ids that were used, but for the
// log: what is missing there is not to show for ever.
func (db *DB) sequences(ctx context.Context) map[string]int64 {
	highest := map[string]int64{}
	rows, err := db.sql.QueryContext(ctx, `SELECT name, seq FROM sqlite_sequence WHERE name IN ('approvals', 'events', 'requests')`)
	if err != nil {
		return highest
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var id int64
		if rows.Scan(&name, &id) == nil {
			highest[name] = id
		}
	}
	return highest
}
