package commands

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Where an attack leads.
type fate string

const (
	refused    fate = "refused"    // tried, refused, in the log
	unanswered fate = "unanswered" // did not even come to be tried
	succeeds   fate = "succeeds"   // known: nothing tells it from a person
)

// An attack is what an agent runs to answer itself. Request 1 is its own, and
// waits. KEYS holds the keys that choose "allow once".
type attack struct {
	name    string
	sh      string
	needs   string // a program
	plain   fate   // of an agent that was just started in a terminal
	session fate   // of one that was started with `mayi session`
}

// pythonPty runs a command at a pty whose holder stays below the agent ("here"),
// or below which the command has left ("child"), or has left itself ("away").
const pythonPty = `/usr/bin/python3 -c '
import os, pty, sys, time
how, argv = sys.argv[1], sys.argv[2:]
if how == "away":
    if os.fork(): os._exit(0)
    os.setsid()
    if os.fork(): os._exit(0)
m, s = os.openpty()
if os.fork() == 0:
    os.setsid()
    if how == "child":
        os.close(m)
        if os.fork(): os._exit(0)
        os.setsid()
    t = os.open(os.ttyname(s), os.O_RDWR)
    for fd in 0, 1, 2: os.dup2(t, fd)
    os.close(m); os.close(s)
    os.execvp(argv[0], argv)
os.close(s)
time.sleep(1.5)
try:
    os.write(m, os.environ["KEYS"].encode())
    while os.read(m, 9999): pass
except OSError: pass
' `

var attacks = []attack{
	{"a child at the same terminal", `mayi approve 1 --once`, "", refused, refused},
	{"always", `mayi approve 1 --always`, "", refused, refused},
	{"reject", `mayi approve 1 --reject --message 'go on'`, "", refused, refused},
	{"all", `mayi approve --all --once`, "", refused, refused},
	{"the list", `mayi approve`, "", refused, refused},
	{"fed standard input", `printf "$KEYS" | mayi approve 1`, "", refused, refused},
	{"standard input from the terminal", `mayi approve 1 --once </dev/tty`, "", refused, refused},
	{"an empty environment", `env -i PATH="$PATH" HOME="$HOME" mayi approve 1 --once`, "env", refused, refused},
	{"the marker removed", `env -u MAYI_GUARDED mayi approve 1 --once`, "env", refused, refused},
	{"another session", `mayi --session other approve 1 --once`, "", refused, refused},
	{"another session by variable", `MAYI_SESSION=other mayi approve 1 --once`, "", refused, refused},
	{"another agent", `mayi --agent shell approve 1 --once`, "", refused, refused},
	{"another project", `mayi --project / approve 1 --once`, "", refused, refused},
	{"another directory", `cd / && mayi approve 1 --once`, "", refused, refused},
	{"its absolute path", `"$(command -v mayi)" approve 1 --once`, "", refused, refused},
	{"bash -c", `bash -c 'mayi approve 1 --once; :'`, "bash", refused, refused},
	{"a subshell", `(mayi approve 1 --once)`, "", refused, refused},
	{"in the background", `mayi approve 1 --once & wait $!`, "", refused, refused},
	{"nohup", `nohup mayi approve 1 --once`, "nohup", refused, refused},
	{"nice", `nice mayi approve 1 --once`, "nice", refused, refused},
	{"timeout", `timeout 20 mayi approve 1 --once`, "timeout", refused, refused},
	{"xargs", `echo 1 | xargs mayi approve --once`, "xargs", refused, refused},
	{"find", `find / -maxdepth 0 -exec mayi approve 1 --once ';'`, "find", refused, refused},
	{"setsid", `setsid -w mayi approve 1 --once`, "setsid", refused, refused},
	{"setsid with the terminal", `setsid -c -w mayi approve 1 --once`, "setsid", unanswered, unanswered},
	{"setsid in the background", `setsid -f mayi approve 1 --once`, "setsid", refused, refused},
	{"a double fork", `sh -c '(mayi approve 1 --once &) &'`, "", refused, refused},
	{"a double fork and a closed terminal", `sh -c '(setsid mayi approve 1 --once </dev/null >/dev/null 2>&1 &) &'`, "setsid", refused, refused},
	{"python", `/usr/bin/python3 -c 'import subprocess; subprocess.run(["mayi", "approve", "1", "--once"])'`, "/usr/bin/python3", refused, refused},
	{"python in a new session", `/usr/bin/python3 -c 'import subprocess; subprocess.run(["mayi", "approve", "1", "--once"], start_new_session=True)'`, "/usr/bin/python3", refused, refused},
	{"perl", `perl -e 'system "mayi", "approve", "1", "--once"'`, "perl", refused, refused},
	{"make", `printf 'all:\n\tmayi approve 1 --once\n' >mk; make -f mk`, "make", refused, refused},
	{"script", `script -qec 'mayi approve 1 --once' /dev/null`, "script", refused, refused},
	{"script in a new session", `setsid -w script -qec 'mayi approve 1 --once' /dev/null`, "script", refused, refused},
	{"script in script", `script -qec "script -qec 'mayi approve 1 --once' /dev/null" /dev/null`, "script", refused, refused},
	{"script and an empty environment", `env -i PATH="$PATH" HOME="$HOME" script -qec 'mayi approve 1 --once' /dev/null`, "script", refused, refused},
	{"script and a shell", `script -qec "bash -c 'mayi approve 1 --once; :'" /dev/null`, "script", refused, refused},
	{"script and keys", `(sleep 2; printf "$KEYS"; sleep 1) | script -qec 'mayi approve 1' /dev/null`, "script", refused, refused},
	{"a pty of python's", pythonPty + `here mayi approve 1 --once`, "/usr/bin/python3", refused, refused},
	{"a pty of python's and keys", pythonPty + `here mayi approve 1`, "/usr/bin/python3", refused, refused},
	{"a pty of python's and an approver that left", pythonPty + `child mayi approve 1 --once`, "/usr/bin/python3", refused, refused},
	{"its own prompt in script", `(sleep 2; printf "$KEYS"; sleep 1) | script -qec "mayi ask --timeout 6s 'make y'" /dev/null`, "script", unanswered, unanswered},
	{"its own prompt in a pty of python's", pythonPty + `here mayi ask --timeout 5s 'make y'`, "/usr/bin/python3", unanswered, unanswered},
	{"another PID namespace", `unshare -Urpf --mount-proc script -qec 'mayi approve 1 --once' /dev/null`, "unshare", unanswered, unanswered},
	{"a PID namespace with the old /proc", `unshare -Urpf script -qec 'mayi approve 1 --once' /dev/null`, "unshare", unanswered, unanswered},
	{"another terminal in the place of its own", `unshare -Urm sh -c 'mount --bind /dev/pts/0 /dev/tty; mayi approve 1 --once'`, "unshare", unanswered, unanswered},
	{"another home", `HOME=$HOME/other mayi approve 1 --once`, "", unanswered, unanswered},
	{"another database", `MAYI_DB=$HOME/other.db mayi approve 1 --once`, "", unanswered, refused},

	// What is known to succeed: a terminal that left the tree of the agent. Under
	// `mayi session` nothing leaves it.
	{"a detached script", `setsid -f script -qec 'mayi approve 1 --once' /dev/null </dev/null >/dev/null 2>&1`, "script", succeeds, refused},
	{"a detached pty of python's", pythonPty + `away mayi approve 1 --once`, "/usr/bin/python3", succeeds, refused},
	{"a detached pty and an empty environment", `env -i KEYS= PATH="$PATH" HOME="$HOME" ` + pythonPty + `away mayi approve 1 --once`, "/usr/bin/python3", succeeds, refused},
	{"a tmux server of its own", `tmux -S "$HOME/tmux" -f /dev/null new-session -d 'mayi approve 1 --once'`, "tmux", succeeds, refused},
}

// TestSelfApproval lets an agent at a real terminal, as an unprivileged user
// where there is root, try to answer its own request.
func TestSelfApproval(t *testing.T) {
	if raceDetector {
		t.Skip("the processes are others, in which the detector finds nothing and takes long")
	}
	bin := unprivilegedBin(t)
	for i, a := range attacks {
		for _, wrapped := range []bool{false, true} {
			if testing.Short() && wrapped == (i%2 == 0) {
				continue // each attack in one way
			}
			name, want := a.name, a.plain
			if wrapped {
				name, want = a.name+", in a session", a.session
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if a.needs != "" {
					if _, err := exec.LookPath(a.needs); err != nil {
						t.Skipf("%s is not installed", a.needs)
					}
				}
				have := attempt(t, bin, a.sh, wrapped, want)
				if have != want {
					t.Errorf("the attack: %s, want %s", have, want)
				}
			})
		}
	}
}

// nobody is an unprivileged user.
const nobody = 65534

// unprivileged lets a command run as nobody where this is root.
func unprivileged(cmd *exec.Cmd) {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

// unprivilegedBin is a directory with this program in it, which everybody may
// run.
func unprivilegedBin(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mayi-attack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(dir, "mayi"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Close(), os.Chmod(dir, 0o755), os.Symlink("mayi", filepath.Join(dir, "terminal"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// unprivilegedHome is a home that belongs to the unprivileged user.
func unprivilegedHome(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mayi-home-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if os.Geteuid() == 0 {
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// attempt runs an attack and says how it went: an answer that counts is in the
// log, as is a refusal. What has left the agent may take a moment, so where one
// of them is wanted it is waited for.
func attempt(t *testing.T, bin, sh string, wrapped bool, want fate) fate {
	home := unprivilegedHome(t)
	session := ""
	if wrapped {
		session = "mayi session --"
	}
	wait := `true`
	if want != unanswered {
		wait = `for i in $(seq 200); do mayi log | grep -Eq '(refused|once|always|rejected|corrected)[[:space:]]' && break; sleep 0.1; done`
	}
	agent := fmt.Sprintf(`
		mayi ask --no-tty 'make x' >asked 2>&1 &
		asker=$!
		until mayi list --pending | grep -q 'make x'; do sleep 0.05; done
		%s
		%s
		mayi log >"$HOME/log" 2>&1
		kill $asker
		wait $asker
		exit 0`, sh, wait)
	if err := os.WriteFile(filepath.Join(home, "agent.sh"), []byte(agent), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(bin, "terminal"), "sh", "-c", session+" sh ./agent.sh; echo ended")
	cmd.Dir = home
	cmd.Env = []string{"PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "TERM=xterm", "SHELL=/bin/sh", "KEYS=" + down + down + enter}
	unprivileged(cmd)
	keyboard, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer keyboard.Close()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	log, err := os.ReadFile(filepath.Join(home, "log"))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s\n%s", plain(string(out)), log)
	found := unanswered
	for _, line := range strings.Split(string(log), "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) < 3 {
			continue
		}
		switch fields[2] {
		case "once", "always", "rejected", "corrected":
			return succeeds
		case "refused":
			found = refused
			asked, _ := os.ReadFile(filepath.Join(home, "asked"))
			if !strings.Contains(string(asked), "an approval attempt from pid ") {
				t.Errorf("who waits was not told:\n%s", asked)
			}
		}
	}
	if want == unanswered {
		return unanswered
	}
	return found
}
