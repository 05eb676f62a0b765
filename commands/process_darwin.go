package commands

import (
	"os"

	"golang.org/x/sys/unix"
)

// parentName is the program that started this process.
func parentName() string {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", os.Getppid())
	if err != nil {
		return ""
	}
	return unix.ByteSliceToString(p.Proc.P_comm[:])
}

// terminalName is the device file of the controlling terminal, "" if none.
func terminalName() string {
	if controllingTerminal() == 0 {
		return ""
	}
	return "/dev/tty"
}
