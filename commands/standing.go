package commands

import (
	"errors"
	"fmt"
	"slices"

	"mayi/db"
)

// A standing is how this process stands to others: what led to it and what holds
// its terminal.
type standing struct {
	self    process
	line    []process   // this process and its ancestors
	tree    []process   // its own party of these
	holders [][]process // of the terminal's other side, each with its ancestors
}

func ownStanding() (*standing, error) {
	line, err := ownLineage()
	if err != nil {
		return nil, err
	}
	s := &standing{self: line[0], line: line, tree: treeOf(line)}
	for _, pid := range holders(s.self.device) {
		if line, err := lineage(pid); err == nil { // else it ended
			s.holders = append(s.holders, line)
		}
	}
	return s, nil
}

// outsideSessions demands that no `mayi session` led here, nor holds the
// terminal.
func (s *standing) outsideSessions() error {
	for _, line := range append(s.holders, s.line) {
		if i := slices.IndexFunc(line, func(p process) bool { return p.Wrapper }); i >= 0 {
			return fmt.Errorf("it runs inside the session of %s", line[i])
		}
	}
	return nil
}

// noMarkedRelative looks for the markers of agents in what led here, and in what
// holds the terminal: from the own environment alone they are easily taken.
func (s *standing) noMarkedRelative() error {
	relatives := slices.Clone(s.tree[1:])
	for _, line := range s.holders {
		relatives = append(relatives, line[0])
	}
	for _, p := range relatives {
		for _, name := range startedWith(p.PID) {
			if slices.Contains(agentMarkers, name) {
				return fmt.Errorf("$%s of %s says that an agent runs it", name, p)
			}
		}
	}
	return nil
}

// typedInAShell demands that nothing but shells stands between the terminal and
// this process: an agent that runs at the person's own terminal does.
func (s *standing) typedInAShell() error {
	for _, p := range s.tree[1:] {
		if !typedThrough[p.Name] {
			return fmt.Errorf("%s runs it, and not a person's shell", p)
		}
	}
	return nil
}

// holderApart demands that what holds the other side of the terminal, and could
// type there, does not itself run at an outer terminal from which all this was
// started.
func (s *standing) holderApart() error {
	return s.noHolderIn(relatives(s.tree), "from whose own terminal all this is run")
}

func (s *standing) noHolderIn(tree []db.Relative, whose string) error {
	for _, line := range s.holders {
		if _, in := shared(line, tree); in {
			return fmt.Errorf("its terminal is held by %s, %s", line[0], whose)
		}
	}
	return nil
}

// apartFrom demands that this process, its terminal and what holds that are no
// part of what asks: of the tree that was recorded with the request, nor of what
// has become of it.
func (s *standing) apartFrom(r db.Request) error {
	self := db.Self()
	switch {
	case len(r.Tree) == 0 || r.Asker.Boot == "" || r.Asker.Start == "" || self.Boot == "" || self.Start == "":
		return errors.New("it cannot be found out where the request came from")
	case r.Asker.Boot != self.Boot || r.Asker.Space != self.Space:
		return errors.New("the request came from another container or PID namespace, and what asked cannot be seen from here")
	}
	now, err := treeNow(r)
	if err != nil {
		return err
	}
	tree := append(slices.Clone(r.Tree), relatives(now)...)
	if s.terminalOf(r.Tree, now) {
		return errors.New("it runs at the terminal of what asks")
	}
	if p, in := shared(s.line, tree); in {
		return fmt.Errorf("%s runs both this and what asks", p)
	}
	return s.noHolderIn(tree, "which belongs to what asks")
}

// terminalOf reports whether a process of a tree has this terminal, or had it
// when it asked. Numbers of terminals are used again, so then it is told by its
// session's leader as well.
func (s *standing) terminalOf(then []db.Relative, now []process) bool {
	return slices.ContainsFunc(then, func(r db.Relative) bool { return r.Terminal != "" && r.Terminal == s.self.Terminal }) ||
		slices.ContainsFunc(now, func(p process) bool { return p.device != 0 && p.device == s.self.device })
}

// treeNow is the tree of what asks as it is by now: parents may have died. A
// session that has ended leaves nobody whose request it could be.
func treeNow(r db.Request) (now []process, err error) {
	for _, relative := range r.Tree {
		p, err := readProcess(relative.PID)
		switch {
		case err == nil && p.Start == relative.Start:
			now = append(now, p)
		case relative.Wrapper:
			return nil, errors.New("the session that the request was asked in has ended")
		}
	}
	if len(now) == 0 || now[0].PID != r.Asker.PID {
		return nil, errors.New("what asked is gone")
	}
	line, err := lineage(r.Asker.PID)
	if err != nil {
		return nil, err
	}
	return append(now, treeOf(line)...), nil
}
