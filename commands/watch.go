package commands

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"mayi/db"
)

func (a *app) watch() *cli.Command {
	return &cli.Command{
		Name:  "watch",
		Usage: "print requests and answers as they come",
		Flags: []cli.Flag{
			&cli.Int64Flag{Name: "since", Value: -1, Usage: "first those after event `ID`; 0 for all"},
		},
		Action: a.do(func(c *cli.Context, e *env) error {
			if c.Args().Present() {
				return usagef("watch takes no argument, and %q was given", c.Args().First())
			}
			ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
			defer stop()
			store, err := db.Open(ctx, e.db)
			if err != nil {
				return err
			}
			defer store.Close()
			return e.watch(ctx, store, c.Int64("since"))
		}),
	}
}

// watchTick is how long an event may go unnoticed when a ring is lost.
const watchTick = time.Second

// watch prints events until it is interrupted, and then those that had happened
// by that time. Like a waiter it binds its bell before it looks, so that nothing
// falls between.
func (e *env) watch(ctx context.Context, store *db.DB, since int64) error {
	bell, err := db.Listen(store.Bells(), db.WatcherBell)
	if err != nil {
		e.out.warn("no bell, so events are noticed a little later: %v", err)
	} else {
		defer bell.Close()
	}
	if since < 0 {
		if since, err = store.LastEvent(ctx); err != nil {
			return err
		}
	}
	ticker := time.NewTicker(watchTick)
	defer ticker.Stop()
	for {
		over := ctx.Err() != nil
		events, err := store.Events(context.WithoutCancel(ctx), since, 100)
		if err != nil {
			return err
		}
		for _, v := range events {
			since = v.ID
			if err := e.event(v); err != nil {
				return err
			}
		}
		switch {
		case len(events) > 0:
			continue
		case over:
			return nil
		}
		select {
		case <-ctx.Done():
		case <-bell.C():
		case <-ticker.C:
		}
	}
}

func (e *env) event(v db.Event) error {
	if e.out.json {
		return e.out.emit(eventJSON(v))
	}
	at := v.At.Local().Format(time.TimeOnly)
	switch v.Kind {
	case db.Asked:
		e.out.printf("%s  asked    %d  %s  (%s)\n", at, v.Request.ID, v.Request.Line, first(v.Request.Agent, v.Request.Program, v.Request.Session))
		return nil
	case db.Refused:
		e.out.printf("%s  refused  %d  %s  an answer from %s: %s\n", at, v.Request.ID, v.Request.Line, v.By, v.Feedback)
		return nil
	}
	e.out.printf("%s  %-9s%d  %s  %s\n", at, v.Request.State, v.Request.ID, v.Request.Line, first(v.Request.By))
	return nil
}
