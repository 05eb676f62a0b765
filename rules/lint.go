package rules

import (
	"strings"

	"mayi/shellparse"
)

// A DeadRule can never decide, for a later rule matches all that it does.
type DeadRule struct {
	Rule, By Rule
}

// Lint finds the rules that a later one of the same list leaves without effect:
// the last match counts, so a catch-all belongs in front.
func Lint(rules []Rule) (dead []DeadRule) {
	for i, r := range rules {
		for _, later := range rules[i+1:] {
			if later.Action != r.Action && within(r.Permission, later.Permission) && within(r.Pattern, later.Pattern) {
				dead = append(dead, DeadRule{r, later})
				break
			}
		}
	}
	return dead
}

// within reports whether a pattern matches all that another one does: whether it
// certainly matches the other one with a hole for each of its wildcards.
func within(pattern, wide string) bool {
	text := pattern
	var word shellparse.Word
	tail := strings.HasSuffix(text, " *")
	text = strings.TrimSuffix(text, " *")
	for _, token := range parsePattern(text).tokens {
		piece := shellparse.Piece{Text: "*", Hole: shellparse.Value}
		if token >= 0 {
			piece = shellparse.Piece{Text: string(token)}
		}
		word = append(word, piece)
	}
	if tail {
		word = append(word, shellparse.Piece{Text: " *", Hole: shellparse.Words})
	}
	certain, _ := matchText(wide, word)
	return certain
}
