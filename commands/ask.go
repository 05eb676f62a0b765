package commands

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"mayi/rules"
)

func (a *app) ask() *cli.Command {
	return &cli.Command{
		Name:      "ask",
		Usage:     "decide, asking a person if need be",
		ArgsUsage: "LINE | ARGV… | -",
		Flags:     append(judgeFlags(), askFlags()...),
		Action: a.judge(func(c *cli.Context, g *gate) error {
			q, err := g.question(c)
			if err != nil {
				return err
			}
			how, err := asking(c, "ask")
			if err != nil {
				return err
			}
			o, err := g.ask(c.Context, q, how)
			if err != nil {
				return err
			}
			if g.out.json {
				if err := g.out.emit(g.outcomeJSON(q, o)); err != nil {
					return err
				}
			}
			return g.report(o)
		}),
	}
}

func askFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "timeout", Usage: "how long to wait for an answer, such as `30s` or 5m; 0 does not wait"},
		&cli.BoolFlag{Name: "no-tty", Usage: "do not ask at this terminal, wait for another"},
	}
}

// asking says how to ask.
func asking(c *cli.Context, verb string) (waiting, error) {
	w := waiting{verb: verb, tty: !boolFlag(c, "no-tty")}
	if c.IsSet("timeout") {
		d, err := time.ParseDuration(c.String("timeout"))
		if err != nil || d < 0 {
			return w, &usageError{fmt.Sprintf("--timeout %q is no length of time", c.String("timeout")), "write 30s, 5m, or 0 for no waiting"}
		}
		w.timeout = &d
	}
	return w, nil
}

// waiting is how to ask: for whom, where and for how long.
type waiting struct {
	verb    string // ask, run, hook: what the log says
	tty     bool
	left    bool           // an ask is somebody else's to put before a person
	timeout *time.Duration // nil waits for good
}

// report turns an outcome into the error that says it, and tells a person what
// no error says: the rules that denied, the correction.
func (g *gate) report(o *outcome) error {
	switch {
	case o.err != nil:
		if _, ok := o.err.(*timeoutError); ok {
			g.explain("mayi: this asks", o.decision, rules.Ask)
		}
		if e, ok := o.err.(*correctedError); ok && !g.out.json {
			g.out.notice("mayi: rejected by %s, who says:", o.by)
			// Verbatim, for a program to read; made visible for a person.
			text := e.feedback
			if isTerminal(g.out.out) {
				text = visible(text)
			}
			fmt.Fprintln(g.out.out, text)
		}
		return o.err
	case o.decision.Action == rules.Deny:
		g.explain("mayi: denied", o.decision, rules.Deny)
	}
	return &verdict{o.decision.Action}
}

// explain says on standard error which parts of a line got an action, and why.
func (g *gate) explain(what string, d rules.Decision, action rules.Action) {
	p := *g.out
	p.out, p.json = p.err, false
	p.printf("%s\n", what)
	for _, r := range d.Reasons {
		if r.Action == action {
			p.reason(r, false)
		}
	}
}

func (g *gate) outcomeJSON(q *question, o *outcome) jsonDecision {
	j := g.result(q, o.decision)
	j.ID, j.Outcome, j.By = o.request, o.name, o.by
	if e, ok := o.err.(*correctedError); ok {
		j.Feedback = e.feedback
	}
	return j
}
