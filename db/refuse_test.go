package db

import (
	"strings"
	"testing"
)

// TestRefusedAnswerIsLoggedAndHeardByTheWaiter refuses two answers while the
// waiter waits, and then gives one.
func TestRefusedAnswerIsLoggedAndHeardByTheWaiter(t *testing.T) {
	db := newDB(t)
	id, err := db.Submit(t.Context(), Request{Session: "s", Permission: "bash", Line: "make", Asker: Self()})
	if err != nil {
		t.Fatal(err)
	}
	r, err := db.Request(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan Event, 10)
	settled := make(chan Status, 1)
	go func() {
		status, _ := db.AwaitHearing(t.Context(), id, nil, func(e Event) { heard <- e })
		settled <- status
	}()
	for _, why := range []string{"it has no terminal", "it runs below the asker"} {
		if err := db.Refuse(t.Context(), r, Entry{Verb: "approve", Line: r.Line, By: "pid 7 (sh)"}, why); err != nil {
			t.Fatal(err)
		}
		if e := <-heard; e.By != "pid 7 (sh)" || e.Feedback != why || e.Request.ID != id {
			t.Errorf("heard %+v, want %s", e, why)
		}
	}
	if status, err := db.Status(t.Context(), id); err != nil || status.State != StatePending {
		t.Errorf("have %v (%v), want a request that is still pending", status, err)
	}
	if _, err := db.Settle(t.Context(), id, Answer{Reply: Once}); err != nil {
		t.Fatal(err)
	}
	if status := <-settled; status.State != StateOnce {
		t.Errorf("have %v, want once", status)
	}
	entries, err := db.Entries(t.Context(), 2)
	if err != nil || len(entries) != 2 || entries[1].Outcome != OutcomeRefused || !strings.Contains(entries[1].By, "below the asker") {
		t.Errorf("the log holds %+v (%v)", entries, err)
	}
	events, err := db.Events(t.Context(), 0, 10)
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, string(e.Kind))
	}
	if have := strings.Join(kinds, " "); have != "asked refused refused replied" {
		t.Errorf("have events %s (%v)", have, err)
	}
	if err := db.VerifyLog(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEndOfASessionWithdrawsItsRequests(t *testing.T) {
	db := newDB(t)
	for _, session := range []string{"a", "b", "a"} {
		if _, err := db.Submit(t.Context(), Request{Session: session, Permission: "bash", Line: "make", Asker: Self()}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := db.WithdrawSession(t.Context(), "a"); n != 2 || err != nil {
		t.Errorf("have %d (%v), want 2", n, err)
	}
	left, err := db.Pending(t.Context(), Filter{})
	if err != nil || len(left) != 1 || left[0].Session != "b" {
		t.Errorf("left %v (%v)", left, err)
	}
}

// TestOlderDatabaseIsBroughtUpToDate opens one that the first schema made, with
// what was in it.
func TestOlderDatabaseIsBroughtUpToDate(t *testing.T) {
	first, err := migrationFiles.ReadFile(migrations()[0])
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, bare(t, string(first)+`;
		INSERT INTO requests (state, project, session, agent, cwd, permission, line, program, bell, pid, start, boot, space, at)
		VALUES ('pending', '/p', 's', '', '/p', 'bash', 'make', 'sh', '', 0, '', '', '', 0);
		INSERT INTO events (at, kind, request_id) VALUES (0, 'asked', 1);
		PRAGMA user_version = 1`))
	if _, err := db.Settle(t.Context(), 1, Answer{Reply: Once}); err != nil {
		t.Fatal(err)
	}
	events, err := db.Events(t.Context(), 0, 10)
	if err != nil || len(events) != 2 || events[0].Kind != Asked || events[1].Kind != Replied || events[1].ID != 2 {
		t.Errorf("have %v (%v)", events, err)
	}
}
