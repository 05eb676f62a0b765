package db

import (
	"context"
	"database/sql"
	"slices"

	"mayi/rules"
)

// Reply is a person's answer. The zero value rejects.
type Reply uint8

const (
	Reject Reply = iota
	Once
	Always
)

var replyNames = [...]string{Reject: "reject", Once: "once", Always: "always"}

func (r Reply) String() string {
	if int(r) < len(replyNames) {
		return replyNames[r]
	}
	return "reject"
}

// Cascade says whom a reject reaches.
type Cascade uint8

const (
	CascadeSession Cascade = iota // every pending request of the session
	CascadeNone                   // the one it was given to
)

// An Answer is a reply and what goes with it.
type Answer struct {
	Reply Reply
	By    string // who answers, for people

	// Scope is where an always is stored.
	Scope Scope

	// Patterns holds what an always stores for a part, by its index in
	// Reasons, where that is not the part's Store. Each one must cover the
	// part.
	Patterns map[int][]string

	// Cascade and Feedback are about a reject. Feedback reaches only the
	// request it was given to.
	Cascade  Cascade
	Feedback string
}

// Settle answers a pending request, in one transaction, and returns every
// request that this settled, the one that was asked about first.
//
// Once lets it pass. Always stores approvals and then also releases the pending
// requests that are answered by approvals now. Reject also rejects the other
// pending requests of the session.
//
// The error is [ErrNotFound], a *[SettledError], [ErrNotStorable] or
// [ErrNotCovered] when an always cannot be given, [ErrInvalid] for an answer
// that makes no sense; nothing has changed then. Waiters are woken when all is
// on the disk.
func (db *DB) Settle(ctx context.Context, id int64, a Answer) ([]Request, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	// Of many who answer at once all but one come too late. They need not stand
	// in the way of those who write, nor look who of all that wait is gone.
	if _, err := pendingRequest(ctx, db.sql, id); err != nil {
		return nil, db.fail(err)
	}
	// An answer to one request does not depend on who else is gone.
	only := id
	if a.Reply == Always || a.Reply == Reject && a.Cascade == CascadeSession {
		only = 0
	}
	if _, err := db.sweep(ctx, only); err != nil {
		return nil, err
	}
	var settled []Request
	err := db.write(ctx, func(tx *sql.Tx) error {
		r, err := pendingRequest(ctx, tx, id)
		if err != nil {
			return err
		}
		switch a.Reply {
		case Once:
			r, err = db.settle(ctx, tx, r, StateOnce, a.By, "")
			settled = []Request{r}
		case Always:
			settled, err = db.settleAlways(ctx, tx, r, a)
		default:
			settled, err = db.settleReject(ctx, tx, r, a)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	db.ring(settled)
	return settled, nil
}

func (a Answer) check() error {
	switch {
	case a.Reply != Reject && a.Feedback != "":
		return refuse(ErrInvalid, "feedback with %s: it goes with a reject", a.Reply)
	case a.Reply != Always && len(a.Patterns) > 0:
		return refuse(ErrInvalid, "patterns with %s: they go with an always", a.Reply)
	case a.Reply == Always && a.Scope != ScopeProject && a.Scope != ScopeSession && a.Scope != ScopeGlobal:
		return refuse(ErrInvalid, "scope %q: it is one of project, session, global", a.Scope)
	}
	return nil
}

func (db *DB) settleReject(ctx context.Context, tx *sql.Tx, r Request, a Answer) ([]Request, error) {
	first, err := db.settle(ctx, tx, r, StateRejected, a.By, a.Feedback)
	if err != nil {
		return nil, err
	}
	settled := []Request{first}
	if a.Cascade == CascadeNone || r.Session == "" {
		return settled, nil
	}
	others, err := requests(ctx, tx, `WHERE state = 'pending' AND session = ? ORDER BY id`, r.Session)
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		if o, err = db.settle(ctx, tx, o, StateRejected, a.By, ""); err != nil {
			return nil, err
		}
		settled = append(settled, o)
	}
	return settled, nil
}

func (db *DB) settleAlways(ctx context.Context, tx *sql.Tx, r Request, a Answer) ([]Request, error) {
	store, err := a.approvals(r)
	if err != nil {
		return nil, err
	}
	var stored []rules.Rule
	for _, approval := range store {
		approval.At, approval.RequestID = db.Now(), r.ID
		if err := insertApproval(ctx, tx, approval); err != nil {
			return nil, err
		}
		stored = append(stored, approval.Rule())
	}
	first, err := db.settle(ctx, tx, r, StateAlways, a.By, "")
	if err != nil {
		return nil, err
	}
	settled := []Request{first}
	others, err := requests(ctx, tx, `
		WHERE state = 'pending' AND (session = ?1 OR ?2 = 'project' AND project = ?3 OR ?2 = 'global')
		ORDER BY id`, r.Session, a.Scope, r.Project)
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		// Of those that wait most have nothing to do with it. To look up for each of
		// them all that was ever approved would keep every other writer waiting.
		if !o.concerns(stored) {
			continue
		}
		by, err := answeredBy(ctx, tx, o)
		if err != nil {
			return nil, err
		}
		if by == "" {
			continue
		}
		if o, err = db.settle(ctx, tx, o, StateAlways, by, ""); err != nil {
			return nil, err
		}
		settled = append(settled, o)
	}
	return settled, nil
}

// approvals returns what an always stores for the request, or why it cannot be
// given: every part that asks must be answered by what is stored for it.
func (a Answer) approvals(r Request) ([]Approval, error) {
	key, err := a.Scope.key(r)
	if err != nil {
		return nil, err
	}
	asking := r.asking()
	if len(asking) == 0 {
		return nil, refuse(ErrNotStorable, "request %d: %s", r.ID, r.Line)
	}
	for n := range a.Patterns {
		if !slices.Contains(asking, n) {
			return nil, refuse(ErrInvalid, "a pattern for part %d of request %d, which does not ask", n+1, r.ID)
		}
	}
	var store []Approval
	for _, n := range asking {
		part := r.Reasons[n]
		if !part.Storable() {
			return nil, refuse(ErrNotStorable, "request %d: %s %s", r.ID, part.Request.Permission, part.Request)
		}
		patterns := a.Patterns[n]
		if len(patterns) == 0 && len(a.Patterns) > 0 {
			continue // others were chosen
		}
		if len(patterns) == 0 {
			patterns = []string{part.Request.Store}
			if a.Scope == ScopeGlobal {
				patterns = []string{part.StoreEverywhere()}
			}
		}
		for _, p := range patterns {
			approval := Approval{Scope: a.Scope, Key: key, Permission: part.Request.Permission, Pattern: p}
			if rules.Answer(part, []rules.Rule{approval.Rule()}).Action != rules.Allow {
				return nil, refuse(ErrNotCovered, "pattern %q for %s %s", p, part.Request.Permission, part.Request)
			}
			store = append(store, approval)
		}
	}
	return store, nil
}

// key returns what an approval of this scope counts for.
func (s Scope) key(r Request) (string, error) {
	key := map[Scope]string{ScopeProject: r.Project, ScopeSession: r.Session}[s]
	if key == "" && s != ScopeGlobal {
		return "", refuse(ErrInvalid, "scope %s for request %d, which has no %s", s, r.ID, s)
	}
	return key, nil
}

// concerns reports whether one of the rules answers a part of the request that asks.
func (r Request) concerns(approvals []rules.Rule) bool {
	return slices.ContainsFunc(r.asking(), func(n int) bool {
		return rules.Answer(r.Reasons[n], approvals).Action == rules.Allow
	})
}

// answeredBy names an approval that answers the request, when every part of it
// that asks is answered by one; otherwise it returns "".
func answeredBy(ctx context.Context, q querier, r Request) (by string, err error) {
	var asking []rules.Request
	for _, n := range r.asking() {
		asking = append(asking, r.Reasons[n].Request)
	}
	approvals, err := approvals(ctx, q, r.Place(), asking)
	if err != nil {
		return "", err
	}
	for _, part := range r.Reasons {
		if part.Action == rules.Ask && !part.Storable() {
			return "", nil
		}
		now := rules.Answer(part, approvals)
		if now.Action != rules.Allow {
			return "", nil
		}
		if part.Action == rules.Ask {
			by = now.Rule.Origin.String()
		}
	}
	return by, nil
}

// ring wakes those who wait for the requests, and the watchers. It comes after
// the commit: who is woken looks at the rows. A bell that cannot be rung costs
// its owner a tick.
func (db *DB) ring(settled []Request) {
	for _, r := range settled {
		if r.Bell != "" {
			Ring(db.bellPath(r.Bell))
		}
	}
	RingWatchers(db.Bells())
}
