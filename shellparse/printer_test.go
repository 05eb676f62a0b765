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
