package scripts

import (
	"strings"
	"testing"
)

// asked types a line that asks and waits for the question.
func (term *terminal) asked(line string) {
	term.t.Helper()
	term.send(line + "\r")
	term.expect(question)
	term.expect("allow once")
}

func TestAQuestionIsAskedAtTheTerminal(t *testing.T) {
	answers := []struct {
		name, keys string
		allows     bool
	}{
		{"Enter", "\r", false},
		{"Esc", "\x1b", false},
		{"Ctrl-C", "\x03", false},
		{"Ctrl-D", "\x04", false},
		{"allow once", "\x1b[B\x1b[B\r", true},
	}
	each(t, func(t *testing.T, shell string) {
		term := newWorld(t).guarded(shell, "", "")
		for i, a := range answers {
			marker := "asked" + string(rune('a'+i))
			modes := term.run("stty -a")
			term.asked("touch " + marker)
			term.send(a.keys)
			if a.allows {
				term.expect(question + " allow once")
				term.sync()
			} else {
				term.expect("mayi: not run")
				term.expect("ready> ")
				term.sync()
			}
			if term.exists(marker) != a.allows {
				t.Errorf("%s: it ran: %v", a.name, !a.allows)
			}
			if after := term.run("stty -a"); settings(after) != settings(modes) {
				t.Errorf("%s changes the terminal\nhave %q\nwant %q", a.name, after, modes)
			}
		}
	})
}

// settings are what stty prints, without what stands around it.
func settings(shown string) string {
	from, to := strings.Index(shown, "speed"), strings.LastIndex(shown, "extproc")
	if from < 0 || to < from {
		return shown
	}
	return shown[from:to]
}

// TestNoOtherInputAnswers types what an agent would that knows of no question.
func TestNoOtherInputAnswers(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		term := newWorld(t).guarded(shell, "", "")
		// Ahead of the question, and in a burst behind it.
		term.send("touch asked1\recho once\ryes\ra\r\x1b[B\x1b[B")
		term.expect(question)
		term.expect("allow once")
		term.send("echo once; yes\r")
		term.send("always\r")
		// None of that was taken for an answer.
		term.send("\x03")
		term.expect("not run")
		term.expect("ready> ")
		term.sync()
		term.wantRun("asked1", false)
		term.run("yes once | touch asked2")
		term.wantRun("asked2", false)
	})
}

func TestAQuestionIsAnsweredElsewhere(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		w := newWorld(t)
		term := w.guarded(shell, "", "")
		term.asked("touch asked1")
		other := w.interactive("bash", "")
		if seen := other.run("mayi list --pending"); !strings.Contains(seen, "touch asked1") {
			t.Errorf("elsewhere it shows %q", seen)
		}
		other.run("mayi approve 1 --once")
		term.expect("ready> ") // until then keys are thrown away
		term.sync()
		w.wantRun("asked1", true)
		term.asked("touch asked2")
		other.run("mayi approve 2 --reject")
		term.expect("not run")
		term.expect("ready> ")
		term.sync()
		w.wantRun("asked2", false)
	})
}

func TestABrokenConfigAsksAndSaysSo(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		w := newWorld(t)
		term := w.guarded(shell, "", "")
		w.write("config/mayi/config.jsonc", `{"permission": {"bash": "alow"}}`)
		term.send("touch allowed1\r")
		seen := term.expect(question)
		if shell != "fish" && !strings.Contains(seen, "alow") {
			t.Errorf("shows %q", seen)
		}
		term.expect("allow once")
		term.send("\x1b[B\x1b[B\r")
		term.expect(question + " allow once")
		w.rules(true)
		term.sync()
		w.wantRun("allowed1", true)
		// What the presets deny stays denied.
		w.write("config/mayi/config.jsonc", `{"permission"`)
		term.send("mkfs.none x\r")
		term.expect("not run")
		w.rules(true)
		term.sync()
	})
}
