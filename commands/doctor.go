package commands

import (
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
			unwell := 0
			// Each looks at something on its own.
			for _, check := range []func(*env) []finding{a.checkHooks} {
				for _, f := range check(e) {
					if f.Fault != "" {
						unwell++
					}
					if err := e.finding(f); err != nil {
						return err
					}
				}
			}
			if unwell > 0 {
				return &unwellError{unwell}
			}
			return nil
		}),
	}
}

// A finding is one thing that was looked at.
type finding struct {
	What  string `json:"what"`
	Fault string `json:"fault,omitempty"` // "" when all is well
	Hint  string `json:"hint,omitempty"`  // the next step
	Note  string `json:"note,omitempty"`  // what to know all the same
}

func (e *env) finding(f finding) error {
	if e.out.json {
		return e.out.emit(f)
	}
	word := "ok"
	if f.Fault != "" {
		word = "FAULT"
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
