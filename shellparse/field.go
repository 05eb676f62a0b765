package shellparse

import "strings"

// A fielder collects the fields that one word becomes.
type fielder struct {
	split   bool // unquoted expansions split, and globs match names
	odd     bool // a word with a pattern may vanish
	started bool // the current field exists, were it empty
	globs   bool // the current field holds a pattern
	open    bool // a bracket opened that a later part of the word may close
	cur     wordBuilder
	before  Word // what came before the open bracket
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

func (f *fielder) glob(spelling string) {
	if f.split {
		f.globs = true
		f.hole(spelling, Glob)
	} else {
		f.literal(spelling)
	}
}

// next ends the current field.
func (f *fielder) next() {
	if !f.started {
		return
	}
	w := f.cur.word()
	if f.open {
		hole := Glob
		if w.maySplit() {
			hole = Words
		}
		w = append(f.before, Piece{w.String(), hole})
	}
	if f.globs && f.odd {
		w = Word{{w.String(), Words}}
	}
	f.done = append(f.done, w)
	f.started, f.globs, f.open = false, false, false
}

func (f *fielder) finish() []Word {
	f.next()
	return f.done
}

// whole returns the one field of a word that does not split.
func (f *fielder) whole() Word {
	if fields := f.finish(); len(fields) > 0 {
		return fields[0]
	}
	return Word{}
}

// unquoted adds text outside quotes: backslashes quote the next character, and
// glob characters are holes. last is set when no part of the word follows.
func (f *fielder) unquoted(text string, last bool) {
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
		case c == '[' && f.split:
			// Where the bracket closes depends on quotes, classes and more: the
			// last one that could close it is taken, or all of the word.
			if end := strings.LastIndexByte(text[i:], ']'); end > 0 {
				f.glob(text[i : i+end+1])
				i += end
				continue
			}
			if !last && !f.open {
				f.before, f.open, f.globs = f.cur.word(), true, true
			}
			f.literal("[")
		default:
			f.literal(text[i : i+1])
		}
	}
}
