package commands

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"mayi/rules"
)

// version is set by the release build (-ldflags -X).
var version = "development"

func (a *app) help() *cli.Command {
	return &cli.Command{
		Name:      "help",
		Usage:     "explain a command",
		ArgsUsage: "[COMMAND…]",
		Action: func(c *cli.Context) error {
			program := a.cli()
			if !c.Args().Present() {
				a.overview(program)
				return nil
			}
			command := program.Command(c.Args().First())
			if command == nil {
				return a.unknownCommand(c.Args().First())
			}
			name := "mayi " + command.Name
			for _, arg := range c.Args().Tail() {
				i := slices.Index(subcommands(command), arg)
				if i < 0 {
					return &usageError{fmt.Sprintf("%s has no %q", name, arg), "`" + strings.Replace(name, "mayi", "mayi help", 1) + "` says what it has"}
				}
				command, name = command.Subcommands[i], name+" "+arg
			}
			explain(a.stdout, command, name)
			return nil
		},
	}
}

// overview prints what there is.
func (a *app) overview(program *cli.App) {
	fmt.Fprintf(a.stdout, "mayi: %s\n\nusage: %s\n\ncommands:\n", program.Usage, program.UsageText)
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, c := range program.Commands {
		fmt.Fprintf(t, "  %s\t%s\n", c.Name, c.Usage)
	}
	t.Flush()
	fmt.Fprint(a.stdout, "\nflags of every command:\n")
	printFlags(a.stdout, globalFlags())
	fmt.Fprint(a.stdout, `
exit codes of check and ask: 0 allow, 1 ask (check only), 2 deny, 3 rejected,
4 rejected with feedback, 64 usage, 65 unusable input, 70 internal, 74 I/O or
database, 75 timed out, 78 config, 130 and 143 interrupted
`)
}

func explain(w io.Writer, c *cli.Command, name string) {
	args := c.ArgsUsage
	if args == "" && len(c.Subcommands) > 0 {
		args = strings.Join(subcommands(c), "|")
	}
	fmt.Fprintf(w, "%s: %s\n\nusage: %s\n", name, c.Usage, strings.TrimSpace(name+" [flags] "+args))
	for _, sub := range c.Subcommands {
		fmt.Fprintf(w, "  %s %s %s: %s\n", name, sub.Name, sub.ArgsUsage, sub.Usage)
	}
	if c.Description != "" {
		fmt.Fprintf(w, "\n%s\n", c.Description)
	}
	fmt.Fprint(w, "\nflags:\n")
	printFlags(w, c.Flags)
}

func subcommands(c *cli.Command) (names []string) {
	for _, sub := range c.Subcommands {
		names = append(names, sub.Name)
	}
	return names
}

// printFlags prints flags as they are typed, a placeholder for a value taken
// from what stands in backquotes.
func printFlags(w io.Writer, flags []cli.Flag) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range flags {
		var names []string
		for _, name := range f.Names() {
			names = append(names, map[bool]string{true: "-", false: "--"}[len(name) == 1]+name)
		}
		usage, value := "", ""
		if doc, ok := f.(cli.DocGenerationFlag); ok {
			usage = doc.GetUsage()
			if parts := strings.Split(usage, "`"); len(parts) == 3 {
				value = " " + parts[1]
				usage = strings.ReplaceAll(usage, "`", "")
			} else if doc.TakesValue() {
				value = " VALUE"
			}
		}
		fmt.Fprintf(t, "  %s%s\t%s\n", strings.Join(names, ", "), value, usage)
	}
	t.Flush()
}

func (a *app) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Action: func(*cli.Context) error {
			a.printVersion()
			return nil
		},
	}
}

func (a *app) printVersion() { fmt.Fprintf(a.stdout, "mayi %s\n", buildVersion()) }

// buildVersion is the version, and the revision it was built from where that is
// known.
func buildVersion() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value
			}
		}
	}
	return version + revision
}

// unknownCommand names the command that was probably meant.
func (a *app) unknownCommand(name string) error {
	var names []string
	for _, c := range a.cli().Commands {
		names = append(names, c.Name)
	}
	return &usageError{fmt.Sprintf("there is no command %q", name), rules.Suggest(name, names)}
}

// usageFault is what the flag library could not make sense of. A wish for help
// is granted, but never by a command that judges: its exit code 0 is a verdict.
func (a *app) usageFault(c *cli.Context, err error, _ bool) error {
	command := c.Command
	wantsHelp := errors.Is(err, flag.ErrHelp)
	switch {
	case command == nil || command.Name == "" || command.Name == "mayi":
		return &usageError{msg: err.Error()}
	case command.Name == "hook" && wantsHelp:
		explain(a.stderr, command, "mayi hook")
		return &answered{exitDeny}
	case command.Name == "hook":
		// An agent takes the end of a hook with 0 for leave to go on.
		return &hookError{err}
	case wantsHelp && !judges(command):
		explain(a.stdout, command, command.HelpName)
		return nil
	case wantsHelp:
		err = fmt.Errorf("%s has no flag for help", command.Name)
	}
	err = &usageError{err.Error(), "`" + strings.Replace(command.HelpName, "mayi", "mayi help", 1) + "` lists the flags"}
	if command.Name == "run" || command.Name == "session" {
		return runFailure(err)
	}
	return err
}
