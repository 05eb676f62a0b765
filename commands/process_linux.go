package commands

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// parentName is the program that started this process.
func parentName() string {
	comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", os.Getppid()))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(comm), "\n")
}

// terminalName is the device file of the controlling terminal, "" if none.
func terminalName() string {
	dev := controllingTerminal()
	if dev == 0 {
		return ""
	}
	// The majors of Unix98 pseudo-terminals, Documentation/admin-guide/devices.txt.
	if major := unix.Major(dev); major >= 136 && major <= 143 {
		return fmt.Sprintf("/dev/pts/%d", (major-136)*256+unix.Minor(dev))
	}
	return "/dev/tty"
}
