package shellparse

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestCode wants the code that a line gives to programs in other languages, by
// testdata/code.txt: a command or an assignment, and behind => what is found, each with its language.
func TestCode(t *testing.T) {
	if *update {
		data, err := os.ReadFile("testdata/code.txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range readLines(t, "code.txt") {
			data = bytes.Replace(data, []byte("\n"+l.source+" => "+l.want+"\n"), []byte("\n"+l.source+" => "+l.codes()+"\n"), 1)
		}
		write(t, "testdata/code.txt", string(data))
	}
	for _, l := range readLines(t, "code.txt") {
		if have := l.codes(); have != l.want {
			t.Errorf("input: %s\nhave: %s\nwant: %s", l.source, have, l.want)
		}
	}
}

// codes spells the code that is given to the first program of a line.
func (l line) codes() string {
	source, input, literal := strings.Cut(l.source, " <<< ")
	all := Parse(source, Options{Home: home}).Commands
	c := all[slices.IndexFunc(all, func(c Command) bool { return len(c.Via) == 0 })]
	var codes []snippet
	if len(c.Words) > 0 {
		codes = codesOf(c.Words[0].String(), c.Words[1:], stream{text: input, literal: literal}, func(Word) stream { return stream{} })
	} else {
		codes = holdings[c.Assigns[0].Name].codes(c.Assigns[0].Value)
	}
	var found []string
	for _, t := range codes {
		question := ""
		if t.maybe {
			question = "?"
		}
		found = append(found, t.lang+question+": "+describeWord(t.code))
	}
	if len(found) == 0 {
		return "none"
	}
	return strings.Join(found, " | ")
}

// TestCodeIsListed wants what code does outside its program as if the line did it.
func TestCodeIsListed(t *testing.T) {
	mark := func(string) effects {
		return effects{
			commands: []Word{Lit("mark a; b"), {{Text: "c"}, {"…", Value}}}, argvs: [][]Word{{Lit("d"), Lit("e f")}},
			maybe: []string{"g", "(", "h > i"}, reads: []Word{Lit("j")}, writes: []Word{Lit("k")},
		}
	}
	w := newWalker(Options{})
	languages := map[string]language{"x": mark}
	st := newState(Options{})
	w.effectsOf(languages["x"], Lit("code"), &st)
	want := "\tmark a\n\tb\n\t‹c…›\n\td \"e f\"\n\tg  [guess]\n\th  [guess]\n\tread: j\n\tedit: k\n"
	if have := describe(w.finish(false)); have != want {
		t.Errorf("have:\n%swant:\n%s", have, want)
	}
}

// TestCodeKeepsHoles wants a hole in the code to be one in what it runs.
func TestCodeKeepsHoles(t *testing.T) {
	w := newWalker(Options{})
	st := newState(Options{})
	argv := func(code string) effects {
		var words []Word
		for _, f := range strings.Fields(code) {
			words = append(words, Lit(f))
		}
		return effects{argvs: [][]Word{words}, commands: []Word{Lit("a " + code)}}
	}
	w.effectsOf(argv, Word{{Text: "rm "}, {"$x", Value}, {Text: "/y"}}, &st)
	if have, want := describe(w.finish(false)), "\t\"‹a rm $x/y›\"\n\trm ‹$x›/y\n"; have != want {
		t.Errorf("have:\n%swant:\n%s", have, want)
	}
}

// TestCodeIsReadAroundHoles wants no hole for code that only its holes make hard to
// read, and a guess at what it runs.
func TestCodeIsReadAroundHoles(t *testing.T) {
	numbered := func(code string) effects {
		if line, command, ok := strings.Cut(code, "e "); ok && (line == "" || line == "1") {
			return effects{commands: []Word{Lit(command)}}
		}
		return effects{commands: []Word{{{code, Value}}}}
	}
	for code, want := range map[string]string{"e rm x": "\trm x  [guess]\n\trm x  [guess]\n", "p": "\t‹$xp›\n"} {
		w := newWalker(Options{})
		st := newState(Options{})
		w.effectsOf(numbered, Word{{"$x", Value}, {Text: code}}, &st)
		if have := describe(w.finish(false)); have != want {
			t.Errorf("input: $x%s\nhave:\n%swant:\n%s", code, have, want)
		}
	}
}
