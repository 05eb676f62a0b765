package shellparse

import (
	"slices"
	"strings"
)

// changeDir follows cd, pushd and popd, and lists the directories they change to.
// Where they fail, the shell stays where it was.
func (w *walker) changeDir(name string, args []Word, st *state) outcome {
	operands, physical := dirOperands(args)
	back := len(operands) == 1 && operands[0].String() == "-"
	switch {
	case name == "popd" || name == "pushd" && len(operands) == 0:
		return outcome{ok: st.popped(name, len(operands)), fail: *st}
	case back && !st.odd && len(st.old) > 0:
		return outcome{ok: st.at(st.old).pushed(name, st), fail: *st} // it has been there
	case back:
		return outcome{ok: st.at([]Word{unknownDir}).pushed(name, st), fail: *st}
	}
	to, known := w.changesTo(operands, st)
	if len(operands) == 0 || known {
		w.enters(to, st)
	} else {
		w.enters(anything(operands), st)
	}
	after := st.cd(to)
	if text, _ := to.Literal(); !known || st.odd || physical && strings.Contains(text, "..") {
		after = st.at([]Word{unknownDir})
	}
	return outcome{ok: after.pushed(name, st), fail: *st}
}

// dirOperands returns the operands of cd, and whether the directory is to have no
// link in it.
func dirOperands(args []Word) (operands []Word, physical bool) {
	for i, a := range args {
		text, ok := a.Literal()
		if ok && text == "--" {
			return append(operands, args[i+1:]...), physical
		}
		if ok && len(text) > 1 && text[0] == '-' && strings.Trim(text[1:], "LPe@") == "" {
			physical = physical || strings.Contains(text, "P")
			continue
		}
		operands = append(operands, a)
	}
	return operands, physical
}

// changesTo returns the directory that cd is given, and whether that is known.
func (w *walker) changesTo(operands []Word, st *state) (to Word, known bool) {
	switch len(operands) {
	case 0:
		home, ok := w.constantOf("HOME", st)
		if !ok || home == aNumber || home == "" {
			return Word{{"$HOME", Value}}, false
		}
		return Lit(home), true
	case 1:
	default:
		return nil, false
	}
	text, literal := operands[0].Literal()
	first, _, _ := strings.Cut(text, "/")
	searched := (st.cdpath || st.odd) && first != "" && first != "." && first != ".."
	if !literal || searched || text == "" || text[0] == '+' || text[0] == '-' {
		return operands[0], false
	}
	return operands[0], true
}

// maxStack is how many directories pushd may put by.
const maxStack = 16

// pushed is the state after pushd, when it began in another.
func (s state) pushed(name string, before *state) state {
	if name == "pushd" {
		if s.stack = append(slices.Clone(before.stack), before.dirs); len(s.stack) > maxStack {
			s.stack = nil
		}
	}
	return s
}

// popped is the state after popd, or pushd without a directory, which go where
// the shell has been. That may have been before this source.
func (s state) popped(name string, operands int) state {
	top := len(s.stack) - 1
	if operands > 0 || top < 0 {
		s = s.at([]Word{unknownDir})
		s.stack = nil
		return s
	}
	here := s.dirs
	t := s.at(s.stack[top])
	t.stack = slices.Clone(s.stack[:top])
	if name == "pushd" {
		t.stack = append(t.stack, here)
	}
	return t
}
