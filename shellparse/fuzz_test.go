package shellparse

import (
	"reflect"
	"strings"
	"testing"
)

const marker = "zzz-marker"

// FuzzParse holds what Parse promises of any source whatever.
func FuzzParse(f *testing.F) {
	for _, c := range readCases(f) {
		f.Add(c.source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		for shell := range variants {
			if err := promised(source, Options{Shell: shell, Home: home}); err != "" {
				t.Errorf("%s\ninput: %q\nhave:\n%s", err, source, describe(Parse(source, Options{Shell: shell, Home: home})))
			}
		}
	})
}

// promised returns the promise that Parse breaks, or "".
func promised(source string, o Options) string {
	s := Parse(source, o)
	listed := len(s.Commands) + len(s.Redirects) + len(s.Unread)
	switch {
	case s.Blank != (listed == 0):
		return "a source asks for nothing exactly if it is blank"
	case len(s.Commands)+len(s.Redirects) > MaxCommands+maxDirs:
		return "there is a limit to what is listed"
	case !reflect.DeepEqual(s, Parse(source, o)):
		return "parsing twice gives the same"
	}
	for _, c := range s.Commands {
		if len(c.Words) == 0 && len(c.Assigns) == 0 {
			return "a command is something"
		}
		for _, w := range c.Words {
			for _, p := range w {
				if p.Hole != Known && p.Text == "" {
					return "a hole has a spelling"
				}
			}
		}
		if prefix, ok := c.Prefix(); ok && len(prefix) == 0 {
			return "a prefix is something"
		}
		Respell(c.Words)
		Join(c.Words)
	}
	if s = Parse(source+"\n; "+marker, o); !lists(s, marker) && len(s.Unread) == 0 && !swallowed(source) {
		return "what follows is listed, or it is said that it is not"
	}
	if s = Parse(source+"\n"+marker, o); !lists(s, marker) && len(s.Unread) == 0 && !swallowed(source) {
		return "what follows on a line of its own is listed, or it is said that it is not"
	}
	return ""
}

// lists reports whether a name stands anywhere in what is listed.
func lists(s *Script, name string) bool {
	return strings.Contains(describe(s), name)
}

// swallowed reports whether what is added to a source may become part of its
// last word, or of the text of a here-document.
func swallowed(source string) bool {
	return strings.Contains(source, "<<") || strings.HasSuffix(source, `\`)
}
