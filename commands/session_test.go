package commands

import (
	"os/exec"
	"testing"
)

// TestKeysReachTheCommandOfASession types Ctrl-C and Ctrl-Z at a session that a
// shell with job control started.
func TestKeysReachTheCommandOfASession(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	h := newHome(t)
	cmd := exec.Command("bash", "--norc", "--noprofile", "-i")
	cmd.Dir, cmd.Env = h.command().Dir, append(h.command().Env, "PS1=ready> ", "HISTFILE=")
	s := h.at(cmd)
	s.waitFor("ready> ")
	s.press("mayi session -- sh -c 'trap \"echo got it; exit 9\" INT; echo sta''rted; while :; do sleep 0.1; done'; echo sta''tus=$?\r")
	s.waitFor("started")
	s.press("\x1a")
	s.waitFor("Stopped", "ready> ")
	s.press("fg\r")
	s.waitFor("mayi session")
	s.press("\x03")
	s.waitFor("got it")
	s.press("exit\r")
	s.keyboard.Close()
}

// TestSessionBuriesOrphans leaves a process behind, which the session adopts.
func TestSessionBuriesOrphans(t *testing.T) {
	h := newHome(t)
	h.mayi(0, "session", "--", "sh", "-c", `
		(sh -c 'sleep 0.3; sed "s/.*) //" /proc/$$/stat | cut -d" " -f2 >parent' &)
		until [ -s parent ]; do sleep 0.1; done
		[ "$(cat parent)" = "$PPID" ]`)
}
