package commands

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"mayi/db"
)

func (a *app) revoke() *cli.Command {
	return &cli.Command{
		Name:      "revoke",
		Usage:     "take approvals back",
		ArgsUsage: "ID… | --all",
		Flags:     []cli.Flag{&cli.BoolFlag{Name: "all", Usage: "every approval that holds in this project and session"}},
		Action: a.do(func(c *cli.Context, e *env) error {
			ids, err := approvalIDs(c)
			if err != nil {
				return err
			}
			if err := e.requireHuman(c.Context, "revoke"); err != nil {
				return err
			}
			store, err := db.Open(c.Context, e.db)
			if err != nil {
				return err
			}
			defer store.Close()
			var gone []db.Approval
			if len(ids) == 0 {
				gone, err = store.RevokeAll(c.Context, &db.Place{Project: e.project, Session: e.session})
			} else {
				gone, err = store.Revoke(c.Context, ids...)
			}
			if errors.Is(err, db.ErrNotFound) {
				err = &hintedError{err, "`mayi list --approved --everywhere` shows the approvals and their IDs"}
			}
			if err == nil && len(gone) == 0 {
				e.out.notice("mayi: no approval holds here")
			}
			for _, g := range gone {
				if e.out.json {
					err = errors.Join(err, e.out.emit(approvalJSON(g)))
				}
				e.out.printf("revoked #%s: %s %s\n", fmt.Sprint(g.ID), g.Permission, g.Pattern)
			}
			return err
		}),
	}
}

// approvalIDs are the approvals that were named, none for --all.
func approvalIDs(c *cli.Context) (ids []int64, err error) {
	for _, s := range c.Args().Slice() {
		id, err := strconv.ParseInt(strings.TrimPrefix(s, "#"), 10, 64)
		if err != nil || id < 1 {
			return nil, usagef("%q is not the ID of an approval", s)
		}
		ids = append(ids, id)
	}
	switch all := boolFlag(c, "all"); {
	case all && len(ids) > 0:
		return nil, usagef("--all leaves no place for an ID")
	case !all && len(ids) == 0:
		return nil, &usageError{"which approval?", "`mayi list --approved` shows their IDs"}
	}
	return ids, nil
}
