package commands

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"mayi/db"
)

// guardedMarker is a variable that `mayi session` sets for what it runs.
const guardedMarker = "MAYI_GUARDED"

func (a *app) sessionCommand() *cli.Command {
	return &cli.Command{
		Name:      "session",
		Usage:     "start an agent as a session of its own, so that it cannot approve itself",
		ArgsUsage: "-- COMMAND [ARG…]",
		Action: func(c *cli.Context) error {
			return runFailure(a.do(func(c *cli.Context, e *env) error { return e.runSession(c) })(c))
		},
	}
}

// runSession runs a command as a session and ends as it did. This process stays:
// all that the command starts, and what that leaves behind, runs below it, and
// so can be told from the person whom it asks.
func (e *env) runSession(c *cli.Context) error {
	argv := c.Args().Slice()
	if len(argv) == 0 || argv[0] == "" {
		return &usageError{"what should be run?", "mayi session -- claude"}
	}
	file, _, err := e.executable(argv[0])
	if err != nil {
		return err
	}
	if variable("MAYI_DB") != "" {
		e.out.warn("$MAYI_DB is not heard inside a session: the database is %s", e.db)
	}
	id := first(textFlag(c, "session"), "session-"+strings.ToLower(rand.Text()[:12]))
	if err := becomeWrapper(); err != nil {
		return err
	}
	status, err := attend(file, argv, sessionEnvironment(id))
	if err != nil {
		return &runError{exitRunRefused, fmt.Errorf("%s: %w", file, rootCause(err))}
	}
	e.endSession(c.Context, id)
	return ended(status)
}

// sessionEnvironment is what the command of a session gets to know.
func sessionEnvironment(id string) []string {
	environ := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "MAYI_SESSION=") || strings.HasPrefix(entry, guardedMarker+"=")
	})
	return append(environ, "MAYI_SESSION="+id, guardedMarker+"=1")
}

// endSession withdraws what the session still asks: nobody is left to be told.
func (e *env) endSession(ctx context.Context, id string) {
	if store, err := e.reopen(ctx); err != nil {
		e.out.warn("the requests of the session may still wait: %v", err)
	} else if store != nil {
		defer store.Close()
		if _, err := store.WithdrawSession(ctx, id); err != nil {
			e.out.warn("the requests of the session may still wait: %v", err)
		}
	}
}

// reopen opens the database for writing if there is one.
func (e *env) reopen(ctx context.Context) (*db.DB, error) {
	if _, err := os.Lstat(e.db); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return db.Open(ctx, e.db)
}

// endedError is a command that was run and ended with another status than 0.
type endedError struct{ code exitCode }

func (e *endedError) Error() string { return fmt.Sprintf("it ended with status %d", e.code) }

// ended is the end of a command as an error, nil for success.
func ended(status syscall.WaitStatus) error {
	switch {
	case status.Signaled():
		return &endedError{exitSignal + exitCode(status.Signal())}
	case status.ExitStatus() != 0:
		return &endedError{exitCode(status.ExitStatus())}
	}
	return nil
}
