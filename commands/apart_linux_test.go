package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mayi/db"
)

// TestAnotherPaneOfTheSameServerAnswers asks in one pane and answers in another:
// who holds both terminals runs both, and is no party.
func TestAnotherPaneOfTheSameServerAnswers(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	h := newHome(t)
	tmux := func(args ...string) {
		t.Helper()
		cmd := exec.Command("tmux", append([]string{"-S", filepath.Join(h.dir, "tmux"), "-f", "/dev/null"}, args...)...)
		cmd.Dir, cmd.Env = h.command().Dir, h.command().Env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("tmux %v: %v\n%s", args, err, out)
		}
	}
	tmux("new-session", "-d", "sh -c 'mayi ask --no-tty \"make x\"; sleep 60'")
	t.Cleanup(func() { tmux("kill-server") })
	if err := watchUntil(h.db(), func(l []db.Request) bool { return len(l) == 1 }); err != nil {
		t.Fatal(err)
	}
	tmux("new-window", "-d", "sh -c 'mayi approve 1 --once >out 2>&1'")
	if err := watchUntil(h.db(), func(l []db.Request) bool { return len(l) == 0 }); err != nil {
		out, _ := os.ReadFile(filepath.Join(h.command().Dir, "out"))
		t.Fatalf("%v\n%s", err, out)
	}
	if log := h.mayi(0, "log"); strings.Contains(log, "refused") {
		t.Errorf("a person was refused:\n%s", log)
	}
}

// TestAnotherUserReachesNothing lets a second user try to read, ring, connect to
// and take the places of what belongs to the first.
func TestAnotherUserReachesNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	bin, dir := unprivilegedBin(t), unprivilegedHome(t)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	as := func(uid uint32, sh string) (string, error) {
		cmd := exec.Command("sh", "-c", sh)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + bin + ":/usr/bin:/bin", "HOME=" + dir}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := as(nobody, "mayi ask --no-tty 'make x' >/dev/null 2>&1 & until mayi list --pending | grep -q 'make x'; do sleep 0.05; done; ls .local/state/mayi/bells/ask-*"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Cleanup(func() {
		as(nobody, "kill -TERM $(mayi list --pending --json | sed -n 's/.*\"pid\":\\([0-9]*\\).*/\\1/p')")
	})
	bells, err := filepath.Glob(filepath.Join(dir, ".local/state/mayi/bells/*"))
	if err != nil || len(bells) == 0 {
		t.Fatalf("no bell: %v", err)
	}
	const other = nobody - 1
	for _, sh := range []string{
		"cat .local/state/mayi/mayi.db",
		"ls .local/state/mayi",
		"ls .local/state/mayi/bells",
		"touch .local/state/mayi/bells/ask-x",
		"mayi list --pending",
		"mayi --db " + dir + "/.local/state/mayi/mayi.db approve 1 --once",
		`perl -MSocket -e 'socket(S, AF_UNIX, SOCK_DGRAM, 0); send(S, "x", 0, pack_sockaddr_un("` + bells[0] + `")) or die $!'`,
		`perl -MSocket -e 'socket(S, AF_UNIX, SOCK_DGRAM, 0); connect(S, pack_sockaddr_un("` + bells[0] + `")) or die $!'`,
	} {
		if out, err := as(other, sh); err == nil {
			t.Errorf("%s succeeds:\n%s", sh, out)
		}
	}
	// Places that the other user took first are not used.
	squatted := filepath.Join(dir, "squatted")
	if err := os.Mkdir(squatted, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(squatted, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	for _, sh := range []string{"mkdir -p squatted/a", "mkdir squatted/b && chmod 777 squatted/b && : >squatted/b/mayi.db && chmod 666 squatted/b/mayi.db"} {
		if out, err := as(other, sh); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, database := range []string{"squatted/a/mayi.db", "squatted/b/mayi.db"} {
		if out, err := as(nobody, "mayi --db "+database+" ask --no-tty --timeout 1s 'make x'; test $? = 74"); err != nil {
			t.Errorf("%s is used:\n%s", database, out)
		}
	}
}
