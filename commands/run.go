package commands

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
)

func (a *app) run() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "ask, then become the command",
		ArgsUsage: "LINE | ARGV…",
		Flags:     append(judgeFlags(), askFlags()...),
		Action: func(c *cli.Context) error {
			return runFailure(a.judge(func(c *cli.Context, g *gate) error {
				if p := textFlag(c, "permission"); p != "bash" {
					return usagef("run runs a command: there is nothing to run for permission %s", p)
				}
				q, err := g.question(c)
				if err != nil {
					return err
				}
				how, err := asking(c, "run")
				if err != nil {
					return err
				}
				return g.runAllowed(c, q, how)
			})(c))
		},
	}
}

// shimRounds counts how many shims have been passed one inside the other. More than
// a few are a wrapper that puts their directory back into $PATH, and would call
// itself for ever.
const (
	shimRounds    = "MAYI_SHIMS"
	maxShimRounds = 20
)

// runAllowed asks, and on an allow replaces this process. It only returns when
// nothing was run.
func (g *gate) runAllowed(c *cli.Context, q *question, how waiting) error {
	file, argv, shims, err := g.program(q)
	if err != nil {
		return err
	}
	rounds, _ := strconv.Atoi(variable(shimRounds))
	if len(shims) > 0 && rounds >= maxShimRounds {
		return &runError{exitRunRefused, fmt.Errorf("%s: %s runs it through its shim again, %d times so far: something puts %s back into $PATH", argv[0], file, rounds, shims[0])}
	}
	o, err := g.ask(c.Context, q, how)
	if err != nil {
		return err
	}
	// Standard output belongs to the command that was not run.
	p := *g.out
	p.out = p.err
	g.out = &p
	if err := g.report(o); codeFor(err) != 0 {
		return &refusedError{err}
	}
	environ := cleanEnvironment(os.Environ())
	if len(shims) > 0 {
		// What it runs finds the programs themselves: one that is a wrapper, and
		// looks for the next of its name, would find the shim again.
		environ = slices.DeleteFunc(environ, func(entry string) bool {
			return strings.HasPrefix(entry, "PATH=") || strings.HasPrefix(entry, shimRounds+"=")
		})
		environ = append(environ, "PATH="+g.pathWithout(shims), shimRounds+"="+strconv.Itoa(rounds+1))
	}
	err = syscall.Exec(file, argv, environ)
	return &runError{exitRunRefused, fmt.Errorf("%s: %w", file, err)}
}

// program finds what is run: for an argv its own file, which is the one that was
// judged, and for a line the shell it was judged for, without start-up files.
// shims are the directories of shims that were passed by.
func (g *gate) program(q *question) (file string, argv, shims []string, err error) {
	argv = q.argv
	if argv == nil {
		argv = append(slices.Clone(shellCommands[first(g.shell, "bash")]), q.line)
	}
	if len(argv) == 0 || argv[0] == "" {
		return "", nil, nil, &runError{exitRunNotFound, errors.New("an empty name is no command")}
	}
	file, shims, err = g.executable(argv[0])
	return file, argv, shims, err
}

// executable is what lookPath finds; its errors have the exit code of a shell's.
func (e *env) executable(name string) (file string, shims []string, err error) {
	file, shims, err = e.lookPath(name)
	switch {
	case errors.Is(err, os.ErrPermission):
		return "", nil, &runError{exitRunRefused, fmt.Errorf("%s: %w", name, rootCause(err))}
	case isDot(err):
		return "", nil, &runError{exitRunRefused, fmt.Errorf("%s: it is only in a directory of $PATH that is not absolute", name)}
	case err != nil:
		return "", nil, &runError{exitRunNotFound, fmt.Errorf("%s: command not found", name)}
	}
	return file, shims, nil
}

// shellCommands start a shell that reads no start-up file, up to the text.
var shellCommands = map[string][]string{
	"bash":  {"bash", "--noprofile", "--norc", "-c"},
	"bats":  {"bash", "--noprofile", "--norc", "-c"},
	"posix": {"sh", "-c"},
	"sh":    {"sh", "-c"},
	"dash":  {"dash", "-c"},
	"mksh":  {"mksh", "-c"},
	"zsh":   {"zsh", "-f", "-c"},
	"fish":  {"fish", "--no-config", "-c"},
}

// cleanEnvironment drops what would make a shell run more than the line that was
// judged, or read it differently.
func cleanEnvironment(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "ZDOTDIR", "CDPATH", "GLOBIGNORE":
			return true
		}
		return strings.HasPrefix(name, "BASH_FUNC_")
	})
}

// runFailure gives the errors that mayi itself ran into the code that a command
// cannot be taken to have ended with.
func runFailure(err error) error {
	var refused *refusedError
	var run *runError
	var ended *endedError
	if err == nil || errors.As(err, &refused) || errors.As(err, &run) || errors.As(err, &ended) {
		return err
	}
	return &runError{exitRunFailed, err}
}
