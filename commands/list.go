package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/urfave/cli/v2"

	"mayi/db"
	"mayi/rules"
)

func (a *app) list() *cli.Command {
	return &cli.Command{
		Name:      "list",
		Usage:     "show rules and approvals in the order in which they count, or what waits",
		ArgsUsage: "[TOOL…]",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "pending", Usage: "the requests that wait for an answer"},
			&cli.BoolFlag{Name: "approved", Usage: "the approvals alone"},
			&cli.BoolFlag{Name: "config", Usage: "the rules of the config alone"},
			&cli.BoolFlag{Name: "tools", Usage: "which tools are switched off"},
			&cli.BoolFlag{Name: "agents", Usage: "the agents that --agent may name"},
			&cli.BoolFlag{Name: "trusted", Usage: "the projects whose .mayi.jsonc may allow things"},
			&cli.BoolFlag{Name: "everywhere", Usage: "with --approved: of every project and session"},
		},
		Action: a.do(func(c *cli.Context, e *env) error {
			return e.list(c)
		}),
	}
}

func (e *env) list(c *cli.Context) error {
	var parts []string
	for _, name := range []string{"pending", "approved", "config", "tools", "agents", "trusted"} {
		// --config FILE is a flag of every command; here it may also stand alone.
		if boolFlag(c, name) {
			parts = append(parts, name)
		}
	}
	if len(parts) > 1 {
		return usagef("--%s and --%s exclude each other", parts[0], parts[1])
	}
	shows := first(append(parts, "")...)
	if c.Args().Present() && shows != "tools" {
		return &usageError{fmt.Sprintf("%q is out of place here", c.Args().First()), "a TOOL goes with --tools; a config FILE in front: mayi --config FILE list"}
	}
	switch shows {
	case "pending":
		return e.listPending(c)
	case "approved":
		return e.listApprovals(c)
	case "config":
		return e.listConfig()
	case "tools":
		return e.listTools(c.Args().Slice())
	case "agents":
		return e.listAgents()
	case "trusted":
		return e.listTrusted(c)
	}
	if err := e.listConfig(); err != nil {
		return err
	}
	return e.listApprovals(c)
}

func (e *env) listConfig() error {
	cfg, err := e.config()
	if err != nil {
		return err
	}
	for _, alone := range cfg.Alone {
		if !alone.Again {
			e.printRules(alone.Rules, "alone")
		}
	}
	e.printRules(cfg.Rules, "")
	e.printRules(rules.SelfRules(e.own()), "alone")
	return nil
}

// listAgents prints the names that --agent knows.
func (e *env) listAgents() error {
	cfg, err := e.config()
	if err != nil {
		return err
	}
	for _, name := range cfg.Agents {
		if e.out.json {
			if err := e.out.emit(map[string]string{"name": name}); err != nil {
				return err
			}
			continue
		}
		e.out.printf("%s\n", name)
	}
	return nil
}

// printRules prints rules in order. Those that stand alone only tighten.
func (e *env) printRules(list []rules.Rule, place string) {
	t, flush := e.out.table()
	defer flush()
	for _, r := range list {
		if e.out.json {
			_ = e.out.emit(struct {
				jsonRule
				Place string `json:"place,omitempty"`
			}{ruleJSON(r), place})
			continue
		}
		t.action(r.Action)
		t.printf("\t%s\t%s\t%s", r.Permission, r.Pattern, r.Origin)
		if place != "" {
			t.printf(" (only tightens)")
		}
		if r.Reason != "" {
			t.printf("\t%s", r.Reason)
		}
		t.printf("\n")
	}
}

// read opens the database if there is one. One that an older mayi left is brought
// up to date first.
func (e *env) read(c *cli.Context) (store *db.DB, err error) {
	store, err = db.OpenRead(c.Context, e.db)
	var schema *db.SchemaError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.As(err, &schema) && schema.Have < schema.Want:
		return db.Open(c.Context, e.db)
	}
	return store, err
}

func (e *env) listApprovals(c *cli.Context) error {
	store, err := e.read(c)
	if err != nil || store == nil {
		return err
	}
	defer store.Close()
	place := &db.Place{Project: e.project, Session: e.session}
	if boolFlag(c, "everywhere") {
		place = nil
	}
	list, err := store.AllApprovals(c.Context, place)
	if err != nil {
		return err
	}
	if len(list) == 0 && boolFlag(c, "approved") {
		e.out.notice("mayi: no approval holds here")
	}
	t, flush := e.out.table()
	defer flush()
	for _, a := range list {
		if e.out.json {
			if err := e.out.emit(approvalJSON(a)); err != nil {
				return err
			}
			continue
		}
		t.action(rules.Allow)
		t.printf("\t%s\t%s\tapproved #%s\t%s %s\t%s", a.Permission, a.Pattern, fmt.Sprint(a.ID), string(a.Scope), e.short(a.Key), a.At.Local().Format(time.DateTime))
		if a.Replaced {
			t.printf("\tdoes not count: another directory is there now (`mayi trust %s` revives)", a.Key)
		}
		t.printf("\n")
	}
	return nil
}

// listPending withdraws the requests of waiters that died, and shows the others.
func (e *env) listPending(c *cli.Context) error {
	store, err := e.read(c)
	if err != nil {
		return err
	}
	if store == nil {
		e.out.notice("mayi: no request waits")
		return nil
	}
	store.Close()
	if store, err = db.Open(c.Context, e.db); err != nil {
		return err
	}
	defer store.Close()
	list, err := store.Pending(c.Context, db.Filter{Session: textFlag(c, "session")})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		e.out.notice("mayi: no request waits")
	}
	for _, r := range list {
		if e.out.json {
			if err := e.out.emit(requestJSON(r)); err != nil {
				return err
			}
			continue
		}
		e.out.printf("%s\t%s ago\t%s\n", fmt.Sprint(r.ID), e.now().Sub(r.At).Round(time.Second), r.Line)
		e.out.printf("\t%s, from %s, session %s, in %s\n", r.Permission, from(r), r.Session, e.short(r.Cwd))
		for _, part := range r.Reasons {
			if part.Action == rules.Ask {
				e.out.reason(part, true)
			}
		}
	}
	return nil
}

// knownTools are shown when no tool is named.
var knownTools = []string{"bash", "read", "edit", "write", "apply_patch", "multiedit", "glob", "grep", "webfetch", "external_directory", "doom_loop"}

func (e *env) listTools(tools []string) error {
	cfg, err := e.config()
	if err != nil {
		return err
	}
	if len(tools) == 0 {
		tools = knownTools
	}
	for _, t := range tools {
		off := rules.Disabled(t, cfg.Rules)
		for _, alone := range cfg.Alone {
			off = off || rules.Disabled(t, alone.Rules)
		}
		if e.out.json {
			if err := e.out.emit(map[string]any{"tool": t, "disabled": off}); err != nil {
				return err
			}
			continue
		}
		state := "enabled"
		if off {
			state = "disabled"
		}
		e.out.printf("%s\t%s\n", t, state)
	}
	return nil
}
