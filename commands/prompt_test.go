package commands

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"mayi/db"
	"mayi/rules"
)

// A screen is a real pseudo-terminal with a process of its own session on it.
type screen struct {
	t        *testing.T
	keyboard io.WriteCloser // hangs up when it is closed
	cmd      *exec.Cmd
	lines    chan []byte
	seen     bytes.Buffer
}

// home is a place for processes of mayi to live in.
type home struct {
	t   *testing.T
	dir string
}

func newHome(t *testing.T) home {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "project", ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	return home{t, dir}
}

func (h home) db() string { return accountDB(h.dir) }

// command is a mayi of this home: the test binary, which testscript.Main has
// put into $PATH under that name.
func (h home) command(args ...string) *exec.Cmd {
	cmd := exec.Command("mayi", args...)
	cmd.Dir = filepath.Join(h.dir, "project")
	cmd.Env = []string{
		"HOME=" + h.dir, "PATH=" + os.Getenv("PATH"), "TERM=xterm",
		"MAYI_SESSION=" + "test",
	}
	return cmd
}

// mayi runs one without a terminal and demands its exit status.
func (h home) mayi(status int, args ...string) string {
	h.t.Helper()
	cmd := h.command(args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		h.t.Fatal(err)
	}
	if have := cmd.ProcessState.ExitCode(); have != status {
		h.t.Fatalf("mayi %s: exit status %d, want %d\n%s", strings.Join(args, " "), have, status, out)
	}
	return string(out)
}

// at starts a process on a terminal of its own.
func (h home) at(cmd *exec.Cmd) *screen {
	h.t.Helper()
	cmd = emulated(cmd)
	keyboard, err := cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	shown, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	s := &screen{t: h.t, keyboard: keyboard, cmd: cmd, lines: make(chan []byte, 100)}
	go func() {
		for {
			buf := make([]byte, 4096)
			n, err := shown.Read(buf)
			if n > 0 {
				s.lines <- buf[:n]
			}
			if err != nil {
				close(s.lines)
				return
			}
		}
	}()
	h.t.Cleanup(func() { keyboard.Close() }) // hangs up
	return s
}

// person runs a mayi as a person does, at a terminal that has nothing to do with
// what asks, and demands its exit status.
func (h home) person(status int, args ...string) string {
	h.t.Helper()
	s := h.at(h.command(args...))
	s.ends(status)
	return plain(s.seen.String())
}

// waitFor reads the screen until it shows the texts, one after the other.
func (s *screen) waitFor(texts ...string) {
	s.t.Helper()
	deadline := time.After(patience)
	for !inOrder(plain(s.seen.String()), texts) {
		select {
		case b, ok := <-s.lines:
			if !ok {
				s.t.Fatalf("the screen ended without %q:\n%s", texts, plain(s.seen.String()))
			}
			s.seen.Write(b)
		case <-deadline:
			s.t.Fatalf("the screen does not show %q:\n%s", texts, plain(s.seen.String()))
		}
	}
}

func inOrder(shown string, texts []string) bool {
	for _, text := range texts {
		_, after, found := strings.Cut(shown, text)
		if !found {
			return false
		}
		shown = after
	}
	return true
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[a-zA-Z]|\x1b[78]")

func plain(s string) string { return escapes.ReplaceAllString(s, "") }

// press sends keys in one burst, after forgetting what the screen showed.
func (s *screen) press(keys string) {
	s.t.Helper()
	s.seen.Reset()
	if _, err := io.WriteString(s.keyboard, keys); err != nil {
		s.t.Fatal(err)
	}
}

// ends waits for the process and demands its exit status.
func (s *screen) ends(status int) {
	s.t.Helper()
	late := time.AfterFunc(patience, func() { s.cmd.Process.Kill() })
	defer late.Stop()
	for b := range s.lines {
		s.seen.Write(b)
	}
	err := s.cmd.Wait()
	if have := s.cmd.ProcessState.ExitCode(); have != status {
		s.t.Fatalf("exit status %d (%v), want %d:\n%s", have, err, status, plain(s.seen.String()))
	}
}

const (
	down  = "\x1b[B"
	up    = "\x1b[A"
	enter = "\r"
)

const asked = "allow always"

func TestPromptAnswers(t *testing.T) {
	for _, tt := range []struct {
		name, keys string
		status     int
		outcome    string
	}{
		{"Enter alone rejects", enter, 3, "rejected"},
		{"allow once", down + down + enter, 0, "once"},
		{"arrows wrap", up + up + enter, 0, "once"},
		{"Ctrl-C rejects", "\x03", 3, "rejected"},
		{"Ctrl-D rejects", "\x04", 3, "rejected"},
		{"Esc rejects", "\x1b", 3, "rejected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHome(t)
			s := h.at(h.command("ask", "make build"))
			s.waitFor(asked)
			s.press(tt.keys)
			s.ends(tt.status)
			if log := h.mayi(0, "log"); !strings.Contains(log, tt.outcome) {
				t.Errorf("the log does not say %s:\n%s", tt.outcome, log)
			}
		})
	}
}

func TestPromptStoresWhatItShows(t *testing.T) {
	h := newHome(t)
	s := h.at(h.command("ask", "make build && npm run lint"))
	s.waitFor("always would store  make build *")
	s.waitFor("always would store  npm run lint *")
	s.waitFor(asked)
	s.press(up + enter)
	s.waitFor("choose or edit them")
	s.press(down + enter)
	s.waitFor("everywhere")
	s.press(enter)
	s.ends(0)
	h.mayi(0, "check", "npm run lint --fix && make build")
	h.mayi(1, "check", "make install")
}

func TestPromptEditsPatternsAndScope(t *testing.T) {
	h := newHome(t)
	s := h.at(h.command("ask", "make build"))
	s.waitFor(asked)
	s.press(up + enter)
	s.waitFor("choose or edit them")
	s.press(up + enter)
	s.waitFor("bash: make build *")
	s.press("\x15npm *" + enter) // covers nothing: asked for again
	s.waitFor("does not match make build", "bash: npm *")
	s.press("\x15make *" + enter)
	s.waitFor("everywhere")
	s.press(down + down + enter)
	s.ends(0)
	if out := h.mayi(0, "list", "--approved"); !strings.Contains(out, "make *") || !strings.Contains(out, "global") {
		t.Errorf("what was stored is not what was chosen:\n%s", out)
	}
}

func TestPromptTakesACorrection(t *testing.T) {
	h := newHome(t)
	s := h.at(h.command("ask", "make build"))
	s.waitFor(asked)
	s.press(down + enter)
	s.waitFor("what should be done instead?")
	s.press("use ninja" + enter)
	s.ends(4)
	if shown := plain(s.seen.String()); !strings.Contains(shown, "use ninja") {
		t.Errorf("the correction is not printed:\n%s", shown)
	}
}

func TestTypedAheadAnswersNothing(t *testing.T) {
	h := newHome(t)
	cmd := h.command("ask", "make build")
	s := h.at(cmd)
	s.press(down + down + enter) // before the question can be seen
	s.waitFor(asked)
	if list := h.mayi(0, "list", "--pending"); !strings.Contains(list, "make build") {
		t.Errorf("keys typed ahead answered the question:\n%s", list)
	}
	// A paste is no answer either, were it to end in Enter.
	s.press("yes, go on" + enter)
	s.press("once" + enter + enter)
	s.press("\x03")
	s.ends(3)
}

func TestStandardInputAnswersNothing(t *testing.T) {
	h := newHome(t)
	cmd := h.command("ask", "--timeout", "300ms", "make build")
	cmd.Stdin = strings.NewReader("once\n\n\nallow once\n")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	_ = cmd.Run()
	if have := cmd.ProcessState.ExitCode(); have != 75 {
		t.Errorf("exit status %d, want 75", have)
	}
}

// TestThePromptLeavesTheTerminalAsItWas ends a prompt in every way there is: an
// answer here, an answer from elsewhere, a signal.
func TestThePromptLeavesTheTerminalAsItWas(t *testing.T) {
	for _, tt := range []struct {
		name   string
		end    func(h home, s *screen)
		status string
	}{
		{"answered elsewhere", func(h home, s *screen) { h.person(0, "approve", "--all", "--once") }, "0"},
		{"answered here", func(h home, s *screen) { s.press(down + down + enter) }, "0"},
		{"given up", func(h home, s *screen) { s.press("\x03") }, "3"},
		{"terminated", func(h home, s *screen) { h.signal(syscall.SIGTERM) }, "143"},
		{"interrupted", func(h home, s *screen) { h.signal(syscall.SIGINT) }, "130"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHome(t)
			shell := exec.Command("sh", "-c", `stty -a >"$HOME/before"; trap : INT; mayi ask 'make build'; echo "status=$?"; stty -a >"$HOME/after"`)
			shell.Dir, shell.Env = h.command().Dir, h.command().Env
			s := h.at(shell)
			s.waitFor(asked)
			tt.end(h, s)
			s.waitFor("status=" + tt.status)
			s.ends(0)
			before, _ := os.ReadFile(filepath.Join(h.dir, "before"))
			after, _ := os.ReadFile(filepath.Join(h.dir, "after"))
			if len(before) == 0 || !bytes.Equal(before, after) {
				t.Errorf("the terminal was left changed:\n%s\n%s", before, after)
			}
		})
	}
}

// signal sends a signal to the waiter of the only request.
func (h home) signal(sig syscall.Signal) {
	h.t.Helper()
	store, err := db.OpenRead(h.t.Context(), h.db())
	if err != nil {
		h.t.Fatal(err)
	}
	defer store.Close()
	list, err := store.Pending(h.t.Context(), db.Filter{})
	if err != nil || len(list) != 1 {
		h.t.Fatalf("%d requests (%v), want 1", len(list), err)
	}
	if err := syscall.Kill(list[0].Asker.PID, sig); err != nil {
		h.t.Fatal(err)
	}
}

// TestSignalWithdrawsTheRequest interrupts a waiting prompt from outside.
func TestSignalWithdrawsTheRequest(t *testing.T) {
	for signal, status := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGINT: 130} {
		t.Run(signal.String(), func(t *testing.T) {
			h := newHome(t)
			s := h.at(h.command("ask", "make build"))
			s.waitFor(asked)
			h.signal(signal)
			s.ends(status)
			if log := h.mayi(0, "log"); !strings.Contains(log, "withdrawn") {
				t.Errorf("the log does not say that it was withdrawn:\n%s", log)
			}
		})
	}
}

// TestLostTerminalEndsThePromptNotTheRequest hangs up; the request still waits
// for an answer as long as the program that asked is there.
func TestLostTerminalEndsThePromptNotTheRequest(t *testing.T) {
	h := newHome(t)
	s := h.at(h.command("ask", "make build"))
	s.waitFor(asked)
	s.keyboard.Close()
	h.person(0, "approve", "--all", "--once")
	for range s.lines {
	}
	_ = s.cmd.Wait()
	if have := s.cmd.ProcessState.ExitCode(); have != 0 {
		t.Errorf("%v, want exit status 0", s.cmd.ProcessState)
	}
}

func TestApproveByHand(t *testing.T) {
	h := newHome(t)
	var askers []*exec.Cmd
	for i := range 2 {
		cmd := h.command("ask", "--no-tty", "--session", fmt.Sprint("s", i), fmt.Sprintf("make t%d", i))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		askers = append(askers, cmd)
		if err := watchUntil(h.db(), func(l []db.Request) bool { return len(l) == i+1 }); err != nil {
			t.Fatal(err)
		}
	}
	s := h.at(h.command("approve"))
	s.waitFor("make t1")
	s.press(down + enter)
	s.waitFor(asked)
	s.press(down + down + enter)
	s.waitFor("1 once: make t0", "make t1", asked) // the other one, alone now
	s.press(enter)
	s.ends(0)
	for i, status := range []int{0, 3} {
		_ = askers[i].Wait()
		if have := askers[i].ProcessState.ExitCode(); have != status {
			t.Errorf("asker %d: exit status %d, want %d", i, have, status)
		}
	}
}

// TestOneQuestionAtATime starts two asks on one terminal: the second question
// appears once the first is answered.
func TestOneQuestionAtATime(t *testing.T) {
	h := newHome(t)
	shell := exec.Command("sh", "-c", `mayi ask 'make a' & mayi ask 'make b' & wait; echo finished`)
	shell.Dir, shell.Env = h.command().Dir, h.command().Env
	s := h.at(shell)
	s.waitFor(asked)
	if err := watchUntil(h.db(), func(l []db.Request) bool { return len(l) == 2 }); err != nil {
		t.Fatal(err)
	}
	s.press("\x03") // this one only
	s.waitFor(asked)
	s.press(down + down + enter)
	s.waitFor("finished")
	s.ends(0)
	log := h.mayi(0, "log")
	if strings.Count(log, "rejected") != 1 || strings.Count(log, "once") != 1 {
		t.Errorf("want one rejected and one allowed:\n%s", log)
	}
}

func TestControlCharactersAreShownAtThePrompt(t *testing.T) {
	h := newHome(t)
	s := h.at(h.command("ask", "make '\x1b[2J\u202e\u200bx'"))
	s.waitFor(asked)
	raw := s.seen.String()
	if strings.Contains(raw, "\x1b[2J") || strings.Contains(raw, "\u202e") || strings.Contains(raw, "\u200b") {
		t.Errorf("foreign text reached the terminal raw: %q", raw)
	}
	if !strings.Contains(plain(raw), `\x1b[2J\u202e\u200bx`) {
		t.Errorf("what is hidden is not shown:\n%s", plain(raw))
	}
	s.press("\x03")
	s.ends(3)
}

func TestNoteStandsApartFromTheReason(t *testing.T) {
	r := rules.Reason{Rule: rules.Rule{Reason: "a person typed it"}, Note: "it is not known"}
	if have, want := why(r), "  a person typed it  (it is not known)"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}
