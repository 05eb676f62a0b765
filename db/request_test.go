package db

import (
	"errors"
	"reflect"
	"testing"

	"mayi/rules"
	"mayi/shellparse"
)

// full is a request with every field set.
func full() Request {
	p := part("git push", "git push *")
	p.Request.Text = shellparse.Word{{Text: "git push "}, {Text: "$x", Hole: shellparse.Words}}
	p.Request.Same = []shellparse.Word{shellparse.Lit("git push")}
	p.Request.Via = []string{"sudo"}
	p.Also = []rules.Rule{{Permission: "bash", Pattern: "git push -f *", Action: rules.Deny}}
	p.Final, p.Note = true, "a note"
	return Request{
		Project: "/p", Session: "s", Agent: "plan", Cwd: "/p/sub", Permission: "bash", Line: "git push $x <&>\x00\xff",
		Reasons: []rules.Reason{p, part("make", "make *")}, Asker: Self(), Tree: []Relative{{7, "1", "sh", "34817-9", true}}, Program: "claude (pid 7)",
	}
}

func TestRequestIsReadAsItWasWritten(t *testing.T) {
	db := newDB(t)
	db.Now = noon
	want := full()
	want.ID = submit(t, db, want)
	want.State, want.At = StatePending, noon()
	have, err := db.Request(t.Context(), want.ID)
	if !have.sealed {
		t.Error("it has no sum")
	}
	want.parts, want.sealed = have.parts, have.sealed
	if err != nil || !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v, %v\nwant %+v", have, err, want)
	}
	if _, err := db.Request(t.Context(), 99); !errors.Is(err, ErrNotFound) {
		t.Errorf("have %v, want ErrNotFound", err)
	}
	if _, err := db.Status(t.Context(), 99); !errors.Is(err, ErrNotFound) {
		t.Errorf("have %v, want ErrNotFound", err)
	}
}

func TestPendingFilters(t *testing.T) {
	db := newDB(t)
	for _, place := range []Place{{"/p", "s"}, {"/p", "t"}, {"/q", "s"}} {
		r := request(place.Session, part("a", "a *"))
		r.Project = place.Project
		submit(t, db, r)
	}
	settle(t, db, submit(t, db, request("u", part("a", "a *"))), Answer{Reply: Once})
	for f, want := range map[Filter][]int64{
		{}: {1, 2, 3}, {Session: "s"}: {1, 3}, {Project: "/p"}: {1, 2}, {Session: "s", Project: "/q"}: {3}, {Session: "none"}: nil,
	} {
		pending, err := db.Pending(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var have []int64
		for _, r := range pending {
			have = append(have, r.ID)
		}
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%+v: have %v, want %v", f, have, want)
		}
	}
}

func TestEventsTellTheWholeStory(t *testing.T) {
	db := newDB(t)
	db.Now = noon
	a := submit(t, db, request("s", part("a", "a *")))
	b := submit(t, db, request("s", part("b", "b *")))
	c := submit(t, db, request("t", part("c", "c *")))
	last, err := db.LastEvent(t.Context())
	if err != nil || last != 3 {
		t.Fatal(last, err)
	}
	settle(t, db, a, Answer{Reply: Reject, By: "me", Feedback: "no"})
	if err := db.Withdraw(t.Context(), c, StateExpired); err != nil {
		t.Fatal(err)
	}
	events, err := db.Events(t.Context(), last, 10)
	if err != nil || len(events) != 3 {
		t.Fatal(events, err)
	}
	type short struct {
		id, request         int64
		kind                EventKind
		reply, by, feedback string
		state               State
	}
	for i, want := range []short{
		{4, a, Replied, "reject", "me", "no", StateRejected},
		{5, b, Replied, "reject", "me", "", StateRejected},
		{6, c, Replied, "withdrawn", "", "", StateExpired},
	} {
		e := events[i]
		have := short{e.ID, e.Request.ID, e.Kind, e.Reply, e.By, e.Feedback, e.Request.State}
		if have != want {
			t.Errorf("have %+v, want %+v", have, want)
		}
	}
	if events, err := db.Events(t.Context(), 0, 1); err != nil || len(events) != 1 || events[0].Request.State != StatePending || len(events[0].Request.Reasons) != 1 {
		t.Errorf("the first: %+v, %v", events, err)
	}
}

func TestStreakCountsTheSameInARow(t *testing.T) {
	db := newDB(t)
	for i, step := range []struct {
		session, digest string
		want            int
	}{{"s", "x", 1}, {"s", "x", 2}, {"t", "x", 1}, {"s", "x", 3}, {"s", "y", 1}, {"s", "x", 1}, {"t", "x", 2}} {
		if have, err := db.Streak(t.Context(), step.session, step.digest); err != nil || have != step.want {
			t.Errorf("step %d: have %d, %v, want %d", i, have, err, step.want)
		}
	}
}
