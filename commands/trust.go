package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"mayi/db"
	"mayi/rules"
)

func (a *app) trust() *cli.Command {
	return &cli.Command{
		Name:      "trust",
		Usage:     "let the .mayi.jsonc of a project allow things, after a look at it",
		ArgsUsage: "[DIR]",
		Action: a.do(func(c *cli.Context, e *env) error {
			dir, err := e.trustee(c)
			if err != nil {
				return err
			}
			if err := e.requireHuman(c.Context, "trust"); err != nil {
				return err
			}
			store, err := db.Open(c.Context, e.db)
			if err != nil {
				return err
			}
			defer store.Close()
			return e.trust(c.Context, store, dir)
		}),
	}
}

func (a *app) untrust() *cli.Command {
	return &cli.Command{
		Name:      "untrust",
		Usage:     "let the .mayi.jsonc of a project only deny and ask again",
		ArgsUsage: "[DIR]",
		Action: a.do(func(c *cli.Context, e *env) error {
			dir, err := e.trustee(c)
			if err != nil {
				return err
			}
			if err := e.requireHuman(c.Context, "untrust"); err != nil {
				return err
			}
			store, err := db.Open(c.Context, e.db)
			if err != nil {
				return err
			}
			defer store.Close()
			path := filepath.Join(dir, projectFile)
			if err := store.Untrust(c.Context, path); errors.Is(err, db.ErrNotFound) {
				return &hintedError{err, "`mayi list --trusted` shows what is trusted"}
			} else if err != nil {
				return err
			}
			e.out.printf("%s can only deny and ask now\n", path)
			return errors.Join(e.emitTrust(path, false, nil), e.logTrust(c.Context, store, "untrust", path, db.OutcomeWithdrawn))
		}),
	}
}

// trustee is the directory that is meant: the one that is named, itself, or the
// project.
func (e *env) trustee(c *cli.Context) (string, error) {
	switch {
	case c.NArg() > 1:
		return "", usagef("one directory at a time, not %d", c.NArg())
	case !c.Args().Present():
		return e.project, nil
	}
	dir, err := filepath.Abs(c.Args().First())
	if err != nil {
		return "", usagef("%s: %v", c.Args().First(), err)
	}
	return canonical(dir), nil
}

// trust shows a person what a project's file says, and what approvals would come
// back, and stores that they are trusted once the person has typed a code.
func (e *env) trust(ctx context.Context, store *db.DB, dir string) error {
	path := filepath.Join(dir, projectFile)
	source := configSource{path: path, name: path, plain: true}
	f, read, err := e.readConfig(source)
	if err != nil {
		return err
	}
	revivable, err := e.revivable(ctx, store, dir)
	if err != nil {
		return err
	}
	if f != nil && !f.Loosens() && !e.widens(dir) {
		e.out.printf("%s only denies and asks, and needs no trust for that\n", path)
		f, read = nil, nil
	} else if f == nil && len(revivable) == 0 {
		return &hintedError{fmt.Errorf("%s: there is no %s to trust: %w", dir, projectFile, db.ErrNotFound), "name the directory that has one: `mayi trust DIR`"}
	}
	if f == nil && len(revivable) == 0 {
		return nil
	}
	if f != nil {
		if why := writers(read.info, os.Geteuid()); why != "" {
			return &rules.ConfigError{File: path, Msg: "cannot be trusted: " + why, Hint: "a file to trust belongs to you or root, and nobody else may write to it: chmod go-w " + path}
		}
	}
	if err := e.confirmTrust(ctx, store, trusting{path, f, read, revivable}); err != nil {
		var nobody *notHumanError
		if errors.As(err, &nobody) {
			err = errors.Join(err, e.logTrust(ctx, store, "trust", path, db.OutcomeRefused))
		}
		return err
	}
	// What is not in the log must not be.
	if err := e.logTrust(ctx, store, "trust", path, db.OutcomeAllow); err != nil {
		return err
	}
	if f != nil {
		_, now, err := e.readConfig(source)
		if err != nil || now == nil || !bytes.Equal(now.data, read.data) {
			return fmt.Errorf("%s changed while it was shown: it is not trusted", path)
		}
		if err := store.Trust(ctx, path, read.data, personAt(terminalName())); err != nil {
			return err
		}
		e.out.printf("%s is trusted as it is now\n", path)
	}
	revived, err := store.Revive(ctx, dir)
	if err != nil {
		return err
	}
	for _, a := range revived {
		e.out.printf("revived #%s: %s %s\n", fmt.Sprint(a.ID), a.Permission, a.Pattern)
	}
	return e.emitTrust(path, f != nil, revived)
}

// revivable are the approvals of a project that were given to another directory
// at its path.
func (e *env) revivable(ctx context.Context, store *db.DB, project string) (list []db.Approval, err error) {
	all, err := store.AllApprovals(ctx, &db.Place{Project: project})
	for _, a := range all {
		if a.Replaced {
			list = append(list, a)
		}
	}
	return list, err
}

// logTrust writes down what became of a wish to trust, or to no longer trust.
func (e *env) logTrust(ctx context.Context, store *db.DB, verb, path string, outcome db.Outcome) error {
	_, err := store.Log(ctx, db.Entry{
		Verb: verb, Outcome: outcome, Line: path, Permission: "trust", Project: filepath.Dir(path), Session: e.session, Agent: e.agent,
		Cwd: e.cwd, PID: os.Getpid(), By: personAt(terminalName()),
	})
	return err
}

func (e *env) emitTrust(path string, trusted bool, revived []db.Approval) error {
	if !e.out.json {
		return nil
	}
	j := jsonTrust{Path: path, Trusted: trusted}
	for _, a := range revived {
		j.Revived = append(j.Revived, a.ID)
	}
	return e.out.emit(j)
}
