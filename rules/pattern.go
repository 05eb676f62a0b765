package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mayi/shellparse"
)

// A pattern is a wildcard pattern taken apart: literal runes, any (?) and star
// (*). With tail set it ended in a space and a star, which together may also
// match nothing: `git *` matches `git`.
type pattern struct {
	tokens []rune
	tail   bool
}

const (
	anyRune rune = -1
	star    rune = -2
)

// parsePattern reads a wildcard pattern. There is no syntax to get wrong: `[*]`
// and `[?]` are the literal characters, every other `[` is one too.
func parsePattern(s string) pattern {
	s = slashed(s)
	var p pattern
	if rest, ok := strings.CutSuffix(s, " *"); ok {
		s, p.tail = rest, true
	}
	p.tokens = make([]rune, 0, len(s))
	for len(s) > 0 {
		switch {
		case strings.HasPrefix(s, "[*]"), strings.HasPrefix(s, "[?]"):
			p.tokens = append(p.tokens, rune(s[1]))
			s = s[3:]
		case s[0] == '*':
			p.tokens = append(p.tokens, star)
			s = s[1:]
		case s[0] == '?':
			p.tokens = append(p.tokens, anyRune)
			s = s[1:]
		default:
			r, n := decode(s)
			p.tokens = append(p.tokens, r)
			s = s[n:]
		}
	}
	return p
}

// literal reports whether the pattern has no wildcard.
func (p pattern) literal() bool {
	return !p.tail && !slices.ContainsFunc(p.tokens, func(t rune) bool { return t == star || t == anyRune })
}

// Quote writes text as a pattern that matches only that text (and what differs
// from it in the direction of slashes).
func Quote(text string) string {
	return quoter.Replace(text)
}

var quoter = strings.NewReplacer("*", "[*]", "?", "[?]")

// matchesAll reports whether a pattern consists of stars only, so that it
// matches every text there is.
func matchesAll(pattern string) bool {
	return pattern != "" && strings.Trim(pattern, "*") == ""
}

// Match reports whether a wildcard pattern matches the whole of text: `*` is any
// run of characters, `?` exactly one. Both sides have \ turned into / first.
func Match(pattern, text string) bool {
	if !strings.ContainsAny(pattern, `*?[\`) && !strings.Contains(text, `\`) {
		return pattern == text
	}
	certain, _ := matchText(pattern, shellparse.Lit(text))
	return certain
}

// matchText holds a text with holes against a pattern. The match is certain
// when the pattern matches whatever the holes turn out to be, where a hole is
// absorbed by `*` only, and possible when it matches for some value of them.
// Certain matches are possible ones too; for a text without holes they are the
// same.
func matchText(pat string, text shellparse.Word) (certain, possible bool) {
	if unlike(pat, text) {
		return false, false
	}
	if literal, ok := text.Literal(); ok && !strings.ContainsAny(pat, `*?[\`) && !strings.Contains(literal, `\`) {
		return pat == literal, pat == literal
	}
	p := parsePattern(pat)
	certain = p.run(text, true)
	if certain {
		return true, true
	}
	if _, literal := text.Literal(); literal {
		return false, false
	}
	return false, p.run(text, false)
}

// unlike reports, without taking the pattern apart, that the plain beginnings of
// both sides differ. Most rules are about another program, and go here.
func unlike(pat string, text shellparse.Word) bool {
	if len(text) == 0 || text[0].Hole != shellparse.Known {
		return false
	}
	t := text[0].Text
	for i := 0; i < len(pat); i++ {
		switch pat[i] {
		case '*', '?', '[', '\\', '/':
			return false
		case ' ':
			if pat[i:] == " *" {
				return i < len(t) && t[i] != ' '
			}
		}
		if i == len(t) {
			return len(text) == 1 // the text ends first
		}
		if t[i] != pat[i] {
			return t[i] != '\\'
		}
	}
	return len(t) > len(pat) // the pattern ends first
}

// run simulates the pattern as an automaton that has read the first i tokens in
// state i. The state n, after all of them, accepts; with a tail the space leads
// on to the state n+1, which accepts and reads anything.
//
// For a possible match a hole leads from a state to every later one, for some
// text takes it there. For a certain match only the states that absorb any text
// survive a hole: those in front of a star, and n+1. A glob is read as it is
// spelled too, where ? does not match: a pattern for one character is not one
// for the names that a glob stands for.
func (p pattern) run(text shellparse.Word, certain bool) bool {
	n := len(p.tokens)
	set, next := newStates(n+2), newStates(n+2)
	other := newStates(n + 2)
	// add puts a state into a set, and those a star leads to without reading.
	add := func(s *states, i int) {
		for s.put(i); i < n && p.tokens[i] == star; i++ {
			s.put(i + 1)
		}
	}
	read := func(from, to *states, r rune, exactly bool) {
		to.clear()
		for i := from.low; i < from.high; i++ {
			switch {
			case !from.in[i]:
			case i == n+1 || i < n && p.tokens[i] == star:
				add(to, i)
			case i < n && (p.tokens[i] == r || p.tokens[i] == anyRune && !exactly):
				add(to, i+1)
			case i == n && p.tail && r == ' ':
				to.put(n + 1)
			}
		}
	}
	readAll := func(s string, exactly bool) {
		for s = slashed(s); len(s) > 0; {
			r, size := decode(s)
			s = s[size:]
			read(set, next, r, exactly)
			set, next = next, set
		}
	}
	// absorb reads any text, of a file's name any without a slash.
	absorb := func(from, to *states, hole shellparse.Hole) {
		to.clear()
		for i := from.low; i < from.high; i++ {
			switch {
			case !from.in[i]:
			case !certain:
				for j := i; j <= n || j == n+1 && p.tail; j++ {
					to.put(j)
					if hole == shellparse.Name && j < n && p.tokens[j] == '/' {
						break
					}
				}
				if hole != shellparse.Name {
					return // from a later state it leads no further
				}
			case i == n+1 || i < n && p.tokens[i] == star:
				add(to, i)
			}
		}
	}

	add(set, 0)
	for _, piece := range text {
		switch piece.Hole {
		case shellparse.Known:
			readAll(piece.Text, false)
		case shellparse.Words:
			// Nothing at all, or a space and anything.
			if certain {
				atEnd := set.in[n] && p.tail
				absorb(set, next, piece.Hole)
				if atEnd {
					next.put(n)
				}
				set, next = next, set
			} else {
				read(set, next, ' ', false)
				absorb(next, other, piece.Hole)
				set.union(other)
			}
		case shellparse.Glob, shellparse.Name:
			absorb(set, other, piece.Hole)
			readAll(piece.Text, true)
			set.union(other)
		default:
			absorb(set, next, piece.Hole)
			set, next = next, set
		}
	}
	return set.in[n] || set.in[n+1]
}

// states are a set of states. Where most patterns are at any time is a short
// range of them, so that a text costs about its length.
type states struct {
	in        []bool
	low, high int // the set ones are from low up to, not including, high
}

func newStates(n int) *states { return &states{make([]bool, n), n, 0} }

func (s *states) put(i int) {
	s.in[i] = true
	s.low, s.high = min(s.low, i), max(s.high, i+1)
}

func (s *states) clear() {
	if s.low < s.high {
		clear(s.in[s.low:s.high])
	}
	s.low, s.high = len(s.in), 0
}

func (s *states) union(with *states) {
	for i := with.low; i < with.high; i++ {
		if with.in[i] {
			s.put(i)
		}
	}
}

// decode returns the first rune of s. A byte that is not UTF-8 is a rune of its
// own, beyond Unicode, so that no two such bytes are taken for one another.
func decode(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		r = unicode.MaxRune + 1 + rune(s[0])
	}
	return r, size
}

func slashed(s string) string {
	return strings.ReplaceAll(s, `\`, "/")
}
