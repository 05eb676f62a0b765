package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"mayi/db"
)

// notHumanError is a verb of a person's that something else than a person at a
// terminal tried.
type notHumanError struct{ verb, why string }

func (e *notHumanError) Error() string {
	return e.verb + " is for a person at a terminal, and was refused: " + e.why
}

// requireHuman returns nil when a person at a terminal of their own runs this
// process, and a *notHumanError, which is in the log, otherwise; what cannot be
// found out is otherwise. The verb names what the person wants, for the messages
// and the log.
func (e *env) requireHuman(ctx context.Context, verb string) error {
	_, err := aPerson()
	if err == nil {
		return nil
	}
	e.logRefusal(ctx, verb, err.Error())
	return &notHumanError{verb, err.Error()}
}

// logRefusal puts a refusal that is about no request into the log. The refusal
// stands whether or not that succeeds.
func (e *env) logRefusal(ctx context.Context, verb, why string) {
	store, err := db.Open(ctx, e.db)
	if err == nil {
		defer store.Close()
		entry := e.attempt(verb)
		entry.By += ": " + why
		_, err = store.Log(ctx, entry)
	}
	if err != nil {
		e.out.warn("the refusal is not in the log: %v", err)
	}
}

// requireHumanFor demands what requireHuman does, and that neither this process
// nor its terminal belongs to what asks. A refusal is in the log and reaches
// who waits.
func (e *env) requireHumanFor(ctx context.Context, store *db.DB, verb string, r db.Request) error {
	s, err := aPerson()
	if err == nil {
		err = s.apartFrom(r)
	}
	if err == nil {
		return nil
	}
	why := err.Error()
	entry := e.attempt(verb)
	entry.Line, entry.Permission = r.Line, r.Permission
	if err := store.Refuse(ctx, r, entry, why); err != nil {
		e.out.warn("the refusal is not in the log: %v", err)
	}
	return &notHumanError{fmt.Sprintf("%s %d", verb, r.ID), why}
}

// attempt is the log's entry of a verb of a person's that was refused.
func (e *env) attempt(verb string) db.Entry {
	return db.Entry{
		Verb: verb, Outcome: db.OutcomeRefused, Project: e.project, Session: e.session, Agent: e.agent, Cwd: e.cwd, PID: os.Getpid(),
		By: fmt.Sprintf("pid %d (%s)", os.Getpid(), first(parentName(), "a program")),
	}
}

// aPerson demands what every verb of a person's needs.
func aPerson() (*standing, error) {
	if err := noAgentMarker(); err != nil {
		return nil, err
	}
	if err := ownTerminal(); err != nil {
		return nil, err
	}
	s, err := ownStanding()
	if err != nil {
		return nil, err
	}
	for _, check := range []func() error{s.outsideSessions, s.noMarkedRelative, s.typedInAShell, s.holderApart} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// mayAskHere demands of the own terminal of one who asks that a person answers
// there. Unlike a verb of a person's, what is asked about may have been run by
// any program, as long as that cannot forge the keys.
func mayAskHere() error {
	if err := noAgentMarker(); err != nil {
		return err
	}
	s, err := ownStanding()
	if err != nil {
		return err
	}
	checks := []func() error{s.outsideSessions, s.noMarkedRelative, s.holderApart}
	if keysCanBeForged() {
		checks = append(checks, s.typedInAShell)
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// agentMarkers are variables that agents set for the commands they run. Taking
// one away is easy: they give the careless a good message, nothing more.
var agentMarkers = []string{
	"AGENT", "AI_AGENT", "CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", guardedMarker, "OPENCODE", "QWEN_CODE",
}

func noAgentMarker() error {
	if i := slices.IndexFunc(agentMarkers, func(name string) bool { return variable(name) != "" }); i >= 0 {
		return errors.New("$" + agentMarkers[i] + " says that an agent runs it")
	}
	return nil
}

// ownTerminal demands a controlling terminal that listens to this process.
func ownTerminal() error {
	if controllingTerminal() == 0 {
		return errors.New("it has no terminal")
	}
	file, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return errors.New("its terminal does not open: " + rootCause(err).Error())
	}
	defer file.Close()
	if !isDevTTY(file) {
		return errors.New("something else is mounted in the place of /dev/tty")
	}
	// No modes are set here: from the background that would stop this process.
	group, err := unix.IoctlGetInt(int(file.Fd()), unix.TIOCGPGRP)
	if err != nil || group != unix.Getpgrp() {
		return errors.New("it runs in the background of its terminal")
	}
	return nil
}
