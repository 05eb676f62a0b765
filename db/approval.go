package db

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mayi/rules"
	"mayi/shellparse"
)

// Scope is where an approval counts.
type Scope string

const (
	ScopeProject Scope = "project"
	ScopeSession Scope = "session"
	ScopeGlobal  Scope = "global"
)

// An Approval is a pattern that an always stored. It can only allow.
type Approval struct {
	ID         int64
	Scope      Scope
	Key        string // the project or the session; "" for a global one
	Permission string // literally, not a wildcard
	Pattern    string
	At         time.Time
	RequestID  int64 // the request it came from, 0 for none

	// Replaced says that the directory of the project is another one now than it
	// was. The approval does not count until [DB.Revive].
	Replaced bool

	directory string // which one it was, for [ScopeProject]
}

// Rule returns the rule that the approval is.
func (a Approval) Rule() rules.Rule {
	return rules.Rule{
		Permission: rules.Quote(a.Permission),
		Pattern:    a.Pattern,
		Action:     rules.Allow,
		Origin:     rules.Origin{Name: fmt.Sprintf("approved #%d", a.ID)},
	}
}

// sum is stored with the approval. A row that no longer agrees with it was
// damaged on the disk, and may allow what nobody approved. It does not protect
// against people: they can compute it too.
func (a Approval) sum() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", a.Scope, a.Key, a.Permission, a.Pattern)))
}

// Place is from where a request comes, and with it which approvals count: those
// of its project, those of its session, and the global ones.
type Place struct {
	Project, Session string
}

// Approvals returns, oldest first, the approvals of the place that could answer
// the requests. Others than these answer none of them, so the decision is the
// same as with all there are.
func (db *DB) Approvals(ctx context.Context, place Place, requests []rules.Request) ([]rules.Rule, error) {
	found, err := approvals(ctx, db.sql, place, requests)
	if err == nil {
		err = db.unmoved()
	}
	if err != nil {
		return nil, db.fail(err)
	}
	return found, nil
}

func approvals(ctx context.Context, q querier, place Place, requests []rules.Request) ([]rules.Rule, error) {
	found := map[int64]Approval{}
	replaced := replacements()
	for l := range lookups(requests) {
		rows, err := q.QueryContext(ctx, lookupQuery, place.Project, place.Session, l.permission, l.head)
		some, err := collect(rows, err, scanApproval)
		if err != nil {
			return nil, err
		}
		for _, a := range some {
			if !replaced(a) {
				found[a.ID] = a
			}
		}
	}
	var all []rules.Rule
	for _, id := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[id].Rule())
	}
	return all, nil
}

// A lookup chooses the approvals of a permission whose pattern starts with the
// word head, or with something that is not a literal word.
type lookup struct{ permission, head string }

const approvalColumns = `id, scope, key, permission, pattern, at, ifnull(request_id, 0), sum, directory`

const lookupQuery = `
	SELECT ` + approvalColumns + ` FROM approvals
	WHERE (scope, key) IN (VALUES ('global', ''), ('project', ?1), ('session', ?2)) AND permission = ?3 AND head IN ('', ?4)`

func lookups(requests []rules.Request) map[lookup]struct{} {
	set := map[lookup]struct{}{}
	for _, r := range requests {
		for _, text := range append([]shellparse.Word{r.Text}, r.Same...) {
			set[lookup{r.Permission, firstWord(text)}] = struct{}{}
		}
	}
	return set
}

// firstWord returns the text up to its first space, as it is spelled. That is
// the only literal word with which the pattern of an approval that answers can
// start: what is in a hole is certainly matched by a star or, for a glob, by
// its own spelling, and by nothing else.
func firstWord(text shellparse.Word) string {
	var word strings.Builder
	for _, p := range text {
		if p.Hole == shellparse.Words {
			break // nothing, or a space and anything
		}
		before, _, found := strings.Cut(p.Text, " ")
		word.WriteString(before)
		if found {
			break
		}
	}
	return slashed(word.String())
}

// head returns the word with which every text starts that the pattern matches,
// or "" when there is no such word. `git *` matches texts whose first word is
// git, but `git*` matches gitk.
func head(pattern string) string {
	word, _, _ := strings.Cut(pattern, " ")
	if strings.ContainsAny(word, "*?") {
		return ""
	}
	return slashed(word)
}

// slashed is what rules do to patterns and texts before they compare them.
func slashed(s string) string { return strings.ReplaceAll(s, `\`, "/") }

// scanApproval reads a row and fails when it is damaged.
func scanApproval(rows *sql.Rows) (Approval, error) {
	a, sum, err := scanUnchecked(rows)
	if err == nil && sum != a.sum() {
		err = fmt.Errorf("approval %d: %w", a.ID, ErrCorrupt)
	}
	return a, err
}

func scanUnchecked(rows *sql.Rows) (a Approval, sum string, err error) {
	var at int64
	err = rows.Scan(&a.ID, &a.Scope, &a.Key, &a.Permission, &a.Pattern, &at, &a.RequestID, &sum, &a.directory)
	a.At = fromMillis(at)
	return a, sum, err
}

// insertApproval stores an approval. One that is there already stays as it is,
// unless it was given to another directory than the one that is there now.
func insertApproval(ctx context.Context, tx *sql.Tx, a Approval) error {
	if a.Scope == ScopeProject {
		a.directory = directoryID(a.Key)
	}
	_, err := tx.ExecContext(ctx, `
		INSERT INTO approvals (scope, key, permission, pattern, head, at, request_id, sum, directory)
		VALUES (?, ?, ?, ?, ?, ?, nullif(?, 0), ?, ?)
		ON CONFLICT (scope, key, permission, pattern) DO UPDATE
		SET directory = excluded.directory, at = excluded.at, request_id = excluded.request_id
		WHERE directory <> excluded.directory`,
		a.Scope, a.Key, a.Permission, a.Pattern, head(a.Pattern), a.At.UnixMilli(), a.RequestID, a.sum(), a.directory)
	return err
}

// AllApprovals returns the approvals that count at a place, or all there are
// when place is nil, oldest first.
func (db *DB) AllApprovals(ctx context.Context, place *Place) ([]Approval, error) {
	where, args := place.where()
	rows, err := db.sql.QueryContext(ctx, `SELECT `+approvalColumns+` FROM approvals `+where+` ORDER BY id`, args...)
	all, err := collect(rows, err, scanApproval)
	replaced := replacements()
	for i := range all {
		all[i].Replaced = replaced(all[i])
	}
	return all, db.fail(err)
}

// Revoke takes approvals back and returns them. When one of them does not exist
// the error is [ErrNotFound], and none is taken back.
func (db *DB) Revoke(ctx context.Context, ids ...int64) (revoked []Approval, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
			gone, err := deleteApprovals(ctx, tx, `WHERE id = ?`, id)
			if err != nil {
				return err
			}
			if len(gone) == 0 {
				return refuse(ErrNotFound, "approval %d", id)
			}
			revoked = append(revoked, gone...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	db.flush(ctx)
	return revoked, nil
}

// RevokeAll takes back the approvals that AllApprovals lists for the place, and
// returns them.
func (db *DB) RevokeAll(ctx context.Context, place *Place) (revoked []Approval, err error) {
	where, args := place.where()
	err = db.write(ctx, func(tx *sql.Tx) (err error) {
		revoked, err = deleteApprovals(ctx, tx, where, args...)
		return err
	})
	if err != nil {
		return nil, err
	}
	db.flush(ctx)
	return revoked, nil
}

func (p *Place) where() (where string, args []any) {
	if p == nil {
		return "", nil
	}
	return `WHERE (scope, key) IN (VALUES ('global', ''), ('project', ?1), ('session', ?2))`, []any{p.Project, p.Session}
}

// deleteApprovals deletes rows and returns them in order. It takes damaged ones
// too: nothing else would get rid of them.
func deleteApprovals(ctx context.Context, tx *sql.Tx, where string, args ...any) ([]Approval, error) {
	rows, err := tx.QueryContext(ctx, `DELETE FROM approvals `+where+` RETURNING `+approvalColumns, args...)
	gone, err := collect(rows, err, func(rows *sql.Rows) (Approval, error) {
		a, _, err := scanUnchecked(rows)
		return a, err
	})
	slices.SortFunc(gone, func(a, b Approval) int { return cmp.Compare(a.ID, b.ID) })
	return gone, err
}
