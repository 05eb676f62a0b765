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
		&cli.DurationFlag{Name: "timeout", Usage: "how long to wait for an answer, such as 30s; 0 does not wait"},
		&cli.BoolFlag{Name: "no-tty", Usage: "do not ask at this terminal, wait for another"},
	}
}

// asking says how to ask.
func asking(c *cli.Context, verb string) (waiting, error) {
	w := waiting{verb: verb, tty: !boolFlag(c, "no-tty")}
	if c.IsSet("timeout") {
		d := c.Duration("timeout")
		if d < 0 {
			return w, usagef("--timeout %v is in the past", d)
		}
		w.timeout = &d
	}
	return w, nil
}

// waiting is how to ask: for whom, where and for how long.
type waiting struct {
	verb    string // ask, run: what the log says
	tty     bool
	timeout *time.Duration // nil waits for good
}

// report turns an outcome into the error that says it, and tells a person what
// no error says: the rules that denied, the correction.
func (g *gate) report(o *outcome) error {
	switch {
	case o.err != nil:
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
		p := *g.out
		p.out, p.json = p.err, false
		p.printf("mayi: denied\n")
		for _, r := range o.decision.Reasons {
			if r.Action == rules.Deny {
				p.reason(r, false)
			}
		}
	}
	return &verdict{o.decision.Action}
}

func (g *gate) outcomeJSON(q *question, o *outcome) jsonDecision {
	j := g.result(q, o.decision)
	j.ID, j.Outcome, j.By = o.request, o.name, o.by
	if e, ok := o.err.(*correctedError); ok {
		j.Feedback = e.feedback
	}
	return j
}
