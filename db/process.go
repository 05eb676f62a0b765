package db

import (
	"errors"
	"os"
)

// A Process is one process, told apart from a later one of the same number. Its
// fields but PID are opaque: they are compared, not read.
type Process struct {
	PID   int    // 0 when unknown
	Start string // when it started
	Boot  string // the run of the machine
	Space string // where PID counts: a PID namespace
}

var errNoProcess = errors.New("no such process")

// Self returns the calling process. What cannot be found out is left empty.
func Self() Process {
	p := Process{PID: os.Getpid(), Boot: bootID(), Space: pidSpace()}
	p.Start, _ = startOf(p.PID)
	return p
}

// checkable reports whether self can tell if p still runs: both say enough, and
// count processes alike.
func (p Process) checkable(self Process) bool {
	return p.PID > 0 && p.Start != "" && self.Start != "" && p.Space == self.Space
}

// gone reports whether it is certain that p runs no longer.
func (p Process) gone(self Process) bool {
	if p.Boot != self.Boot {
		return p.Boot != "" && self.Boot != "" // before the machine was restarted
	}
	if !p.checkable(self) {
		return false
	}
	start, err := startOf(p.PID)
	return errors.Is(err, errNoProcess) || err == nil && start != p.Start
}
