package scripts

import (
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

var waiter = regexp.MustCompile(`waiting as pid (\d+)`)

// TestAQuestionThatEndsOtherwise demands that a question that is killed, and one
// whose terminal changes its size, end in a refusal, in the modes of before, and
// with a shell that goes on.
func TestAQuestionThatEndsOtherwise(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		term := newWorld(t).guarded(shell, "", "")
		modes := settings(term.run("stty -a"))

		term.send("touch asked1\r")
		seen := term.expect("allow once")
		pid := waiter.FindStringSubmatch(seen)
		if pid == nil {
			t.Fatalf("no process is named in %q", seen)
		}
		n, err := strconv.Atoi(pid[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(n, syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		term.expect("ready> ")
		term.sync()
		term.wantRun("asked1", false)

		term.asked("touch asked2")
		for _, size := range []pty.Winsize{{Rows: 10, Cols: 30}, {Rows: 50, Cols: 200}} {
			if err := pty.Setsize(term.file, &size); err != nil {
				t.Fatal(err)
			}
		}
		term.send("\x1b")
		term.expect("not run")
		term.sync()
		term.wantRun("asked2", false)
		if after := settings(term.run("stty -a")); after != modes {
			t.Errorf("the terminal is changed\nhave %q\nwant %q", after, modes)
		}
		term.run("touch allowed")
		term.wantRun("allowed", true)
	})
}

// TestLatency tells how much longer the next prompt takes with the guard. How much
// is too much depends on the machine, so that it is only told.
func TestLatency(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			median := func(term *terminal) time.Duration {
				var took []time.Duration
				for range 15 {
					start := time.Now()
					term.send(":\r")
					term.expect("ready> ")
					took = append(took, time.Since(start))
				}
				slices.Sort(took)
				return took[len(took)/2]
			}
			with, without := median(newWorld(t).guarded(shell, "", "")), median(newWorld(t).interactive(shell, ""))
			t.Logf("%s: %v with the guard, %v without", shell, with, without)
		})
	}
}
