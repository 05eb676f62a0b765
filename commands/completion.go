package commands

import (
	"io"

	"github.com/urfave/cli/v2"

	"mayi/completions"
)

func (a *app) completion() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion of a shell, to be read by it",
		ArgsUsage: "bash|zsh|fish",
		Action: a.do(func(c *cli.Context, e *env) error {
			script, ok := completions.Script(c.Args().First())
			switch {
			case c.NArg() != 1:
				return &usageError{"which shell?", `source <(mayi completion bash), or zsh, or fish`}
			case !ok:
				return usagef("no completion for %q: it is one of bash, zsh, fish", c.Args().First())
			}
			_, err := io.WriteString(e.out.out, script)
			return err
		}),
	}
}
