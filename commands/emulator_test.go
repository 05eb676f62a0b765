package commands

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// The tests stand to a terminal emulator as a person does: it is not part of what
// they run. It is a process of its own without a parent here, that holds the
// terminals and relays what is typed and shown:
//
//	terminal PROGRAM ARG…
//
// types what it reads from its standard input, hangs up when that ends, and ends
// with the status of the program.

// emulated is a command whose program runs at a terminal of such an emulator.
func emulated(cmd *exec.Cmd) *exec.Cmd {
	outer := exec.Command("terminal", cmd.Args...)
	outer.Dir, outer.Env = cmd.Dir, cmd.Env
	return outer
}

const inEmulator = "MAYI_TEST_EMULATOR"

func terminalMain() {
	code, err := 0, error(nil)
	if os.Getenv(inEmulator) == "" {
		code, err = startEmulator()
	} else {
		os.Unsetenv(inEmulator)
		// The shell ignores these for what it runs in the background; handled
		// here, they are as ever for what this runs.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGQUIT)
		code, err = emulate(exec.Command(os.Args[1], os.Args[2:]...))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "terminal:", err)
	}
	os.Exit(code)
}

// startEmulator runs this program again as an orphan and waits for it.
func startEmulator() (int, error) {
	status, sender, err := os.Pipe()
	if err != nil {
		return 1, err
	}
	self, err := os.Executable()
	if err != nil {
		return 1, err
	}
	// The shell that knows the status is the orphan. What runs in the background
	// of a script gets no standard input unless told so.
	cmd := exec.Command("sh", append([]string{"-c", `exec 4<&0; ("$0" "$@" 3>&- 4<&-; echo $? >&3) <&4 &`, self}, os.Args[1:]...)...)
	cmd.Args[3] = os.Args[0] // whose base names this program
	cmd.Env = append(os.Environ(), inEmulator+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = os.Stdin, os.Stdout, os.Stderr, []*os.File{sender}
	if err := cmd.Run(); err != nil {
		return 1, err
	}
	sender.Close()
	text, err := io.ReadAll(status)
	if err != nil {
		return 1, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

func emulate(cmd *exec.Cmd) (int, error) {
	started, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 160})
	if err != nil {
		return 1, err
	}
	// A file that is read without blocking is closed, and the terminal hung up,
	// at once.
	fd, err := unix.Dup(int(started.Fd()))
	if err != nil {
		return 1, err
	}
	unix.CloseOnExec(fd)
	if err := unix.SetNonblock(fd, true); err != nil {
		return 1, err
	}
	started.Close()
	master := os.NewFile(uintptr(fd), "master")
	go func() {
		io.Copy(master, os.Stdin)
		master.Close()
	}()
	// Wrapped, for the kernel cannot be left to splice a terminal.
	io.Copy(os.Stdout, struct{ io.Reader }{master}) // up to EIO: the last process has closed the terminal
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if exit.ExitCode() < 0 {
			return 255, err
		}
		return exit.ExitCode(), nil
	}
	return 0, err
}
