package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// A cure is what --repair can do about a finding.
type cure struct {
	plan func(context.Context) ([]string, error) // what it would do, for people
	do   func(context.Context) error
}

// does is a plan of one sentence.
func does(format string, args ...any) func(context.Context) ([]string, error) {
	return func(context.Context) ([]string, error) { return []string{fmt.Sprintf(format, args...)}, nil }
}

// repair shows what can be put right, and does it once the person at the
// terminal has typed a word. One cure may bring to light what needs another.
func (a *app) repair(ctx context.Context, e *env, found []finding) ([]finding, error) {
	for range 3 {
		ready, err := e.agreed(ctx, found)
		if err != nil || len(ready) == 0 {
			return found, err
		}
		var failed error
		for _, c := range ready {
			failed = errors.Join(failed, c.do(ctx))
		}
		e.out.notice("mayi: done; how it is now:")
		if found, err = a.examine(ctx, e); err != nil || failed != nil {
			return found, errors.Join(failed, err)
		}
	}
	return found, nil
}

// agreed returns the cures that the person wants, all of them or none.
func (e *env) agreed(ctx context.Context, found []finding) (ready []*cure, err error) {
	t, err := openTerminal(ctx)
	if err != nil {
		return nil, &notHumanError{"doctor --repair", "its terminal does not open: " + rootCause(err).Error()}
	}
	defer t.close()
	say := func(format, text string) { fmt.Fprintf(t, format+"\r\n", visible(text)) }
	for _, f := range found {
		if f.cure == nil || slices.Contains(ready, f.cure) {
			continue
		}
		steps, err := f.cure.plan(ctx)
		if err != nil {
			say("cannot be repaired now: %s", err.Error())
			continue
		}
		for i, s := range steps {
			say(map[bool]string{true: "to do: %s", false: "       %s"}[i == 0], s)
		}
		ready = append(ready, f.cure)
	}
	if len(ready) == 0 {
		e.out.notice("mayi: there is nothing that --repair could put right")
		return nil, nil
	}
	word, ok, err := t.readLine("type repair and Enter to do this:", "")
	if err != nil {
		return nil, err
	}
	if !ok || word != "repair" {
		e.out.notice("mayi: nothing was changed")
		return nil, nil
	}
	return ready, nil
}
