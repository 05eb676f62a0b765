package db

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// answered asks, answers with an always and logs that, as the commands do.
func answered(t *testing.T, db *DB, text, pattern string, scope Scope) int64 {
	t.Helper()
	r := request("s", part(text, pattern))
	id := submit(t, db, r)
	settle(t, db, id, Answer{Reply: Always, Scope: scope, By: "somebody"})
	e := Entry{Verb: "ask", Outcome: OutcomeAlways, Line: text, Project: r.Project, Session: r.Session, RequestID: id, Reasons: r.Reasons}
	if _, err := db.Log(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	return id
}

// damaged is a database with two approvals that its log proves, five that it does
// not, and a log of some pages.
func damaged(t *testing.T) *DB {
	t.Helper()
	db := newDB(t)
	answered(t, db, "git push", "git push *", ScopeProject)
	answered(t, db, "make it", "make *", ScopeGlobal)
	for n := range 150 {
		if _, err := db.Log(t.Context(), Entry{Verb: "ask", Outcome: OutcomeDeny, Line: fmt.Sprintf("%d %s", n, strings.Repeat("x", 200))}); err != nil {
			t.Fatal(err)
		}
	}
	approve(t, db, "never logged", "never logged *", ScopeProject)
	id := answered(t, db, "cargo build", "cargo build *", ScopeProject)
	insert := `INSERT INTO approvals (scope, key, permission, pattern, head, at, request_id, sum) VALUES (?, ?, 'bash', ?, '', 0, ?, ?)`
	for _, a := range []Approval{
		{Scope: ScopeProject, Key: "/p", Permission: "bash", Pattern: "rm *", RequestID: id},          // forged: the request asked for another thing
		{Scope: ScopeProject, Key: "/q", Permission: "bash", Pattern: "cargo build *", RequestID: id}, // and in another project
		{Scope: ScopeGlobal, Permission: "bash", Pattern: "sudo *"},
	} {
		var request any
		if a.RequestID != 0 {
			request = a.RequestID
		}
		if _, err := db.sql.Exec(insert, a.Scope, a.Key, a.Pattern, request, a.sum()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.sql.Exec(`UPDATE approvals SET pattern = 'cargo *' WHERE pattern = 'cargo build *' AND key = '/p'`); err != nil {
		t.Fatal(err)
	}
	return db
}

func rebuild(t *testing.T, path string) (s Salvage, aside string) {
	t.Helper()
	aside = Aside(path, noon())
	s, err := Rebuild(t.Context(), path, aside, "me", noon())
	if err != nil {
		t.Fatal(err)
	}
	return s, aside
}

func patterns(t *testing.T, db *DB) string {
	t.Helper()
	all, err := db.AllApprovals(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, a := range all {
		list = append(list, fmt.Sprintf("#%d %s", a.ID, a.Pattern))
	}
	return strings.Join(list, ", ")
}

func TestRebuildKeepsWhatTheLogProves(t *testing.T) {
	db := damaged(t)
	db.Close()
	whole, err := os.ReadFile(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Salvageable(t.Context(), db.Path())
	if err != nil {
		t.Fatal(err)
	}
	s, aside := rebuild(t, db.Path())
	if s.Entries != 153 || s.Broken != nil || len(s.Kept) != 2 || len(s.Dropped) != 5 {
		t.Errorf("have %+v", s)
	}
	if plan.Entries != s.Entries || len(plan.Kept) != len(s.Kept) || len(plan.Dropped) != len(s.Dropped) {
		t.Errorf("the plan was %+v", plan)
	}
	for i, why := range []string{"no entry of the log", "damaged", "does not answer", "another project's", "no entry of the log"} {
		if i < len(s.Dropped) && !strings.Contains(s.Dropped[i].Why, why) {
			t.Errorf("%s: dropped since %s, want %s", s.Dropped[i].Pattern, s.Dropped[i].Why, why)
		}
	}
	if have := strings.Join(s.Lost, ", "); have != "events: 8, requests: 4" {
		t.Errorf("lost %s", have)
	}

	moved, err := os.ReadFile(filepath.Join(aside, "mayi.db"))
	if err != nil || string(moved) != string(whole) {
		t.Errorf("what was moved aside is not what was there: %v", err)
	}
	again := open(t, db.Path())
	if have, want := patterns(t, again), "#1 git push *, #2 make *"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	if c, err := again.Chain(t.Context(), ""); err != nil || c.Count != 154 {
		t.Errorf("the log has %d entries, %v", c.Count, err)
	}
	if e, err := again.Entry(t.Context(), 154); err != nil || e.Verb != "doctor --repair" || !strings.Contains(e.Line, "2 approvals kept, 5 dropped") || e.By != "me" {
		t.Errorf("have %+v, %v", e, err)
	}
	if r, err := again.Request(t.Context(), 1); err != nil || r.State != StateAlways || len(r.Reasons) != 1 || r.Line != "git push" {
		t.Errorf("have %+v, %v", r, err)
	}
	// Ids are not used again, and another rebuild keeps the same.
	if id := answered(t, again, "go vet", "go vet *", ScopeProject); id != 5 {
		t.Errorf("the next request is %d", id)
	}
	if have, want := patterns(t, again), "#1 git push *, #2 make *, #8 go vet *"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	again.Close()
	s, err = Rebuild(t.Context(), db.Path(), Aside(db.Path(), noon().Add(1e9)), "me", noon())
	if err != nil || len(s.Kept) != 3 || len(s.Dropped) != 0 || s.Entries != 155 {
		t.Errorf("have %+v, %v", s, err)
	}
}

// TestRebuildOfAnything damages the file in many ways. What is allowed afterwards
// was allowed before, and the new database is sound.
func TestRebuildOfAnything(t *testing.T) {
	db := damaged(t)
	db.Close()
	read, err := os.ReadFile(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	whole := string(read)
	garbage := func(from, to int) string {
		return whole[:from] + strings.Repeat("\xaa\x05", (to-from)/2) + whole[to:]
	}
	damage := map[string]string{
		"empty":                "",
		"garbage":              strings.Repeat("no database ", 1000),
		"cut in half":          whole[:len(whole)/2],
		"cut to a page":        whole[:4096],
		"cut within a page":    whole[:len(whole)-1000],
		"header":               garbage(0, 100),
		"first page":           garbage(0, 4096),
		"behind the first":     garbage(4096, len(whole)),
		"wiped with zeros":     strings.Repeat("\x00", len(whole)),
		"something at its end": whole + strings.Repeat("more", 2000),
	}
	for at := 4096; at < len(whole); at += 4096 {
		damage[fmt.Sprintf("page %d", at/4096+1)] = garbage(at, at+4096)
		damage[fmt.Sprintf("a bit of page %d", at/4096+1)] = flip(whole, at+4090)
	}
	kept := 0
	for name, content := range damage {
		path := filepath.Join(t.TempDir(), "mayi.db")
		write(t, path, content)
		s, aside := rebuild(t, path)
		kept += len(s.Kept)
		if have, err := os.ReadFile(filepath.Join(aside, "mayi.db")); err != nil || string(have) != content {
			t.Errorf("%s: what was moved aside is not what was there: %v", name, err)
		}
		again := open(t, path)
		for _, a := range strings.Split(patterns(t, again), ", ") {
			if a != "" && a != "#1 git push *" && a != "#2 make *" {
				t.Errorf("%s: %s is approved", name, a)
			}
		}
		if c, err := again.Chain(t.Context(), ""); err != nil || c.Count != s.Entries+1 {
			t.Errorf("%s: %d entries, %v", name, c.Count, err)
		}
		var check string
		if err := again.sql.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
			t.Errorf("%s: integrity: %s, %v", name, check, err)
		}
		if left, err := filepath.Glob(path + newInfix + "*"); err != nil || left != nil {
			t.Errorf("%s: left %v", name, left)
		}
		again.Close()
	}
	if kept < len(damage) {
		t.Errorf("only %d approvals were kept in %d cases", kept, len(damage))
	}
}

// TestRebuildReadsTheWAL rebuilds what a process that was killed left behind: the
// approvals are in the -wal yet. Garbage there proves nothing and harms nothing.
func TestRebuildReadsTheWAL(t *testing.T) {
	for _, garbage := range []bool{false, true} {
		p := newDB(t)
		p.Close()
		killed := start(t, "acknowledge", p.Path())
		waiterID(t, killed)
		killed.Process.Kill()
		killed.Wait()
		want := "kept"
		if garbage {
			write(t, p.Path()+"-wal", strings.Repeat("garbage", 1000))
			want = "gone"
		}
		s, aside := rebuild(t, p.Path())
		have := "gone"
		if s.Entries > 0 {
			have = "kept"
		}
		if have != want {
			t.Errorf("the log is %s, want %s: %+v", have, want, s)
		}
		for _, suffix := range besides[:2] {
			if _, err := os.Lstat(filepath.Join(aside, "mayi.db"+suffix)); err != nil {
				t.Error(err)
			}
		}
		if err := open(t, p.Path()).VerifyLog(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestRebuildTouchesNothingInUse(t *testing.T) {
	db := newDB(t)
	waiter := start(t, "wait", db.Path(), "s", "ls", "")
	id := waiterID(t, waiter)
	db.Close()
	_, err := Rebuild(t.Context(), db.Path(), Aside(db.Path(), noon()), "me", noon())
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), fmt.Sprintf("pid %d", waiter.Process.Pid)) {
		t.Errorf("have %v, want ErrInUse", err)
	}
	again := open(t, db.Path())
	settle(t, again, id, Answer{Reply: Once})
	if state := waiter.finish(t); state != string(StateOnce) {
		t.Errorf("the waiter was told %s", state)
	}
}

func TestRebuildLeavesWhatIsNotDamagedOrNotOurs(t *testing.T) {
	newer := newDB(t)
	if _, err := newer.sql.Exec(`PRAGMA user_version = 999`); err != nil {
		t.Fatal(err)
	}
	newer.Close()
	link := filepath.Join(t.TempDir(), "mayi.db")
	if err := os.Symlink(newer.Path(), link); err != nil {
		t.Fatal(err)
	}
	hard := newDB(t)
	hard.Close()
	if err := os.Link(hard.Path(), hard.Path()+"2"); err != nil {
		t.Fatal(err)
	}
	foreign := bare(t, `CREATE TABLE t (x); PRAGMA application_id = 5`)
	paths := map[string]error{link: ErrUnsafe, hard.Path(): ErrUnsafe, foreign: ErrForeign, newer.Path(): nil}
	if os.Geteuid() == 0 {
		theirs := newDB(t)
		theirs.Close()
		if err := os.Chown(theirs.Path(), nobody, nobody); err != nil {
			t.Fatal(err)
		}
		paths[theirs.Path()] = ErrUnsafe
	}
	for path, want := range paths {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Rebuild(t.Context(), path, Aside(path, noon()), "me", noon())
		var schema *SchemaError
		if want != nil && !errors.Is(err, want) || want == nil && !errors.As(err, &schema) {
			t.Errorf("%s: have %v, want %v", path, err, want)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s was touched: %v", path, err)
		}
		if _, err := os.Lstat(Aside(path, noon())); err == nil {
			t.Errorf("%s was moved aside", path)
		}
	}
}

// TestRebuildThatWasCutShort makes what a crash leaves at each point of an
// exchange. Nobody trusts that, and the next rebuild ends it.
func TestRebuildThatWasCutShort(t *testing.T) {
	link := func(from, to string) {
		t.Helper()
		if err := os.Link(from, to); err != nil {
			t.Fatal(err)
		}
	}
	for _, exchanged := range []bool{false, true} {
		db := damaged(t)
		path, aside := db.Path(), Aside(db.Path(), noon().Add(-1e9))
		db.Close()
		write(t, path+"-wal", "of the old one")
		if err := os.Mkdir(aside, 0o700); err != nil {
			t.Fatal(err)
		}
		link(path, filepath.Join(aside, "mayi.db"))
		link(path+"-wal", filepath.Join(aside, "mayi.db-wal"))
		if exchanged {
			other := newDB(t)
			other.Close()
			if err := os.Rename(other.Path(), path); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(t.Context(), path); !errors.Is(err, ErrUnsafe) {
			t.Errorf("exchanged %v: Open: %v", exchanged, err)
		}
		s, _ := rebuild(t, path)
		if want := map[bool]int{true: 0, false: 2}[exchanged]; len(s.Kept) != want {
			t.Errorf("exchanged %v: have %+v", exchanged, s)
		}
		if _, err := os.Lstat(aside); (err == nil) != exchanged {
			t.Errorf("exchanged %v: what was moved aside: %v", exchanged, err)
		}
		if err := open(t, path).VerifyLog(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
