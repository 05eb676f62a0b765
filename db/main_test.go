package db

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"mayi/rules"
	"mayi/shellparse"
)

// The test binary is also the other processes: with roleVar set it plays a part
// instead of running tests.
const roleVar = "MAYI_DB_TEST_ROLE"

var roles = map[string]func(args []string) error{
	"acknowledge": roleAcknowledge,
	"answer":      roleAnswer,
	"ask":         roleAsk,
	"log":         roleLog,
	"nobody":      roleNobody,
	"open":        roleOpen,
	"read":        roleRead,
	"settle":      roleSettle,
	"wait":        roleWait,
}

func TestMain(m *testing.M) {
	name := os.Getenv(roleVar)
	if name == "" {
		os.Exit(m.Run())
	}
	if err := roles[name](os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A process is one that plays a part.
type process struct {
	*exec.Cmd
	stdin  io.Closer // standard input, as long as it is open
	out    *bufio.Reader
	stderr *strings.Builder
}

func start(t *testing.T, role string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), roleVar+"="+role, "GORACE=atexit_sleep_ms=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return &process{cmd, in, bufio.NewReader(out), &stderr}
}

// line reads the next line the process prints.
func (p *process) line(t *testing.T) string {
	t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.Wait()
		t.Fatalf("no line from the process: %v\n%s", err, p.stderr)
	}
	return strings.TrimSpace(line)
}

// finish waits for a process that must succeed, and returns what it printed.
func (p *process) finish(t *testing.T) string {
	t.Helper()
	rest, _ := io.ReadAll(p.out)
	if err := p.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, p.stderr)
	}
	return strings.TrimSpace(string(rest))
}

// roleOpen opens the database and closes it again.
func roleOpen(args []string) error {
	db, err := Open(context.Background(), args[0])
	if err != nil {
		return err
	}
	return db.Close()
}

// roleRead looks until there is a database.
func roleRead(args []string) error {
	for {
		db, err := OpenRead(context.Background(), args[0])
		if err == nil {
			return db.Close()
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
}

// roleAcknowledge asks, answers and logs until it is killed, and says what it
// was told is done.
func roleAcknowledge(args []string) error {
	ctx := context.Background()
	db, err := Open(ctx, args[0])
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		text := fmt.Sprintf("make %d-%d", os.Getpid(), n)
		r := request(text, part(text, text))
		r.Asker = Self()
		id, err := db.Submit(ctx, r)
		if err != nil {
			return err
		}
		if _, err := db.Settle(ctx, id, Answer{Reply: Always, Scope: ScopeSession}); err != nil {
			return err
		}
		if _, err := db.Log(ctx, Entry{Verb: "ask", Outcome: OutcomeAlways, RequestID: id}); err != nil {
			return err
		}
		fmt.Println(id)
	}
}

// roleWait asks for a line in a session, says its id and then how it ended.
func roleWait(args []string) error {
	path, session, text, withBell := args[0], args[1], args[2], args[3] == "bell"
	ctx := context.Background()
	db, err := Open(ctx, path)
	if err != nil {
		return err
	}
	var bell *Bell
	if withBell {
		if bell, err = Listen(db.Bells(), AskerBell); err != nil {
			return err
		}
		defer bell.Close()
	}
	r := request(session, part(text, text+" *"))
	r.Bell, r.Asker = bell.Path(), Self()
	id, err := db.Submit(ctx, r)
	if err != nil {
		return err
	}
	fmt.Println(id)
	status, err := db.Await(ctx, id, bell)
	fmt.Println(status.State)
	return err
}

// roleSettle answers a request and says what came of it.
func roleSettle(args []string) error {
	ctx := context.Background()
	db, err := Open(ctx, args[0])
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return err
	}
	_, err = db.Settle(ctx, id, Answer{Reply: Once, By: "process " + strconv.Itoa(os.Getpid())})
	if err != nil {
		fmt.Println(err)
		return nil
	}
	fmt.Println("settled")
	return nil
}

// roleLog appends some entries.
func roleLog(args []string) error {
	ctx := context.Background()
	db, err := Open(ctx, args[0])
	if err != nil {
		return err
	}
	for range 10 {
		if _, err := db.Log(ctx, Entry{Verb: "ask", Outcome: OutcomeDeny, PID: os.Getpid()}); err != nil {
			return err
		}
	}
	return nil
}

// roleNobody gives up root, for whom modes do not count, and says in a line
// each how writing to and reading from the database goes then.
func roleNobody(args []string) error {
	if err := syscall.Setuid(nobody); err != nil {
		return err
	}
	ctx := context.Background()
	fmt.Println(func() error {
		db, err := Open(ctx, args[0])
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.Submit(ctx, request("s", part("ls", "ls *")))
		return err
	}())
	fmt.Println(func() error {
		db, err := OpenRead(ctx, args[0])
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.Approvals(ctx, Place{Project: "/p"}, []rules.Request{{Permission: "bash"}})
		return err
	}())
	return nil
}

const nobody = 65534

// nobodysDir returns a directory that belongs to nobody, for roleNobody.
func nobodysDir(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to become a user for whom modes count")
	}
	dir, err := os.MkdirTemp("/tmp", "mayi-db-test-") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	chown(t, dir)
	return dir
}

func chown(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func newDB(t *testing.T) *DB {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "mayi", "mayi.db"))
}

// part is a part of a request that asks.
func part(text, store string) rules.Reason {
	return rules.Reason{
		Request: rules.Request{Permission: "bash", Text: shellparse.Lit(text), Store: store},
		Action:  rules.Ask,
		Rule:    rules.Rule{Permission: "bash", Pattern: "*", Action: rules.Ask, Origin: rules.Origin{Name: "default"}},
	}
}

// request is a request of this process, in the project /p.
func request(session string, parts ...rules.Reason) Request {
	return Request{Project: "/p", Session: session, Cwd: "/p/sub", Permission: "bash", Line: "a line", Reasons: parts}
}

func submit(t *testing.T, db *DB, r Request) int64 {
	t.Helper()
	id, err := db.Submit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func settle(t *testing.T, db *DB, id int64, a Answer) []Request {
	t.Helper()
	settled, err := db.Settle(t.Context(), id, a)
	if err != nil {
		t.Fatal(err)
	}
	return settled
}

func wantState(t *testing.T, db *DB, id int64, want State) {
	t.Helper()
	status, err := db.Status(t.Context(), id)
	if err != nil || status.State != want {
		t.Errorf("request %d is %q (%v), want %q", id, status.State, err, want)
	}
}

// approve stores an approval by way of a request.
func approve(t *testing.T, db *DB, text, pattern string, scope Scope) {
	t.Helper()
	id := submit(t, db, request("s", part(text, pattern)))
	settle(t, db, id, Answer{Reply: Always, Scope: scope})
}

// approveAll stores many approvals for the project /p at once.
func approveAll(t *testing.T, db *DB, patterns []string) {
	t.Helper()
	err := db.write(t.Context(), func(tx *sql.Tx) error {
		for _, p := range patterns {
			a := Approval{Scope: ScopeProject, Key: "/p", Permission: "bash", Pattern: p, At: noon()}
			if err := insertApproval(t.Context(), tx, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func approvalCount(t *testing.T, db *DB) int {
	t.Helper()
	all, err := db.AllApprovals(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// noon is a clock that stands still.
func noon() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 120e6, time.UTC) }
