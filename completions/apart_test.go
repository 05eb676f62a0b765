package completions

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// apart runs the tests. The terminals of a test belong to it as those of a person
// belong to a terminal emulator, which does not itself run at a terminal. So
// where the tests were started at one, they are started again as an orphan in a
// session of its own.
func apart(m *testing.M) int {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		// A shell ignores these for what it runs in the background; handled here,
		// they are as ever for what this runs.
		if signal.Ignored(syscall.SIGINT) {
			signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGQUIT)
		}
		return m.Run()
	}
	tty.Close()
	status, sender, err := os.Pipe()
	if err != nil {
		return failed(err)
	}
	cmd := exec.Command("sh", append([]string{"-c", `("$0" "$@" 3>&-; echo $? >&3) &`}, os.Args...)...)
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdout, os.Stderr, []*os.File{sender}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Run(); err != nil {
		return failed(err)
	}
	sender.Close()
	text, err := io.ReadAll(status)
	if err != nil {
		return failed(err)
	}
	code, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return failed(err)
	}
	return code
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
