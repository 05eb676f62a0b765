package completions

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// patience is how long a program may take to say what is waited for, and how long
// any may run. No test depends on it but one that fails.
const patience = 2 * time.Minute

// A terminal is an interactive program in a pty.
type terminal struct {
	t      *testing.T
	file   *os.File
	output chan string
	unread string
}

// newTerminal starts a program, which ends with the test.
func newTerminal(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 60, Cols: 240})
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, file: file, output: make(chan string)}
	ctx, cancel := context.WithCancel(context.Background())
	go term.read(ctx)
	t.Cleanup(func() {
		cancel()
		cmd.Process.Kill()
		cmd.Wait()
		file.Close()
	})
	return term
}

func (term *terminal) read(ctx context.Context) {
	defer close(term.output)
	buffer := make([]byte, 4096)
	for {
		n, err := term.file.Read(buffer)
		if err != nil {
			return // the program ended: Linux says EIO, macOS EOF
		}
		select {
		case term.output <- string(buffer[:n]):
		case <-ctx.Done():
			return
		}
	}
}

// send types keys.
func (term *terminal) send(keys string) {
	term.t.Helper()
	if _, err := term.file.WriteString(keys); err != nil {
		term.t.Fatal(err)
	}
}

// expect returns what is printed up to a text, and with it. What is printed
// behind it is left for the next call.
func (term *terminal) expect(text string) string {
	term.t.Helper()
	deadline := time.After(patience)
	for {
		if i := strings.Index(term.unread, text); i >= 0 {
			seen := term.unread[:i+len(text)]
			term.unread = term.unread[i+len(text):]
			return seen
		}
		select {
		case chunk, ok := <-term.output:
			if !ok {
				term.t.Fatalf("the program ended\nhave %q\nwant %q", term.unread, text)
			}
			term.unread += chunk
		case <-deadline:
			term.t.Fatalf("waited in vain\nhave %q\nwant %q", term.unread, text)
		}
	}
}

// drain reads until the program ends.
func (term *terminal) drain() string {
	term.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case chunk, ok := <-term.output:
			if !ok {
				return term.unread
			}
			term.unread += chunk
		case <-deadline:
			term.t.Fatalf("it does not end\nhave %q", term.unread)
		}
	}
}
