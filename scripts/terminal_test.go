package scripts

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A terminal is an interactive shell in a pty.
type terminal struct {
	*world
	name   string
	cmd    *exec.Cmd
	file   *os.File
	output chan string
	unread string
	syncs  int
	last   string // what was sent last
}

// install is how each shell gets the guard, once, and in a file to be read again.
var install = map[string]string{
	"bash": `eval "$(~/bin/mayi init bash)"`,
	"zsh":  `eval "$(~/bin/mayi init zsh)"`,
	"fish": `~/bin/mayi init fish | source`,
}

// guarded starts a shell whose start-up file holds what is given before and after
// the guard is installed.
func (w *world) guarded(name, before, after string) *terminal {
	w.t.Helper()
	return w.interactive(name, before+"\n"+install[name]+"\n"+after+"\n")
}

// interactive starts a shell with a start-up file.
func (w *world) interactive(name, rc string, args ...string) *terminal {
	w.t.Helper()
	path := find(w.t, name)
	switch name {
	case "bash":
		w.write("rc", "PS1='ready> '\n"+rc)
		args = append([]string{"--noprofile", "--rcfile", w.path("rc"), "-i"}, args...)
	case "zsh":
		w.write(".zshrc", "PS1='ready> '; NULLCMD=:; unsetopt prompt_sp\n"+rc)
		args = append([]string{"-d", "-i"}, args...)
	case "fish":
		w.write("config/fish/config.fish", "function fish_prompt; echo -n 'ready> '; end; function fish_greeting; end\n"+rc)
		args = append([]string{"-i"}, args...)
	}
	cmd := w.command(path, args...)
	file, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 200})
	if err != nil {
		w.t.Fatal(err)
	}
	term := &terminal{world: w, name: name, cmd: cmd, file: file, output: make(chan string, 1000)}
	go func() {
		defer close(term.output)
		buffer := make([]byte, 4096)
		for {
			n, err := file.Read(buffer)
			if err != nil {
				return
			}
			term.output <- string(buffer[:n])
		}
	}()
	w.t.Cleanup(func() {
		cmd.Process.Kill()
		file.Close()
		cmd.Wait()
	})
	term.expect("ready> ")
	return term
}

// each runs a test in each shell.
func each(t *testing.T, f func(t *testing.T, shell string)) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			find(t, shell)
			f(t, shell)
		})
	}
}

// send types keys.
func (term *terminal) send(keys string) {
	term.t.Helper()
	if !strings.HasPrefix(keys, "echo e") {
		term.last = keys
	}
	if _, err := term.file.WriteString(keys); err != nil {
		term.t.Fatal(err)
	}
}

// escapes are what a terminal obeys.
var escapes = regexp.MustCompile("\x1b\\[[0-9;?>=]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)|\x1b[=>78]|[\x0e\x0f]")

// expect returns what is printed up to a text, and with it.
func (term *terminal) expect(text string) string {
	term.t.Helper()
	seen, _ := term.expectOne(text)
	return seen
}

// expectOne returns what is printed up to one of several texts, and which.
func (term *terminal) expectOne(texts ...string) (seen, found string) {
	term.t.Helper()
	deadline := time.After(patience)
	for {
		for _, text := range texts {
			if i := strings.Index(term.unread, text); i >= 0 {
				seen := term.unread[:i+len(text)]
				term.unread = term.unread[i+len(text):]
				return seen, text
			}
		}
		select {
		case chunk, ok := <-term.output:
			if !ok {
				term.t.Fatalf("%s ended\nhave %q\nwant %q", term.name, term.unread, texts)
			}
			term.unread = escapes.ReplaceAllString(term.unread+chunk, "")
		case <-deadline:
			term.t.Fatalf("waited in vain behind %q\nhave %q\nwant %q", term.last, term.unread, texts)
		}
	}
}

var syncLine = regexp.MustCompile(`^echo e''nd\d+x$|^echo end\d+x$`)

// isSync reports whether a line is one of sync's.
func isSync(line string) bool { return syncLine.MatchString(line) }

// question is what shows that a person is asked.
const question = "May this run?"

// sync types a line that prints something, and waits for that: what was typed
// before has ended. A question that comes up is answered with Esc, which rejects.
// It returns what was printed meanwhile.
func (term *terminal) sync() (seen string) {
	term.t.Helper()
	for {
		term.syncs++
		end := fmt.Sprintf("end%dx\r\n", term.syncs)
		term.send(fmt.Sprintf("echo e''nd%dx\r", term.syncs))
		more, found := term.expectOne(end, question)
		seen += more
		if found == end {
			term.expect("ready> ")
			return seen
		}
		// What was typed ahead is thrown away at a question.
		seen += term.expect("allow once")
		term.send("\x1b")
		seen += term.expect("not run")
	}
}

// run types a line and waits until it has ended.
func (term *terminal) run(line string) string {
	term.t.Helper()
	term.send(line + "\r")
	return term.sync()
}
