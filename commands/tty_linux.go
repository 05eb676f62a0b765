package commands

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	ioctlGetTermios = unix.TCGETS
	ioctlSetTermios = unix.TCSETS
)

func flushInput(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }

// statField returns a field of /proc/PID/stat by its number in proc(5), "" when
// it cannot be read. The second field, the name, may hold anything, so fields
// are counted from behind it.
func statField(pid, field int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(data[strings.LastIndexByte(string(data), ')')+1:]), " ")
	fields := strings.Fields(rest)
	if field-3 < 0 || field-3 >= len(fields) {
		return ""
	}
	return fields[field-3]
}

// controllingTerminal is the device of the controlling terminal, 0 if none.
func controllingTerminal() uint64 {
	n, _ := strconv.ParseUint(statField(os.Getpid(), 7), 10, 64)
	return n
}

// terminalSession names the session of the terminal by its leader and when that
// was started, for process IDs are used again.
func terminalSession() string {
	sid, err := unix.Getsid(0)
	if err != nil {
		return "none"
	}
	return fmt.Sprintf("terminal-%d-%s", sid, statField(sid, 22))
}

// isDevTTY reports whether a file is /dev/tty itself, 5:0
// (Documentation/admin-guide/devices.txt): in a mount namespace of one's own
// another terminal can be put in its place.
func isDevTTY(file *os.File) bool {
	var stat unix.Stat_t
	return unix.Fstat(int(file.Fd()), &stat) == nil && stat.Rdev == unix.Mkdev(5, 0)
}
