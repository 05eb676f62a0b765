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
	vars map[string]string
	dirs []Word // where the shell may be, relative to where it started
	ifs  bool   // IFS may not be the default
}

// maxVars and maxDirs bound the work of forking and joining states.
const (
	maxVars = 64
	maxDirs = 4
)

var unknownDir = Word{{"?", Value}}

func newState(o Options) state {
	st := state{vars: map[string]string{}, dirs: []Word{nil}}
	if o.Home != "" {
		st.vars["HOME"] = o.Home
	}
	return st
}

func (s state) fork() state {
	s.vars = maps.Clone(s.vars)
	return s
}

// forget is the state after something that could have changed anything.
func (s state) forget() state {
	return state{vars: map[string]string{}, dirs: []Word{unknownDir}, ifs: true}
}

// join is the state after either of two ways to get here.
func (s state) join(t state) state {
	vars := map[string]string{}
	for name, value := range s.vars {
		if v, ok := t.vars[name]; ok && v == value {
			vars[name] = value
		}
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
	return state{vars, dirs, s.ifs || t.ifs}
}

// set notes that a variable holds a constant.
func (s *state) set(name, value string) {
	if name == "IFS" {
		s.ifs = true
	}
	if dynamicVariables[name] || len(s.vars) >= maxVars {
		delete(s.vars, name)
		return
	}
	s.vars[name] = value
}

// unset notes that nothing is known of a variable any more.
func (s *state) unset(name string) {
	if name == "IFS" {
		s.ifs = true
	}
	delete(s.vars, name)
}

// cd returns the state after changing to a directory.
func (s state) cd(to Word) state {
	s = s.fork()
	dirs := make([]Word, 0, len(s.dirs))
	for _, d := range s.dirs {
		dirs = append(dirs, under(d, to))
	}
	s.dirs = dirs
	return s
}

// under resolves a path against the directory it is relative to.
func under(dir, p Word) Word {
	if prefix := p.literalPrefix(); strings.HasPrefix(prefix, "/") || len(dir) == 0 {
		return p
	}
	if d, ok := dir.Literal(); ok {
		if text, ok := p.Literal(); ok {
			return Lit(path.Join(d, text))
		}
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

// An outcome is the pair of states in which a command ends: one when it
// succeeds, one when it fails.
type outcome struct{ ok, fail state }

func same(s state) outcome { return outcome{s, s} }

// either is the state after a command whose status is not looked at.
func (o outcome) either() state { return o.ok.join(o.fail) }

// dynamicVariables do not hold what was assigned to them: bash computes them,
// or refuses the assignment (bash manual, Shell Variables).
var dynamicVariables = map[string]bool{
	"BASHOPTS": true, "BASHPID": true, "BASH_ARGV0": true, "BASH_COMMAND": true, "BASH_SUBSHELL": true,
	"BASH_VERSINFO": true, "COMP_WORDBREAKS": true, "DIRSTACK": true, "EPOCHREALTIME": true, "EPOCHSECONDS": true,
	"EUID": true, "FUNCNAME": true, "GROUPS": true, "HISTCMD": true, "LINENO": true, "OLDPWD": true,
	"OPTARG": true, "OPTIND": true, "PPID": true, "PWD": true, "RANDOM": true, "REPLY": true, "SECONDS": true,
	"SHELLOPTS": true, "SRANDOM": true, "UID": true, "_": true,
}
