package rules

import (
	"slices"
	"strings"
	"testing"

	"mayi/shellparse"
)

// TestIgnoringAddsNothing holds every short command over a small alphabet
// against an allow whose file ignores options: where it matches, it matches the
// command, or that with options taken out by a reference that knows nothing but
// the words.
func TestIgnoringAddsNothing(t *testing.T) {
	const config = `{
		"ignore": {"p": "-a -C: --n:", "p s": "-a --n?"},
		"permission": {"bash": {"p s *": "allow", "p x": "allow", "p s s ?": "allow", "p -C * s x": "allow"}}
	}`
	file, err := ParseFile("config.jsonc", []byte(config), testEnv)
	if err != nil {
		t.Fatal(err)
	}
	// one returns how many words an option behind words takes up.
	one := func(key, word string, last bool) int {
		switch key + " " + word {
		case "p -a", "p -Cx", "p -aCx", "p --n=v", "p s -a", "p s --n=v", "p s --n", "p s -aa", "p -aa":
			return 1
		case "p -C", "p --n", "p -aC":
			if !last {
				return 2
			}
		}
		return 0
	}
	var shorter func(words []string) [][]string
	shorter = func(words []string) (all [][]string) {
		for i := 1; i < len(words); i++ {
			if n := one(strings.Join(words[:i], " "), words[i], i+1 == len(words)); n > 0 {
				less := slices.Concat(words[:i], words[i+n:])
				all = append(append(all, less), shorter(less)...)
			}
		}
		return all
	}
	alphabet := []string{"s", "x", "-a", "-aa", "-C", "-Cx", "-aC", "-aCx", "--n", "--n=v", "--", "-z", "-az"}
	allowed := 0
	var try func(words []string)
	try = func(words []string) {
		var list []shellparse.Word
		for _, w := range words {
			list = append(list, shellparse.Lit(w))
		}
		q := Request{Permission: "bash", Text: shellparse.Join(list), Words: list}
		for _, r := range file.Rules {
			if certain, _ := r.match(q, &memo{}); certain {
				allowed++
				if !slices.ContainsFunc(append(shorter(words), words), func(w []string) bool { return Match(r.Pattern, strings.Join(w, " ")) }) {
					t.Fatalf("%q is allowed by %s", words, r)
				}
			}
		}
		if len(words) < 5 {
			for _, w := range alphabet {
				try(append(words[:len(words):len(words)], w))
			}
		}
	}
	try([]string{"p"})
	if allowed < 1000 {
		t.Fatalf("only %d matches", allowed)
	}
}

// TestGuardsOfPresets demands of what comes with mayi that a glob is taken for
// the files of its name, and of what a person wrote that it is not.
func TestGuardsOfPresets(t *testing.T) {
	words := []shellparse.Word{shellparse.Lit("sort"), {{Text: "*", Hole: shellparse.Glob}}}
	q := Request{Permission: "bash", Text: shellparse.Join(words), Words: words}
	for name, want := range map[string]bool{"preset readonly": false, "config.jsonc": true} {
		r := Rule{Permission: "bash", Pattern: "sort -o *", Action: Ask, Origin: Origin{Name: name}}
		if _, possible := r.match(q, &memo{}); possible != want {
			t.Errorf("%s: have %v, want %v", name, possible, want)
		}
	}
}
