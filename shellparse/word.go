package shellparse

import "strings"

// A Word is one argument with its quoting removed, or several joined by
// [Join]: literal text with holes in it.
type Word []Piece

// A Piece is a run of literal text, or a hole together with its spelling in the
// source.
type Piece struct {
	Text string `json:"text"`
	Hole Hole   `json:"hole,omitempty"`
}

// Hole says what a part of a word that only the shell can compute may turn out
// to be. The zero value is no hole.
type Hole uint8

const (
	Known Hole = iota // literal text
	Value             // any text: "$x", $(date)
	Words             // nothing at all, or any words: an unquoted $x, "$@"
	Glob              // file names, or its own spelling when none match: *.o
	Name              // one file name without a slash, or its own spelling
)

// Lit returns the word that is exactly s.
func Lit(s string) Word {
	return Word{{Text: s}}
}

// String spells the word as the source does where it has holes.
func (w Word) String() string {
	if len(w) == 1 {
		return w[0].Text
	}
	var b strings.Builder
	for _, p := range w {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Literal returns the text of a word without holes.
func (w Word) Literal() (text string, ok bool) {
	for _, p := range w {
		if p.Hole != Known {
			return "", false
		}
	}
	return w.String(), true
}

// Spelled returns the text of a word that is literal but for globs, which stand
// for themselves. An approval of such a text covers the same text again.
func (w Word) Spelled() (text string, ok bool) {
	for _, p := range w {
		if p.Hole == Value || p.Hole == Words {
			return "", false
		}
	}
	return w.String(), true
}

// mayHoldValue reports whether a part of the word is known only to the shell and is
// no name that a pattern found.
func (w Word) mayHoldValue() bool {
	_, spelled := w.Spelled()
	return !spelled
}

// literalPrefix returns the literal text in front of the first hole.
func (w Word) literalPrefix() string {
	var b strings.Builder
	for _, p := range w {
		if p.Hole != Known {
			break
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// mayVanish reports whether the shell may turn the word into no word at all, or
// into several: it is nothing but Words holes.
func (w Word) mayVanish() bool {
	for _, p := range w {
		if p.Hole != Words {
			return false
		}
	}
	return len(w) > 0
}

// maySplit reports whether the shell may make more than one word of it, or none.
func (w Word) maySplit() bool {
	for _, p := range w {
		if p.Hole == Words {
			return true
		}
	}
	return false
}

// Join joins words by single spaces into the text that rules see. A word that
// may vanish takes the space in front of it along, so that in the result a
// Words hole stands for "" or for a space and anything; at the front it takes
// the space behind it along and stands for anything.
func Join(words []Word) Word {
	var b wordBuilder
	named := false
	for i, w := range words {
		switch {
		case w.mayVanish() && named:
			b.hole(" "+w.String(), Words)
		case w.mayVanish() && i+1 < len(words):
			// $x rm y: with nothing in $x this is rm y.
			b.hole(w.String()+" ", Value)
		default:
			if named {
				b.literal(" ")
			}
			for _, p := range w {
				if p.Hole == Words {
					p.Hole = Value // a"$@"b is at least one word
				}
				b.piece(p)
			}
			named = true
		}
	}
	return b.word()
}

// A wordBuilder puts a word together, melting adjacent literal text.
type wordBuilder struct {
	done Word
	lit  strings.Builder
}

func (b *wordBuilder) literal(s string) { b.lit.WriteString(s) }

func (b *wordBuilder) hole(spelling string, hole Hole) {
	b.flush()
	b.done = append(b.done, Piece{spelling, hole})
}

func (b *wordBuilder) piece(p Piece) {
	if p.Hole == Known {
		b.literal(p.Text)
	} else {
		b.hole(p.Text, p.Hole)
	}
}

func (b *wordBuilder) flush() {
	if b.lit.Len() > 0 {
		b.done = append(b.done, Piece{Text: b.lit.String()})
		b.lit.Reset()
	}
}

// word returns what was built and starts anew.
func (b *wordBuilder) word() Word {
	b.flush()
	w := b.done
	b.done = nil
	return w
}
