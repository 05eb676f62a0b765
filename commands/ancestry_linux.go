package commands

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"mayi/db"
)

// ownLineage is the lineage of this process. In a PID namespace whose /proc is
// that of another one, numbers mean other processes there.
func ownLineage() ([]process, error) {
	self, err := os.Readlink("/proc/self")
	if err != nil {
		return nil, fmt.Errorf("who runs it cannot be seen: %w", err)
	}
	if self != strconv.Itoa(os.Getpid()) {
		return nil, errors.New("who runs it cannot be seen: /proc is that of another PID namespace")
	}
	return lineage(os.Getpid())
}

// readProcess reads /proc/PID/stat (proc_pid_stat(5)), which everybody may, also
// of a process that cannot be traced.
func readProcess(pid int) (process, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, err
	}
	// The second field is the name in brackets, which may hold anything.
	text := string(stat)
	from, to := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if from < 0 || to < from {
		return process{}, fmt.Errorf("/proc/%d/stat names no program", pid)
	}
	fields := strings.Fields(text[to+1:])
	const parent, session, device, start = 4 - 3, 6 - 3, 7 - 3, 22 - 3
	if len(fields) <= start {
		return process{}, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields)+2)
	}
	name := text[from+1 : to]
	p := process{Relative: db.Relative{PID: pid, Start: fields[start], Name: name, Wrapper: name == wrapperName}, stopped: fields[0] == "T"}
	if p.parent, err = strconv.Atoi(fields[parent]); err != nil {
		return process{}, fmt.Errorf("/proc/%d/stat: %w", pid, err)
	}
	if p.device, err = strconv.ParseUint(fields[device], 10, 64); err != nil {
		return process{}, fmt.Errorf("/proc/%d/stat: %w", pid, err)
	}
	if p.device != 0 {
		leader, _ := strconv.Atoi(fields[session])
		p.Terminal = fmt.Sprintf("%d-%s", p.device, statField(leader, 22))
	}
	return p, nil
}

// later reports whether a process started, in clock ticks since boot, after
// another one.
func later(start, than string) bool {
	a, errA := strconv.ParseUint(start, 10, 64)
	b, errB := strconv.ParseUint(than, 10, 64)
	return errA != nil || errB != nil || a > b
}

// isPseudoTerminal knows the slaves of Unix98 pseudo-terminals by their majors,
// and isConsole the virtual consoles (Documentation/admin-guide/devices.txt).
func isPseudoTerminal(device uint64) bool {
	major := unix.Major(device)
	return major >= 136 && major <= 143
}

func isConsole(device uint64) bool {
	return unix.Major(device) == 4 && unix.Minor(device) > 0 && unix.Minor(device) < 64
}

// holders returns the processes that have the master side of a pseudo-terminal
// open, those of other users excepted, which cannot be seen: what is open by its
// device (/dev/ptmx is 5:2), and which by the tty-index of its fdinfo
// (proc_pid_fdinfo(5), since Linux 4.20). An index of another devpts may be
// taken for this one; that forbids and never permits.
func holders(device uint64) (pids []int) {
	if !isPseudoTerminal(device) {
		return nil
	}
	want := fmt.Appendf(nil, "tty-index:\t%d\n", (unix.Major(device)-136)*256+unix.Minor(device))
	processes, _ := os.ReadDir("/proc")
	for _, entry := range processes {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		dir := filepath.Join("/proc", entry.Name())
		files, _ := os.ReadDir(filepath.Join(dir, "fd"))
		for _, f := range files {
			var stat unix.Stat_t
			if unix.Stat(filepath.Join(dir, "fd", f.Name()), &stat) != nil || stat.Rdev != unix.Mkdev(5, 2) {
				continue
			}
			info, err := os.ReadFile(filepath.Join(dir, "fdinfo", f.Name()))
			if err == nil && bytes.Contains(append(info, '\n'), want) {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}

// startedWith returns the names of the variables that a process was started
// with, as far as they can be seen.
func startedWith(pid int) (names []string) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	for entry := range strings.SplitSeq(string(data), "\x00") {
		if name, value, _ := strings.Cut(entry, "="); value != "" {
			names = append(names, name)
		}
	}
	return names
}

// keysCanBeForged reports whether a program may type at its own terminal as if
// a person had (TIOCSTI): always before Linux 6.2, then if this says so
// (Documentation/admin-guide/sysctl, dev.tty.legacy_tiocsti).
func keysCanBeForged() bool {
	data, err := os.ReadFile("/proc/sys/dev/tty/legacy_tiocsti")
	return err != nil || strings.TrimSpace(string(data)) != "0"
}

// hideMemory keeps other processes of the user from reading and changing this
// one: nobody but root may trace it, or open what /proc shows of its memory and
// its files (PR_SET_DUMPABLE(2const), ptrace(2)). What it executes is free again.
func hideMemory() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

// becomeWrapper makes this process the parent of all that it starts and of what
// that leaves behind (PR_SET_CHILD_SUBREAPER(2const)), and names it. Only the
// owner of a process's files may name it.
func becomeWrapper() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the parent of orphans: %w", err)
	}
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)
	defer hideMemory()
	if err := os.WriteFile("/proc/self/comm", []byte(wrapperName), 0); err != nil {
		return fmt.Errorf("take the name %s: %w", wrapperName, err)
	}
	return nil
}
