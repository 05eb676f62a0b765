package commands

import (
	"fmt"
	"slices"

	"mayi/db"
)

// A process is a process of this machine, as one that runs beside it sees it.
type process struct {
	db.Relative
	parent  int
	device  uint64 // of its controlling terminal, 0 if none
	stopped bool   // by a signal
}

func (p process) String() string { return named(p.Relative) }

func named(r db.Relative) string {
	return fmt.Sprintf("%s (pid %d)", first(r.Name, "a program"), r.PID)
}

// wrapperName is what `mayi session` calls itself, for its descendants to know it
// by. To call itself so makes no other program more trusted: it only forbids.
const wrapperName = "mayi-session"

// treeOf returns the part of a lineage that is one party: the process itself and
// its ancestors up to where others begin, who are not answerable for it. What
// is below one terminal is one party. Of several, one inside the other, the
// outermost counts: the inner ones were made by a program that runs in it. It is
// known by its slave side, for its holder may be another user's (sshd). Without
// any terminal the party ends below what starts the parties of a machine.
func treeOf(line []process) []process {
	for i, p := range slices.Backward(line) {
		if isPseudoTerminal(p.device) {
			return line[:i+1]
		}
	}
	n := len(line)
	for n > 1 && line[n-1].startsParties() {
		n--
	}
	return line[:n]
}

// startsParties reports whether a process begins what has nothing to do with
// each other: the first process, a user's manager, a login, a desktop, or the
// shell at a console that starts one.
func (p process) startsParties() bool {
	switch {
	case p.Wrapper:
		return false
	case p.PID == 1, partyStarters[p.Name]:
		return true
	}
	return isConsole(p.device) && typedThrough[p.Name]
}

// shared finds a process that a lineage has in common with a tree.
func shared(line []process, tree []db.Relative) (process, bool) {
	i := slices.IndexFunc(line, func(p process) bool {
		return slices.ContainsFunc(tree, func(r db.Relative) bool { return r.PID == p.PID && r.Start == p.Start })
	})
	if i < 0 {
		return process{}, false
	}
	return line[i], true
}

// relatives is what is stored of processes.
func relatives(line []process) (list []db.Relative) {
	for _, p := range line {
		list = append(list, p.Relative)
	}
	return list
}

// ownTree is where a request of this process comes from. It is empty where that
// cannot be found out; nobody can answer such a request.
func ownTree() []db.Relative {
	line, err := ownLineage()
	if err != nil {
		return nil
	}
	return relatives(treeOf(line))
}

// lineage returns a process and its ancestors, the first process of the machine,
// or of a container, last.
func lineage(pid int) (line []process, err error) {
	// A process that ends meanwhile leaves its children to another one.
	for range 5 {
		if line, err = lineageOnce(pid); err == nil {
			return line, nil
		}
	}
	return nil, err
}

func lineageOnce(pid int) (line []process, err error) {
	for next := pid; next != 0; {
		p, err := readProcess(next)
		if err != nil {
			return nil, fmt.Errorf("who runs it cannot be seen: %w", err)
		}
		if len(line) > 0 && later(p.Start, line[len(line)-1].Start) || len(line) > 1000 {
			return nil, fmt.Errorf("who runs it cannot be seen: process %d was replaced", next)
		}
		line = append(line, p)
		next = p.parent
	}
	return line, nil
}
