package commands

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	ioctlGetTermios = unix.TIOCGETA
	ioctlSetTermios = unix.TIOCSETA
)

func flushInput(fd int) error {
	const read = 1 // FREAD: the input queue, ioctl(TIOCFLUSH)
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, read)
}

// controllingTerminal is the device of the controlling terminal, 0 if none.
func controllingTerminal() uint64 {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", os.Getpid())
	if err != nil || p.Eproc.Tdev < 0 {
		return 0
	}
	return uint64(p.Eproc.Tdev)
}

// terminalSession names the session of the terminal by its leader and when that
// was started, for process IDs are used again.
func terminalSession() string {
	sid, err := unix.Getsid(0)
	if err != nil {
		return "none"
	}
	start := int64(0)
	if p, err := unix.SysctlKinfoProc("kern.proc.pid", sid); err == nil {
		start = p.Proc.P_starttime.Nano()
	}
	return fmt.Sprintf("terminal-%d-%d", sid, start)
}

// isDevTTY is true: nobody but root mounts anything.
func isDevTTY(*os.File) bool { return true }
