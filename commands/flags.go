package commands

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// globalFlags are understood in front of every command and behind its name.
func globalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print nothing but errors"},
		&cli.BoolFlag{Name: "no-color", Usage: "no colours"},
		&cli.StringSliceFlag{Name: "config", Usage: "one more config `FILE`, behind the others"},
		&cli.StringSliceFlag{Name: "rule", Usage: "one more `RULE`, such as 'bash:git *=allow', behind everything"},
		&cli.StringFlag{Name: "db", Usage: "the database `FILE`"},
		&cli.StringFlag{Name: "agent", Usage: "judge by the rules of agent `NAME`"},
		&cli.StringFlag{Name: "session", Usage: "the `ID` of the session that asks"},
		&cli.StringFlag{Name: "project", Usage: "the project `DIR`"},
	}
}

// judgeFlags are those of the commands that judge a line.
func judgeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "permission", Aliases: []string{"p"}, Value: "bash", Usage: "what is asked for: bash, edit, server.tool, …"},
		&cli.StringFlag{Name: "shell", Value: "bash", Usage: "the shell the line is for: bash, posix, mksh, zsh, bats, fish"},
		&cli.BoolFlag{Name: "argv", Usage: "the arguments are the words of one command, even a single one"},
	}
}

// The flags of a command shadow those of the program, so a value is looked for
// in the command first and then in what stands before it.

func boolFlag(c *cli.Context, name string) bool {
	for _, l := range c.Lineage() {
		if l.IsSet(name) {
			return l.Bool(name)
		}
	}
	return false
}

func textFlag(c *cli.Context, name string) string {
	for _, l := range c.Lineage() {
		// `hook --project` is another thing than the --project DIR of the others.
		if text, ok := l.Value(name).(string); ok && l.IsSet(name) {
			return text
		}
	}
	text, _ := c.Value(name).(string)
	return text
}

func listFlag(c *cli.Context, name string) (list []string) {
	for _, l := range slices.Backward(c.Lineage()) {
		if l.IsSet(name) {
			list = append(list, l.StringSlice(name)...)
		}
	}
	return list
}

// permute moves flags in front of the operands, for commands whose operands are
// not a command line: `mayi approve 12 --once`.
func permute(args []string, flags []cli.Flag) []string {
	takesValue := valueFlags(flags)
	var front, operands []string
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--":
			operands = append(operands, args[i+1:]...)
			i = len(args)
		case len(args[i]) < 2 || args[i][0] != '-':
			operands = append(operands, args[i])
		case takesValue[strings.TrimLeft(args[i], "-")] && i+1 < len(args):
			front = append(front, args[i], args[i+1])
			i++
		default:
			front = append(front, args[i])
		}
	}
	return append(append(front, "--"), operands...)
}

// valueFlags are the names of the flags that take the next argument.
func valueFlags(flags []cli.Flag) map[string]bool {
	takesValue := map[string]bool{}
	for _, f := range flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	return takesValue
}
