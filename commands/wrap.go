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
				if ofTheShell(name) && !boolFlag(c, "remove") {
					return usagef("%s is part of the shell itself: a wrapper of that name would break it, or would not be run", name)
				}
				if len(words) > 0 && ofTheShell(words[0]) && !boolFlag(c, "remove") {
					return usagef("%s is part of the shell itself, and no program that can be run", words[0])
				}
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

// ofTheShell reports whether a name is a reserved word, or a builtin for which no
// program can stand in: it acts on the shell, or the shell's own functions need it.
func ofTheShell(name string) bool {
	return strings.Contains(shellNames, " "+name+" ")
}

// shellNames are the reserved words of bash, zsh and fish, and those builtins.
const shellNames = " and begin case coproc do done elif else end esac fi for foreach function if in not or repeat select switch then time until while" +
	" alias autoload bg bind bindkey break builtin cd chdir command complete continue declare dirs disown emulate enable eval exec exit export fc fg" +
	" functions getopts hash history integer jobs let local logout noglob popd pushd read readonly return set setopt shift shopt source status string" +
	" suspend test times trap type typeset ulimit umask unalias unset unsetopt wait zle zmodload "
