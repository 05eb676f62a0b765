package commands

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"mayi/db"
	"mayi/rules"
)

func (a *app) log() *cli.Command {
	return &cli.Command{
		Name:      "log",
		Usage:     "show the decisions that were given, the newest last",
		ArgsUsage: "[verify | show ID]",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "number", Aliases: []string{"n"}, Value: 50, Usage: "how many; 0 for all"},
			&cli.StringFlag{Name: "since", Usage: "those after a `TIME`: 2h, 3d, 2026-01-31, '2026-01-31 14:00'"},
			&cli.StringSliceFlag{Name: "action", Usage: "those that ended in an `OUTCOME`: allow, deny, ask, once, always, rejected, corrected, expired, withdrawn, refused, error"},
		},
		Subcommands: []*cli.Command{a.logVerify(), a.logShow()},
		Action:      a.do(func(c *cli.Context, e *env) error { return e.log(c) }),
	}
}

func (e *env) log(c *cli.Context) error {
	if c.Args().Present() {
		return &usageError{fmt.Sprintf("log has no command %q", c.Args().First()), "it is one of verify, show ID; or none, with --since, --session, --action and -n"}
	}
	filter, err := e.logFilter(c)
	if err != nil {
		return err
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
	t, flush := e.out.table()
	defer flush()
	return store.EachEntry(c.Context, filter, func(l db.Entry) error {
		if e.out.json {
			return e.out.emit(entryJSON(l))
		}
		t.printf("%s\t%s\t%s\t%s\t%s\t[%s]\t%s\n", strconv.FormatInt(l.ID, 10), l.At.Local().Format(time.DateTime), l.Outcome, l.Verb, l.Line, e.short(l.Project), l.By)
		return nil
	})
}

// logFilter is what the flags choose. The session counts only where a flag names
// it: the log is for all of them.
func (e *env) logFilter(c *cli.Context) (f db.LogFilter, err error) {
	f.Session = textFlag(c, "session")
	if f.Newest = c.Int("number"); f.Newest < 0 {
		return f, usagef("-n %d is less than nothing", f.Newest)
	}
	if since := c.String("since"); since != "" {
		if f.Since, err = moment(since, e.now()); err != nil {
			return f, err
		}
	}
	known := map[string]db.Outcome{}
	var names []string
	for _, o := range db.Outcomes() {
		known[string(o)] = o
		names = append(names, string(o))
	}
	for _, list := range c.StringSlice("action") {
		for _, name := range strings.Split(list, ",") {
			o, ok := known[name]
			if !ok {
				return f, &usageError{fmt.Sprintf("no decision ends in %q", name), rules.Suggest(name, names)}
			}
			f.Outcomes = append(f.Outcomes, o)
		}
	}
	return f, nil
}

// moments are the ways to write a point in time, in local time where they do not
// say otherwise.
var moments = [...]string{time.DateOnly, "2006-01-02 15:04", "2006-01-02T15:04", time.DateTime, "2006-01-02T15:04:05", time.RFC3339}

// moment reads a point in time, or how long before now it is: a duration of Go,
// or a whole number of days (d) or weeks (w).
func moment(s string, now time.Time) (time.Time, error) {
	for _, layout := range moments {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		text, ok := strings.CutSuffix(s, unit)
		if n, err := strconv.ParseUint(text, 10, 16); ok && err == nil {
			return now.AddDate(0, 0, -days*int(n)), nil
		}
	}
	return time.Time{}, &usageError{fmt.Sprintf("--since %q is no time", s), "such as 90m, 2h, 3d, 2w, 2026-01-31 or '2026-01-31 14:00'"}
}

func (a *app) logShow() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "everything about one decision",
		ArgsUsage: "ID",
		Action: a.do(func(c *cli.Context, e *env) error {
			id, err := strconv.ParseInt(c.Args().First(), 10, 64)
			if err != nil || id < 1 || c.NArg() != 1 {
				return &usageError{"which entry of the log?", "`mayi log` shows their IDs: mayi log show 12"}
			}
			store, err := e.read(c)
			if err != nil {
				return err
			}
			if store == nil {
				return &hintedError{fmt.Errorf("log entry %d: %w", id, db.ErrNotFound), "nothing was decided yet"}
			}
			defer store.Close()
			l, err := store.Entry(c.Context, id)
			if errors.Is(err, db.ErrNotFound) {
				return &hintedError{err, "`mayi log` shows the entries and their IDs"}
			}
			if err != nil {
				return err
			}
			if e.out.json {
				return e.out.emit(entryJSON(l))
			}
			e.entry(l)
			return nil
		}),
	}
}

// entry prints all there is to know about a decision.
func (e *env) entry(l db.Entry) {
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	for _, field := range [...]struct{ name, text string }{
		{"entry", number(l.ID)},
		{"time", l.At.Local().Format("2006-01-02 15:04:05.000 -07:00")},
		{"outcome", string(l.Outcome)},
		{"line", l.Line},
		{"permission", l.Permission},
		{"verb", l.Verb},
		{"by", l.By},
		{"request", number(l.RequestID)},
		{"project", l.Project},
		{"session", l.Session},
		{"agent", l.Agent},
		{"cwd", l.Cwd},
		{"pid", number(int64(l.PID))},
	} {
		if field.text != "" {
			e.out.printf("%-11s %s\n", field.name, field.text)
		}
	}
	for _, r := range l.Reasons {
		e.out.reason(r, true)
	}
}
