package shellparse

import (
	"path"
	"slices"
	"strings"
)

// A carrier says where in its arguments a command holds another one.
type carrier struct {
	inner       inner
	transparent bool // matters only through what it runs
	here        bool // a builtin: what runs inside changes this shell
	assigns     bool // NAME=value operands come before the inner command
	appends     bool // adds words to the inner command that are not in the line
	numeric     bool // -5 is an option
	skip        int  // operands before the inner command

	// options are the known ones. An unknown one in front of the inner command
	// makes that a hole.
	options optionSpec

	nothing string // options with which nothing is run
	join    string // options that hand the operands, joined, to a shell
	split   string // options whose value is split into the words that are run
	replace string // options whose value stands for what appends adds
	exec    string // innerExec: the words that start a command
}

// inner says what the operands of a carrier are.
type inner uint8

const (
	innerNone  inner = iota
	innerArgv        // the words of a command
	innerJoin        // a text to parse, once joined by blanks
	innerShell       // with -c a text to parse, else a script's file, else stdin is the script
	innerExec        // commands among the arguments, each up to ; or +
)

// command lists a command and what it runs, to any depth, and returns what is
// known after it.
func (w *walker) command(words []Word, assigns []Assign, in stdin, st *state) outcome {
	if !w.enter(w.pos) {
		return same(st.forget())
	}
	defer w.leave()
	pos := w.pos
	moving := slices.DeleteFunc(slices.Clone(assigns), func(a Assign) bool { return !a.Moves })
	for _, a := range assigns {
		// For a special builtin they stay, in some shells.
		st.unset(a.Name)
	}
	name, known := words[0].Literal()
	at := len(w.script.Commands)
	w.list(Command{Words: words, Assigns: moving}, pos)
	if !known {
		return same(st.forget())
	}
	c, isCarrier := carriers[path.Base(name)]
	if !isCarrier {
		if !strings.Contains(name, "/") {
			return w.builtin(name, words[1:], st)
		}
		return same(*st)
	}
	w.via = append(w.via, path.Base(name))
	out, seen := w.inside(c, words[1:], assigns, in, st)
	w.via = w.via[:len(w.via)-1]
	w.pos = pos
	if at < len(w.script.Commands) {
		outer := &w.script.Commands[at]
		outer.Carrier = true
		outer.Transparent = c.transparent && seen && len(moving) == 0
	}
	if !c.here {
		return same(*st)
	}
	return out
}

// inside lists what a carrier runs. seen is false when it runs nothing that is
// listed, or something that cannot be known.
func (w *walker) inside(c carrier, args []Word, assigns []Assign, in stdin, st *state) (out outcome, seen bool) {
	st2 := st
	if !c.here {
		forked := st.fork()
		st2 = &forked
	}
	if c.inner == innerExec {
		return same(*st), w.execArgs(c, args, st2)
	}
	o := c.scan(args)
	switch {
	case o.unknown:
		return w.hidden(args, st2), false
	case o.any(c.nothing):
		return same(*st), false
	case o.any(c.split):
		return w.splitString(o, c, assigns, in, st2)
	}
	rest := o.operands
	switch c.inner {
	case innerShell:
		return w.shell(o, rest, in, st2)
	case innerJoin:
		return w.joined(rest, st2)
	}
	if c.assigns {
		for len(rest) > 0 {
			a, ok := operandAssign(rest[0])
			if !ok {
				break
			}
			assigns = append(slices.Clone(assigns), a)
			rest = rest[1:]
		}
		w.runValues(assigns, st2)
	}
	for range c.skip {
		if len(rest) == 0 || uncertain(rest[0]) {
			return w.hidden(rest, st2), false
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return same(*st), false
	}
	if o.any(c.join) {
		return w.joined(rest, st2)
	}
	if c.appends {
		rest = o.append(c, rest)
	}
	_, seen = rest[0].Literal()
	return w.command(rest, assigns, in, st2), seen
}

// hidden lists a command of which nothing is known but that it may run.
func (w *walker) hidden(words []Word, st *state) outcome {
	if len(words) == 0 {
		return same(*st)
	}
	w.list(Command{Words: []Word{{{Join(words).String(), Value}}}}, w.pos)
	return same(st.forget())
}

// joined parses words, joined by blanks, as the shell would.
func (w *walker) joined(words []Word, st *state) (outcome, bool) {
	if len(words) == 0 {
		return same(*st), false
	}
	text, ok := Join(words).Literal()
	if !ok {
		return w.hidden(words, st), false
	}
	return w.source(text, *st), true
}

// shell lists what a shell that is started runs: the text after -c, or what it
// reads. A script in a file holds nothing that can be listed.
func (w *walker) shell(o scanned, rest []Word, in stdin, st *state) (outcome, bool) {
	fresh := state{vars: map[string]string{}, dirs: st.dirs}
	if home, ok := st.vars["HOME"]; ok {
		fresh.vars["HOME"] = home
	}
	switch {
	case o.any("c"):
		if len(rest) == 0 {
			return same(*st), false
		}
		text, ok := rest[0].Literal()
		if !ok {
			return w.hidden(rest[:1], st), false
		}
		return w.source(text, fresh), true
	case len(rest) > 0 && !o.any("s"):
		return same(*st), false
	case in.literal:
		return w.source(in.text, fresh), true
	case o.any("-version -help"):
		return same(*st), false
	}
	return w.hidden([]Word{{{"what it reads", Value}}}, st), false
}

// execArgs lists the commands that find's primaries start.
func (w *walker) execArgs(c carrier, args []Word, st *state) (seen bool) {
	for i := 0; i < len(args); i++ {
		text, ok := args[i].Literal()
		if !ok && args[i].maySplit() {
			w.hidden(args[i:i+1], st) // it may be -exec and more
			continue
		}
		if !slices.Contains(strings.Fields(c.exec), text) {
			continue
		}
		var words []Word
		for i++; i < len(args); i++ {
			text, ok := args[i].Literal()
			if ok && (text == ";" || text == "+" && len(words) > 0 && words[len(words)-1].String() == "{}") {
				break
			}
			words = append(words, args[i])
		}
		if len(words) == 0 {
			continue
		}
		for j := range words {
			words[j] = fill(words[j], "{}")
		}
		_, known := words[0].Literal()
		seen = seen || known
		w.command(words, nil, stdin{}, st)
	}
	return seen
}

// fill makes a hole of each occurrence of mark in a word.
func fill(word Word, mark string) Word {
	if mark == "" {
		return word
	}
	var b wordBuilder
	for _, p := range word {
		for p.Hole == Known {
			before, after, found := strings.Cut(p.Text, mark)
			if !found {
				break
			}
			b.literal(before)
			b.hole(mark, Value)
			p.Text = after
		}
		if p.Hole != Known || p.Text != "" {
			b.piece(p)
		}
	}
	return b.word()
}

// splitString is env -S: the value is split like a line, and what follows is
// appended.
func (w *walker) splitString(o scanned, c carrier, assigns []Assign, in stdin, st *state) (outcome, bool) {
	value := o.value(c.split)
	text, ok := value.Literal()
	if !ok || strings.ContainsAny(text, `\$'"#`) {
		return w.hidden(append([]Word{value}, o.operands...), st), false
	}
	var words []Word
	for _, f := range strings.Fields(text) {
		words = append(words, Lit(f))
	}
	words = append(words, o.operands...)
	if len(words) == 0 {
		return same(*st), false
	}
	c.split = ""
	return w.inside(c, words, assigns, in, st)
}

// operandAssign reads a NAME=value operand. Only the name has to be literal.
func operandAssign(word Word) (Assign, bool) {
	name, _, ok := strings.Cut(word.literalPrefix(), "=")
	if !ok || name == "" {
		return Assign{}, false
	}
	var b wordBuilder
	skip := len(name) + 1
	for _, p := range word {
		n := min(skip, len(p.Text))
		skip -= n
		if p.Text = p.Text[n:]; p.Text != "" {
			b.piece(p)
		}
	}
	return Assign{Name: name, Value: b.word(), Moves: assignKindOf(name) == moves}, true
}
