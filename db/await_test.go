package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestOneAlwaysReleasesAllWaiters(t *testing.T) {
	db := newDB(t)
	var waiters []*process
	var first int64
	for i := range 16 {
		bell := "bell"
		if i%4 == 3 {
			bell = "none"
		}
		p := start(t, "wait", db.Path(), "session"+strconv.Itoa(i), "make", bell)
		waiters = append(waiters, p)
		first = waiterID(t, p)
	}
	settled := settle(t, db, first, Answer{Reply: Always, Scope: ScopeProject, By: "me"})
	if len(settled) != len(waiters) {
		t.Errorf("%d settled, want %d", len(settled), len(waiters))
	}
	for _, p := range waiters {
		if out := p.finish(t); out != "always" {
			t.Errorf("a waiter ended with %q", out)
		}
	}
}

func waiterID(t *testing.T, p *process) int64 {
	t.Helper()
	id, err := strconv.ParseInt(p.line(t), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestOneAnswerWins(t *testing.T) {
	db := newDB(t)
	id := submit(t, db, request("s", part("a", "a *")))
	var all []*process
	for range 10 {
		all = append(all, start(t, "settle", db.Path(), fmt.Sprint(id)))
	}
	won := 0
	for _, p := range all {
		switch out := p.finish(t); {
		case out == "settled":
			won++
		case !strings.Contains(out, "already settled: once by process"):
			t.Errorf("a loser says %q", out)
		}
	}
	if won != 1 {
		t.Errorf("%d won", won)
	}
}

func TestKilledWaiterLeavesNoGhost(t *testing.T) {
	for _, bell := range []string{"bell", "none"} {
		db := newDB(t)
		p := start(t, "wait", db.Path(), "s", "make", bell)
		id := waiterID(t, p)
		if pending, err := db.Pending(t.Context(), Filter{}); err != nil || len(pending) != 1 {
			t.Fatalf("alive: %v, %v", pending, err)
		}
		p.Process.Kill()
		p.Wait()

		read, err := OpenRead(t.Context(), db.Path())
		if err != nil {
			t.Fatal(err)
		}
		defer read.Close()
		if pending, err := read.Pending(t.Context(), Filter{}); err != nil || len(pending) != 0 {
			t.Errorf("%s: a reader sees a ghost: %v, %v", bell, pending, err)
		}
		if _, err := db.Settle(t.Context(), id, Answer{Reply: Once}); !errors.Is(err, ErrSettled) {
			t.Errorf("%s: a ghost was answered: %v", bell, err)
		}
		wantState(t, db, id, StateWithdrawn)
		events, err := db.Events(t.Context(), 1, 10)
		if err != nil || len(events) != 1 || events[0].Reply != "withdrawn" {
			t.Errorf("%s: events %+v, %v", bell, events, err)
		}
	}
}

func TestZombieIsGone(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	// Wait until it has ended, and leave it unreaped.
	if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := startOf(cmd.Process.Pid); !errors.Is(err, errNoProcess) {
		t.Errorf("have %v", err)
	}
}

func TestOnlyACertainGhostIsOne(t *testing.T) {
	self := Self()
	if self.Start == "" || self.Boot == "" {
		t.Fatalf("%+v", self)
	}
	with := func(change func(*Process)) Process {
		p := self
		change(&p)
		return p
	}
	dir := filepath.Join(t.TempDir(), "bells")
	live, err := Listen(dir, AskerBell)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	dead := filepath.Join(dir, "ask-dead")
	deadBell(t, dead)
	gone := filepath.Join(dir, "ask-gone")

	for name, test := range map[string]struct {
		bell  string
		asker Process
		want  bool
	}{
		"alive":                               {"", self, false},
		"unknown":                             {"", Process{}, false},
		"alive with a bell":                   {live.Path(), self, false},
		"a bell that answers counts more":     {live.Path(), with(func(p *Process) { p.Start = "1" }), false},
		"another process of that number":      {"", with(func(p *Process) { p.Start = "1" }), true},
		"no process of that number":           {"", with(func(p *Process) { p.PID = 1 << 30 }), true},
		"before a restart":                    {"", with(func(p *Process) { p.Boot = "other" }), true},
		"a PID that counts elsewhere":         {"", with(func(p *Process) { p.PID, p.Space = 1<<30, "other" }), false},
		"a dead bell":                         {dead, self, true},
		"a bell removed from under its owner": {gone, self, false},
		"no bell and no process":              {gone, with(func(p *Process) { p.PID = 1 << 30 }), true},
		"no bell, and unknown":                {gone, Process{}, true},
		"a bell that is no path":              {"@abstract", self, false},
	} {
		if have := isGhost(test.bell, test.asker, self); have != test.want {
			t.Errorf("%s: have %v, want %v", name, have, test.want)
		}
	}
}

// deadBell leaves a socket that nobody holds open.
func deadBell(t *testing.T, path string) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	unix.Close(fd)
}

func TestReplyBetweenSubmitAndAwaitIsNotLost(t *testing.T) {
	db, other := newDB(t), (*DB)(nil)
	other = open(t, db.Path())
	bell, err := Listen(db.Bells(), AskerBell)
	if err != nil {
		t.Fatal(err)
	}
	defer bell.Close()
	r := request("s", part("a", "a *"))
	r.Bell, r.Asker = bell.Path(), Self()
	id := submit(t, db, r)
	settle(t, other, id, Answer{Reply: Once})
	<-bell.C() // and even if the ring is gone
	status, err := db.Await(t.Context(), id, bell)
	if err != nil || status.State != StateOnce {
		t.Errorf("have %+v, %v", status, err)
	}
}

func TestRingAloneAnswersNothing(t *testing.T) {
	db := newDB(t)
	bell, err := Listen(db.Bells(), AskerBell)
	if err != nil {
		t.Fatal(err)
	}
	defer bell.Close()
	id := submit(t, db, request("s", part("a", "a *")))
	for range 5000 { // more than any queue holds
		if err := Ring(bell.Path()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, err := db.Await(ctx, id, bell)
	if !errors.Is(err, context.Canceled) || status.State.Allows() {
		t.Errorf("have %+v, %v", status, err)
	}
	wantState(t, db, id, StatePending)
}

func TestAwaitOfNothingIsAnError(t *testing.T) {
	db := newDB(t)
	if status, err := db.Await(t.Context(), 99, nil); !errors.Is(err, ErrNotFound) || status.State != "" {
		t.Errorf("have %+v, %v", status, err)
	}
	db.Close()
	if _, err := db.Await(t.Context(), 99, nil); err == nil {
		t.Error("await on a closed database: no error")
	}
}

func TestWatchersHearEverything(t *testing.T) {
	db := newDB(t)
	watcher, err := Listen(db.Bells(), WatcherBell)
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close()
	a := submit(t, db, request("s", part("a", "a *")))
	<-watcher.C()
	b := submit(t, db, request("s", part("a", "a *")))
	<-watcher.C()
	settle(t, db, a, Answer{Reply: Once})
	<-watcher.C()
	if err := db.Withdraw(t.Context(), b, StateExpired); err != nil {
		t.Fatal(err)
	}
	<-watcher.C()
	ghost := request("s", part("a", "a *"))
	ghost.Asker = Process{PID: 1, Start: "0", Boot: "another"}
	submit(t, db, ghost)
	<-watcher.C()
	if ids, err := db.Sweep(t.Context()); err != nil || len(ids) != 1 {
		t.Fatal(ids, err)
	}
	<-watcher.C()
}

func TestLongBellPathWorks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux binds a socket through a directory")
	}
	dir := filepath.Join(t.TempDir(), strings.Repeat("d", 150), "bells")
	for range 2 { // the second sweeps
		bell, err := Listen(dir, AskerBell)
		if err != nil {
			t.Fatal(err)
		}
		defer bell.Close()
		if len(bell.Path()) < 150 {
			t.Fatalf("%s is short", bell.Path())
		}
		if err := Ring(bell.Path()); err != nil {
			t.Fatal(err)
		}
		<-bell.C()
		if err := probe(bell.Path()); err != nil {
			t.Error(err)
		}
	}
}

func TestListenSweepsDeadBells(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bells")
	live, err := Listen(dir, AskerBell)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	dead := filepath.Join(dir, "watch-dead")
	deadBell(t, dead)
	fresh := filepath.Join(dir, newPrefix+"fresh") // refuses connections, but not for long
	deadBell(t, fresh)
	file := filepath.Join(dir, "ask-file")
	write(t, file, "no socket")
	bell, err := Listen(dir, WatcherBell)
	if err != nil {
		t.Fatal(err)
	}
	bell.Close()
	for path, want := range map[string]bool{live.Path(): true, dead: false, fresh: true, file: true, bell.Path(): false} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: there %v, want %v", path, err == nil, want)
		}
	}
}

func TestBellDirectoryIsPrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "bells")
	bell, err := Listen(dir, AskerBell)
	if err != nil {
		t.Fatal(err)
	}
	bell.Close()
	if d, err := os.Stat(dir); err != nil || d.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", d.Mode(), err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := TryBell(dir); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a directory that others may enter: %v", err)
	}
	elsewhere, err := Listen(dir, AskerBell)
	if err != nil || !isAway(elsewhere.Path()) {
		t.Fatalf("a directory that others may enter: %s, %v", elsewhere.Path(), err)
	}
	elsewhere.Close()
}

func TestNilBellNeverRings(t *testing.T) {
	var b *Bell
	if b.Path() != "" || b.C() != nil || b.Close() != nil {
		t.Error("a nil bell does something")
	}
}

// TestBellElsewhereIsRung lets a waiter and a watcher bind where no socket can be
// beside the database.
func TestBellElsewhereIsRung(t *testing.T) {
	db := newDB(t)
	write(t, db.Bells(), "no directory")
	watcher, err := Listen(db.Bells(), WatcherBell)
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close()
	bell, err := Listen(db.Bells(), AskerBell)
	if err != nil {
		t.Fatal(err)
	}
	r := request("s", part("ls", "ls *"))
	r.Bell = bell.Path() // and no process: only the bell says that its owner lives
	id := submit(t, db, r)
	<-watcher.C()
	if pending, err := db.Pending(t.Context(), Filter{}); err != nil || len(pending) != 1 {
		t.Fatal(pending, err)
	}
	settle(t, db, id, Answer{Reply: Once})
	<-bell.C()
	bell.Close()

	// One that is not found may be in a /tmp of another container.
	r.Bell = bell.Path()
	gone := submit(t, db, r)
	if ghosts, err := db.Sweep(t.Context()); err != nil || len(ghosts) != 0 {
		t.Errorf("request %d: %v, %v", gone, ghosts, err)
	}
}

// TestNetworkFileSystemHasNoWAL opens a database as on a file system that several
// machines share, where it was a WAL database before.
func TestNetworkFileSystemHasNoWAL(t *testing.T) {
	local := newDB(t)
	approve(t, local, "ls", "ls *", ScopeProject)
	local.Close()
	db, err := connectOn(FileSystem{"nfs", true}, local.Path(), writing)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var mode string
	if err := db.sql.QueryRow(`PRAGMA journal_mode`).Scan(&mode); err != nil || mode != "truncate" {
		t.Errorf("journal mode %s, %v", mode, err)
	}
	r := request("s", part("ls", "ls *"))
	r.Asker = Self()
	r.Asker.Boot = "another machine"
	id := submit(t, db, r)
	if ghosts, err := db.Sweep(t.Context()); err != nil || len(ghosts) != 0 {
		t.Errorf("a waiter of another machine is taken for dead: %v, %v", ghosts, err)
	}
	settle(t, db, id, Answer{Reply: Once})
	read, err := OpenRead(t.Context(), local.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	wantState(t, read, id, StateOnce)
	if n := approvalCount(t, read); n != 1 {
		t.Errorf("%d approvals", n)
	}
}

// TestQueueIsLeftAfterAWhile holds the queue, and demands that a writer does not
// wait for it for ever.
func TestQueueIsLeftAfterAWhile(t *testing.T) {
	db := newDB(t)
	leave := db.queue(t.Context())
	began := time.Now()
	submit(t, db, request("s", part("ls", "ls *")))
	if took := time.Since(began); took < patience {
		t.Errorf("it was written after %v, ahead of the queue", took)
	}
	leave()
	other := db.queue(t.Context())
	other()
}
