package commands

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"mayi/db"
	"mayi/rules"
	"mayi/shellparse"
)

// An outcome is how asking ended. Without err the decision stands: allowed or
// denied by rules, or allowed by a person.
type outcome struct {
	decision rules.Decision
	name     db.Outcome
	by       string
	request  int64 // 0 when nobody had to be asked
	err      error
}

// doomLoop is how many times in a row a session may ask the same.
const doomLoop = 3

// ask judges a question, and where that asks, stores a request and waits for an
// answer: from the terminal, from another process, or from the clock. What it
// returns is in the log before it returns.
func (g *gate) ask(ctx context.Context, q *question, how waiting) (*outcome, error) {
	store, err := db.Open(ctx, g.db)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	d, err := g.judge(ctx, store, q)
	if err != nil {
		return nil, err
	}
	o := &outcome{decision: d, name: db.Outcome(d.Action.String())}
	switch {
	case d.Action != rules.Ask, how.left:
	case how.timeout != nil && *how.timeout == 0:
		o.name, o.err = "expired", &timeoutError{}
	default:
		if err := g.await(ctx, store, q, how, o); err != nil {
			return nil, err
		}
	}
	_, err = store.Log(ctx, db.Entry{
		Verb: how.verb, Outcome: o.name, Line: q.line, Permission: q.permission, Project: g.project, Session: g.session,
		Agent: g.agent, Cwd: g.cwd, PID: os.Getpid(), By: o.by, RequestID: o.request, Reasons: d.Reasons,
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

// judge decides by rules and approvals, and raises a request more when a session
// asks the same again and again.
func (g *gate) judge(ctx context.Context, store *db.DB, q *question) (rules.Decision, error) {
	if q.blank {
		return rules.Nothing(), nil
	}
	if g.explicit {
		n, err := store.Streak(ctx, g.session, q.digest())
		if err != nil {
			return rules.Decision{}, err
		}
		if n >= doomLoop {
			loop := rules.Request{Permission: "doom_loop", Text: shellparse.Lit(q.tool()), Store: rules.Quote(q.tool())}
			q.requests = append(q.requests, loop)
		}
	}
	return g.answer(ctx, store, q)
}

// digest is the same for questions that ask for the same.
func (q *question) digest() string {
	h := sha256.New()
	for _, r := range q.requests {
		fmt.Fprintf(h, "%s\x00%s\x00", r.Permission, r.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// await stores the request and waits. The order matters: the bell is bound, the
// row inserted, the row looked at, and only then is there any waiting, so no
// answer falls between.
func (g *gate) await(ctx context.Context, store *db.DB, q *question, how waiting, o *outcome) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	// A question put to the foreground a moment too late fails instead of
	// stopping the process.
	signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU)
	defer signal.Reset(syscall.SIGTTIN, syscall.SIGTTOU)

	bell, err := db.Listen(store.Bells(), db.AskerBell)
	if err != nil {
		g.out.warn("no bell, so answers are noticed a little later: %v", err)
	} else {
		defer bell.Close()
	}
	r := db.Request{
		Project: g.project, Session: g.session, Agent: g.agent, Cwd: g.cwd, Permission: q.permission, Line: q.line,
		Reasons: o.decision.Reasons, Asker: db.Self(), Tree: ownTree(), Program: parentName(), Bell: bell.Path(),
	}
	if o.request, err = store.Submit(ctx, r); err != nil {
		return err
	}
	// What is shown from here on is what was stored.
	if r, err = store.Request(ctx, o.request); err != nil {
		return err
	}
	g.onAsk(r)

	settled := make(chan db.Status, 1)
	failed := make(chan error, 1)
	go func() {
		s, err := store.AwaitHearing(ctx, r.ID, bell, func(e db.Event) {
			g.out.notice("mayi: request %d: an approval attempt from %s was refused: %s", r.ID, e.By, e.Feedback)
		})
		if err != nil {
			failed <- err
			return
		}
		settled <- s
	}()
	prompted := make(chan error, 1)
	if how.tty && controllingTerminal() != 0 {
		if err := mayAskHere(); err != nil {
			how.tty = false
			g.out.notice("mayi: this terminal is not asked: %s", err.Error())
		}
	}
	endPrompt := func() {}
	if how.tty {
		promptCtx, end := context.WithCancel(ctx)
		done := make(chan struct{})
		endPrompt = func() { end(); <-done }
		go func() {
			defer close(done)
			prompted <- g.promptFor(promptCtx, store, r)
		}()
	}
	defer func() { endPrompt() }()

	var expired <-chan time.Time
	if how.timeout != nil {
		timer := time.NewTimer(*how.timeout)
		defer timer.Stop()
		expired = timer.C
	}
	if !how.tty {
		g.waits(r.ID)
	}
	orphaned := orphanWatch{parent: os.Getppid()}
	for {
		select {
		case s := <-settled:
			endPrompt()
			o.settle(s)
			if own := personAt(terminalName()); o.err == nil && s.By != own {
				g.out.notice("mayi: request %d: %s, by %s", r.ID, string(s.State), s.By)
			}
			return nil
		case err := <-failed:
			return err
		case err := <-prompted:
			// The prompt settled the request, or could not: either way the row
			// is what counts.
			if err != nil && !errors.Is(err, errPromptOver) && !errors.Is(err, db.ErrSettled) {
				g.waits(r.ID)
			}
		case sig := <-signals:
			if sig == syscall.SIGHUP && !orphaned.hangup() {
				continue
			}
			endPrompt()
			n, _ := sig.(syscall.Signal)
			o.err = &signalError{int(n)}
			if err := g.withdraw(ctx, store, r.ID, db.StateWithdrawn, o); err != nil || o.err != nil {
				return err
			}
		case <-orphaned.tick():
			if orphaned.alone() {
				o.err = &signalError{int(syscall.SIGHUP)}
				if err := g.withdraw(ctx, store, r.ID, db.StateWithdrawn, o); err != nil || o.err != nil {
					return err
				}
			}
		case <-expired:
			endPrompt()
			o.err = &timeoutError{*how.timeout}
			if err := g.withdraw(ctx, store, r.ID, db.StateExpired, o); err != nil || o.err != nil {
				return err
			}
		}
	}
}

// waits says where a request that nobody is asked about here can be answered.
func (g *gate) waits(id int64) {
	g.out.notice("mayi: request %d waits for an answer: `mayi approve %d` at any terminal", id, id)
}

// errTakenForDead is a request that was withdrawn while its waiter lives: its
// bell was removed, or its process could not be seen.
var errTakenForDead = errors.New("the request was withdrawn by another process, which took this one for dead")

// withdraw ends the request unanswered. An answer that came first stands: then
// the outcome has no error, and the row says how it went.
func (g *gate) withdraw(ctx context.Context, store *db.DB, id int64, to db.State, o *outcome) error {
	o.name = db.Outcome(to)
	err := store.Withdraw(ctx, id, to)
	if errors.Is(err, db.ErrSettled) {
		o.err = nil
		return nil
	}
	return err
}

// settle says what a row says.
func (o *outcome) settle(s db.Status) {
	o.by, o.err = s.By, nil
	switch {
	case s.State.Allows():
		o.name = db.Outcome(s.State)
		o.decision = o.decision.Granted()
	case s.State == db.StateRejected:
		o.name, o.err = "rejected", &rejectedError{s.By}
		if s.Feedback != "" {
			o.name, o.err = "corrected", &correctedError{s.Feedback}
		}
	default:
		// Somebody took this waiter for dead.
		o.name, o.err = db.OutcomeWithdrawn, errTakenForDead
	}
}

// promptFor asks at the own terminal and settles the request with the answer. To
// give up rejects this request and no other.
func (g *gate) promptFor(ctx context.Context, store *db.DB, r db.Request) error {
	p, done, err := g.promptAt(ctx, func() { g.waits(r.ID) })
	if err != nil {
		return err
	}
	answer, err := p.reply(r, choices(r)...)
	if ctx.Err() != nil {
		fmt.Fprint(p.terminal, "\r\n") // below the open question
	}
	done()
	switch {
	case errors.Is(err, errGivenUp):
		answer = db.Answer{Reply: db.Reject, Cascade: db.CascadeNone}
	case err != nil:
		return err
	}
	answer.By = personAt(terminalName())
	_, err = store.Settle(ctx, r.ID, answer)
	return err
}

// onAsk runs the program that the config names for each new request, with the
// request as JSON on its standard input. Nobody waits for it.
func (g *gate) onAsk(r db.Request) {
	if len(g.cfg.OnAsk) == 0 {
		return
	}
	data, err := json.Marshal(requestJSON(r))
	if err != nil {
		g.out.warn("on_ask: %v", err)
		return
	}
	cmd := exec.Command(g.cfg.OnAsk[0], g.cfg.OnAsk[1:]...)
	cmd.Stdin = bytes.NewReader(append(data, '\n'))
	// What a shell told of itself is for nobody else.
	cmd.Env = slices.DeleteFunc(cmd.Environ(), func(v string) bool { return strings.HasPrefix(v, toldVariable+"=") })
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		g.out.warn("on_ask: %v", err)
		return
	}
	go func() { _ = cmd.Wait() }()
}

// An orphanWatch notices that a waiter outlived whoever wanted to know. A
// terminal that is lost ends the prompt, not the request; but when the program
// that asked is gone as well, nobody is left to tell.
type orphanWatch struct {
	parent int
	ticker <-chan time.Time
}

func (w *orphanWatch) alone() bool { return os.Getppid() != w.parent }

// hangup notes a lost terminal, and reports whether the waiter is alone.
func (w *orphanWatch) hangup() bool {
	if w.ticker == nil {
		w.ticker = time.Tick(time.Second)
	}
	return w.alone()
}

func (w *orphanWatch) tick() <-chan time.Time { return w.ticker }
