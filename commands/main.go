// Package commands is the command line: it reads the world, drives the packages
// below it and prints. Its promise is that the exit code 0 of a command that
// judges comes from a judged allow and from nothing else.
package commands

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// app is what every command has in common.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	lookup         func(variable string) string // what an agent's own variables say
	account        func() string                // the home directory of the account, "" when not known
}

// Main runs mayi with the arguments of a process, its name among them, and
// returns its exit code. Of the process itself it changes only who may look
// into it.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) exitCode {
	hideMemory()
	return (&app{stdin, stdout, stderr, variable, accountHome}).main(args)
}

func (a *app) main(args []string) exitCode {
	program := a.cli()
	if len(args) == 2 {
		switch args[1] {
		case "--help", "-h":
			a.overview(program)
			return 0
		case "--version":
			a.printVersion()
			return 0
		}
	}
	err := program.RunContext(context.Background(), a.permuted(program, args))
	printError(a.stderr, err)
	return codeFor(err)
}

// cli is the program as urfave/cli sees it. Whatever that library does by itself
// ends in exit code 0: completion, help as a word, help as a flag. All of it is
// off for the commands that judge; help is a command of our own.
func (a *app) cli() *cli.App {
	program := &cli.App{
		Name:            "mayi",
		Usage:           "a permission gate for commands",
		UsageText:       "mayi COMMAND [flags] [arguments]",
		Version:         version,
		HideHelp:        true,
		HideHelpCommand: true,
		HideVersion:     true,
		Writer:          a.stderr,
		ErrWriter:       a.stderr,
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    a.usageFault,
		Flags:           globalFlags(),
		// A comma is a character of a rule and of an alias.
		DisableSliceFlagSeparator: true,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return a.unknownCommand(c.Args().First())
			}
			return &usageError{"no command was given", ""}
		},
		Commands: []*cli.Command{
			a.check(), a.ask(), a.run(), a.approve(), a.list(), a.revoke(), a.trust(), a.untrust(),
			a.parseBash(), a.watch(), a.log(), a.hook(), a.sessionCommand(), a.doctor(), a.configCommand(), a.initCommand(), a.guard(),
			a.completion(), a.help(), a.versionCommand(),
		},
	}
	a.disarm(program.Commands)
	return program
}

// disarm gives every command the global flags and takes the library's own help
// from it.
func (a *app) disarm(list []*cli.Command) {
	for _, c := range list {
		c.HideHelp = true
		c.HideHelpCommand = true
		c.OnUsageError = a.usageFault
		for _, f := range globalFlags() {
			// `list --config` is another thing than the --config FILE of the others.
			if !slices.ContainsFunc(c.Flags, func(own cli.Flag) bool { return own.Names()[0] == f.Names()[0] }) {
				c.Flags = append(c.Flags, f)
			}
		}
		a.disarm(c.Subcommands)
	}
}

// judge is the action of a command that ends in a verdict, or in an error.
func (a *app) judge(f func(*cli.Context, *gate) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		e, err := newEnv(c, a.stdin, a.stdout, a.stderr)
		if err != nil {
			return err
		}
		g, err := newGate(e)
		if err != nil {
			return err
		}
		if err := f(c, g); err != nil {
			return err
		}
		return errNoVerdict
	}
}

// do is the action of a command that judges nothing.
func (a *app) do(f func(*cli.Context, *env) error) cli.ActionFunc {
	return func(c *cli.Context) error {
		e, err := newEnv(c, a.stdin, a.stdout, a.stderr)
		if err != nil {
			return err
		}
		return f(c, e)
	}
}

// judges reports whether a command ends in a verdict.
func judges(c *cli.Command) bool {
	return c.Name == "check" || c.Name == "ask" || c.Name == "run" || c.Name == "guard"
}

// permuted lets flags stand behind operands, except where these are a command
// line of their own.
func (a *app) permuted(program *cli.App, args []string) []string {
	global := valueFlags(globalFlags())
	for i := 1; i < len(args); i++ {
		if strings.HasPrefix(args[i], "-") {
			if global[strings.TrimLeft(args[i], "-")] {
				i++ // its value, which may look like a command
			}
			continue
		}
		c := program.Command(args[i])
		if c == nil || judges(c) || c.Name == "parse-bash" || c.Name == "session" {
			return args
		}
		if i+1 < len(args) {
			if sub := c.Command(args[i+1]); sub != nil {
				c = sub
				i++
			}
		}
		return append(slices.Clone(args[:i+1]), permute(args[i+1:], c.Flags)...)
	}
	return args
}
