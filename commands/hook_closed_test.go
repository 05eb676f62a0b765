package commands

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mayi/commands/agents"
	"mayi/db"
	"mayi/rules"
)

const callThatIsAllowed = `{"session_id":"s","cwd":"/tmp","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"echo hi"}}`

// FuzzHook demands that nothing but a rule that allows makes an agent run a tool:
// where everything is denied, every payload that is understood is; and an answer
// that is no allow stops every agent.
func FuzzHook(f *testing.F) {
	files, err := filepath.Glob("agents/testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatal("no payloads", err)
	}
	names := agents.Names()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i, name := range names {
			for line := range strings.Lines(string(text)) {
				if strings.HasPrefix(line, "{") && (name+".txt" == filepath.Base(file)) {
					f.Add(uint8(i), []byte(strings.ReplaceAll(line, "$P", "/tmp/p")))
				}
			}
		}
	}
	discard := &printer{out: io.Discard, err: io.Discard}
	home := f.TempDir()
	g, err := newGate(&env{out: discard, cwd: home, project: home, home: home, shell: "bash", rules: []string{"*:*=deny"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		agent := agents.All()[int(n)%len(names)]
		stops := func(a *agents.Agent, r agents.Reply, asks bool) {
			t.Helper()
			if !a.Stops(r.Code, r.Stdout, asks) || strings.Count(r.Stderr, "\n") > 1 || r.Code == 2 && r.Stderr == "" {
				t.Errorf("%s is not stopped by %+v", a.Name, r)
			}
		}
		call, err := agent.Read(data, agents.World{Lookup: agents.SampleVariable})
		if err != nil {
			stops(agent, agent.Refuse(refusal(err)), false)
			return
		}
		if call.Passed {
			if r := call.Pass(); r.Code != 0 || strings.Contains(r.Stdout, "allow") {
				t.Errorf("%s is passed with %+v", agent.Name, r)
			}
			return
		}
		stops(call.Agent, call.Answer(rules.Deny, "x"), false)
		stops(call.Agent, call.Answer(rules.Ask, "x"), true)
		q, err := g.call(call)
		if err != nil {
			return
		}
		if d := g.weigh(q, nil); !q.blank && d.Action != rules.Deny {
			t.Errorf("%s: %s is answered with %s: %v", agent.Name, q.line, d.Action, d.Reasons)
		}
		if q.blank && strings.ContainsAny(q.line, ";&|") && !strings.Contains(q.line, "#") {
			t.Errorf("%s: %q is taken for nothing", agent.Name, q.line)
		}
	})
}

func (h home) waitPending(n int) {
	h.t.Helper()
	if err := watchUntil(h.db(), func(l []db.Request) bool { return len(l) == n }); err != nil {
		h.t.Fatal(err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

// TestHookFailsClosed breaks whatever a hook depends on.
func TestHookFailsClosed(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	stuck := make(chan struct{})
	defer close(stuck)
	for name, c := range map[string]struct {
		stdin  io.Reader
		stdout io.Writer
		says   string
	}{
		"a panic":              {stdin: readerFunc(func([]byte) (int, error) { panic("boom") }), says: "internal error"},
		"an error":             {stdin: readerFunc(func([]byte) (int, error) { return 0, syscall.EIO }), says: "standard input: input/output error"},
		"nothing ever":         {stdin: readerFunc(func([]byte) (int, error) { <-stuck; return 0, io.EOF }), says: "no verdict within 5s"},
		"too much":             {stdin: readerFunc(func(p []byte) (int, error) { return copy(p, strings.Repeat(" ", len(p))), nil }), says: "larger than 8 MiB"},
		"nobody hears":         {stdin: strings.NewReader(callThatIsAllowed), stdout: brokenWriter{}, says: "standard output"},
		"a payload in pieces":  {stdin: io.MultiReader(strings.NewReader(callThatIsAllowed), strings.NewReader("}")), says: "so not allowed"},
		"a payload cut in two": {stdin: strings.NewReader(callThatIsAllowed[:60]), says: "ends too early"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			a := &app{stdin: c.stdin, stdout: &stdout, stderr: &stderr, lookup: func(string) string { return "" }, account: testAccount}
			if c.stdout != nil {
				a.stdout = c.stdout
			}
			if code := a.main([]string{"mayi", "hook", "claude"}); code != 2 || stdout.String() != "" {
				t.Errorf("exit status %d, %q", code, stdout.String())
			}
			if s := stderr.String(); !strings.HasPrefix(s, "mayi: ") || !strings.Contains(s, c.says) || strings.Count(s, "\n") != 1 {
				t.Errorf("standard error %q does not say %q in one line", s, c.says)
			}
		})
	}
}

// TestHookIsNotKilledIntoAnAllow demands that signals end a hook with a deny:
// agents run the tool of a hook that a signal killed.
func TestHookIsNotKilledIntoAnAllow(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		for _, payload := range []string{"", strings.ReplaceAll(callThatIsAllowed, "echo hi", "make")} {
			h := newHome(t)
			cmd := h.command("hook", "claude", "--ask=wait", "--timeout=30s")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var stderr strings.Builder
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if payload == "" {
				time.Sleep(500 * time.Millisecond) // nothing tells that it reads
			} else {
				_, err := io.WriteString(in, payload)
				if err = errors.Join(err, in.Close()); err != nil {
					t.Fatal(err)
				}
				h.waitPending(1)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.HasPrefix(stderr.String(), "mayi: ") {
				t.Errorf("%v: exit status %d, %q", sig, code, stderr.String())
			}
			if payload != "" {
				h.waitPending(0)
			}
		}
	}
}
