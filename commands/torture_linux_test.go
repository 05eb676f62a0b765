package commands

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"mayi/db"
	"mayi/rules"
	"mayi/shellparse"
)

// figure is how many of something a test tries: few in go test -short, some in
// go test, and for scripts/torture, which says so, a percentage of the full
// figure.
func figure(short, usual, full int) int {
	percent, err := strconv.Atoi(os.Getenv("MAYI_TORTURE"))
	switch {
	case err == nil:
		return max(1, full*percent/100)
	case testing.Short():
		return short
	}
	return usual
}

// A victim is a command that is killed, or whose system calls fail, and what
// must hold afterwards. A verb more is a row more.
type victim struct {
	name   string
	args   []string
	person bool                          // it needs a terminal of its own
	types  func(shown string) string     // what the person types when a screen shows this
	waits  []string                      // lines that other processes ask about before
	before func(*place)                  // what is there before
	during func(*place)                  // what happens until it ends
	acked  func(run) bool                // whether it said that it is done
	done   func(*place) (all, none bool) // what of its effect is there
	never  bool                          // it may end in any way but an allow
}

// victims are the commands that change something, and those that a fault must
// not make more lenient.
func victims() []victim {
	allowed := func(r run) bool { return r.code == 0 }
	says := func(text string) func(run) bool {
		return func(r run) bool { return strings.Contains(r.shown, text) }
	}
	return []victim{
		{
			name: "migrate", args: []string{"ask", "--no-tty", "--timeout", "5s", "git status"},
			acked: allowed, done: func(p *place) (bool, bool) { return p.logged("git status", "allow") },
		},
		{
			// Where its config cannot be read it asks, and there is nobody to answer.
			name: "ask allowed", args: []string{"ask", "--no-tty", "--timeout", "5s", "git status"}, before: stored,
			acked: allowed, done: func(p *place) (bool, bool) { return p.logged("git status", "allow") },
		},
		{
			name: "ask answered", args: []string{"ask", "--no-tty", "make all"}, before: stored, during: answers,
			acked: allowed, done: func(p *place) (bool, bool) { return p.logged("make all", "once") },
		},
		{
			name: "approve always", args: []string{"approve", "1", "--always"}, person: true, waits: []string{"make build && npm run lint"},
			acked: says("1 always:"), done: func(p *place) (bool, bool) { return p.settled(db.StateAlways, 2) },
		},
		{
			name: "approve reject", args: []string{"approve", "1", "--reject"}, person: true, waits: []string{"make build", "make test"},
			acked: says("1 rejected:"), done: func(p *place) (bool, bool) { return p.settled(db.StateRejected, 0) },
		},
		{
			name: "revoke", args: []string{"revoke", "1", "2"}, person: true, before: stored,
			acked: says("revoked #1"), done: func(p *place) (bool, bool) {
				n := len(p.approvals())
				return n == 0, n == 2
			},
		},
		{
			name: "trust", args: []string{"trust"}, person: true, before: allowing, types: codeOn,
			acked: says("is trusted as it is now"), done: func(p *place) (bool, bool) {
				n := len(p.trusts())
				return n == 1, n == 0
			},
		},
		{
			name: "untrust", args: []string{"untrust"}, person: true, before: trusted,
			acked: says("can only deny and ask now"), done: func(p *place) (bool, bool) {
				n := len(p.trusts())
				return n == 0, n == 1
			},
		},
		{
			name: "migrate an older one", args: []string{"ask", "--no-tty", "--timeout", "5s", "git status"}, before: older,
			acked: allowed, done: func(p *place) (bool, bool) {
				store := p.open()
				defer store.Close()
				if s, err := store.Status(p.t.Context(), 1); err != nil || s.State != db.StateRejected || s.By != "somebody" {
					p.wrong("what was there before is %v, %v", s, err)
				}
				return p.logged("git status", "allow")
			},
		},
		{
			name: "ask unanswered", args: []string{"ask", "--no-tty", "--timeout", "0", "make all"}, before: stored, never: true,
		},
		{
			name: "check asks", args: []string{"check", "make all"}, before: stored, never: true,
		},
		{
			name: "check denied", args: []string{"check", "git push"}, never: true,
			before: func(p *place) {
				p.write(".config/mayi/config.jsonc", `{"permission": {"bash": {"git *": "allow", "git push *": "deny"}}}`)
			},
		},
		{
			name: "check denied by the project", args: []string{"check", "git push"}, never: true,
			before: func(p *place) {
				p.write(".config/mayi/config.jsonc", `{"permission": {"bash": {"git *": "allow"}}}`)
				p.write("project/.mayi.jsonc", `{"permission": {"bash": {"git push *": "deny"}}}`)
			},
		},
		{
			name: "check allowed by a project that nobody trusts", args: []string{"check", "make all"}, before: allowing, never: true,
		},
		{
			name: "check a file that is denied", args: []string{"check", "cat link"}, never: true,
			before: func(p *place) {
				p.write(".config/mayi/config.jsonc", `{"permission": {"bash": {"cat *": "allow"}, "read": {"*secret": "deny"}}}`)
				p.write("project/secret", "")
				if err := os.Symlink("secret", filepath.Join(p.dir, "project/link")); err != nil {
					p.t.Fatal(err)
				}
			},
		},
	}
}

// stored puts two approvals into the database, #1 and #2, by way of request 1.
func stored(p *place) {
	store := p.open()
	defer store.Close()
	id, err := store.Submit(p.t.Context(), questions("npm ci", "npm test"))
	if err == nil {
		_, err = store.Settle(p.t.Context(), id, db.Answer{Reply: db.Always, Scope: db.ScopeProject})
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// allowing writes a project's file that allows something.
func allowing(p *place) {
	p.write("project/"+projectFile, `{"permission": {"bash": {"make *": "allow"}}}`)
}

// trusted is such a file that is trusted.
func trusted(p *place) {
	allowing(p)
	store := p.open()
	defer store.Close()
	path := filepath.Join(p.dir, "project", projectFile)
	data, err := os.ReadFile(path)
	if err = errors.Join(err, store.Trust(p.t.Context(), path, data, "somebody")); err != nil {
		p.t.Fatal(err)
	}
}

// older makes a database of the first schema, with a request that was rejected.
func older(p *place) {
	schema, err := os.ReadFile("../db/migrations/0001_init.sql")
	if err = errors.Join(err, os.MkdirAll(filepath.Dir(p.db()), 0o700), os.WriteFile(p.db(), nil, 0o600)); err != nil {
		p.t.Fatal(err)
	}
	raw, err := sql.Open("sqlite3", p.db())
	if err == nil {
		_, err = raw.Exec(string(schema) + `;
			INSERT INTO requests (state, project, session, agent, cwd, permission, line, program, bell, pid, start, boot, space, at, settled, who)
			VALUES ('rejected', '/p', 's', '', '/p', 'bash', 'make', 'sh', '', 0, '', '', '', 0, 1, 'somebody');
			INSERT INTO events (at, kind, request_id) VALUES (0, 'asked', 1), (1, 'replied', 1);
			PRAGMA user_version = 1`)
	}
	if err = errors.Join(err, raw.Close()); err != nil {
		p.t.Fatal(err)
	}
}

// questions is a request of which every part can be stored.
func questions(lines ...string) db.Request {
	r := db.Request{Project: "/p", Session: "s", Cwd: "/p", Permission: "bash", Line: strings.Join(lines, " && ")}
	for _, line := range lines {
		r.Reasons = append(r.Reasons, rules.Reason{
			Request: rules.Request{Permission: "bash", Text: shellparse.Lit(line), Store: line + " *"},
			Action:  rules.Ask,
		})
	}
	return r
}

// answers lets every request pass that comes up while the victim runs.
func answers(p *place) {
	store := p.open()
	defer store.Close()
	for p.ctx.Err() == nil {
		list, err := store.Pending(p.t.Context(), db.Filter{})
		for _, r := range list {
			if _, err = store.Settle(p.t.Context(), r.ID, db.Answer{Reply: db.Once, By: "the test"}); err == nil {
				p.answered = r.ID
			}
		}
		if err != nil && !errors.Is(err, db.ErrSettled) && !kept(err) {
			p.wrong("while it ran: %v", err)
			return
		}
		select {
		case <-p.ctx.Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// kept reports whether somebody keeps the file locked: a process that is told
// that its unlocking failed does so until it ends.
func kept(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && (e.Code == sqlite3.ErrBusy || e.Code == sqlite3.ErrProtocol)
}

// A place is a home in which a victim runs once.
type place struct {
	home
	ctx      context.Context // done when the victim has ended
	tally    *tally
	waiters  []*screen
	answered int64 // the request that was answered while it ran
}

// A run is how a victim ended.
type run struct {
	code  int
	shown string
	trace string // what strace wrote
	dir   string // the home it ran in
}

func (p *place) open() *db.DB {
	p.t.Helper()
	store, err := db.Open(p.t.Context(), p.db())
	if err != nil {
		p.t.Fatal(err)
	}
	return store
}

func (p *place) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		p.t.Fatal(err)
	}
}

// wrong is a violation.
func (p *place) wrong(format string, args ...any) {
	p.t.Helper()
	p.tally.violations.Add(1)
	p.t.Errorf(format, args...)
}

// logged reports whether the log holds a decision.
func (p *place) logged(line, outcome string) (all, none bool) {
	store := p.open()
	defer store.Close()
	entries, err := store.Entries(p.t.Context(), 10)
	if err != nil {
		p.wrong("log: %v", err)
	}
	for _, e := range entries {
		if e.Line == line && string(e.Outcome) == outcome {
			return true, false
		}
	}
	return false, true
}

func (p *place) approvals() []db.Approval {
	store := p.open()
	defer store.Close()
	list, err := store.AllApprovals(p.t.Context(), nil)
	if err != nil {
		p.wrong("approvals: %v", err)
	}
	return list
}

func (p *place) trusts() []db.Trust {
	store := p.open()
	defer store.Close()
	list, err := store.Trusts(p.t.Context())
	if err != nil {
		p.wrong("trusts: %v", err)
	}
	return list
}

// settled reports whether every waiter's request is in a state, with so many
// approvals stored, or none is and nothing is stored.
func (p *place) settled(state db.State, approvals int) (all, none bool) {
	store := p.open()
	defer store.Close()
	count := 0
	for i := range p.waiters {
		s, err := store.Status(p.t.Context(), int64(i+1))
		if err != nil {
			p.wrong("request %d: %v", i+1, err)
		}
		if s.State == state {
			count++
		}
	}
	stored := len(p.approvals())
	return count == len(p.waiters) && stored == approvals, count == 0 && stored == 0
}

// sound demands that the file is whole, and takes a row more.
func (p *place) sound() {
	p.t.Helper()
	store, err := db.Open(p.t.Context(), p.db())
	if err != nil {
		p.wrong("the database does not open: %v", err)
		return
	}
	defer store.Close()
	raw, err := sql.Open("sqlite3", "file:"+p.db()+"?mode=ro")
	if err != nil {
		p.t.Fatal(err)
	}
	defer raw.Close()
	var check string
	if err := raw.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		p.wrong("integrity: %s, %v", check, err)
	}
	if err := store.VerifyLog(p.t.Context()); err != nil {
		p.wrong("%v", err)
	}
	if _, err := store.Log(p.t.Context(), db.Entry{Verb: "test", Outcome: db.OutcomeDeny}); err != nil {
		p.wrong("the log takes no entry: %v", err)
	}
}

// once runs a victim once, with options for strace, and demands what must hold.
func (v victim) once(t *testing.T, count *tally, options ...string) run {
	h := newHome(t)
	ctx, ended := context.WithCancel(context.Background())
	defer ended()
	p := &place{home: h, ctx: ctx, tally: count}
	if v.before != nil {
		v.before(p)
	}
	for i, line := range v.waits {
		p.waiters = append(p.waiters, h.at(h.command("ask", "--no-tty", line)))
		if err := watchUntil(h.db(), func(list []db.Request) bool { return len(list) == i+1 }); err != nil {
			t.Fatal(err)
		}
	}
	var during sync.WaitGroup
	if v.during != nil {
		during.Go(func() { v.during(p) })
	}
	r := v.traced(p, options)
	ended()
	during.Wait()
	if v.never {
		if r.code == 0 {
			p.wrong("it was allowed:\n%s", r.shown)
		}
		return r
	}
	all, none := v.done(p)
	switch {
	case !all && v.acked(r):
		p.wrong("it was acknowledged and is not there (exit status %d):\n%s", r.code, r.shown)
	case !all && !none:
		p.wrong("half of it is there")
	}
	p.sound()
	p.nobodyStuck(all)
	return r
}

// traced runs the victim under strace. With -D the tracer is no ancestor of the
// victim, so that what stands between a terminal and it is what it would be.
func (v victim) traced(p *place, options []string) run {
	p.t.Helper()
	mayi, err := exec.LookPath("mayi")
	if err != nil {
		p.t.Fatal(err)
	}
	trace := filepath.Join(p.dir, "trace")
	cmd := p.command()
	cmd.Path, cmd.Args = strace, append(append([]string{"strace", "-D", "-f", "-o", trace}, options...), append([]string{mayi}, v.args...)...)
	var r run
	if v.person {
		r = p.ends(p.at(cmd), v.types)
	} else {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			p.t.Fatal(err)
		}
		defer p.notForever(cmd)()
		_ = cmd.Wait() // for the tracer too, which has the same output
		r = run{code: cmd.ProcessState.ExitCode(), shown: out.String()}
	}
	data, err := os.ReadFile(trace)
	if err != nil {
		p.t.Fatal(err)
	}
	r.trace, r.dir = string(data), p.dir
	return r
}

// ends waits for a process at a terminal, and for its tracer. A person types what
// is asked for, and goes away when that leads nowhere.
func (p *place) ends(s *screen, types func(shown string) string) run {
	p.t.Helper()
	defer p.notForever(s.cmd)()
	if types != nil {
		defer time.AfterFunc(patience/2, func() { s.keyboard.Close() }).Stop()
	}
	typed := ""
	for b := range s.lines {
		s.seen.Write(b)
		if types == nil || !inOrder(plain(s.seen.String()), []string{"type", "trusts nothing"}) {
			continue
		}
		if keys := types(s.seen.String()); keys != typed {
			typed = keys
			_, _ = io.WriteString(s.keyboard, keys+enter) // it may have ended
		}
	}
	_ = s.cmd.Wait()
	return run{code: s.cmd.ProcessState.ExitCode(), shown: plain(s.seen.String())}
}

// notForever makes a process that does not end a violation.
func (p *place) notForever(cmd *exec.Cmd) (stop func() bool) {
	return time.AfterFunc(patience, func() {
		p.wrong("it does not end: %v", cmd.Args)
		cmd.Process.Kill()
	}).Stop
}

// nobodyStuck demands that a waiter that was answered ends, and that one that
// was not can still be answered.
func (p *place) nobodyStuck(done bool) {
	p.t.Helper()
	store := p.open()
	defer store.Close()
	pending, err := store.Pending(p.t.Context(), db.Filter{})
	if err != nil {
		p.wrong("pending: %v", err)
	}
	want := len(p.waiters)
	if done {
		want = 0
	}
	if len(pending) != want {
		p.wrong("%d requests are pending, want %d", len(pending), want)
	}
	for _, r := range pending {
		if _, err := store.Settle(p.t.Context(), r.ID, db.Answer{Reply: db.Once}); err != nil {
			p.wrong("request %d cannot be answered: %v", r.ID, err)
		}
	}
	for i, w := range p.waiters {
		s, err := store.Status(p.t.Context(), int64(i+1))
		if err != nil {
			p.wrong("request %d: %v", i+1, err)
		}
		code := map[db.State]int{db.StateOnce: 0, db.StateAlways: 0, db.StateRejected: 3}[s.State]
		if have := p.ends(w, nil).code; have != code {
			p.wrong("the waiter of request %d ended with %d, want %d", i+1, have, code)
		}
	}
	if p.answered > 0 {
		if s, err := store.Status(p.t.Context(), p.answered); err != nil || s.State != db.StateOnce {
			p.wrong("request %d was answered and is %q, %v", p.answered, s.State, err)
		}
	}
}

// A tally is what came of the runs of one victim.
type tally struct {
	tried, reached, violations atomic.Int64
}

// tell puts the figures into the output, where scripts/torture collects them. Calls
// differ from run to run, so not every point is reached; but most must be.
func (c *tally) tell(t *testing.T, what string) {
	t.Helper()
	tried, reached := c.tried.Load(), c.reached.Load()
	if tried == 0 {
		return // the test runs for another one only
	}
	t.Logf("figure: %s | %d points, %d of them reached | %d violations", what, tried, reached, c.violations.Load())
	if tried >= 20 && reached*2 < tried {
		t.Errorf("%s: only %d of %d points were reached", what, reached, tried)
	}
}

// strace is the program that looks at the calls of another and makes them fail.
const strace = "/usr/bin/strace"

// needStrace skips a test where processes cannot be traced.
func needStrace(t *testing.T) {
	if raceDetector {
		t.Skip("the processes are others, in which the detector finds nothing and takes long")
	}
	t.Helper()
	out, err := exec.Command(strace, "-f", "-o", os.DevNull, "true").CombinedOutput()
	if err != nil {
		t.Skipf("strace does not run here: %v %s", err, out)
	}
}

// calls are the system calls on files, memory and sockets that mayi may make.
// The question mark is for those that an architecture may lack.
const calls = "openat,newfstatat,fstat,read,pread64,write,pwrite64,fsync,fdatasync,ftruncate,fallocate,?unlink,unlinkat," +
	"?rename,renameat,?renameat2,?mkdir,mkdirat,close,fcntl,flock,mmap,munmap,socket,bind,connect,sendto,sendmsg," +
	"getdents64,readlinkat,lseek,getcwd,?fstatfs,?statfs"

var tracedCall = regexp.MustCompile(`(?m)^(\d+) +(\w+)\(`)

// A point is the n-th time that one thread makes a call. strace counts so.
type point struct {
	call string
	n    int
}

// points lists the calls of a run, by the thread that made most of each.
func points(trace string) []point {
	most, counts := map[string]int{}, map[[2]string]int{}
	var list []point
	for _, m := range tracedCall.FindAllStringSubmatch(trace, -1) {
		key := [2]string{m[1], m[2]}
		counts[key]++
		if counts[key] > most[m[2]] && m[2] != "exit_group" {
			most[m[2]] = counts[key]
			list = append(list, point{m[2], counts[key]})
		}
	}
	return list
}

// sample chooses n of a list, the same ones every time, and of each call about as
// many: who is a person is found out by thousands of calls of one kind.
func sample[T any](list []T, n int, call func(T) string) []T {
	type ranked struct {
		at   T
		rank int
	}
	var order []ranked
	count := map[string]int{}
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(list)) {
		order = append(order, ranked{list[i], count[call(list[i])]})
		count[call(list[i])]++
	}
	slices.SortStableFunc(order, func(a, b ranked) int { return a.rank - b.rank })
	var chosen []T
	for _, r := range order[:min(n, len(order))] {
		chosen = append(chosen, r.at)
	}
	return chosen
}

// TestKillAtEveryCall kills a command in front of each of its system calls.
// What it had acknowledged is there, nothing is there by half, and nobody waits
// for ever.
//
// Without --seccomp-bpf: with it, strace 6.1 stops in a way in which the kernel
// drops the signal.
func TestKillAtEveryCall(t *testing.T) {
	needStrace(t)
	for _, v := range victims() {
		if v.never {
			continue
		}
		count := &tally{}
		t.Run(v.name, func(t *testing.T) {
			whole := v.once(t, count, "-e", "trace="+calls)
			if !v.acked(whole) {
				t.Fatalf("undisturbed, it ended with %d:\n%s", whole.code, whole.shown)
			}
			list := points(whole.trace)
			for _, at := range sample(list, figure(2, 5, len(list)), func(at point) string { return at.call }) {
				t.Run(fmt.Sprintf("%s %d", at.call, at.n), func(t *testing.T) {
					t.Parallel()
					count.tried.Add(1)
					for range 3 { // another run may come by
						r := v.once(t, count, "-e", "trace="+at.call, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", at.call, at.n))
						if strings.Contains(r.trace, "killed by SIGKILL") {
							count.reached.Add(1)
							break
						}
					}
				})
			}
		})
		count.tell(t, "kill at a call, "+v.name)
	}
}

// TestErrorAtEveryCall makes the system calls of a command fail, one of them
// once, or it and all that follow. Nothing is acknowledged that is not there,
// nobody waits for ever, and nothing is allowed that would not be.
func TestErrorAtEveryCall(t *testing.T) {
	needStrace(t)
	for _, v := range victims() {
		count := &tally{}
		t.Run(v.name, func(t *testing.T) {
			type fault struct {
				point
				errno, more string
			}
			var faults []fault
			for _, at := range points(v.once(t, count, "-e", "trace="+calls).trace) {
				for _, errno := range []string{"EACCES", "EIO", "EMFILE", "ENOSPC", "EROFS"} {
					faults = append(faults, fault{at, errno, ""}, fault{at, errno, "+"})
				}
			}
			for _, f := range sample(faults, figure(2, 5, len(faults)), func(f fault) string { return f.call }) {
				t.Run(fmt.Sprintf("%s %s %d%s", f.errno, f.call, f.n, f.more), func(t *testing.T) {
					t.Parallel()
					r := v.once(t, count, "--seccomp-bpf", "-e", "trace="+f.call,
						"-e", fmt.Sprintf("inject=%s:error=%s:when=%d%s", f.call, f.errno, f.n, f.more))
					count.tried.Add(1)
					if strings.Contains(r.trace, "(INJECTED)") {
						count.reached.Add(1)
					}
				})
			}
		})
		count.tell(t, "error of a call, "+v.name)
	}
}

// TestUnseenPathAllowsNothing makes the calls fail that tell where a path leads
// and to which project a directory belongs. A person can still be asked.
func TestUnseenPathAllowsNothing(t *testing.T) {
	needStrace(t)
	for name, call := range map[string]string{"check a file that is denied": "readlinkat", "check denied by the project": "newfstatat"} {
		i := slices.IndexFunc(victims(), func(v victim) bool { return v.name == name })
		for _, errno := range []string{"EACCES", "EIO"} {
			t.Run(call+" "+errno, func(t *testing.T) {
				r := victims()[i].once(t, &tally{}, "--seccomp-bpf", "-e", "trace="+call, "-e", "inject="+call+":error="+errno+":when=1+")
				if r.code == 0 || r.code == 1 && !strings.Contains(r.shown, "it cannot be told what is there") {
					t.Errorf("exit status %d:\n%s", r.code, r.shown)
				}
			})
		}
	}
}
