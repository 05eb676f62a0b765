package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxAliases is how many aliases a source may expand: each is one more reading
// of it, and a few that name each other twice grow without end.
const maxAliases = 200

// An unaliaser puts the values of aliases into a source, as the shell does while
// it reads one (bash manual, Aliases): at the name of a command, unless a part
// of it is quoted, not within what the same alias became, and at the word behind
// a value that ends in a blank.
type unaliaser struct {
	text  string
	spans []span // what aliases became
	next  []int  // where a value ended in a blank
}

// A span is a part of a text.
type span struct {
	from, to int
	name     string // the alias it came from
}

// readings walks a source as it is written and, where it uses aliases, also as
// these spell it. What an alias hides is listed all the same: the definitions
// come from the shell, and a wrong one must not make a command disappear.
func (w *walker) readings(source string, o Options, read func(text string)) {
	read(source)
	text := w.unaliased(source, o.Aliases)
	if text == source {
		return
	}
	written := slices.Clone(w.script.Commands)
	w.pos = syntax.Pos{} // no place in the source
	w.through("alias", func() {
		defer w.within(source, nil)()
		read(text)
	})
	expanded := slices.DeleteFunc(slices.Clone(w.script.Commands[len(written):]), func(c Command) bool {
		c.Via = c.Via[1:]
		return slices.ContainsFunc(written, c.equal)
	})
	w.script.Commands = append(written, expanded...)
}

// unaliased returns a source with every alias in it expanded.
func (w *walker) unaliased(text string, aliases map[string]string) string {
	x := &unaliaser{text: text}
	for n := 0; len(aliases) > 0 && w.readable(x.text); n++ {
		found := false
		for _, s := range x.candidates(w) {
			if value, ok := aliases[s.name]; ok && !x.within(s) {
				x.replace(s, value)
				found = true
				break
			}
		}
		if !found {
			break
		}
		if n == maxAliases {
			w.unread(syntax.Pos{}, "its aliases expand to too much")
			break
		}
	}
	return x.text
}

// candidates are the words that an alias may stand for.
func (x *unaliaser) candidates(w *walker) (list []span) {
	add := func(from, to int) {
		// A quoted word is no alias, and has no such name.
		if from >= 0 && from < to && to <= len(x.text) && !strings.ContainsAny(x.text[from:to], "\\'\"`$") {
			list = append(list, span{from, to, x.text[from:to]})
		}
	}
	if w.lang == langFish {
		r := &fishReader{w: newWalker(Options{Shell: Fish}), text: x.text, st: new(state)}
		_ = r.list(false) // up to what cannot be read
		for _, n := range r.names {
			add(n[0], n[1])
		}
		return list
	}
	file := w.parse(x.text, nil).file
	if file == nil {
		return nil
	}
	word := func(n syntax.Node) { add(int(n.Pos().Offset()), int(n.End().Offset())) }
	for node := range syntax.Preorder(file) {
		switch n := node.(type) {
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				word(n.Args[0])
			}
		case *syntax.DeclClause:
			word(n.Variant)
		case *syntax.Word:
			if slices.ContainsFunc(x.next, func(at int) bool {
				return at <= int(n.Pos().Offset()) && strings.Trim(x.text[at:n.Pos().Offset()], " \t") == ""
			}) {
				word(n)
			}
		}
	}
	return list
}

// within reports whether a word is a part of what its alias became.
func (x *unaliaser) within(s span) bool {
	return slices.ContainsFunc(x.spans, func(t span) bool { return t.name == s.name && t.from <= s.from && s.to <= t.to })
}

// replace puts a value in the place of a word.
func (x *unaliaser) replace(s span, value string) {
	x.text = x.text[:s.from] + value + x.text[s.to:]
	moved := len(value) - (s.to - s.from)
	for i, t := range x.spans {
		if t.from >= s.to {
			x.spans[i].from += moved
		}
		if t.to >= s.to {
			x.spans[i].to += moved
		}
	}
	for i, at := range x.next {
		if at >= s.to {
			x.next[i] += moved
		}
	}
	x.spans = append(x.spans, span{s.from, s.from + len(value), s.name})
	if strings.HasSuffix(value, " ") || strings.HasSuffix(value, "\t") {
		x.next = append(x.next, s.from+len(value))
	}
}
