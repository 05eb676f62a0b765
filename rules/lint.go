package rules

import (
	"fmt"
	"slices"
	"strings"

	"mayi/shellparse"
)

// A Finding is what is probably wrong with a rule that is no error.
type Finding struct {
	Rule Rule
	Msg  string
}

// Lint finds the rules of a file that say something else than was meant.
func Lint(rules []Rule) (found []Finding) {
	destructive, _ := preset(nil, "destructive", Env{Home: "/", Lookup: func(string) (string, bool) { return "", false }})
	for i, r := range rules {
		later := rules[i+1:]
		report := func(format string, args ...any) { found = append(found, Finding{r, fmt.Sprintf(format, args...)}) }
		if k := slices.IndexFunc(later, r.deadBehind); k >= 0 {
			report("has no effect, for %s at %s matches all that it does, and the last match counts", later[k], later[k].Origin)
		}
		if known := misspelled(r.Permission); known != "" {
			report("is about a permission that nothing asks for: did you mean %q?", known)
		}
		if text := strings.TrimSuffix(r.Pattern, " *"); r.Permission == "bash" && (strings.TrimSpace(text) != text || strings.Contains(text, "  ") || strings.ContainsAny(text, "\t\n")) {
			report("has white space that no command has: words are joined by one space")
		}
		if r.Permission == "bash" && onlyBare(r.Pattern, rules) {
			report("matches the command without arguments only: %q matches it with arguments too", r.Pattern+" *")
		}
		enforced := slices.ContainsFunc(later, func(l Rule) bool { return l.Origin.Name == "preset destructive" })
		if r.Action == Allow && !enforced {
			if k := slices.IndexFunc(destructive, func(d Rule) bool { return d.deadBehind(r) }); k >= 0 {
				report("also allows what the preset destructive guards, such as %s: \"enforce\": [\"destructive\"] keeps that", destructive[k].Pattern)
			}
		}
	}
	return found
}

// deadBehind reports whether a later rule decides otherwise on all that r
// matches.
func (r Rule) deadBehind(later Rule) bool {
	if later.enforced && r.Action == Deny {
		return false
	}
	return later.Action != r.Action && within(r.Permission, later.Permission) && within(r.Pattern, later.Pattern)
}

// misspelled returns the permission that a name nearly is, "" if it is none or
// one itself.
func misspelled(name string) string {
	known := []string{"bash", "edit", "read", "glob", "grep", "webfetch", "external_directory", "doom_loop"}
	if strings.ContainsAny(name, "*?._") || slices.Contains(known, name) {
		return ""
	}
	return nearest(name, known)
}

// onlyBare reports whether a pattern is one plain word, and no other rule of the
// file speaks of that word with arguments.
func onlyBare(pattern string, rules []Rule) bool {
	return pattern != "" && !strings.ContainsAny(pattern, " *?") &&
		!slices.ContainsFunc(rules, func(o Rule) bool { return strings.HasPrefix(o.Pattern, pattern+" ") })
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
