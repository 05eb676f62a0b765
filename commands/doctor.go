package commands

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"
)

func (a *app) doctor() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "look whether what is installed does what it should",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "repair", Usage: "at a terminal: put right what can be, asking first"}},
		Action: a.do(func(c *cli.Context, e *env) error {
			if c.Args().Present() {
				return usagef("doctor takes no argument, and %q was given", c.Args().First())
			}
			if c.Bool("repair") {
				if err := e.requireHuman(c.Context, "doctor --repair"); err != nil {
					return err
				}
			}
			found, err := a.examine(c.Context, e)
			if err == nil && c.Bool("repair") {
				found, err = a.repair(c.Context, e, found)
			}
			if err != nil {
				return err
			}
			return unwell(found)
		}),
	}
}

// examine looks at everything, each thing on its own, and prints what it finds.
// It changes nothing.
func (a *app) examine(ctx context.Context, e *env) (all []finding, err error) {
	hooks := func(context.Context, *env) []finding { return a.checkHooks(e) }
	for _, check := range []func(context.Context, *env) []finding{
		checkVersions, checkProgram, checkConfig, checkFiles, checkDatabase, checkBell, checkTerminal, checkProcesses, hooks,
	} {
		for _, f := range check(ctx, e) {
			all = append(all, f)
			if err := e.finding(f); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// A finding is one thing that was looked at.
type finding struct {
	What  string `json:"what"`
	Fault string `json:"fault,omitempty"` // "" when all is well
	Hint  string `json:"hint,omitempty"`  // the next step
	Note  string `json:"note,omitempty"`  // what to know all the same

	cure *cure // what --repair can do about it, nil for nothing
}

func (e *env) finding(f finding) error {
	if e.out.json {
		return e.out.emit(f)
	}
	word := "ok"
	switch {
	case f.Fault != "":
		word = "FAULT"
	case f.Hint != "":
		word = "note"
	}
	e.out.printf("%s\t%s\n", word, f.What)
	for _, s := range []string{f.Fault, f.Hint, f.Note} {
		if s != "" {
			e.out.printf("\t%s\n", s)
		}
	}
	return nil
}

// unwellError is a doctor who found faults.
type unwellError struct{ count int }

func unwell(found []finding) error {
	count := 0
	for _, f := range found {
		if f.Fault != "" {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	return &unwellError{count}
}

func (e *unwellError) Error() string {
	if e.count == 1 {
		return "one thing is not as it should be"
	}
	return fmt.Sprintf("%d things are not as they should be", e.count)
}

func isUnwell(err error) bool {
	var u *unwellError
	return errors.As(err, &u)
}
