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
			continue
		}
		for _, braced := range w.braces(word) {
			f := fielder{split: true}
			w.parts(braced.Parts, &f, st)
			fields = append(fields, f.finish()...)
		}
		w.leave()
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
	fields := f.finish()
	if len(fields) == 0 {
		return Word{}
	}
	return fields[0]
}

// A fielder collects the fields that one word becomes.
type fielder struct {
	split   bool // unquoted expansions split, and globs match names
	started bool // the current field exists, were it empty
	cur     wordBuilder
	done    []Word
}

func (f *fielder) literal(s string) {
	f.started = true
	f.cur.literal(s)
}

func (f *fielder) hole(spelling string, h Hole) {
	f.started = true
	f.cur.hole(spelling, h)
}

func (f *fielder) next() {
	if f.started {
		f.done = append(f.done, f.cur.word())
		f.started = false
	}
}

func (f *fielder) finish() []Word {
	f.next()
	return f.done
}

func (w *walker) parts(parts []syntax.WordPart, f *fielder, st *state) {
	for i, part := range parts {
		if !w.enter(part.Pos()) {
			f.hole(w.spelling(part), Value)
			continue
		}
		switch p := part.(type) {
		case *syntax.Lit:
			text := p.Value
			if i == 0 {
				text = w.tilde(text, len(parts) == 1, f, st)
			}
			w.unquoted(text, f)
		case *syntax.SglQuoted:
			f.literal(w.singleQuoted(p))
		case *syntax.DblQuoted:
			f.started = true
			w.doubleQuoted(p.Parts, f, st)
		case *syntax.ParamExp:
			w.paramField(p, false, f, st)
		case *syntax.CmdSubst:
			w.apart(p.Stmts, *st)
			f.hole(w.spelling(p), splits(f))
		case *syntax.ArithmExp:
			w.arithm(p.X, st)
			f.hole(w.spelling(p), Value)
		case *syntax.ProcSubst:
			w.apart(p.Stmts, *st)
			f.hole(w.spelling(p), Value)
		case *syntax.ExtGlob:
			w.rawPattern(p.Pattern, p.Pos())
			f.hole(w.spelling(p), globs(f))
		case *syntax.BraceExp:
			// Only in words whose braces would make too many.
			for _, e := range p.Elems {
				w.one(e, st)
			}
			f.hole("{…}", splits(f))
		default:
			w.unread(part.Pos(), "this part of a word is not known")
			f.hole(w.spelling(part), splits(f))
		}
		w.leave()
	}
}

func (w *walker) singleQuoted(p *syntax.SglQuoted) string {
	if p.Dollar {
		return ansiC(p.Value)
	}
	return p.Value
}

func (w *walker) doubleQuoted(parts []syntax.WordPart, f *fielder, st *state) {
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			f.literal(unescapeDouble(p.Value))
		case *syntax.ParamExp:
			w.paramField(p, true, f, st)
		case *syntax.CmdSubst:
			w.apart(p.Stmts, *st)
			f.hole(w.spelling(p), Value)
		case *syntax.ArithmExp:
			w.arithm(p.X, st)
			f.hole(w.spelling(p), Value)
		default:
			w.unread(part.Pos(), "this part of a quoted word is not known")
			f.hole(w.spelling(part), Value)
		}
	}
}

// splits is the hole that an unquoted expansion leaves.
func splits(f *fielder) Hole {
	if f.split {
		return Words
	}
	return Value
}

func globs(f *fielder) Hole {
	if f.split {
		return Glob
	}
	return Value
}

// paramField adds the value of a parameter, where it is known, else a hole.
func (w *walker) paramField(p *syntax.ParamExp, quoted bool, f *fielder, st *state) {
	w.param(p, st)
	simple := p.Param != nil && p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.Index == nil &&
		p.Split == syntax.OptUnset && p.GlobSubst == syntax.OptUnset && p.RcExpand == syntax.OptUnset && p.NestedParam == nil &&
		len(p.Modifiers) == 0 && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
	if simple && !w.untracked {
		if value, ok := st.vars[p.Param.Value]; ok {
			w.constant(value, w.spelling(p), quoted, f, st)
			return
		}
	}
	switch {
	case quoted && !isList(p):
		f.hole(w.spelling(p), Value)
	case !quoted && !f.split && !isList(p):
		f.hole(w.spelling(p), Value)
	default:
		f.hole(w.spelling(p), Words)
	}
}

// isList reports whether a parameter is several words even inside quotes.
func isList(p *syntax.ParamExp) bool {
	if p.Param == nil || p.Excl || p.Names != 0 || p.Flags != nil {
		return true
	}
	if p.Param.Value == "@" || p.Param.Value == "*" {
		return true
	}
	return p.Index != nil
}

// constant adds a known value. Unquoted it splits at blanks and may be a
// pattern; where that is not plain, it stays a hole.
func (w *walker) constant(value, spelling string, quoted bool, f *fielder, st *state) {
	if quoted || !f.split {
		f.literal(value)
		return
	}
	if st.ifs || w.lang == syntax.LangZsh && strings.ContainsAny(value, " \t\n*?[\\") || strings.ContainsAny(value, `*?[\`) {
		f.hole(spelling, Words)
		return
	}
	if value == "" {
		return
	}
	if strings.ContainsRune(" \t\n", rune(value[0])) {
		f.next()
	}
	for i, field := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\n", r) }) {
		if i > 0 {
			f.next()
		}
		f.literal(field)
	}
	if strings.ContainsRune(" \t\n", rune(value[len(value)-1])) {
		f.next()
	}
}

// param walks what the expansion of a parameter runs and sets.
func (w *walker) param(p *syntax.ParamExp, st *state) {
	w.assigned(p, st)
	w.arithm(p.Index, st)
	if p.NestedParam != nil {
		w.parts([]syntax.WordPart{p.NestedParam}, &fielder{}, st)
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
		w.one(p.Exp.Word, st)
	}
	if p.Exp != nil && p.Exp.Op == syntax.OtherParamOps && p.Exp.Word != nil && p.Exp.Word.Lit() == "P" {
		// ${x@P} expands the value as a prompt, substitutions included.
		w.unread(p.Pos(), "${…@P} runs what the variable holds")
	}
}

// tilde resolves ~ and ~/ at the front of a word; other forms of it are holes.
// It returns what is left to read.
func (w *walker) tilde(text string, whole bool, f *fielder, st *state) string {
	if !strings.HasPrefix(text, "~") {
		return text
	}
	name, rest, slash := strings.Cut(text[1:], "/")
	if strings.ContainsAny(name, `\:`) || !slash && !whole {
		return text // ~\x and ~"x" are literal; ~$x too
	}
	home, known := st.vars["HOME"]
	if name == "" && known && !w.untracked {
		f.literal(home)
	} else {
		f.hole("~"+name, Value)
	}
	if slash {
		return "/" + rest
	}
	return ""
}

// unquoted adds text outside quotes: backslashes quote the next character, and
// glob characters are holes.
func (w *walker) unquoted(text string, f *fielder) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				f.literal(text[i : i+1])
			}
		case c == '*' || c == '?':
			f.glob(text[i : i+1])
		case c == '[':
			end := bracket(text[i:])
			if end == 0 {
				f.literal("[")
				continue
			}
			f.glob(text[i : i+end])
			i += end - 1
		default:
			f.literal(text[i : i+1])
		}
	}
}

func (f *fielder) glob(spelling string) {
	if f.split {
		f.hole(spelling, Glob)
	} else {
		f.literal(spelling)
	}
}

// bracket returns the length of the bracket expression that text starts with, 0
// if it is none.
func bracket(text string) int {
	i := 1
	if i < len(text) && (text[i] == '!' || text[i] == '^') {
		i++
	}
	if i < len(text) && text[i] == ']' {
		i++
	}
	if end := strings.IndexByte(text[i:], ']'); end >= 0 {
		return i + end + 1
	}
	return 0
}

// rawPattern is for patterns that the parser leaves unread. A substitution in
// one would run.
func (w *walker) rawPattern(lit *syntax.Lit, pos syntax.Pos) {
	if lit != nil && strings.ContainsAny(lit.Value, "$`<>") {
		w.unread(pos, "a pattern holds what looks like a substitution")
	}
}

// unescapeDouble resolves backslashes inside double quotes, where they quote
// only what would be special there.
func unescapeDouble(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ansiC resolves the escapes of $'…' (bash manual, ANSI-C Quoting). A NUL ends
// the string there, as bash does.
func ansiC(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'x':
			braced := strings.HasPrefix(s[i+1:], "{")
			if braced {
				i++
			}
			n, size := number(s[i+1:], 16, 2)
			if size == 0 {
				b.WriteString(`\x`)
				break
			}
			i += size
			if braced && i+1 < len(s) && s[i+1] == '}' {
				i++
			}
			if n == 0 {
				return b.String()
			}
			b.WriteByte(byte(n))
		case 'u', 'U':
			n, size := number(s[i+1:], 16, map[byte]int{'u': 4, 'U': 8}[c])
			if size == 0 {
				b.WriteByte('\\')
				b.WriteByte(c)
				break
			}
			i += size
			if n == 0 {
				return b.String()
			}
			b.WriteString(string(rune(n)))
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, size := number(s[i:], 8, 3)
			i += size - 1
			if byte(n) == 0 {
				return b.String()
			}
			b.WriteByte(byte(n))
		case 'c':
			if i+1 == len(s) {
				b.WriteString(`\c`)
				break
			}
			i++
			n := s[i] & 0x1f
			if s[i] == '?' {
				n = 0x7f
			}
			if n == 0 {
				return b.String()
			}
			b.WriteByte(n)
		default:
			if k := strings.IndexByte("abeEfnrtv", c); k >= 0 {
				b.WriteByte("\a\b\x1b\x1b\f\n\r\t\v"[k])
			} else if strings.IndexByte(`\'"?`, c) >= 0 {
				b.WriteByte(c)
			} else {
				b.WriteByte('\\')
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// number reads at most width digits of a base.
func number(s string, base, width int) (n, size int) {
	for size < len(s) && size < width {
		d := strings.IndexByte("0123456789abcdef", s[size]|0x20)
		if s[size] >= '0' && s[size] <= '9' {
			d = int(s[size] - '0')
		}
		if d < 0 || d >= base {
			break
		}
		n = n*base + d
		size++
	}
	return n, size
}
