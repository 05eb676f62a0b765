package db

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"mayi/rules"
	"mayi/shellparse"
)

// TestLookupDecidesAsAllApprovalsWould holds what Approvals returns against
// every approval of the place, for patterns and texts made of few characters,
// so that they often match.
func TestLookupDecidesAsAllApprovalsWould(t *testing.T) {
	db := newDB(t)
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", " ", " ", "*", "?", "[*]", "[?]", "[", "]", `\`, "/", "é", "\xff", "a b", "ab ", " *", "a *"}
	text := func() string {
		var b strings.Builder
		for range random.IntN(5) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	var patterns []string
	for range 300 {
		patterns = append(patterns, text()+pieces[random.IntN(len(pieces))])
	}
	approveAll(t, db, patterns)
	approvals, err := db.AllApprovals(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []rules.Rule
	for _, a := range approvals {
		all = append(all, a.Rule())
	}

	word := func() shellparse.Word {
		var words []shellparse.Word
		for range 1 + random.IntN(3) {
			var w shellparse.Word
			for range 1 + random.IntN(2) {
				w = append(w, shellparse.Piece{Text: text(), Hole: shellparse.Hole(random.IntN(7) % 4)})
			}
			words = append(words, w)
		}
		if random.IntN(2) == 0 {
			return words[0]
		}
		return shellparse.Join(words)
	}
	answered, fewer := 0, 0
	for range 1200 {
		q := part("", "").Request
		q.Text = word()
		if random.IntN(4) == 0 {
			q.Same = []shellparse.Word{word()}
		}
		some, err := db.Approvals(t.Context(), Place{Project: "/p"}, []rules.Request{q})
		if err != nil {
			t.Fatal(err)
		}
		reason := rules.Reason{Request: q, Action: rules.Ask}
		have, want := rules.Answer(reason, some), rules.Answer(reason, all)
		if !reflect.DeepEqual(have, want) {
			t.Fatalf("text %#v, also %#v:\nhave %v\nwant %v", q.Text, q.Same, have, want)
		}
		if want.Action == rules.Allow {
			answered++
		}
		if len(some) < len(all) {
			fewer++
		}
	}
	if answered < 150 || fewer < 150 {
		t.Errorf("the test is worth little: %d answered, %d read fewer than all", answered, fewer)
	}
}

func TestHeadIsTheLiteralFirstWord(t *testing.T) {
	for pattern, want := range map[string]string{
		"git *": "git", "git": "git", "git status": "git", "git*": "", "*": "", "g?t *": "", "[*] x": "", "a[b] *": "a[b]",
		`.\x *`: "./x", "./x *": "./x", "": "", " *": "", "git **": "git",
	} {
		if have := head(pattern); have != want {
			t.Errorf("head of %q: have %q, want %q", pattern, have, want)
		}
	}
}

func TestManyRequestsDoNotChangeThePlan(t *testing.T) {
	db := newDB(t)
	plan := func(query string, args ...any) string {
		t.Helper()
		rows, err := db.sql.Query(`EXPLAIN QUERY PLAN `+query, args...)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var b strings.Builder
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&b, detail)
		}
		return b.String()
	}
	plans := func() string {
		return plan(lookupQuery, "/p", "s", "bash", "git") +
			plan(`SELECT id, bell, pid, start, boot, space FROM requests WHERE state = 'pending' ORDER BY id`) +
			plan(`SELECT * FROM requests WHERE state = 'pending' AND session = 's'`)
	}
	before := plans()
	if !strings.Contains(before, "SEARCH approvals USING INDEX approvals_lookup (scope=? AND key=? AND permission=? AND head=?)") ||
		!strings.Contains(before, "SEARCH requests USING INDEX requests_pending (state=?)\n") ||
		!strings.Contains(before, "SEARCH requests USING INDEX requests_pending (state=? AND session=?)") {
		t.Errorf("plans before:\n%s", before)
	}
	tx, err := db.sql.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		_, err := tx.Exec(`
			INSERT INTO requests (state, project, session, agent, cwd, permission, line, program, bell, pid, start, boot, space, at, settled)
			VALUES ('once', '/p', ?, '', '', 'bash', 'x', '', '', 0, '', '', '', 0, 0)`, fmt.Sprint("s", i%50))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if after := plans(); after != before {
		t.Errorf("plans before:\n%s\nafter:\n%s", before, after)
	}
}

func TestApprovalCountsOnlyInItsPlace(t *testing.T) {
	db := newDB(t)
	approve(t, db, "make a", "make a *", ScopeSession)
	approve(t, db, "make b", "make b *", ScopeProject)
	approve(t, db, "make c", "make c *", ScopeGlobal)
	for _, test := range []struct {
		place Place
		want  string
	}{
		{Place{"/p", "s"}, "a b c"},
		{Place{"/p", "other"}, "b c"},
		{Place{"/q", "s"}, "a c"},
		{Place{"/q", "other"}, "c"},
		{Place{}, "c"},
		{Place{"s", "/p"}, "c"},
	} {
		var have []string
		for _, target := range []string{"a", "b", "c"} {
			reason := part("make "+target, "")
			found, err := db.Approvals(t.Context(), test.place, []rules.Request{reason.Request})
			if err != nil {
				t.Fatal(err)
			}
			if rules.Answer(reason, found).Action == rules.Allow {
				have = append(have, target)
			}
		}
		if strings.Join(have, " ") != test.want {
			t.Errorf("at %v: have %v, want %s", test.place, have, test.want)
		}
		if all, err := db.AllApprovals(t.Context(), &test.place); err != nil || len(all) != len(have) {
			t.Errorf("at %v: %d listed, %v, want %d", test.place, len(all), err, len(have))
		}
	}
}

func TestApprovalNeverUndoesDeny(t *testing.T) {
	db := newDB(t)
	approve(t, db, "rm x", "*", ScopeGlobal)
	denied := part("rm x", "rm *")
	denied.Action = rules.Deny
	found, err := db.Approvals(t.Context(), Place{Project: "/p"}, []rules.Request{denied.Request})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if have := rules.Answer(denied, found); have.Action != rules.Deny {
		t.Errorf("an approval turned a deny into %v", have.Action)
	}
	if _, err := db.Submit(t.Context(), request("s", part("ls", "ls *"), denied)); !errors.Is(err, ErrInvalid) {
		t.Errorf("a request with a denied part was taken: %v", err)
	}
}

func TestPermissionOfAnApprovalIsNoWildcard(t *testing.T) {
	db := newDB(t)
	odd := part("x", "x")
	odd.Request.Permission = "mcp*"
	settle(t, db, submit(t, db, request("s", odd)), Answer{Reply: Always, Scope: ScopeProject})
	all, err := db.AllApprovals(t.Context(), nil)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	other := part("x", "x")
	other.Request.Permission = "mcp_other"
	if have := rules.Answer(other, []rules.Rule{all[0].Rule()}); have.Action != rules.Ask {
		t.Errorf("approval of mcp* answers mcp_other: %v", have)
	}
	if have := rules.Answer(odd, []rules.Rule{all[0].Rule()}); have.Action != rules.Allow {
		t.Errorf("approval of mcp* does not answer mcp*: %v", have)
	}
}

func TestApprovingTwiceKeepsTheFirst(t *testing.T) {
	db := newDB(t)
	approve(t, db, "git status", "git *", ScopeProject)
	id := submit(t, db, request("s", part("git push", "git *")))
	settle(t, db, id, Answer{Reply: Always, Scope: ScopeProject})
	all, err := db.AllApprovals(t.Context(), nil)
	if err != nil || len(all) != 1 || all[0].ID != 1 || all[0].RequestID != 1 {
		t.Errorf("have %+v, %v", all, err)
	}
}

func TestRevokeIsAllOrNothing(t *testing.T) {
	db := newDB(t)
	approve(t, db, "a", "a *", ScopeProject)
	approve(t, db, "b", "b *", ScopeSession)
	approve(t, db, "c", "c *", ScopeGlobal)
	if revoked, err := db.Revoke(t.Context(), 1, 99); !errors.Is(err, ErrNotFound) || revoked != nil {
		t.Errorf("have %v, %v, want ErrNotFound", revoked, err)
	}
	if n := approvalCount(t, db); n != 3 {
		t.Errorf("%d approvals are left, want 3", n)
	}
	if revoked, err := db.Revoke(t.Context(), 2, 2); err != nil || len(revoked) != 1 || revoked[0].Pattern != "b *" {
		t.Errorf("have %v, %v", revoked, err)
	}
	if revoked, err := db.RevokeAll(t.Context(), &Place{Project: "/other"}); err != nil || len(revoked) != 1 || revoked[0].Pattern != "c *" {
		t.Errorf("have %v, %v", revoked, err)
	}
	if revoked, err := db.RevokeAll(t.Context(), nil); err != nil || len(revoked) != 1 {
		t.Errorf("have %v, %v", revoked, err)
	}
	approve(t, db, "d", "d *", ScopeGlobal)
	if all, err := db.AllApprovals(t.Context(), nil); err != nil || len(all) != 1 || all[0].ID != 4 {
		t.Errorf("an id was used again: %v, %v", all, err)
	}
}
