package db

import (
	"database/sql"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"mayi/rules"
)

func TestLogIsAppendOnly(t *testing.T) {
	db := newDB(t)
	for _, line := range []string{"a", "b", "c"} {
		if _, err := db.Log(t.Context(), Entry{Verb: "ask", Outcome: OutcomeAllow, Line: line}); err != nil {
			t.Fatal(err)
		}
	}
	for _, statement := range []string{
		`UPDATE log SET outcome = 'deny' WHERE id = 1`,
		`DELETE FROM log WHERE id = 1`,
		`DELETE FROM log`,
		`INSERT OR REPLACE INTO log SELECT * FROM log WHERE id = 1`,
	} {
		if _, err := db.sql.Exec(statement); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
	if entries, err := db.Entries(t.Context(), 10); err != nil || len(entries) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if err := db.VerifyLog(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEntriesAreReadAsTheyWereWritten(t *testing.T) {
	db := newDB(t)
	db.Now = noon
	want := Entry{
		ID: 2, At: noon(), Verb: "hook", Outcome: OutcomeCorrected, Line: "rm \xff\x00", Permission: "bash", Project: "/p", Session: "s",
		Agent: "plan", Cwd: "/p/sub", PID: 7, By: "me", RequestID: 3, Reasons: []rules.Reason{part("rm", "rm")},
	}
	for _, e := range []Entry{{Verb: "ask", Outcome: OutcomeAllow}, want, {Verb: "run", Outcome: OutcomeDeny}} {
		if _, err := db.Log(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := db.Entries(t.Context(), 2)
	if err != nil || len(entries) != 2 || entries[1].Verb != "run" {
		t.Fatalf("have %+v, %v", entries, err)
	}
	if !reflect.DeepEqual(entries[0], want) {
		t.Errorf("have %+v\nwant %+v", entries[0], want)
	}
	if _, err := db.Log(t.Context(), Entry{Verb: "ask", Outcome: "perhaps"}); err == nil {
		t.Error("an outcome that does not exist was taken")
	}
}

func TestLogShowsWhatWasTamperedWith(t *testing.T) {
	for name, test := range map[string]struct{ statement, says string }{
		"changed": {`UPDATE log SET outcome = 'allow' WHERE id = 102`, "log entry 102"},
		"removed": {`DELETE FROM log WHERE id = 105`, "log entry 106"},
		"added":   {`UPDATE log SET id = 500 WHERE id = 110`, "log entry 500"},
	} {
		db := newDB(t)
		for range 110 {
			if _, err := db.Log(t.Context(), Entry{Verb: "ask", Outcome: OutcomeDeny}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := db.sql.Exec(`DROP TRIGGER log_no_update; DROP TRIGGER log_no_delete; ` + test.statement); err != nil {
			t.Fatal(err)
		}
		if err := db.VerifyLog(t.Context()); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: have %v", name, err)
		}
	}
}

func TestManyProcessesLogOneChain(t *testing.T) {
	db := newDB(t)
	var all []*process
	for range 8 {
		all = append(all, start(t, "log", db.Path()))
	}
	for _, p := range all {
		p.finish(t)
	}
	if err := db.VerifyLog(t.Context()); err != nil {
		t.Error(err)
	}
	if entries, err := db.Entries(t.Context(), 1000); err != nil || len(entries) != 80 {
		t.Errorf("%d entries, %v, want 80", len(entries), err)
	}
}

// TestLogMissesItsNewest cuts the newest entries off: SQLite remembers that
// there were more, and so does the next entry.
func TestLogMissesItsNewest(t *testing.T) {
	db := newDB(t)
	log := func() {
		t.Helper()
		if _, err := db.Log(t.Context(), Entry{Verb: "ask", Outcome: OutcomeDeny}); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		log()
	}
	if _, err := db.sql.Exec(`DROP TRIGGER log_no_delete; DELETE FROM log WHERE id > 3`); err != nil {
		t.Fatal(err)
	}
	wantBroken := func(id int64) {
		t.Helper()
		var broken *ChainError
		if chain, err := db.Chain(t.Context(), ""); !errors.As(err, &broken) || broken.ID != id || chain.Count != 3 {
			t.Errorf("have %v after %d entries, want it broken at entry %d", err, chain.Count, id)
		}
	}
	wantBroken(4)
	log()
	wantBroken(6)
}

func TestLogThatWasWrittenAnewLacksItsOldHead(t *testing.T) {
	db := newDB(t)
	for _, line := range []string{"a", "b"} {
		if _, err := db.Log(t.Context(), Entry{Verb: "ask", Outcome: OutcomeDeny, Line: line}); err != nil {
			t.Fatal(err)
		}
	}
	before, err := db.Chain(t.Context(), "")
	if err != nil || before.Count != 2 {
		t.Fatal(before, err)
	}
	if c, err := db.Chain(t.Context(), before.Head); err != nil || c.Known != 2 {
		t.Errorf("have %+v, %v", c, err)
	}
	rows, err := logRows(t.Context(), db.sql, `ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.sql.Exec(`DROP TRIGGER log_no_delete; DELETE FROM log`); err != nil {
		t.Fatal(err)
	}
	hash := ""
	for _, r := range rows {
		r.Outcome = OutcomeAllow
		hash = r.chain(hash)
		r.hash = hash
		if err := db.write(t.Context(), func(tx *sql.Tx) error { return r.insert(t.Context(), tx) }); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := db.Chain(t.Context(), before.Head); err != nil || c.Known != 0 || c.Count != 2 {
		t.Errorf("have %+v, %v", c, err)
	}
}

func TestLogFilters(t *testing.T) {
	db := newDB(t)
	at := noon()
	db.Now = func() time.Time { return at }
	for n := range 250 {
		at = at.Add(time.Minute)
		e := Entry{Verb: "ask", Outcome: OutcomeDeny, Session: "s", Line: strconv.Itoa(n)}
		if n%10 == 0 {
			e.Outcome, e.Session = OutcomeAllow, "r"
		}
		if _, err := db.Log(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name        string
		filter      LogFilter
		count       int
		first, last string
	}{
		{"all", LogFilter{}, 250, "0", "249"},
		{"newest", LogFilter{Newest: 7}, 7, "243", "249"},
		{"more than there are", LogFilter{Newest: 1000}, 250, "0", "249"},
		{"session", LogFilter{Session: "r"}, 25, "0", "240"},
		{"outcome", LogFilter{Outcomes: []Outcome{OutcomeAllow}}, 25, "0", "240"},
		{"outcomes", LogFilter{Outcomes: []Outcome{OutcomeAsk, OutcomeDeny}, Newest: 2}, 2, "248", "249"},
		{"since", LogFilter{Since: noon().Add(200 * time.Minute)}, 51, "199", "249"},
		{"all of it", LogFilter{Since: noon().Add(200 * time.Minute), Session: "r", Outcomes: []Outcome{OutcomeAllow}, Newest: 3}, 3, "220", "240"},
		{"none", LogFilter{Session: "nobody"}, 0, "", ""},
	} {
		var have []string
		err := db.EachEntry(t.Context(), test.filter, func(e Entry) error {
			have = append(have, e.Line)
			return nil
		})
		if err != nil || len(have) != test.count || len(have) > 0 && (have[0] != test.first || have[len(have)-1] != test.last) {
			t.Errorf("%s: have %v, %v", test.name, have, err)
		}
	}
}
