package commands

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// attend starts a program in the own process group and waits until it ends.
// Meanwhile it buries every orphan, stops when the program is stopped, so that
// the shell takes the terminal back, and passes on signals that are meant for
// the program.
func attend(file string, argv, environ []string) (syscall.WaitStatus, error) {
	signals := make(chan os.Signal, 16)
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGCHLD} {
		if !signal.Ignored(sig) { // nohup: the program is to ignore it as well
			signal.Notify(signals, sig)
		}
	}
	defer signal.Stop(signals)
	child, err := syscall.ForkExec(file, argv, &syscall.ProcAttr{Env: environ, Files: []uintptr{0, 1, 2}})
	if err != nil {
		return 0, err
	}
	// To give the terminal back from the background would stop this process. What
	// is ignored is inherited, so not before the program runs.
	signal.Ignore(syscall.SIGTTOU)
	for {
		switch status, done := bury(child); {
		case done && status.Stopped():
			pause(child)
			continue
		case done:
			return status, nil
		}
		switch sig := (<-signals).(syscall.Signal); {
		case sig == syscall.SIGCHLD:
		case (sig == syscall.SIGINT || sig == syscall.SIGQUIT) && inForeground():
			// A key: the terminal has sent it to the program as well.
		default:
			_ = syscall.Kill(child, sig)
		}
	}
}

// bury waits for whoever has ended, and reports whether the child has, or was
// stopped.
func bury(child int) (status syscall.WaitStatus, done bool) {
	for {
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG|syscall.WUNTRACED, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil || pid <= 0:
			return 0, false
		case pid == child:
			return status, true
		}
	}
}

// pause stops this process as its child was, and goes on with it when a shell
// continues them. A child that had the terminal for itself, as a shell has, gets
// it back.
func pause(child int) {
	had := terminalGroup()
	// A key has stopped this process too, before it gets here or now, and by the
	// time it goes on so does the child.
	time.Sleep(50 * time.Millisecond)
	if p, err := readProcess(child); err != nil || !p.stopped {
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	if had > 0 && had != syscall.Getpgrp() && inForeground() {
		setTerminalGroup(had)
	}
	_ = syscall.Kill(child, syscall.SIGCONT)
}

// terminalGroup is the process group that the controlling terminal listens to, 0
// when there is none.
func terminalGroup() int {
	file, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return 0
	}
	defer file.Close()
	group, err := unix.IoctlGetInt(int(file.Fd()), unix.TIOCGPGRP)
	if err != nil {
		return 0
	}
	return group
}

func setTerminalGroup(group int) {
	file, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return
	}
	defer file.Close()
	_ = unix.IoctlSetPointerInt(int(file.Fd()), unix.TIOCSPGRP, group)
}

func inForeground() bool { return terminalGroup() == syscall.Getpgrp() }
