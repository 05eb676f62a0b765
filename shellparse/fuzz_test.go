package shellparse

import (
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

const marker = "zzz-marker"

// FuzzParse holds what Parse promises of any source whatever. The shell, and what
// stands behind the source, are part of the input: to try all of them on each
// source would cost twenty times as much and find no more. Long sources are the
// business of scripts/hostile: they cost time, and hold what short ones hold too.
func FuzzParse(f *testing.F) {
	debug.SetGCPercent(1000) // much is made and dropped, and little is held
	shells := slices.Sorted(maps.Keys(variants))
	for i, c := range readCases(f) {
		f.Add(c.source, byte(slices.Index(shells, c.shell())), byte(i))
	}
	f.Fuzz(func(t *testing.T, source string, shell, tail byte) {
		if len(source) > maxFuzzed {
			return
		}
		tails := []string{"", "\n" + marker, "; " + marker}
		o := Options{Shell: shells[int(shell)%len(shells)], Home: home}
		if err := promised(source, tails[int(tail)%len(tails)], o); err != "" {
			t.Errorf("%s\ninput: %q\nhave:\n%s", err, source, describe(Parse(source, o)))
		}
	})
}

// maxFuzzed is how long a source may be that is fuzzed, in bytes.
const maxFuzzed = 1 << 10

// promised returns the promise that Parse breaks, or "". A tail is the marker or
// nothing.
func promised(source, tail string, o Options) string {
	s := Parse(source+tail, o)
	listed := len(s.Commands) + len(s.Redirects) + len(s.Unread)
	switch {
	case s.Blank != (listed == 0):
		return "a source asks for nothing exactly if it is blank"
	case len(s.Commands)+len(s.Redirects) > MaxCommands+maxDirs:
		return "there is a limit to what is listed"
	case tail != "" && len(s.Unread) == 0 && !lists(s, marker) && !swallowed(source, tail):
		return "what follows is listed, or it is said that it is not"
	case len(source)%8 == 0 && !reflect.DeepEqual(s, Parse(source+tail, o)): // some sources are enough to catch chance
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
	return ""
}

// lists reports whether a name stands anywhere in what is listed.
func lists(s *Script, name string) bool {
	return strings.Contains(describe(s), name)
}

// swallowed reports whether what is added to a source may become part of its
// last word, of a comment, or of the text of a here-document.
func swallowed(source, tail string) bool {
	joined := strings.ReplaceAll(source, "\\\n", "")
	return strings.Contains(joined, "<<") || strings.HasSuffix(source, `\`) || tail[0] == ';' && strings.Contains(source, "#")
}
