package shellparse

import (
	"strings"
	"testing"
)

// TestPrinters demands that what every row prints is taken for code that a person's
// own shell is given, and what another word behind the name prints is not.
func TestPrinters(t *testing.T) {
	typed := func(line string) bool {
		s := Parse(`eval "$(`+line+`)"`, Options{})
		last := s.Commands[len(s.Commands)-1]
		return last.Typed
	}
	for name, does := range printers {
		for _, word := range append(strings.Fields(does), strings.Repeat("x", 1-min(1, len(does)))) {
			if word != "" && !typed(name+" "+word) {
				t.Errorf("%s %s is not known", name, word)
			}
		}
		if does != "" && (typed(name) || typed(name+" exec")) {
			t.Errorf("%s is known whatever it does", name)
		}
	}
}

// TestPrintersOfFish demands the same of both ways in which fish spells it, and of
// neither where more than that program is run.
func TestPrintersOfFish(t *testing.T) {
	for line, want := range map[string]bool{
		"eval (ssh-agent -c)":        true,
		"eval $(ssh-agent -c)":       true,
		`eval "$(ssh-agent -c)"`:     true,
		"eval (ssh-agent -c)[1]":     false,
		"eval (ssh-agent -c; cat x)": false,
		"eval (cat x)":               false,
		`eval "(ssh-agent -c)"`:      false,
	} {
		s := Parse(line, Options{Shell: Fish})
		if have := s.Commands[len(s.Commands)-1].Typed; have != want {
			t.Errorf("%s: taken on trust: %v, want %v", line, have, want)
		}
	}
}
