package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func (a *app) initAlias() *cli.Command {
	return &cli.Command{
		Name:      "alias",
		Usage:     "aliases, for fish functions, that run commands through `mayi run`",
		ArgsUsage: "NAME[=COMMAND]…",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "shell", Value: "bash", Usage: "the shell that reads them: bash, zsh, fish"},
			&cli.BoolFlag{Name: "remove", Usage: "what takes them away again"},
		},
		Action: a.do(func(c *cli.Context, e *env) error {
			dialect, ok := wrappers[textFlag(c, "shell")]
			switch {
			case !ok:
				return usagef("no aliases for %q: it is one of bash, zsh, fish", textFlag(c, "shell"))
			case !c.Args().Present():
				return &usageError{"which commands?", "mayi init alias rm docker 'gp=git push'"}
			}
			program, err := e.program(c, sparing(dialect.quote))
			if err != nil {
				return err
			}
			for _, arg := range c.Args().Slice() {
				name, command, given := strings.Cut(arg, "=")
				if !given {
					command = name
				}
				words := strings.Fields(command)
				if !wrappable(name) || len(words) == 0 {
					return usagef("%q is no NAME or NAME=COMMAND that can be wrapped", arg)
				}
				for i, word := range words {
					words[i] = sparing(dialect.quote)(word)
				}
				line := dialect.remove(name)
				if !boolFlag(c, "remove") {
					line = dialect.define(name, program+" run --argv -- "+strings.Join(words, " "))
				}
				if _, err := fmt.Fprintln(e.out.out, line); err != nil {
					return err
				}
			}
			return nil
		}),
	}
}

// A wrapper is how a shell is told to run a command through mayi.
type wrapper struct {
	quote  func(string) string
	define func(name, command string) string
	remove func(name string) string
	path   func(dir string) string // puts a directory in front of $PATH, once
}

var (
	posixWrapper = wrapper{
		quote:  quoteSh,
		define: func(name, command string) string { return "alias " + name + "=" + quoteSh(command) },
		remove: func(name string) string { return "unalias " + name + " 2>/dev/null || :" },
		path: func(dir string) string {
			return `case ":$PATH:" in *:` + quoteSh(dir) + `:*) ;; *) export PATH=` + quoteSh(dir) + `:"$PATH" ;; esac`
		},
	}
	wrappers = map[string]wrapper{
		"bash": posixWrapper,
		"zsh":  posixWrapper,
		"fish": {
			quote:  quoteFish,
			define: func(name, command string) string { return "function " + name + "; " + command + " $argv; end" },
			remove: func(name string) string { return "functions -e " + name },
			path: func(dir string) string {
				return "contains -- " + quoteFish(dir) + " $PATH; or set -gx PATH " + quoteFish(dir) + " $PATH"
			},
		},
	}
)

// wrappable reports whether a name can be that of an alias and of a file, and is
// not what the wrapper itself runs.
func wrappable(name string) bool {
	return plainWord.MatchString(name) && !strings.ContainsAny(name, "/%") && !strings.HasPrefix(name, "-") &&
		!slices.Contains([]string{".", "..", ":", "mayi"}, name)
}
