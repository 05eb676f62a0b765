package commands

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"

	"mayi/scripts"
)

func (a *app) initCommand() *cli.Command {
	shell := func(name, usage string, script func(program string) string) *cli.Command {
		return &cli.Command{
			Name:  name,
			Usage: usage,
			Action: a.do(func(c *cli.Context, e *env) error {
				if c.Args().Present() {
					return usagef("init %s takes no operand: %q", name, c.Args().First())
				}
				quote := quoteSh
				if name == "fish" {
					quote = quoteFish
				}
				program, err := e.program(c, quote)
				if err != nil {
					return err
				}
				_, err = io.WriteString(e.out.out, script(program))
				return err
			}),
		}
	}
	return &cli.Command{
		Name:  "init",
		Usage: "print code for a shell: the guard on Enter, or wrappers for chosen commands",
		Subcommands: []*cli.Command{
			shell("bash", `the guard on Enter, bash 4.4 and later: eval "$(mayi init bash)"`, bashGuard),
			shell("zsh", `the guard on Enter: eval "$(mayi init zsh)"`, zshGuard),
			shell("fish", "the guard on Enter: mayi init fish | source", fishGuard),
			a.initAlias(),
			a.initShims(),
			shell("bash-env", "for a file that $BASH_ENV names: judges the text of bash -c", with(scripts.BashEnv)),
			shell("zshenv", "for .zshenv: judges the text of zsh -c", with(scripts.ZshEnv)),
		},
		Action: func(c *cli.Context) error {
			const of = "bash, zsh, fish, alias, shims, bash-env, zshenv"
			if c.Args().Present() {
				return usagef("init knows no %q: it is one of %s", c.Args().First(), of)
			}
			return usagef("init needs one of %s", of)
		},
	}
}

// program spells this program for a shell: its absolute path, and the agent that
// --agent names.
func (e *env) program(c *cli.Context, quote func(string) string) (string, error) {
	path, err := e.self()
	if err != nil {
		return "", err
	}
	program := quote(path)
	if agent := textFlag(c, "agent"); agent != "" {
		program += " --agent " + quote(agent)
	}
	return program, nil
}

// self is the absolute path of this program. It is the one that it was called by,
// if that leads here, for a package manager may change what that points at.
func (e *env) self() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("this program's own path: %w", err)
	}
	called := os.Args[0]
	if !strings.Contains(called, "/") {
		called = e.find(called)
	}
	if called, err = filepath.Abs(called); err != nil {
		return self, nil
	}
	here, err := os.Stat(self)
	if err != nil {
		return "", fmt.Errorf("this program's own path: %w", err)
	}
	if there, err := os.Stat(called); err == nil && os.SameFile(here, there) {
		return called, nil
	}
	return self, nil
}

// with is a script that names the program.
func with(script string) func(program string) string {
	return func(program string) string { return strings.ReplaceAll(script, "@MAYI@", program) }
}

// bashGuard is read by any bash. The guard itself is a quoted string to one that
// is too old to parse it, and is parsed with aliases off.
func bashGuard(program string) string {
	return `case $- in
*i*)
	if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
		\printf 'mayi: not installed: the guard on Enter needs bash 4.4, and this is %s\n' "$BASH_VERSION" >&2
	elif [[ ${BLE_VERSION-} ]]; then
		\printf 'mayi: not installed: ble.sh runs lines in a way of its own, past the guard on Enter\n' >&2
	else
		__mayi_aliases=$(\shopt -p expand_aliases) || \:
		\shopt -u expand_aliases
		\eval ` + quoteSh(with(scripts.Bash)(program)) + `
		\eval "$__mayi_aliases"
		\unset __mayi_aliases
	fi
	;;
esac
`
}

// zshGuard is parsed with aliases off, and its functions keep the options that
// they are defined with.
func zshGuard(program string) string {
	return `if [[ -o interactive ]]; then
	\emulate -R zsh -o no_aliases -c ` + quoteSh(with(scripts.Zsh)(program)) + `
fi
`
}

func fishGuard(program string) string { return with(scripts.Fish)(program) }

// quoteSh spells a word for bash and zsh.
func quoteSh(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// quoteFish spells a word for fish, where a backslash is special inside quotes too.
func quoteFish(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}

// sparing quotes a word only if it needs that.
func sparing(quote func(string) string) func(string) string {
	return func(s string) string {
		if plainWord.MatchString(s) {
			return s
		}
		return quote(s)
	}
}

var plainWord = regexp.MustCompile(`^[\w./+,:@%-]+$`)
