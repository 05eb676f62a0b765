package shellparse

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// A state is what is known at one point of a source: the variables that hold a
// constant there, and the directories the shell may be in. States are values:
// fork before giving one to a branch.
type state struct {
	vars  map[string]string   // constants, or [aNumber]
	lists map[string][]string // arrays of constants, from 0 on; may be nil
	globs map[string]Word     // variables that hold a name which a pattern found; may be nil
	args  *[]Word             // the positional parameters, nil when not known
	zero  Word                // $0, nil when not known
	dirs  []Word              // where the shell may be, relative to where it started

	// defined are the functions that surely stand behind a name; may be nil.
	defined map[string]*function

	old   []Word   // where it may have been before the last cd; none when unknown
	stack [][]Word // what pushd has put by in this source, the last one last

	ifs    bool // IFS may not be the default
	cdpath bool // CDPATH may be set
	odd    bool // an option may be set that changes how words expand
	wild   bool // code ran that is not known: it may have set attributes and traps
}

// aNumber is the value of a variable that holds some integer. No variable holds
// a NUL.
const aNumber = "\x00"

// maxVars and maxDirs bound the work of forking and joining states, maxValue, in
// bytes, that of constants made of constants.
const (
	maxVars  = 64
	maxDirs  = 4
	maxValue = 4 << 10
)

var unknownDir = Word{{"?", Value}}

func newState(o Options) state {
	st := state{vars: map[string]string{}, dirs: []Word{nil}}
	for _, name := range slices.Sorted(maps.Keys(o.Values)) {
		st.set(name, o.Values[name])
	}
	if o.Home != "" {
		st.vars["HOME"] = o.Home
	}
	return st
}

func (s state) fork() state {
	s.vars, s.lists, s.defined = maps.Clone(s.vars), maps.Clone(s.lists), maps.Clone(s.defined)
	s.globs = maps.Clone(s.globs)
	return s
}

// forget is the state after code that is not known.
func (s state) forget() state {
	return state{vars: map[string]string{}, dirs: []Word{unknownDir}, ifs: true, cdpath: true, odd: true, wild: true}
}

// join is the state after either of two ways to get here.
func (s state) join(t state) state {
	vars := map[string]string{}
	for name, value := range s.vars {
		switch v, ok := t.vars[name]; {
		case !ok:
		case v == value:
			vars[name] = value
		case isNumber(v) && isNumber(value):
			vars[name] = aNumber
		}
	}
	lists := maps.Clone(s.lists)
	maps.DeleteFunc(lists, func(name string, list []string) bool {
		other, ok := t.lists[name]
		return !ok || !slices.Equal(list, other)
	})
	globs := maps.Clone(s.globs)
	maps.DeleteFunc(globs, func(name string, w Word) bool { return !slices.Equal(w, t.globs[name]) })
	defined := maps.Clone(s.defined)
	maps.DeleteFunc(defined, func(name string, f *function) bool { return t.defined[name] != f })
	args := s.args
	if !slices.Equal(s.zero, t.zero) {
		s.zero = nil
	}
	if args != t.args && (args == nil || t.args == nil || !slices.EqualFunc(*args, *t.args, slices.Equal[Word])) {
		args = nil
	}
	dirs := slices.Clone(s.dirs)
	for _, d := range t.dirs {
		if !slices.ContainsFunc(dirs, func(e Word) bool { return slices.Equal(d, e) }) {
			dirs = append(dirs, d)
		}
	}
	if len(dirs) > maxDirs {
		dirs = []Word{unknownDir}
	}
	j := state{
		vars: vars, lists: lists, globs: globs, args: args, zero: s.zero, dirs: dirs, defined: defined,
		ifs: s.ifs || t.ifs, cdpath: s.cdpath || t.cdpath, odd: s.odd || t.odd, wild: s.wild || t.wild,
	}
	if slices.EqualFunc(s.old, t.old, slices.Equal[Word]) {
		j.old = s.old
	}
	if slices.EqualFunc(s.stack, t.stack, func(a, b []Word) bool { return slices.EqualFunc(a, b, slices.Equal[Word]) }) {
		j.stack = s.stack
	}
	return j
}

// set notes that a variable holds a constant.
func (s *state) set(name, value string) {
	s.unset(name)
	if !s.wild && !dynamic(name) && len(s.vars) < maxVars && len(value) <= maxValue {
		s.vars[name] = value
	}
}

// setList notes that an array holds constants.
func (s *state) setList(name string, list []string) {
	s.unset(name)
	size := 0
	for _, value := range list {
		size += len(value)
	}
	if s.wild || dynamic(name) || len(s.lists) >= maxVars || size > maxValue {
		return
	}
	if s.lists == nil {
		s.lists = map[string][]string{}
	}
	s.lists[name] = list
}

// unset notes that nothing is known of a variable any more.
func (s *state) unset(name string) {
	switch name {
	case "IFS":
		s.ifs = true
	case "CDPATH":
		s.cdpath = true
	case "OLDPWD":
		s.old = nil
	}
	delete(s.vars, name)
	delete(s.lists, name)
	delete(s.globs, name)
}

// clear notes that any variable may have been set.
func (s *state) clear() {
	s.computed()
	s.cdpath, s.old = true, nil
}

// computed notes that any variable may have been set to a number.
func (s *state) computed() {
	s.vars, s.lists, s.globs, s.ifs = map[string]string{}, nil, nil, true
}

// count notes that a variable was set by an arithmetic expression.
func (s *state) count(name string) {
	if isNumber(s.vars[name]) {
		s.set(name, aNumber)
	} else {
		s.unset(name)
	}
}

// isNumber reports whether a value is an integer, in any base.
func isNumber(value string) bool {
	if value == aNumber {
		return true
	}
	digits := strings.TrimPrefix(value, "-")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' && strings.Trim(digits, "0123456789abcdefABCDEFxX#") == ""
}

// cd returns the state after changing to a directory.
func (s state) cd(to Word) state {
	s = s.fork()
	dirs := make([]Word, 0, len(s.dirs))
	for _, d := range s.dirs {
		dir := under(d, to)
		if text, ok := dir.Literal(); ok {
			dir = Lit(path.Clean(text)) // cd takes .. to be the parent by name
		}
		dirs = append(dirs, dir)
	}
	return s.at(dirs)
}

// at returns the state after changing to one of some directories.
func (s state) at(dirs []Word) state {
	s = s.fork()
	s.old, s.dirs = s.dirs, dirs
	return s
}

// under is a path as seen from where dir is relative to.
func under(dir, p Word) Word {
	if strings.HasPrefix(p.literalPrefix(), "/") || len(dir) == 0 || dir.String() == "." || len(p) > 0 && p[0].isHome() {
		return p
	}
	var b wordBuilder
	for _, piece := range dir {
		b.piece(piece)
	}
	b.literal("/")
	for _, piece := range p {
		b.piece(piece)
	}
	return b.word()
}

// define notes that a function stands behind a name.
func (s *state) define(name string, f *function) {
	s.defined = maps.Clone(s.defined)
	if s.defined == nil {
		s.defined = map[string]*function{}
	}
	s.defined[name] = f
}

// isHome reports whether a piece stands for the home directory, which is not known.
func (p Piece) isHome() bool {
	return p.Hole != Known && (p.Text == "~" || p.Text == "$HOME" || p.Text == "${HOME}")
}

// undefine notes that no function is sure to stand behind a name any more.
func (s *state) undefine(name string) {
	s.defined = maps.Clone(s.defined)
	delete(s.defined, name)
}

// An outcome is the pair of states in which a command ends, one when it succeeds,
// one when it fails, and what it writes to its standard output.
type outcome struct {
	ok, fail state
	prints   stream
}

// A stream is what a command reads or writes, as far as the source says: a
// literal text, or something that cannot be known.
type stream struct {
	text    string
	literal bool
	doubted bool   // the text is what the source wrote to a file, and it may hold another by now
	names   string // what the names in it match that find prints, see found
	typed   bool   // the standard input of the line itself, which nothing has redirected
}

// silent is the stream of a command that writes nothing.
var silent = stream{literal: true}

// then is what is written by one command and then by another.
func (s stream) then(t stream) stream {
	if !s.literal || !t.literal || len(s.text)+len(t.text) > MaxSource {
		return stream{}
	}
	return stream{text: s.text + t.text, literal: true, doubted: s.doubted || t.doubted}
}

// sure reports whether the text is all that can come.
func (s stream) sure() bool { return s.literal && !s.doubted }

func same(s state) outcome { return outcome{ok: s, fail: s} }

// either is the state after a command whose status is not looked at.
func (o outcome) either() state { return o.ok.join(o.fail) }

// dynamic reports whether a variable may not hold what was assigned to it.
func dynamic(name string) bool {
	return strings.HasPrefix(name, "BASH") || dynamicVariables[name]
}
