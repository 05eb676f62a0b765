package db

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// zombie is SZOMB of <sys/proc.h>: dead, and its parent does not know yet.
const zombie = 5

// startOf returns when a process started. The kernel answers with no bytes at
// all for a process that is not there, which SysctlKinfoProc returns as EIO.
func startOf(pid int) (string, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if errors.Is(err, unix.EIO) || errors.Is(err, unix.ESRCH) || err == nil && info.Proc.P_stat == zombie {
		return "", errNoProcess
	}
	if err != nil {
		return "", err
	}
	start := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", start.Sec, start.Usec), nil
}

func bootID() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
}

// pidSpace is empty: macOS has one space of process numbers.
func pidSpace() string { return "" }
