package shellparse

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A carrier says where in its arguments a command holds another one.
type carrier struct {
	inner       inner
	lang        Shell // innerShell: what it reads; "" is bash or a POSIX shell
	transparent bool  // matters only through what it runs
	here        bool  // a builtin: what runs inside changes this shell
	assigns     bool  // NAME=value operands come before the inner command
	appends     bool  // adds words to the inner command that are not in the line
	numeric     bool  // -5 is an option
	dash        bool  // so is a lone -
	skip        int   // operands before the inner command

	// options are the known ones. An unknown one in front of the inner command
	// makes that a hole.
	options optionSpec

	nothing   string // options with which nothing is run
	join      string // options that hand the operands, joined, to a shell
	split     string // options whose value is split into the words that are run
	replace   string // options whose value stands for what appends adds
	elsewhere string // options that change the directory, or what HOME is
	exec      string // innerExec: the words that start a command
	own       string // words and options with which it does more than run the inner command
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
		// In front of a special builtin they stay, in some shells.
		st.unset(baseName(a.Name))
	}
	name, known := words[0].Literal()
	at := len(w.script.Commands)
	w.list(Command{Words: words, Assigns: moving}, pos)
	w.operands(words, st)
	if !known {
		return same(st.forget())
	}
	out := same(*st)
	base := path.Base(name)
	c, isCarrier := carriers[base]
	switch {
	case isCarrier:
		var seen bool
		w.through(base, func() { out, seen = w.inside(c, words[1:], assigns, in, st) })
		seen = seen && !c.does(words[1:])
		w.pos = pos
		if at < len(w.script.Commands) {
			outer := &w.script.Commands[at]
			outer.Carrier = true
			outer.Transparent = c.transparent && seen && len(moving) == 0
		}
		if !c.here || base != name {
			out = same(*st)
		}
	case base == name:
		out = w.builtin(name, words[1:], in, st)
		w.pos = pos
	}
	if _, ok := w.functions[name]; ok {
		return same(w.called(name, out.either()))
	}
	return out
}

// inside lists what a carrier runs. seen is false when it runs nothing that is
// listed, or something that cannot be known.
func (w *walker) inside(c carrier, args []Word, assigns []Assign, in stdin, outer *state) (out outcome, seen bool) {
	fork := outer.fork()
	st := &fork
	if c.inner == innerExec {
		return same(*outer), w.execArgs(c, args, st)
	}
	o := c.scan(args)
	switch {
	case o.unknown:
		return w.hidden(args, st), false
	case o.any(c.nothing):
		return same(*outer), false
	}
	if !c.transparent || o.any(c.elsewhere) {
		st.dirs = []Word{unknownDir}
		st.unset("HOME")
	}
	if o.any(c.split) {
		return w.splitString(o, c, assigns, in, st)
	}
	rest := o.operands
	switch c.inner {
	case innerShell:
		return w.shell(c, o, rest, in, st)
	case innerJoin:
		return w.joined(rest, st)
	}
	if c.assigns {
		assigns = slices.Clone(assigns)
		for len(rest) > 0 {
			a, ok := operandAssign(rest[0])
			if !ok {
				break
			}
			assigns = append(assigns, a)
			rest = rest[1:]
		}
		w.runValues(assigns, st)
	}
	for range c.skip {
		if len(rest) == 0 || uncertain(rest[0]) {
			return w.hidden(rest, st), false
		}
		rest = rest[1:]
	}
	switch {
	case len(rest) == 0 && o.any(c.join):
		return w.hidden([]Word{{{"what it reads", Value}}}, st), false
	case len(rest) == 0 && c.appends:
		return same(*outer), false // it runs echo
	case len(rest) == 0:
		return same(*outer), false
	case o.any(c.join):
		return w.joined(rest, st)
	case c.assigns && (uncertain(rest[0]) || len(rest) < len(o.operands) && strings.HasPrefix(rest[0].String(), "-")):
		return w.hidden(rest, st), false // it may be an assignment; sudo takes options behind those
	}
	if c.appends {
		rest = o.append(c, rest)
		in = stdin{}
	}
	_, seen = rest[0].Literal()
	return w.command(rest, assigns, in, st), seen
}

// does reports whether the carrier does, or may do, something of its own besides
// running another command.
func (c carrier) does(args []Word) bool {
	own := strings.Fields(c.own)
	if len(own) == 0 {
		return false
	}
	if c.inner != innerExec {
		return c.scan(args).any(c.own)
	}
	return slices.ContainsFunc(args, func(a Word) bool {
		text, _ := a.Literal()
		return uncertain(a) || slices.Contains(own, text)
	})
}

// hidden lists a command of which nothing is known but that it may run.
func (w *walker) hidden(words []Word, st *state) outcome {
	if len(words) == 0 {
		return same(*st)
	}
	w.list(Command{Words: []Word{anything(words)}}, w.pos)
	return same(st.forget())
}

// anything is a hole that stands for a command of which only a spelling is known.
func anything(words []Word) Word {
	return Word{{cmp.Or(Join(words).String(), "…"), Value}}
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
		inner := st.fork()
		if strings.HasSuffix(text, "dir") {
			inner.dirs = []Word{unknownDir}
		}
		hole := Value
		var words []Word
		for i++; i < len(args); i++ {
			text, ok := args[i].Literal()
			if ok && text == ";" {
				break
			}
			if ok && text == "+" && len(words) > 0 && words[len(words)-1].String() == "{}" {
				hole = Words
				break
			}
			words = append(words, args[i])
		}
		if len(words) == 0 {
			continue
		}
		for j := range words {
			words[j] = fill(words[j], "{}", hole)
		}
		_, known := words[0].Literal()
		seen = seen || known
		w.command(words, nil, stdin{}, &inner)
	}
	return seen
}

// fill makes a hole of each occurrence of mark in a word.
func fill(word Word, mark string, hole Hole) Word {
	if mark == "" || !strings.Contains(word.String(), mark) {
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
			b.hole(mark, hole)
			p.Text = after
		}
		if p.Hole != Known || p.Text != "" {
			b.piece(p)
		}
	}
	return b.word()
}

// splitString is env -S: the value is split like a line, and takes the place of
// the option.
func (w *walker) splitString(o scanned, c carrier, assigns []Assign, in stdin, st *state) (outcome, bool) {
	value := o.options[len(o.options)-1].value
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
	return w.inside(c, words, assigns, in, st)
}

// operandAssign reads a NAME=value operand. Only the name has to be literal.
func operandAssign(word Word) (Assign, bool) {
	name, _, ok := strings.Cut(word.literalPrefix(), "=")
	if !ok {
		return Assign{}, false
	}
	return Assign{Name: name, Value: cut(word, len(name)+1), Moves: isMoving(name)}, true
}
