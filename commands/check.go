package commands

import "github.com/urfave/cli/v2"

func (a *app) check() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "decide; never asks, waits or writes",
		ArgsUsage: "LINE | ARGV… | -",
		Flags: append(judgeFlags(),
			&cli.StringFlag{Name: "file", Aliases: []string{"f"}, Usage: "judge the script `FILE`"},
			&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "explain the verdict"}),
		Action: a.judge(func(c *cli.Context, g *gate) error {
			q, err := g.question(c)
			if err != nil {
				return err
			}
			d, err := g.decide(c.Context, q)
			if err != nil {
				return err
			}
			if g.out.json {
				if err := g.out.emit(g.result(q, d)); err != nil {
					return err
				}
			}
			g.out.decision(d, boolFlag(c, "verbose"))
			return &verdict{d.Action}
		}),
	}
}
