package commands

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"mayi/db"
)

func ownLineage() ([]process, error) { return lineage(os.Getpid()) }

// readProcess asks sysctl(3), which tells everybody about every process.
func readProcess(pid int) (process, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, err
	}
	start := info.Proc.P_starttime
	name := unix.ByteSliceToString(info.Proc.P_comm[:])
	p := process{
		Relative: db.Relative{PID: pid, Start: fmt.Sprintf("%d.%06d", start.Sec, start.Usec), Name: name, Wrapper: name == wrapperName},
		parent:   int(info.Eproc.Ppid),
		stopped:  info.Proc.P_stat == 4, // SSTOP of <sys/proc.h>
	}
	if info.Eproc.Tdev >= 0 { // NODEV is -1
		p.device = uint64(info.Eproc.Tdev)
		leader := ""
		if sid, err := unix.Getsid(pid); err == nil {
			leader = fmt.Sprint(sid)
		}
		p.Terminal = fmt.Sprintf("%d-%s", p.device, leader)
	}
	return p, nil
}

// later compares seconds and microseconds, the latter of six digits.
func later(start, than string) bool {
	var a, b [2]int64
	_, errA := fmt.Sscanf(start, "%d.%d", &a[0], &a[1])
	_, errB := fmt.Sscanf(than, "%d.%d", &b[0], &b[1])
	return errA != nil || errB != nil || a[0] > b[0] || a[0] == b[0] && a[1] > b[1]
}

// isPseudoTerminal takes every terminal for one: there are no others to log in
// at but the console in single-user mode.
func isPseudoTerminal(device uint64) bool { return device != 0 }

func isConsole(uint64) bool { return false }

// holders cannot be found by sysctl.
func holders(uint64) []int { return nil }

func startedWith(int) []string { return nil }

// keysCanBeForged is true: TIOCSTI works at one's own terminal.
func keysCanBeForged() bool { return true }

// hideMemory does nothing: what is not entitled to it cannot be traced.
func hideMemory() {}

// becomeWrapper does nothing: there are no subreapers, and no process names
// itself. The environment alone tells that this is a session.
func becomeWrapper() error { return nil }
