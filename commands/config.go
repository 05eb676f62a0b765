package commands

import (
	"errors"

	"github.com/urfave/cli/v2"

	"mayi/rules"
)

func (a *app) configCommand() *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "check, show and find the config",
		Subcommands: []*cli.Command{
			{
				Name:      "check",
				Usage:     "read every layer, or the files given, and say what is wrong or has no effect",
				ArgsUsage: "[FILE…]",
				Action:    a.do(func(c *cli.Context, e *env) error { return e.checkConfig(c.Args().Slice()) }),
			},
			{
				Name:   "show",
				Usage:  "the rules of every layer in order, with where they stand",
				Action: a.do(func(c *cli.Context, e *env) error { return e.listConfig() }),
			},
			{
				Name:   "path",
				Usage:  "where config is looked for, in order",
				Action: a.do(func(c *cli.Context, e *env) error { return e.configPaths() }),
			},
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("config has no command %q: it is one of check, show, path", c.Args().First())
			}
			return usagef("config needs one of check, show, path")
		},
	}
}

// checkConfig reads files, all of them even if one is wrong. The first error of
// each is returned; a rule without effect is a warning.
func (e *env) checkConfig(files []string) error {
	sources, err := e.sources()
	if err != nil {
		return err
	}
	if len(files) > 0 {
		sources = nil
		for _, f := range files {
			sources = append(sources, configSource{kind: rules.Override, path: f, name: f, required: true})
		}
	}
	var failed error
	for _, s := range sources {
		f, _, err := e.readConfig(s)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		if f == nil {
			continue
		}
		e.out.printf("%s: %d rules, in order\n", s.name, len(f.Rules))
		for _, found := range rules.Lint(f.Rules) {
			e.out.warn("%s: %s %s", found.Rule.Origin, found.Rule, found.Msg)
		}
	}
	if failed != nil || len(files) > 0 {
		return failed
	}
	_, err = e.config()
	return err
}

// configPaths prints where config may stand, and where it does.
func (e *env) configPaths() error {
	sources, err := e.sources()
	if err != nil {
		return err
	}
	for _, s := range sources {
		found := exists(s.path)
		if e.out.json {
			if err := e.out.emit(map[string]any{"path": s.path, "exists": found, "guest": s.kind == rules.Guest}); err != nil {
				return err
			}
			continue
		}
		switch {
		case s.project && !found:
			continue
		case found:
			e.out.printf("%s\n", s.path)
		default:
			e.out.printf("%s (not there)\n", s.path)
		}
	}
	return nil
}
