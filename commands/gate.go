package commands

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"mayi/db"
	"mayi/rules"
	"mayi/shellparse"
)

// A gate judges questions by the config and the approvals of one place.
type gate struct {
	*env
	cfg  *rules.Config
	also *rules.Config // can only tighten; nil for none
}

func newGate(e *env) (*gate, error) {
	cfg, err := e.config()
	if err != nil {
		return nil, err
	}
	g := &gate{env: e, cfg: cfg}
	if e.tighter != "" {
		other := *e
		other.agent = e.tighter
		g.also, err = other.config()
	}
	return g, err
}

// A question is what is asked for: a line of shell, an argv, or the arguments of
// another permission.
type question struct {
	permission string
	line       string   // as it is shown and logged
	argv       []string // the words of one command, when it was given as such
	requests   []rules.Request
	blank      bool // nothing would run
}

// tool is the name under which a repeated question is one.
func (q *question) tool() string { return q.permission }

// line makes a question of a line, or a whole script, of shell.
func (g *gate) line(source string) (*question, error) {
	shell, err := shellparse.ParseShell(g.shell)
	if err != nil {
		return nil, &usageError{msg: err.Error()}
	}
	if err := judgeable(source); err != nil {
		return nil, err
	}
	s := shellparse.Parse(source, shellparse.Options{Shell: shell, Home: g.tilde(), HomeOf: remembered(homeOf), Aliases: g.aliases, Values: g.told.values, Functions: g.told.functions})
	return &question{
		permission: "bash", line: source, blank: s.Blank, requests: g.requests(func(p rules.Place) []rules.Request { return rules.LineRequests(source, s, p) }),
	}, nil
}

// words makes a question of an argv, every word taken literally.
func (g *gate) words(argv []string) (*question, error) {
	line := strings.Join(argv, " ")
	if err := judgeable(line); err != nil {
		return nil, err
	}
	s := shellparse.Argv(argv, shellparse.Options{Home: g.tilde(), HomeOf: remembered(homeOf)})
	return &question{
		permission: "bash", line: line, argv: argv, requests: g.requests(func(p rules.Place) []rules.Request { return rules.LineRequests(line, s, p) }),
	}, nil
}

// tools makes a question of the arguments of a permission that is no shell's.
func (g *gate) tools(permission string, args []string) (*question, error) {
	permission = rules.Canonical(permission)
	q := &question{permission: permission, line: strings.Join(args, " ")}
	for _, a := range args {
		if err := judgeable(a); err != nil {
			return nil, err
		}
		q.requests = append(q.requests, g.requests(func(p rules.Place) []rules.Request { return rules.ToolRequests(permission, a, p) })...)
	}
	return q, nil
}

func (g *gate) place() rules.Place {
	return rules.Place{
		Project: g.project, Tree: g.tree, Cwd: g.cwd, Home: g.tilde(), Resolve: remembered(g.canonical), IsDir: remembered(g.isDir), Find: g.find,
		Own: g.own, Typed: g.guard && noAgentMarker() == nil,
	}
}

// decide judges a question by the rules, and only where these ask by the
// approvals. It writes nothing, and works without a database.
func (g *gate) decide(ctx context.Context, q *question) (rules.Decision, error) {
	if q.blank {
		return rules.Nothing(), nil
	}
	d := g.weigh(q, nil)
	if d.Action != rules.Ask {
		return d, nil
	}
	store, err := db.OpenRead(ctx, g.db)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err != nil {
		return rules.Decision{}, err
	}
	defer store.Close()
	return g.answer(ctx, store, q)
}

// answer judges a question by the rules and the approvals.
func (g *gate) answer(ctx context.Context, store *db.DB, q *question) (rules.Decision, error) {
	approvals, err := store.Approvals(ctx, db.Place{Project: g.project, Session: g.session}, q.requests)
	if err != nil {
		return rules.Decision{}, err
	}
	return g.weigh(q, approvals), nil
}

// weigh holds a question against the rules and some approvals.
func (g *gate) weigh(q *question, approvals []rules.Rule) rules.Decision {
	g.cfg.Broken = first(g.cfg.Broken, g.blind)
	d := rules.Decide(q.requests, g.cfg, approvals)
	if g.also == nil {
		return d
	}
	for _, r := range rules.Decide(q.requests, g.also, approvals).Reasons {
		if r.Action < rules.Allow {
			d.Reasons = append(d.Reasons, r)
			d.Action = min(d.Action, r.Action)
		}
	}
	return d
}

// result is a decision as JSON.
func (g *gate) result(q *question, d rules.Decision) jsonDecision {
	return jsonDecision{
		Action: d.Action, Line: q.line, Project: g.project, Session: g.session, Agent: g.agent, Requests: reasonsJSON(d.Reasons),
	}
}
