package rules

import (
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

// unnamed reports whether a command's name is empty or holds white space.
func unnamed(c shellparse.Command) bool {
	if len(c.Words) == 0 {
		return false
	}
	name, known := c.Words[0].Literal()
	return known && (name == "" || strings.ContainsAny(name, " \t\n\r\v\f"))
}
