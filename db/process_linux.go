package db

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// startOf returns when a process started, in clock ticks since boot: field 22
// of /proc/PID/stat (proc_pid_stat(5)). A zombie is no process any more, only
// its parent does not know yet.
func startOf(pid int) (string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) {
		// With hidepid (proc(5)) a process that cannot be traced is not there to
		// be seen, and no mayi can be. Signal 0 finds it (kill(2)).
		if killed := unix.Kill(pid, 0); !errors.Is(killed, unix.ESRCH) {
			return "", fmt.Errorf("/proc/%d is hidden", pid)
		}
		return "", errNoProcess
	}
	if err != nil {
		return "", err
	}
	// The second field is the name in brackets, which may hold anything.
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return "", fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	if state := fields[0]; state == "Z" || state == "X" {
		return "", errNoProcess
	}
	return fields[19], nil
}

func bootID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}

func pidSpace() string {
	space, _ := os.Readlink("/proc/self/ns/pid")
	return space
}
