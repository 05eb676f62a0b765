package commands

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"mayi/rules"
)

// guardPatience is how long a shell may be kept from running a line while nobody
// is asked about it. A shell that waits for a key's binding does not pass Ctrl-C
// on.
const guardPatience = 5 * time.Second

// guard is what the code that `mayi init` prints calls at every Enter.
func (a *app) guard() *cli.Command {
	return &cli.Command{
		Name:      "guard",
		Usage:     "decide about a line that a person typed, as the hook of `mayi init` does at Enter",
		ArgsUsage: "LINE",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "shell", Value: "bash", Usage: "the shell the line is for: bash, zsh, fish, …"},
			&cli.GenericFlag{Name: "alias", Value: aliasFlag{}, Usage: "an alias of that shell, `NAME=VALUE`"},
		},
		Action: a.judge(func(c *cli.Context, g *gate) error {
			if c.NArg() != 1 {
				return usagef("guard judges one line, not %d", c.NArg())
			}
			err := g.typed(c)
			if v := (*verdict)(nil); err == nil || errors.As(err, &v) {
				return err
			}
			return fmt.Errorf("not run: %w", err)
		}),
	}
}

// typed decides about a line that a person typed. What is allowed leaves no trace
// and needs no database; only what is asked about or denied does.
func (g *gate) typed(c *cli.Context) error {
	// A stopped checker would leave the shell waiting for it.
	signal.Ignore(syscall.SIGTSTP)
	g.aliases, _ = c.Generic("alias").(aliasFlag)
	q, err := g.line(c.Args().First())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Context, guardPatience)
	defer cancel()
	d, err := g.decide(ctx, q)
	if err == nil && d.Action == rules.Ask {
		d, err = g.informed(ctx, c.Args().First(), d)
	}
	switch {
	case err != nil:
		return err
	case d.Action == rules.Allow:
		return &verdict{d.Action}
	}
	o, err := g.ask(c.Context, q, waiting{verb: "guard", tty: true})
	if err != nil {
		return err
	}
	if o.err == nil && o.decision.Action == rules.Deny {
		g.explain("mayi: not run", o.decision, rules.Deny)
		return &verdict{o.decision.Action}
	}
	return g.report(o)
}

// informed judges a line that asks once more, by the values that its variables
// have now. They may be secrets: they can answer the question, and get into none
// that is put, nor into the log.
func (g *gate) informed(ctx context.Context, line string, asks rules.Decision) (rules.Decision, error) {
	again := *g.env
	again.told = toldBy(variable(toldVariable))
	if len(again.told.values) == 0 {
		return asks, nil
	}
	knows := &gate{env: &again, cfg: g.cfg, also: g.also}
	q, err := knows.line(line)
	if err != nil {
		return asks, err
	}
	d, err := knows.decide(ctx, q)
	if err != nil || d.Action != rules.Allow {
		return asks, err
	}
	return d, nil
}

// told is what a shell tells of itself: what its plain variables hold, and which of
// its functions a line may call.
type told struct {
	values    map[string]string
	functions []string
}

// toldVariable is where the code of `mayi init` tells it: nobody else can read the
// environment of a process, as they can its arguments. Each line is NAME=VALUE, or
// NAME and () for a function.
const toldVariable = "MAYI_TOLD"

func toldBy(text string) told {
	t := told{values: map[string]string{}}
	for line := range strings.SplitSeq(text, "\n") {
		if name, value, ok := strings.Cut(line, "="); ok && name != "" {
			t.values[name] = value
		} else if name, ok := strings.CutSuffix(line, "()"); ok && name != "" {
			t.functions = append(t.functions, name)
		}
	}
	return t
}

// aliasFlag collects aliases as they are: a blank at the end of a value means
// something, and a list of strings would lose it.
type aliasFlag map[string]string

func (f aliasFlag) Set(alias string) error {
	name, value, ok := strings.Cut(alias, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is no NAME=VALUE", alias)
	}
	f[name] = value
	return nil
}

func (f aliasFlag) String() string { return "" }
