package commands

import (
	"time"

	"github.com/urfave/cli/v2"
)

func (a *app) log() *cli.Command {
	return &cli.Command{
		Name:  "log",
		Usage: "show the decisions that were given, the newest last",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "number", Aliases: []string{"n"}, Value: 50, Usage: "how many; 0 for all"},
		},
		Action: a.do(func(c *cli.Context, e *env) error {
			if c.Args().Present() {
				return usagef("log takes no argument, and %q was given", c.Args().First())
			}
			if c.Int("number") < 0 {
				return usagef("-n %d is less than nothing", c.Int("number"))
			}
			store, err := e.read(c)
			if err != nil {
				return err
			}
			if store == nil {
				e.out.notice("mayi: nothing was decided yet")
				return nil
			}
			defer store.Close()
			entries, err := store.Entries(c.Context, c.Int("number"))
			if err != nil {
				return err
			}
			t, flush := e.out.table()
			defer flush()
			for _, l := range entries {
				if e.out.json {
					if err := e.out.emit(entryJSON(l)); err != nil {
						return err
					}
					continue
				}
				t.printf("%s\t%s\t%s\t%s\t[%s]\t%s\n", l.At.Local().Format(time.DateTime), l.Outcome, l.Verb, l.Line, e.short(l.Project), l.By)
			}
			return nil
		}),
	}
}
