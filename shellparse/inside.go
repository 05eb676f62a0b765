package shellparse

import (
	"cmp"
	"slices"
	"strings"
)

// inside lists what a carrier runs. seen is false when it runs nothing that is
// listed, or something that cannot be known.
func (w *walker) inside(c carrier, args []Word, assigns []Assign, in stream, outer *state) (out outcome, seen bool) {
	fork := outer.fork()
	st := &fork
	if c.inner == innerExec {
		return same(*outer), w.execArgs(c, args, st)
	}
	if c.arch && len(args) > 0 && !strings.HasPrefix(args[0].literalPrefix(), "-") {
		if uncertain(args[0]) {
			return w.hidden(args, st), false
		}
		args = args[1:]
	}
	if c.inner == innerJoin && c.here && w.printsCode(args) {
		w.list(Command{Words: []Word{anything(args)}, Typed: true}, w.pos)
		return same(outer.forget()), false
	}
	o := c.scan(args)
	switch {
	case o.unknown || c.inner == innerSub:
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
	if c.inner == innerShell && !o.any(c.text) {
		return w.shell(c, o, rest, in, st)
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
	for _, value := range o.values(c.expands) {
		if text, ok := value.Literal(); ok {
			w.document(text, st)
		}
	}
	if o.any(c.text) && c.inner != innerArgs {
		seen = w.texts(c, c.given(o), in, st)
		if c.inner == innerShell || len(rest) == 0 {
			return same(*outer), seen
		}
	}
	rest, ok := c.strip(&o, rest)
	switch {
	case !ok:
		return w.hidden(rest, st), false
	case o.any(c.nothing), c.inner == innerNone && !o.whole && (!c.reads || o.any(c.text)):
		return same(*outer), seen
	case c.inner == innerArgs && !o.any(c.direct):
		return w.shellArgs(c, o, rest, in, st)
	case c.reads && (len(rest) == 0 || c.inner == innerNone && !o.whole) && !o.any(c.text) && !o.any(c.program):
		return w.shell(c, scanned{}, nil, in, st)
	}
	return w.carried(c, o, rest, assigns, in, st)
}

// given returns the texts that options hold.
func (c carrier) given(o scanned) []Word {
	texts := o.values(c.text)
	for i, text := range texts {
		if literal, ok := text.Literal(); ok && c.appends {
			texts[i] = Lit(literal + ` "$@"`)
		}
	}
	return texts
}

// strip drops the operands that stand in front of the inner command. ok is false
// if one of them may be something else.
func (c carrier) strip(o *scanned, rest []Word) (left []Word, ok bool) {
	skip := c.skip
	switch {
	case o.whole || o.any(c.direct) || c.inner == innerArgs && len(rest) == 0:
		skip = 0
	case c.dashed && o.dashed:
		rest, skip = o.behind, 0
	}
	for range skip {
		if len(rest) == 0 || uncertain(rest[0]) {
			return rest, false
		}
		rest = rest[1:]
	}
	for again := c.again; again || startsWith(rest, c.verbs); again = false {
		if !again {
			rest = rest[1:]
		}
		more := c.scan(rest)
		if more.unknown {
			return rest, false
		}
		o.options = append(o.options, more.options...)
		o.dashed = o.dashed || more.dashed
		rest = more.operands
	}
	if c.inner == innerArgs && c.dashed && !o.dashed {
		return nil, false // nothing is for the shell
	}
	return rest, true
}

// carried lists what the operands of a carrier run.
func (w *walker) carried(c carrier, o scanned, rest []Word, assigns []Assign, in stream, st *state) (out outcome, seen bool) {
	programs := o.values(c.program)
	switch {
	case c.inner == innerEach:
		if len(o.behind) > 0 && o.behind[0].String() != ":::" {
			w.texts(c, o.behind, in, st) // so the parallel of moreutils takes them
		}
		return same(*st), w.each(c, rest, in, st)
	case len(rest) == 0 && o.any(c.join):
		return w.reads(in, st), false
	case len(rest) == 0 && len(programs) == 0:
		return same(*st), false // if it appends, it runs echo
	case o.any(c.join) || c.inner == innerJoin && !o.any(c.direct) || c.inner == innerEither && len(rest) == 1:
		return w.joined(c, rest, in, st)
	case startsWith(rest, c.mark):
		return same(*st), w.texts(c, rest[1:], in, st)
	case c.inner == innerTexts:
		return same(*st), w.texts(c, rest, in, st)
	case c.assigns && (uncertain(rest[0]) || len(rest) < len(o.operands) && strings.HasPrefix(rest[0].String(), "-")):
		return w.hidden(rest, st), false // it may be an assignment; sudo takes options behind those
	}
	for _, program := range programs {
		w.command(append([]Word{program}, rest...), assigns, in, st)
	}
	if len(programs) > 0 {
		return same(*st), false
	}
	names := ""
	if c.appends {
		rest, names = o.append(c, rest, in), in.names
		in = stream{}
	} else if c.replace != "" {
		rest = slices.Clone(rest)
		fillAll(rest, c.replace, Value)
	}
	_, seen = rest[0].Literal()
	w.handing(handed{names, true}, func() { out = w.command(rest, assigns, in, st) })
	return out, seen
}

// startsWith reports whether the first word is one of a list.
func startsWith(words []Word, list string) bool {
	if len(words) == 0 {
		return false
	}
	text, ok := words[0].Literal()
	return ok && slices.Contains(strings.Fields(list), text)
}

// shellArgs lists what a carrier runs that hands its operands to a shell, which
// it may name: su -s /bin/sh -c TEXT USER ARG.
func (w *walker) shellArgs(c carrier, o scanned, rest []Word, in stream, st *state) (outcome, bool) {
	args := rest
	for _, text := range o.values(c.text) {
		args = append([]Word{Lit("-c"), text}, rest...)
	}
	for _, shell := range o.values(c.program) {
		w.command(append([]Word{shell}, args...), nil, in, st)
	}
	return w.inside(carriers["sh"], args, nil, in, st)
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

// joined parses words, joined by blanks, as this shell or one that is started
// would.
func (w *walker) joined(c carrier, words []Word, in stream, st *state) (outcome, bool) {
	text, ok := Join(words).Literal()
	switch {
	case !ok:
		return w.hidden(words, st), false
	case c.here:
		return w.source(text, *st), true
	}
	return same(*st), w.texts(c, []Word{Lit(text)}, in, st)
}

// splitString is env -S: the value is split like a line, and takes the place of
// the option.
func (w *walker) splitString(o scanned, c carrier, assigns []Assign, in stream, st *state) (outcome, bool) {
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
