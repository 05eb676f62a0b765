package shellparse

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// gaveUp reports whether all of the code is a hole in what was found.
func (e effects) gaveUp(code string) bool {
	return slices.ContainsFunc(e.commands, func(c Word) bool { return isAll(c, code) })
}

func isAll(word Word, code string) bool {
	code = strings.TrimSpace(code)
	return len(word) == 1 && word[0].Hole != Known && strings.HasPrefix(code, word[0].Text) &&
		(len(word[0].Text) == len(code) || len(word[0].Text) >= 200) // long spellings are cut
}

// filled is for code that cannot be read because of its holes: with a number or
// with nothing in their place it may be, and what it then runs is a guess. Where
// it still cannot be read, all of it stays a hole.
func (w *walker) filled(find language, e effects, text string, st *state) effects {
	readable := false
	for _, filling := range []string{"1", ""} {
		plain := strings.Map(func(r rune) rune {
			if r >= firstMark && r < firstMark+maxMarks {
				return '\x00'
			}
			return r
		}, text)
		plain = strings.ReplaceAll(plain, "\x00", filling)
		f := find(plain)
		if plain == "" || f.gaveUp(plain) {
			continue
		}
		readable = true
		w.guessEffects(f, st)
	}
	if readable {
		e.commands = slices.DeleteFunc(e.commands, func(c Word) bool { return isAll(c, text) })
	}
	return e
}

// firstMark is the first of the private characters that stand for holes while
// code is read.
const firstMark = '\uE000'

// maxMarks is how many holes code may have. All of it is a hole when there are
// more.
const maxMarks = 100

// masked spells code with a private character in the place of each hole.
func masked(code Word) (text string, marks []Piece) {
	var b strings.Builder
	for _, p := range code {
		if p.Hole == Known {
			b.WriteString(p.Text)
			continue
		}
		if len(marks) == maxMarks {
			return "", nil
		}
		b.WriteRune(firstMark + rune(len(marks)))
		marks = append(marks, p)
	}
	return b.String(), marks
}

// unmasked puts the holes back into a text that came out of the code.
func unmasked(word Word, marks []Piece) Word {
	if len(marks) == 0 {
		return word
	}
	var b wordBuilder
	for _, p := range word {
		if p.Hole != Known {
			b.hole(unmasked(Lit(p.Text), marks).String(), p.Hole)
			continue
		}
		for text := p.Text; text != ""; {
			r, size := utf8.DecodeRuneInString(text)
			if i := int(r - firstMark); i >= 0 && i < len(marks) {
				b.hole(marks[i].Text, Value)
			} else {
				b.literal(text[:size])
			}
			text = text[size:]
		}
	}
	return b.word()
}
