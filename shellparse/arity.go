package shellparse

import (
	"path"
	"strings"
)

// Prefix returns the words that name the operation a command performs: as many
// as its arity says, options never among them. ok is false when they would name
// too much or too little to be approved as a whole: an option or a hole stands
// among them, or the command is a carrier, an interpreter, or removes or
// overwrites what it is given.
func (c Command) Prefix() (prefix []string, ok bool) {
	if len(c.Words) == 0 || c.Carrier || len(c.Assigns) > 0 {
		return nil, false
	}
	var texts []string
	for _, word := range c.Words {
		text, ok := word.Literal()
		if !ok || strings.HasPrefix(text, "-") {
			break
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return nil, false
	}
	named := append([]string{path.Base(texts[0])}, texts[1:]...)
	if isExactOnly(named) {
		return nil, false
	}
	n := min(max(arity(texts), arity(named)), len(c.Words)) // ./mvnw has a row, /usr/bin/git has not
	if n > len(texts) {
		return nil, false
	}
	return texts[:n], true
}

// arity is how many leading words name the operation: the longest entry of the
// table wins, and without one it is the program alone.
func arity(words []string) int {
	for n := min(len(words), maxArityKey); n > 0; n-- {
		if a, ok := arityTable()[strings.Join(words[:n], " ")]; ok {
			return a
		}
	}
	return 1
}

// isExactOnly reports whether a program, of whatever version, or a subcommand of
// it is among those of which only the exact text may be approved for good.
func isExactOnly(words []string) bool {
	program := strings.TrimRight(words[0], "0123456789.-")
	for _, name := range []string{words[0], program} {
		if _, ok := exactOnly[name]; ok {
			return true
		}
		if len(words) > 1 {
			if _, ok := exactOnly[name+" "+words[1]]; ok {
				return true
			}
		}
	}
	return false
}

// maxArityKey is how many words the longest entry of the table has.
const maxArityKey = 4

// exactKind says why only the exact text of a command may be approved for good.
type exactKind uint8

const (
	interprets exactKind = iota
	overwrites
)
