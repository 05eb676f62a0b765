package shellparse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const blanks = " \t\n"

// constant adds a known value. Unquoted it splits at blanks and may be a
// pattern; where that is not plain, it stays a hole.
func (w *walker) constant(value, spelling string, quoted bool, f *fielder, st *state) {
	if w.read += len(value); w.read > maxRead {
		f.hole(spelling, splits(f))
		return
	}
	if quoted || !f.split {
		f.literal(value)
		return
	}
	special := `*?[\(`
	switch w.lang {
	case syntax.LangZsh:
		special += blanks // it does not split there
	case syntax.LangMirBSDKorn:
		special += "{" // braces come after parameters there
	}
	ifs, known := w.separators(st)
	if !known || st.odd || strings.ContainsAny(value, special) {
		f.hole(spelling, Words)
		return
	}
	split(value, ifs, f)
}

// separators returns the characters that part fields. Shells do not take them
// from the environment.
func (w *walker) separators(st *state) (ifs string, known bool) {
	if !st.ifs {
		return blanks, true
	}
	return w.constantOf("IFS", st)
}

// split adds the fields of a value: blanks among the separators part them in
// runs, any other by itself, and what it ends is a field though it is empty (bash
// manual, Word Splitting).
func split(value, ifs string, f *fielder) {
	isBlank := func(i int) bool {
		return i < len(value) && strings.IndexByte(ifs, value[i]) >= 0 && strings.IndexByte(blanks, value[i]) >= 0
	}
	for i := 0; i < len(value); {
		if strings.IndexByte(ifs, value[i]) < 0 {
			f.literal(value[i : i+1])
			i++
			continue
		}
		for isBlank(i) {
			i++
		}
		if i < len(value) && strings.IndexByte(ifs, value[i]) >= 0 {
			f.started = true
			for i++; isBlank(i); {
				i++
			}
		}
		f.next()
	}
}
