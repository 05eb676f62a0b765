package shellparse

import (
	"slices"
	"strings"
)

// coding says where in its arguments a program is given code in another language,
// of which [languages] and [plainLanguages] tell what it does outside.
type coding struct {
	as string // the row that this one is like; nothing else counts then
	loose
	lang    string
	options optionSpec // other options with a value
	code    optionSpec // options whose value is code
	files   optionSpec // options whose value is a file of code, or - for stdin
	also    optionSpec // the same, and stdin is code all the same
	nothing optionSpec // options with which stdin is not code
	subs    bool       // the first operand names a subcommand, which may have a row
	operand int        // the operand that is code when no option holds any; 0 is none
	more    bool       // so are those behind it
	plus    bool       // +TEXT is code
	bang    string     // what an operand that begins with ! is code behind
	stdin   intake     // when stdin is code
}

// intake says when a program reads its code from stdin.
type intake uint8

const (
	readsNever intake = iota
	readsBare         // when there are neither code nor operands, or - is one
	readsAfter        // when no code is given, whatever the operands
	readsAlways
)

// A snippet is code that a program is given.
type snippet struct {
	lang  string
	code  Word
	maybe bool // it may as well be a file's name
}

// codesOf returns the code that a program is given; held tells what the source has
// written to a file.
func codesOf(name string, args []Word, in stream, held func(file Word) stream) (found []snippet) {
	c, ok := codings[name]
	for ok && c.as != "" {
		name = c.as
		c, ok = codings[name]
	}
	if !ok {
		return nil
	}
	if c.subs {
		o := loose{stops: 1}.apart(c.options, args)
		if n := len(o.operands); n > 0 {
			found = codesOf(name+" "+o.operands[n-1].String(), o.behind, in, held)
		}
		return found
	}
	add := func(code Word) { found = append(found, snippet{c.lang, code, false}) }
	if c.plus {
		args = slices.DeleteFunc(slices.Clone(args), func(arg Word) bool {
			isCode := strings.HasPrefix(arg.literalPrefix(), "+")
			if isCode {
				add(cut(arg, len(arg.literalPrefix())-len(strings.TrimLeft(arg.literalPrefix(), "+"))))
			}
			return isCode
		})
	}
	o := c.apart(c.options+" "+c.code+" "+c.files+" "+c.also+" "+c.nothing, args)
	for _, code := range o.given(c.code) {
		add(code)
	}
	operands := o.operands
	for _, operand := range operands {
		if c.bang != "" && strings.HasPrefix(operand.literalPrefix(), "!") {
			add(glue(Lit(c.bang), operand))
		}
	}
	isCode := c.operand > 0 && len(found) == 0 && !o.has(c.files)
	for i, code := range operands {
		switch {
		case !isCode || i < c.operand-1:
		case i == c.operand-1 || c.more:
			add(code)
		case o.unknown: // it may have taken an operand
			found = append(found, snippet{c.lang, code, true})
		}
	}
	reads := c.stdin == readsAlways && !o.has(c.nothing) && !o.has(c.files)
	isInput := func(word Word) bool { return word.String() == "-" || isStdin(word) }
	switch {
	case slices.ContainsFunc(o.given(c.files), isInput):
		reads = true
	case len(found) > 0 || o.has(c.files) || o.has(c.nothing):
	case c.stdin == readsBare:
		reads = len(operands) == 0 || isInput(operands[0])
	case c.stdin == readsAfter:
		reads = true
	}
	switch {
	case reads && in.literal:
		add(Lit(in.text))
	case reads && c.lang == "sh":
		add(Word{{"what it reads", Value}}) // as with a shell itself
	}
	for _, file := range append(o.given(c.files), o.given(c.also)...) {
		if content := held(file); content.literal {
			add(Lit(content.text))
		}
	}
	return found
}

// coded lists what the code that a program is given runs, reads and writes.
func (w *walker) coded(name string, args []Word, in stream, st *state) (listed bool) {
	before := len(w.script.Commands)
	w.through(name, func() {
		for _, t := range codesOf(name, args, in, func(file Word) stream { content, _ := w.writtenTo(file, st); return content }) {
			w.codeText(t, st)
		}
	})
	return len(w.script.Commands) > before
}

// codeText lists what code in another language does outside its program. A hole
// in the code is one wherever its text turns up; code of which nothing is known
// is like a file of it.
func (w *walker) codeText(t snippet, st *state) {
	find, ok := languages[t.lang]
	if !ok {
		find, ok = plainLanguages[t.lang]
	}
	switch {
	case !ok:
	case t.maybe:
		w.guessEffects(find(t.code.String()), st)
	default:
		w.effectsOf(find, t.code, st)
	}
}

// guessEffects lists what code runs that may be none.
func (w *walker) guessEffects(e effects, st *state) {
	for _, command := range e.commands {
		if literal, ok := command.Literal(); ok {
			w.guess(literal, st)
		}
	}
	for _, argv := range e.argvs {
		w.guess(Join(argv).String(), st)
	}
}

func (w *walker) effectsOf(find language, code Word, st *state) {
	text, marks := masked(code)
	w.read += len(text)
	if text == "" || len(text) > MaxSource || w.read > maxRead || w.full(w.pos) || !w.enter(w.pos) {
		return
	}
	defer w.leave()
	e := find(text)
	if len(marks) > 0 && e.gaveUp(text) {
		e = w.filled(find, e, text, st)
	}
	for _, command := range e.commands {
		w.run(unmasked(command, marks), st)
	}
	for _, argv := range e.argvs {
		var words []Word
		for _, word := range argv {
			words = append(words, unmasked(word, marks))
		}
		if len(words) > 0 {
			w.command(words, nil, stream{}, st)
		}
	}
	for _, maybe := range e.maybe {
		if word := unmasked(Lit(maybe), marks); len(word) > 0 {
			if literal, ok := word.Literal(); ok {
				w.guess(literal, st)
			}
		}
	}
	for _, file := range e.reads {
		w.opens(unmasked(file, marks), false, w.pos, st)
	}
	for _, file := range e.writes {
		w.opens(unmasked(file, marks), true, w.pos, st)
	}
}
