package db

import (
	"errors"
	"reflect"
	"strings"
	"testing"

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
