package db

import (
	"errors"
	"strings"
	"testing"

	"mayi/rules"
	"mayi/shellparse"
)

func TestOnceStoresNothing(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("s", part("ls", "ls *")))
	other := submit(t, db, request("s", part("ls", "ls *")))
	settled := settle(t, db, id, Answer{Reply: Once, By: "me"})
	if len(settled) != 1 || settled[0].ID != id || settled[0].State != StateOnce || settled[0].By != "me" {
		t.Errorf("have %+v", settled)
	}
	wantState(t, db, id, StateOnce)
	wantState(t, db, other, StatePending)
	if n := approvalCount(t, db); n != 0 {
		t.Errorf("once stored %d approvals", n)
	}
}

func TestZeroAnswerRejects(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("s", part("ls", "ls *")))
	settle(t, db, id, Answer{})
	wantState(t, db, id, StateRejected)
}

func TestRejectCascadesInSession(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("s", part("a", "a *")))
	same := submit(t, db, request("s", part("b", "b *")))
	elsewhere := request("s", part("c", "c *"))
	elsewhere.Project = "/q"
	sameElsewhere := submit(t, db, elsewhere)
	other := submit(t, db, request("other", part("a", "a *")))

	settled := settle(t, db, id, Answer{Reply: Reject, By: "me", Feedback: "use b"})
	if len(settled) != 3 || settled[0].ID != id {
		t.Errorf("have %+v", settled)
	}
	wantState(t, db, id, StateRejected)
	wantState(t, db, same, StateRejected)
	wantState(t, db, sameElsewhere, StateRejected)
	wantState(t, db, other, StatePending)
	for _, want := range []struct {
		id       int64
		feedback string
	}{{id, "use b"}, {same, ""}} {
		if s, err := db.Status(t.Context(), want.id); err != nil || s.Feedback != want.feedback || s.By != "me" {
			t.Errorf("request %d: %+v, %v, want feedback %q", want.id, s, err, want.feedback)
		}
	}
}

func TestRejectOfOneLeavesTheOthers(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("s", part("a", "a *")))
	same := submit(t, db, request("s", part("b", "b *")))
	settle(t, db, id, Answer{Reply: Reject, Cascade: CascadeNone})
	wantState(t, db, same, StatePending)
}

func TestNoSessionIsNoCommonSession(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("", part("a", "a *")))
	q := request("", part("a", "a *"))
	q.Project = "/q"
	other := submit(t, db, q)
	settle(t, db, id, Answer{Reply: Reject})
	wantState(t, db, other, StatePending)
}

func TestAlwaysReleasesWhatItAnswers(t *testing.T) {
	final := part("git push", "git push *")
	final.Final = true
	hole := part("", "git push *")
	hole.Request.Text = shellparse.Word{{Text: "git "}, {Text: "$x", Hole: shellparse.Value}}
	allowed := part("true", "")
	allowed.Action = rules.Allow

	type waiting struct {
		name             string
		project, session string
		parts            []rules.Reason
		want             map[Scope]State
	}
	released := map[Scope]State{ScopeProject: StateAlways, ScopeSession: StateAlways, ScopeGlobal: StateAlways}
	pending := map[Scope]State{ScopeProject: StatePending, ScopeSession: StatePending, ScopeGlobal: StatePending}
	all := []waiting{
		{"the same", "/p", "s", []rules.Reason{part("git push", "git push *")}, released},
		{"covered", "/p", "s", []rules.Reason{part("git push -f", "git push *"), allowed}, released},
		{"another command", "/p", "s", []rules.Reason{part("git pull", "git pull *")}, pending},
		{"one part of two", "/p", "s", []rules.Reason{part("git push", "git push *"), part("rm x", "rm x")}, pending},
		{"not storable", "/p", "s", []rules.Reason{part("git push", "")}, pending},
		{"final", "/p", "s", []rules.Reason{final}, pending},
		{"not known", "/p", "s", []rules.Reason{hole}, pending},
		{"no parts", "/p", "s", nil, pending},
		{"all allowed", "/p", "s", []rules.Reason{allowed}, pending},
		{"another session", "/p", "t", []rules.Reason{part("git push", "git push *")},
			map[Scope]State{ScopeProject: StateAlways, ScopeSession: StatePending, ScopeGlobal: StateAlways}},
		{"another project", "/q", "s", []rules.Reason{part("git push", "git push *")},
			map[Scope]State{ScopeProject: StatePending, ScopeSession: StateAlways, ScopeGlobal: StateAlways}},
		{"all elsewhere", "/q", "t", []rules.Reason{part("git push", "git push *")},
			map[Scope]State{ScopeProject: StatePending, ScopeSession: StatePending, ScopeGlobal: StateAlways}},
	}
	for _, scope := range []Scope{ScopeProject, ScopeSession, ScopeGlobal} {
		db := newDB(t)
		id := submit(t, db, request("s", part("git push origin", "git push *")))
		ids := make([]int64, len(all))
		for i, w := range all {
			r := request(w.session, w.parts...)
			r.Project = w.project
			ids[i] = submit(t, db, r)
		}
		settled := settle(t, db, id, Answer{Reply: Always, Scope: scope, By: "me"})
		for i, w := range all {
			status, err := db.Status(t.Context(), ids[i])
			if err != nil || status.State != w.want[scope] {
				t.Errorf("scope %s, %s: have %s (%v), want %s", scope, w.name, status.State, err, w.want[scope])
			}
			if status.State == StateAlways && status.By != "approved #1" {
				t.Errorf("scope %s, %s: released by %q", scope, w.name, status.By)
			}
		}
		for _, s := range settled {
			wantState(t, db, s.ID, StateAlways)
		}
	}
}

func TestAlwaysCountsEarlierApprovalsOfThePlaceToo(t *testing.T) {
	db := newDB(t)
	approve(t, db, "make a", "make *", ScopeProject)
	both := submit(t, db, request("s", part("make b", "make *"), part("git push", "git push *")))
	id := submit(t, db, request("s", part("git push", "git push *")))
	settle(t, db, id, Answer{Reply: Always, Scope: ScopeProject})
	wantState(t, db, both, StateAlways)
}

func TestAlwaysThatCannotBeGivenChangesNothing(t *testing.T) {
	final := part("b", "b *")
	final.Final = true
	for name, test := range map[string]struct {
		parts  []rules.Reason
		answer Answer
		want   error
		says   string
	}{
		"not storable":        {[]rules.Reason{part("a", "a *"), part("sudo b", "")}, Answer{}, ErrNotStorable, "sudo b"},
		"final":               {[]rules.Reason{part("a", "a *"), final}, Answer{}, ErrNotStorable, "bash b"},
		"no parts":            {nil, Answer{}, ErrNotStorable, "a line"},
		"store covers not":    {[]rules.Reason{part("a", "b *")}, Answer{}, ErrNotCovered, "b *"},
		"pattern covers not":  {[]rules.Reason{part("a", "a *")}, Answer{Patterns: map[int][]string{0: {"a *", "c *"}}}, ErrNotCovered, "c *"},
		"pattern for nothing": {[]rules.Reason{part("a", "a *")}, Answer{Patterns: map[int][]string{1: {"a *"}}}, ErrInvalid, "part 2"},
		"no scope":            {[]rules.Reason{part("a", "a *")}, Answer{Scope: "everywhere"}, ErrInvalid, "everywhere"},
		"no session":          {[]rules.Reason{part("a", "a *")}, Answer{Scope: ScopeSession}, ErrInvalid, "session"},
	} {
		db := newDB(t)
		id := submit(t, db, request("", test.parts...))
		test.answer.Reply = Always
		if test.answer.Scope == "" {
			test.answer.Scope = ScopeProject
		}
		settled, err := db.Settle(t.Context(), id, test.answer)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) || settled != nil {
			t.Errorf("%s: have %v, %v, want %v", name, settled, err, test.want)
		}
		wantState(t, db, id, StatePending)
		if n := approvalCount(t, db); n != 0 {
			t.Errorf("%s: stored %d approvals", name, n)
		}
	}
}

func TestOnlyChosenPatternsAreStored(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("s", part("git push", "git push *"), part("make a", "make a *")))
	settle(t, db, id, Answer{Reply: Always, Scope: ScopeProject, Patterns: map[int][]string{0: {"git *", "git p*"}}})
	all, err := db.AllApprovals(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, a := range all {
		have = append(have, a.Pattern)
	}
	if strings.Join(have, ", ") != "git *, git p*" {
		t.Errorf("have %q", have)
	}
}

func TestAnswerThatMakesNoSenseIsInvalid(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("s", part("a", "a *")))
	for _, a := range []Answer{
		{Reply: Once, Feedback: "well done"},
		{Reply: Reject, Patterns: map[int][]string{0: {"a"}}},
	} {
		if _, err := db.Settle(t.Context(), id, a); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: have %v, want ErrInvalid", a, err)
		}
	}
	wantState(t, db, id, StatePending)
}

func TestSettledSaysByWhomAndHow(t *testing.T) {
	db := newDB(t)
	db.Now = noon
	settleBy := map[State]func(id int64) error{
		StateOnce: func(id int64) error {
			_, err := db.Settle(t.Context(), id, Answer{Reply: Once, By: "ann at tty1"})
			return err
		},
		StateRejected: func(id int64) error {
			_, err := db.Settle(t.Context(), id, Answer{Reply: Reject, By: "ann at tty1", Cascade: CascadeNone})
			return err
		},
		StateAlways: func(id int64) error {
			_, err := db.Settle(t.Context(), id, Answer{Reply: Always, Scope: ScopeProject, By: "ann at tty1"})
			return err
		},
		StateWithdrawn: func(id int64) error { return db.Withdraw(t.Context(), id, StateWithdrawn) },
		StateExpired:   func(id int64) error { return db.Withdraw(t.Context(), id, StateExpired) },
	}
	for state, first := range settleBy {
		id := submit(t, db, request(string(state), part("a", "a *")))
		if err := first(id); err != nil {
			t.Fatal(err)
		}
		for again, second := range settleBy {
			err := second(id)
			var settled *SettledError
			if !errors.Is(err, ErrSettled) || !errors.As(err, &settled) || settled.State != state || !settled.At.Equal(noon()) {
				t.Errorf("%s after %s: %v", again, state, err)
				continue
			}
			if answered := state != StateWithdrawn && state != StateExpired; answered && !strings.Contains(err.Error(), "ann at tty1") {
				t.Errorf("%s after %s does not say who: %v", again, state, err)
			}
		}
		wantState(t, db, id, state)
		if _, err := db.sql.Exec(`UPDATE requests SET state = 'once' WHERE id = ?`, id); err == nil {
			t.Errorf("the database let %s become once", state)
		}
	}
	if _, err := db.Settle(t.Context(), 999, Answer{}); !errors.Is(err, ErrNotFound) {
		t.Errorf("settle of nothing: %v", err)
	}
	if err := db.Withdraw(t.Context(), 999, StateExpired); !errors.Is(err, ErrNotFound) {
		t.Errorf("withdraw of nothing: %v", err)
	}
	if err := db.Withdraw(t.Context(), 1, StateOnce); !errors.Is(err, ErrInvalid) {
		t.Errorf("withdraw as once: %v", err)
	}
}

// A Reply's zero value and a State's allow nothing.
func TestZeroValuesAllowNothing(t *testing.T) {
	var r Reply
	var s State
	if r != Reject || r.String() != "reject" || s.Allows() || Reply(99).String() != "reject" {
		t.Error("a zero value allows")
	}
	for _, s := range []State{StatePending, StateRejected, StateWithdrawn, StateExpired} {
		if s.Allows() {
			t.Errorf("%s allows", s)
		}
	}
}

func TestTextThatIsNotUTF8IsNeverStored(t *testing.T) {
	db := newDB(t)
	// JSON would make U+FFFD of the byte, which is another file's name.
	odd := submit(t, db, request("s", part("cat \xff", "cat \xff")))
	id := submit(t, db, request("s", part("cat \ufffd", "cat \ufffd")))
	settle(t, db, id, Answer{Reply: Always, Scope: ScopeProject})
	wantState(t, db, odd, StatePending)
	if _, err := db.Settle(t.Context(), odd, Answer{Reply: Always, Scope: ScopeProject}); !errors.Is(err, ErrNotStorable) {
		t.Errorf("have %v, want ErrNotStorable", err)
	}
	settle(t, db, odd, Answer{Reply: Once})
}
