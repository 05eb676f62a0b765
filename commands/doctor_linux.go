package commands

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// checkTerminal looks whether a program can type into the terminal it was started
// from (ioctl_tty(2), TIOCSTI): then it can answer a question that another
// process asks there.
func checkTerminal(context.Context, *env) []finding {
	const name = "/proc/sys/dev/tty/legacy_tiocsti" // since Linux 6.2; before that it was always possible
	value, err := os.ReadFile(name)
	f := finding{What: "terminals: a program cannot type into the one it was started from"}
	if err != nil || strings.TrimSpace(string(value)) != "0" {
		f.What = "terminals: a program can type into the one it was started from, and answer what is asked there"
		f.Hint = "answer at another terminal, or as root: sysctl dev.tty.legacy_tiocsti=0"
		if err != nil {
			f.Hint = "answer at another terminal; Linux 6.2 and later can switch that off"
		}
	}
	return []finding{f}
}

// checkProcesses looks whether the processes can be seen from which one that
// answers is told from one that asks.
func checkProcesses(context.Context, *env) []finding {
	hint := "approve where /proc shows every process of yours: mount it without hidepid, or leave the container"
	for pid := os.Getpid(); pid > 1; {
		parent, err := strconv.Atoi(statField(pid, 4))
		if err != nil {
			return []finding{{What: "processes", Fault: fmt.Sprintf("process %d, from which this one comes, cannot be seen: nobody is taken for a person here", pid), Hint: hint}}
		}
		if pid = parent; pid == 0 {
			return []finding{{What: "processes: this one was put into its PID namespace from outside", Hint: hint, Note: "what started it cannot be seen"}}
		}
	}
	f := finding{What: "processes: all from which this one comes can be seen"}
	if option := hidepid(); option != "" {
		f.Note = "those of other users cannot: /proc is mounted with " + option
	}
	return []finding{f}
}

// hidepid is the option with which /proc is mounted (proc(5)), "" for none.
func hidepid() string {
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line)
		if len(fields) < 5 || fields[4] != "/proc" {
			continue
		}
		for _, option := range strings.Split(fields[len(fields)-1], ",") {
			if value, ok := strings.CutPrefix(option, "hidepid="); ok && value != "0" && value != "off" {
				return option
			}
		}
	}
	return ""
}
