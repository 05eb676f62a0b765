package shellparse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// words expands words into the fields the shell would make of them: braces,
// tilde, constants and quoting are resolved, the rest becomes holes. What
// substitutions run is listed on the way.
func (w *walker) words(list []*syntax.Word, st *state) []Word {
	var fields []Word
	for _, word := range list {
		if word == nil || !w.enter(word.Pos()) {
			fields = append(fields, Word{{"?", Words}})
			continue
		}
		braced, ok := w.braces(word, st)
		for _, parts := range braced {
			f := fielder{split: true, odd: st.odd}
			w.parts(parts, &f, st)
			if ok {
				fields = append(fields, f.finish()...)
			}
		}
		if !ok {
			fields = append(fields, Word{{w.spelling(word), Words}})
		}
		w.leave()
	}
	for _, f := range fields {
		w.suspect(f.String())
	}
	return fields
}

// one expands a word that is neither split nor globbed: the value of an
// assignment, a redirection's target.
func (w *walker) one(word *syntax.Word, st *state) Word {
	if word == nil || !w.enter(word.Pos()) {
		return Word{{"?", Value}}
	}
	defer w.leave()
	f := fielder{}
	w.parts(word.Parts, &f, st)
	value := f.whole()
	w.suspect(value.String())
	return value
}

func (w *walker) parts(parts []syntax.WordPart, f *fielder, st *state) {
	for i, part := range parts {
		if !w.enter(part.Pos()) {
			f.hole(w.spelling(part), splits(f))
			continue
		}
		switch p := part.(type) {
		case *syntax.Lit:
			w.lit(p.Value, i, len(parts), f, st)
		case *syntax.SglQuoted:
			w.singleQuoted(p, f)
		case *syntax.DblQuoted:
			f.started = f.started || !w.isEmptyList(p.Parts, st)
			if p.Dollar {
				w.doubleQuoted(p.Parts, quoteEscapes, &fielder{}, st)
				f.hole(w.spelling(p), Value) // the shell may translate it
			} else {
				w.doubleQuoted(p.Parts, quoteEscapes, f, st)
			}
		case *syntax.ParamExp:
			if w.lang == syntax.LangZsh && i+1 < len(parts) && modified(parts[i+1]) {
				w.param(p, st)
				f.hole(w.spelling(p), splits(f))
				break
			}
			w.paramField(p, false, f, st)
		case *syntax.CmdSubst:
			w.substitution(p, w.substituted(p, false, st), false, f, st)
		case *syntax.ArithmExp:
			w.arithm(p.X, st)
			if st.ifs {
				f.hole(w.spelling(p), splits(f)) // it may hold a digit
			} else {
				f.hole(w.spelling(p), Value)
			}
		case *syntax.ProcSubst:
			w.writes(sink{file: Word{{w.spelling(p), Value}}}, w.apart(p.Stmts, *st), st)
			if len(p.Stmts) == 0 {
				f.hole(w.spelling(p), splits(f)) // bash makes nothing of <()
			} else {
				f.hole(w.spelling(p), Value)
			}
		case *syntax.ExtGlob:
			w.rawPattern(p.Pattern, p.Pos(), st)
			f.glob(w.spelling(p))
		default:
			w.unread(part.Pos(), "this part of a word is not known")
			f.hole(w.spelling(part), splits(f))
		}
		w.leave()
	}
}

// modified reports whether what follows a parameter may be a modifier of it, as
// in $x:t (zshexpn(1), Modifiers).
func modified(next syntax.WordPart) bool {
	lit, ok := next.(*syntax.Lit)
	return ok && strings.HasPrefix(lit.Value, ":")
}

// lit reads the i-th of n parts of a word, which stands outside quotes.
func (w *walker) lit(text string, i, n int, f *fielder, st *state) {
	if w.lang == syntax.LangZsh && (i == 0 && strings.HasPrefix(text, "=") && len(text) > 1 || strings.ContainsAny(text, "(<^#") || strings.HasSuffix(text, "$") && i < n-1 || strings.HasSuffix(text, `\`)) {
		// =ls is /bin/ls; the others are patterns, and a qualifier may run code.
		if _, qualifier, _ := strings.Cut(text, "("); strings.ContainsAny(qualifier, "e+") {
			w.unread(w.pos, "a glob qualifier may run code")
			w.fragments(reading{text: strings.NewReplacer(":", "\n", "+", "\n", "'", "", `"`, "").Replace(qualifier)})
		}
		w.document(text, st)
		if i == 0 && text[0] == '=' && len(text) > 1 {
			f.hole("=", Value) // where the program is
			if text = text[1:]; !strings.ContainsAny(text, "(<^#[\\") {
				f.unquoted(text, true)
				return
			}
		}
		f.hole(text, splits(f))
		return
	}
	last := i == n-1
	if i == 0 {
		text = w.tilde(text, last, f, st)
	}
	// Behind = and : there may be tildes too: in assignments, in words that look
	// like one unless braces made them, and so on.
	for i := 1; i < len(text); i++ {
		switch {
		case text[i-1] == '\\':
			i++
		case text[i] == '~' && (text[i-1] == '=' || text[i-1] == ':'):
			f.unquoted(text[:i], false)
			f.hole("~", Value)
			text, i = text[i+1:], 0
		}
	}
	f.unquoted(text, last)
}

func (w *walker) singleQuoted(p *syntax.SglQuoted, f *fielder) {
	text, ok := p.Value, true
	if p.Dollar {
		text, ok = ansiC(p.Value)
	}
	if ok {
		f.literal(text)
	} else {
		f.hole(w.spelling(p), Value)
	}
}

func (w *walker) doubleQuoted(parts []syntax.WordPart, escapes string, f *fielder, st *state) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			f.literal(unescape(p.Value, escapes))
		case *syntax.ParamExp:
			w.paramField(p, true, f, st)
		case *syntax.CmdSubst:
			w.substitution(p, w.substituted(p, true, st), true, f, st)
		case *syntax.ArithmExp:
			w.arithm(p.X, st)
			f.hole(w.spelling(p), Value)
		default:
			w.unread(part.Pos(), "this part of a quoted word is not known")
			f.hole(w.spelling(part), Value)
		}
	}
}

// substituted walks the inside of a command substitution.
func (w *walker) substituted(p *syntax.CmdSubst, quoted bool, st *state) (prints stream) {
	text := w.spelling(p)
	switch {
	case p.TempFile || p.ReplyVar:
		*st = w.stmts(p.Stmts, *st).either() // ${ cmd;} runs in this shell
		return stream{}
	case p.Backquotes && len(text) >= 2 && strings.Contains(text, `\`):
		// The parser loses count of backslashes that nest.
		inner := text[1 : len(text)-1]
		var b strings.Builder
		for i := 0; i < len(inner); i++ {
			if inner[i] == '\\' && i+1 < len(inner) && (strings.IndexByte("$`\\", inner[i+1]) >= 0 || quoted && inner[i+1] == '"') {
				i++
			}
			b.WriteByte(inner[i])
		}
		return w.source(b.String(), st.fork()).prints
	}
	return w.apart(p.Stmts, *st)
}

// substitution adds what a command substitution is replaced by.
func (w *walker) substitution(p *syntax.CmdSubst, prints stream, quoted bool, f *fielder, st *state) {
	switch {
	case prints.sure() && strings.IndexByte(prints.text, 0) < 0:
		w.constant(strings.TrimRight(prints.text, "\n"), w.spelling(p), quoted, f, st)
	case quoted:
		f.hole(w.spelling(p), Value)
	default:
		f.hole(w.spelling(p), splits(f))
	}
}

// splits is the hole that an unquoted expansion leaves.
func splits(f *fielder) Hole {
	if f.split {
		return Words
	}
	return Value
}

// paramField adds the value of a parameter, where it is known, else a hole.
func (w *walker) paramField(p *syntax.ParamExp, quoted bool, f *fielder, st *state) {
	values, list, known := w.parameter(p, st)
	w.param(p, st)
	if quoted {
		w.requoted(p, st)
	}
	if known && (!list || f.split || len(values) == 1) {
		w.values(values, w.spelling(p), quoted, f, st)
		return
	}
	switch {
	case isList(p):
		f.hole(w.spelling(p), Words)
	case quoted:
		f.hole(w.spelling(p), Value)
	default:
		f.hole(w.spelling(p), splits(f))
	}
}

// constantOf returns the constant that a variable holds.
func (w *walker) constantOf(name string, st *state) (value string, ok bool) {
	value, ok = st.vars[name]
	return value, ok && !w.untracked && !w.tainted[name]
}

// isList reports whether a parameter is several words even inside quotes.
func isList(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Excl || p.Names != 0 || p.Flags != nil || p.Split != syntax.OptUnset {
		return true
	}
	if p.Param.Value == "@" || p.Param.Value == "*" {
		return true
	}
	// ${x:-"$@"} is as many words as there are inside.
	return p.Index != nil || p.Exp != nil && p.Exp.Word != nil && holdsList(p.Exp.Word)
}

func holdsList(word *syntax.Word) bool {
	for node := range syntax.Preorder(word) {
		if p, ok := node.(*syntax.ParamExp); ok && isList(p) {
			return true
		}
	}
	return false
}

// param walks what the expansion of a parameter runs and sets.
func (w *walker) param(p *syntax.ParamExp, st *state) {
	if p.NestedParam != nil {
		w.parts([]syntax.WordPart{p.NestedParam}, &fielder{}, st)
	}
	if p.Index != nil {
		w.arithm(p.Index, st)
	}
	if _, _, known := w.parameter(p, st); p.Excl && p.Names == 0 && !known {
		// The value may be a name with a subscript, which is an expression.
		w.computes = true
		st.computed()
	}
	if p.Slice != nil {
		w.arithm(p.Slice.Offset, st)
		w.arithm(p.Slice.Length, st)
	}
	if p.Repl != nil {
		w.one(p.Repl.Orig, st)
		if p.Repl.With != nil {
			w.one(p.Repl.With, st)
		}
	}
	if p.Exp != nil && p.Exp.Word != nil {
		// Whether the word is looked at, and sets something, is not known.
		before := st.fork()
		w.one(p.Exp.Word, st)
		*st = before.join(*st)
		if p.Exp.Op == syntax.OtherParamOps && p.Exp.Word.Lit() == "P" {
			w.unread(p.Pos(), "${…@P} runs what the variable holds")
			if p.Param != nil {
				value, _ := w.constantOf(p.Param.Value, st)
				w.document(value, st)
			}
		}
	}
	if p.Param != nil && p.Exp != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) {
		w.sets(p.Param.Value, p.Pos(), st)
	}
	if p.Flags != nil && strings.ContainsAny(p.Flags.Value, "e%") {
		w.unread(p.Pos(), "this flag expands what the variable holds again")
	}
}

// requoted lists what stands in single quotes in a parameter inside double ones:
// there they quote nothing, while the parser believes they do.
func (w *walker) requoted(p *syntax.ParamExp, st *state) {
	if p.Exp == nil && p.Repl == nil {
		return
	}
	for node := range syntax.Preorder(p) {
		if q, ok := node.(*syntax.SglQuoted); ok {
			w.document(q.Value, st)
		}
	}
}

// tilde resolves ~ and ~/ at the front of a text; other forms of it are holes.
// It returns what is left to read. whole is set when the text is all of the
// word.
func (w *walker) tilde(text string, whole bool, f *fielder, st *state) string {
	if !strings.HasPrefix(text, "~") {
		return text
	}
	name, rest, slash := strings.Cut(text[1:], "/")
	home, known := w.constantOf("HOME", st)
	switch {
	case strings.HasPrefix(name, ":"):
		f.hole("~", Value)
		return text[1:]
	case w.lang == syntax.LangZsh && !slash && !whole:
		f.hole("~", Value) // the parameter behind it may be empty
		return text[1:]
	case strings.Contains(name, `\`) || !slash && !whole:
		return text // ~\x and ~"x" are literal; ~$x too
	case name == "" && known && home != aNumber:
		f.literal(home)
	case name != "" && w.lang != syntax.LangZsh && w.homeOf(name) != "": // zsh has other names too
		f.literal(w.homeOf(name))
	default:
		f.hole("~"+name, Value)
	}
	if slash {
		return "/" + rest
	}
	return ""
}

// rawPattern is for patterns that the parser leaves unread. A substitution in
// one would run: those are listed, also where they are quoted.
func (w *walker) rawPattern(lit *syntax.Lit, pos syntax.Pos, st *state) {
	if lit == nil || !strings.ContainsAny(lit.Value, "$`<>") {
		return
	}
	if strings.ContainsAny(lit.Value, "<>") {
		w.unread(pos, "a pattern holds what looks like a substitution")
		w.fragments(reading{text: lit.Value})
	}
	w.document(lit.Value, st)
}
