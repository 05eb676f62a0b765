package rules

import (
	"slices"
	"strings"

	"mayi/shellparse"
)

// store returns the pattern that an always would store for a command: the words
// that name its operation and a star, or, where that would say too much, the
// exact text. It is "" when nothing that could be stored would match the same
// command again.
func store(c shellparse.Command, text shellparse.Word) string {
	if unnamed(c) {
		return ""
	}
	if prefix, ok := c.Prefix(); ok {
		return Quote(strings.Join(prefix, " ")) + " *"
	}
	return exact(text)
}

// exact writes a text as a pattern that matches it alone, "" if it has holes of
// which the next time may not be the same. A glob is the same glob again.
func exact(text shellparse.Word) string {
	spelled, ok := text.Spelled()
	if !ok {
		return ""
	}
	return Quote(spelled)
}

// unnamed reports whether a command's name is empty, holds white space or looks
// like an assignment, as far as it is known: the text of such a command reads as
// that of another.
func unnamed(c shellparse.Command) bool {
	if len(c.Words) == 0 {
		return false
	}
	word := c.Words[0]
	if text, known := word.Literal(); known && text == "" {
		return true
	}
	if word[0].Hole == shellparse.Known {
		if name, _, ok := strings.Cut(word[0].Text, "="); ok && isName(strings.TrimSuffix(name, "+")) {
			return true
		}
	}
	return slices.ContainsFunc(word, func(p shellparse.Piece) bool {
		return p.Hole == shellparse.Known && strings.ContainsAny(p.Text, " \t\n\r\v\f")
	})
}
