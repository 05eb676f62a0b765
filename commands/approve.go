package commands

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"mayi/db"
	"mayi/rules"
)

func (a *app) approve() *cli.Command {
	return &cli.Command{
		Name:      "approve",
		Usage:     "answer requests that wait; without an ID, choose from the list",
		ArgsUsage: "[ID…]",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "once", Usage: "allow this once"},
			&cli.BoolFlag{Name: "always", Usage: "allow, and store it"},
			&cli.BoolFlag{Name: "reject", Usage: "reject, and with it what else the session asks"},
			&cli.StringSliceFlag{Name: "pattern", Usage: "with --always: store `[PERMISSION:]PATTERN` for the parts it covers"},
			&cli.StringFlag{Name: "scope", Value: "project", Usage: "with --always: `project`, session or global"},
			&cli.StringFlag{Name: "message", Usage: "with --reject: `TEXT` that says what to do instead"},
			&cli.BoolFlag{Name: "only", Usage: "with --reject: leave the session's other requests waiting"},
			&cli.BoolFlag{Name: "all", Usage: "every request that waits now"},
		},
		Action: a.do(func(c *cli.Context, e *env) error {
			plan, err := planOf(c)
			if err != nil {
				return err
			}
			store, err := db.Open(c.Context, e.db)
			if err != nil {
				return err
			}
			defer store.Close()
			return e.approve(c.Context, store, plan)
		}),
	}
}

// A plan is what approve was told to do.
type plan struct {
	ids      []int64
	all      bool
	filter   db.Filter
	answer   *db.Answer // nil: ask the person
	patterns []string
}

func planOf(c *cli.Context) (*plan, error) {
	p := &plan{all: boolFlag(c, "all"), patterns: c.StringSlice("pattern")}
	p.filter = db.Filter{Session: textFlag(c, "session")}
	for _, s := range c.Args().Slice() {
		id, err := strconv.ParseInt(strings.TrimPrefix(s, "#"), 10, 64)
		if err != nil || id < 1 {
			return nil, usagef("%q is not the ID of a request", s)
		}
		p.ids = append(p.ids, id)
	}
	var given []string
	for _, name := range []string{"once", "always", "reject"} {
		if boolFlag(c, name) {
			given = append(given, "--"+name)
		}
	}
	message := textFlag(c, "message")
	switch {
	case len(given) > 1:
		return nil, usagef("%s and %s exclude each other", given[0], given[1])
	case p.all && len(p.ids) > 0:
		return nil, usagef("--all leaves no place for an ID")
	case len(given) == 0 && (message != "" || boolFlag(c, "only")):
		return nil, usagef("--message and --only go with --reject")
	case len(given) == 0 && (len(p.patterns) > 0 || c.IsSet("scope")):
		return nil, usagef("--pattern and --scope go with --always")
	case len(given) == 0:
		return p, nil
	case given[0] != "--reject" && (message != "" || boolFlag(c, "only")):
		return nil, usagef("--message and --only go with --reject, not with %s", given[0])
	case given[0] != "--always" && (len(p.patterns) > 0 || c.IsSet("scope")):
		return nil, usagef("--pattern and --scope go with --always, not with %s", given[0])
	case len(p.ids) == 0 && !p.all:
		return nil, &usageError{"which request?", "give an ID, or --all for every one that waits; `mayi list --pending` shows them"}
	}
	scope := db.Scope(textFlag(c, "scope"))
	if !slices.Contains([]db.Scope{db.ScopeProject, db.ScopeSession, db.ScopeGlobal}, scope) {
		return nil, usagef("--scope %s: it is one of project, session, global", scope)
	}
	p.answer = &db.Answer{
		Reply: map[string]db.Reply{"--once": db.Once, "--always": db.Always, "--reject": db.Reject}[given[0]],
		Scope: scope, Feedback: message,
	}
	if boolFlag(c, "only") {
		p.answer.Cascade = db.CascadeNone
	}
	return p, nil
}

// approve answers the requests of a plan, or asks the person about each.
func (e *env) approve(ctx context.Context, store *db.DB, p *plan) error {
	requests, failed := p.requests(ctx, store)
	switch {
	case len(requests) == 0:
		if failed == nil {
			e.out.printf("no request waits\n")
		}
		return failed
	case p.answer == nil:
		return errors.Join(failed, e.approveByHand(ctx, store, requests, p))
	}
	by := personAt(terminalName())
	settled := map[int64]bool{}
	for _, r := range requests {
		if settled[r.ID] {
			continue // an earlier answer released or rejected it
		}
		answer := *p.answer
		answer.By = by
		var err error
		if answer.Patterns, err = chosen(r, p.patterns); err == nil {
			err = e.requireHumanFor(ctx, store, "approve", r)
		}
		if err == nil {
			err = e.settle(ctx, store, r, answer, settled)
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// settle answers one request and says what came of it.
func (e *env) settle(ctx context.Context, store *db.DB, r db.Request, answer db.Answer, settled map[int64]bool) error {
	done, err := store.Settle(ctx, r.ID, answer)
	if err != nil {
		return err
	}
	for _, d := range done {
		settled[d.ID] = true
		if e.out.json {
			if err := e.out.emit(requestJSON(d)); err != nil {
				return err
			}
		}
		e.out.printf("%s %s: %s\n", fmt.Sprint(d.ID), d.State, d.Line)
	}
	return nil
}

// requests are those the plan is about. Where some of the IDs do not wait it
// returns the others and the error.
func (p *plan) requests(ctx context.Context, store *db.DB) ([]db.Request, error) {
	if len(p.ids) == 0 {
		return store.Pending(ctx, p.filter)
	}
	var list []db.Request
	var missing error
	for _, id := range p.ids {
		r, err := store.Request(ctx, id)
		if err == nil && r.State != db.StatePending {
			err = &db.SettledError{ID: id, State: r.State, By: r.By, At: r.Settled}
		}
		if err != nil {
			missing = errors.Join(missing, err)
			continue
		}
		list = append(list, r)
	}
	return list, missing
}

// chosen gives each pattern to the parts it covers. A pattern that covers none
// that asks is an error: it would be stored for nothing.
func chosen(r db.Request, patterns []string) (map[int][]string, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	out := map[int][]string{}
	for _, given := range patterns {
		used := false
		for i, part := range r.Reasons {
			if part.Action != rules.Ask {
				continue
			}
			pattern := given
			if permission, rest, ok := strings.Cut(given, ":"); ok && slices.Contains(rules.Spellings(part.Request.Permission), permission) {
				pattern = rest
			}
			if rules.Covers(pattern, part) {
				out[i] = append(out[i], pattern)
				used = true
			}
		}
		if !used {
			return nil, &usageError{fmt.Sprintf("the pattern %q covers nothing that request %d asks for", given, r.ID), "`mayi list --pending` shows what it asks for"}
		}
	}
	return out, nil
}

// approveByHand shows requests at the terminal and asks about each; without IDs
// the person first picks them from the list.
func (e *env) approveByHand(ctx context.Context, store *db.DB, requests []db.Request, plan *plan) error {
	own, failed := e.ownRequests(ctx, store)
	if requests = own(requests); len(requests) == 0 {
		return failed()
	}
	p, done, err := e.promptAt(ctx, func() {})
	if err != nil {
		return &usageError{"there is no terminal to ask at", "say --once, --always or --reject"}
	}
	defer done()
	p.escape = "Esc leaves"
	by := personAt(terminalName())
	settled := map[int64]bool{}
	for {
		r, err := p.pick(requests, plan)
		if errors.Is(err, errGivenUp) || err == nil && r == nil {
			return failed()
		}
		if err != nil {
			return err
		}
		answer, err := p.reply(*r, append(choices(*r), choiceSkip)...)
		switch {
		case errors.Is(err, errGivenUp):
		case err != nil:
			return err
		default:
			answer.By = by
			if err := e.settle(ctx, store, *r, answer, settled); err != nil && !errors.Is(err, db.ErrSettled) {
				return err
			} else if err != nil {
				e.out.notice("mayi: %s", err.Error())
			}
		}
		if len(plan.ids) > 0 || plan.all {
			requests = slices.DeleteFunc(requests, func(o db.Request) bool { return o.ID == r.ID || settled[o.ID] })
		} else if requests, err = store.Pending(ctx, plan.filter); err != nil {
			return err
		} else {
			requests = own(requests)
		}
	}
}

// ownRequests returns what leaves, of a list of requests, those that a person may
// answer here, and what says why not the others. Each is refused once.
func (e *env) ownRequests(ctx context.Context, store *db.DB) (own func([]db.Request) []db.Request, failed func() error) {
	refusals := map[int64]error{}
	own = func(list []db.Request) []db.Request {
		return slices.DeleteFunc(list, func(r db.Request) bool {
			if _, known := refusals[r.ID]; !known {
				refusals[r.ID] = e.requireHumanFor(ctx, store, "approve", r)
			}
			return refusals[r.ID] != nil
		})
	}
	failed = func() (all error) {
		for _, id := range slices.Sorted(maps.Keys(refusals)) {
			all = errors.Join(all, refusals[id])
		}
		return all
	}
	return own, failed
}

// pick is the next request to ask about: the next one of those that were named,
// or the one the person picks; nil when there is none left.
func (p *prompt) pick(requests []db.Request, plan *plan) (*db.Request, error) {
	if len(requests) == 0 {
		return nil, nil
	}
	if len(plan.ids) > 0 || plan.all || len(requests) == 1 {
		return &requests[0], nil
	}
	const stop = "nothing, leave"
	options := []string{stop}
	for _, r := range requests {
		line := []rune(visible(r.Line))
		if len(line) > 60 {
			line = append(line[:59], '…')
		}
		options = append(options, fmt.Sprintf("%d  %s  (%s)", r.ID, string(line), visible(first(r.Agent, r.Program, r.Session))))
	}
	choice, err := p.choose("Which request?", p.escape, options)
	if err != nil || choice == stop {
		return nil, err
	}
	return &requests[slices.Index(options, choice)-1], nil
}
