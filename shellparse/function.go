package shellparse

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// A function is one that the source defines.
type function struct {
	body    *syntax.Stmt
	text    string // the source that body is in
	joins   []int  // where in it lines were joined
	lang    syntax.LangVariant
	wild    bool     // a call may change anything
	locals  []string // variables that are its own
	alias   bool     // it is none: its body takes the place of the name
	certain bool     // its definition cannot fail, and nothing else has that name
}

// A call is a function being walked.
type call struct {
	f     *function
	known bool // whether its arguments are
}

// effects notes which functions a text defines, and which of them do more than
// set variables and change the directory, wherever they are called.
func (w *walker) effects(list []*syntax.FuncDecl) {
	for _, d := range list {
		f := &function{body: d.Body, text: w.text, joins: w.joins, lang: w.lang}
		f.certain = (w.lang == syntax.LangBash || w.lang == syntax.LangPOSIX) && d.Name != nil && isPlainName(d.Name.Value)
		w.decls[d] = f
		for _, name := range funcNames(d) {
			w.functions[name] = append(w.functions[name], f)
		}
	}
	for _, d := range list {
		f := w.decls[d]
		f.wild = w.changedIn(d.Body, state{}).wild
		for node := range syntax.Preorder(d.Body) {
			n, ok := node.(*syntax.DeclClause)
			if !ok || n.Variant.Value == "export" || n.Variant.Value == "readonly" {
				continue
			}
			for _, a := range n.Args {
				if a.Name != nil {
					f.locals = append(f.locals, a.Name.Value)
				}
			}
		}
	}
}

// renames notes that a name may stand for a text, its arguments behind it: an
// alias, or a program that hash -p remembers.
func (w *walker) renames(name, text string) {
	text += ` "$@"`
	if !w.readable(text) {
		return
	}
	r := w.parse(text, nil)
	if r.err != nil || len(r.file.Stmts) == 0 {
		return // unread says that the rest is not understood
	}
	body := &syntax.Stmt{Cmd: &syntax.Block{Stmts: r.file.Stmts}}
	w.functions[name] = append(w.functions[name], &function{body: body, text: r.text, lang: w.lang, wild: true, alias: true})
}

// isPlainName reports whether a function of that name can be defined in every
// shell, and is found before anything else of that name.
func isPlainName(name string) bool {
	_, isBuiltin := builtins[name]
	_, isCarrier := carriers[name]
	return syntax.ValidName(name) && !isBuiltin && !isCarrier && name != "exit" && name != "times"
}

// function walks the body of a function where it is defined, knowing nothing of
// how and in which state it will be called.
func (w *walker) function(d *syntax.FuncDecl, st *state) {
	w.stmt(d.Body, state{}.forget())
	if f := w.decls[d]; f != nil && f.certain {
		st.define(d.Name.Value, f)
	} else {
		for _, name := range funcNames(d) {
			st.define(name, nil)
		}
	}
}

// called walks a call of a name that functions may stand behind. Where one of
// them surely does, the call matters only through its body; else a builtin or a
// program may run as well.
func (w *walker) called(words []Word, assigns []Assign, in stream, st state) (out outcome) {
	at := len(w.script.Commands)
	after := w.command(words, assigns, in, &st).either()
	name, args := words[0].String(), words[1:]
	w.through(name, func() {
		if f := st.defined[name]; f != nil {
			if at < len(w.script.Commands) && slices.EqualFunc(w.script.Commands[at].Words, words, slices.Equal[Word]) {
				w.script.Commands[at].Transparent = len(w.script.Commands[at].Assigns) == 0
			}
			out = w.body(f, args, in, st)
			return
		}
		wild := false
		for _, f := range w.functions[name] {
			if f.alias && slices.ContainsFunc(w.calling, func(c call) bool { return c.f == f }) {
				continue // the shell does not expand an alias again within itself
			}
			w.body(f, args, in, st)
			wild = wild || f.wild
		}
		forgotten := after.forget()
		if !wild {
			forgotten.odd, forgotten.wild = after.odd, after.wild
		}
		out = same(forgotten)
	})
	return out
}

// body walks the body of a function as a call with these arguments runs it. One
// that calls itself is walked once more, for any arguments.
func (w *walker) body(f *function, args []Word, in stream, st state) outcome {
	known := !slices.ContainsFunc(args, Word.maySplit)
	for _, c := range w.calling {
		if c.f == f && !c.known {
			return same(st.forget())
		}
		known = known && c.f != f
	}
	if w.walks++; w.walks > maxWalks {
		w.unread(w.pos, "it calls too many functions")
		return same(st.forget())
	}
	w.calling = append(w.calling, call{f, known})
	outer, lang, read := st.args, w.lang, w.in
	w.lang, w.in = f.lang, in
	if f.text != w.text {
		defer w.within(f.text, f.joins)()
	}
	st = st.fork()
	st.args = nil
	if known {
		st.args = &args
	}
	leaves := w.leaves
	out := w.stmt(f.body, st)
	w.calling = w.calling[:len(w.calling)-1]
	w.lang, w.in = lang, read
	if w.leaves != leaves {
		after := st.forget()
		if !f.wild {
			after.odd, after.wild = st.odd, st.wild
		}
		out = same(after)
	}
	after := out.either().fork()
	for _, name := range f.locals {
		after.unset(name)
	}
	after.args = outer
	return outcome{after, after, out.prints}
}
