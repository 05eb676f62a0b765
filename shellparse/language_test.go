package shellparse

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// languageCases reads the tables of testdata/language. The language of a file is
// its name up to a hyphen.
func languageCases(t testing.TB) (cases []tableCase) {
	t.Helper()
	files, err := filepath.Glob("testdata/language/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata/language", err)
	}
	for _, file := range files {
		cases = append(cases, readTable(t, file)...)
	}
	return cases
}

func (c tableCase) language() string {
	name, _, _ := strings.Cut(strings.TrimSuffix(c.file, ".txt"), "-")
	return name
}

func describeEffects(e effects) string {
	var b strings.Builder
	for _, c := range e.commands {
		fmt.Fprintf(&b, "\trun: %s\n", describeText(c))
	}
	for _, argv := range e.argvs {
		fmt.Fprintf(&b, "\targv: %s\n", describeWord(Join(argv)))
	}
	for _, m := range e.maybe {
		fmt.Fprintf(&b, "\tmaybe: %s\n", describeText(Lit(m)))
	}
	for _, r := range e.reads {
		fmt.Fprintf(&b, "\tread: %s\n", describeText(r))
	}
	for _, w := range e.writes {
		fmt.Fprintf(&b, "\twrite: %s\n", describeText(w))
	}
	if b.Len() == 0 {
		return "\tnothing\n"
	}
	return b.String()
}

// describeText writes a word that is alone on its line.
func describeText(w Word) string {
	var b strings.Builder
	for _, p := range w {
		b.WriteString(holeMarks[p.Hole][0] + p.Text + holeMarks[p.Hole][1])
	}
	return strings.ReplaceAll(strings.ReplaceAll(b.String(), "\n", `\n`), "\r", `\r`)
}

func TestLanguage(t *testing.T) {
	files := map[string]*bytes.Buffer{}
	seen := map[string]bool{}
	for _, c := range languageCases(t) {
		find, ok := languages[c.language()]
		if !ok {
			t.Fatalf("%s: no such language", c.file)
		}
		seen[c.language()] = true
		have := describeEffects(find(c.source))
		if have != c.want && !*update {
			t.Errorf("%s\ninput:\n%s\nhave:\n%swant:\n%s", c.name(), c.source, have, c.want)
		}
		if have != "\tnothing\n" && strings.Contains(c.file, "everyday") && !strings.Contains(c.source, "cat") {
			t.Errorf("%s\ninput:\n%s\nhave:\n%swant nothing", c.name(), c.source, have)
		}
		c.want = have
		if files[c.file] == nil {
			files[c.file] = new(bytes.Buffer)
		}
		c.print(files[c.file])
	}
	for name := range languages {
		if !seen[name] {
			t.Errorf("no cases for %s in testdata/language", name)
		}
	}
	if !*update {
		return
	}
	for file, b := range files {
		if err := os.WriteFile(filepath.Join("testdata/language", file), b.Bytes(), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// FuzzLanguage holds what every language promises: it does not panic, and what
// it lists is no more than the code can hold.
func FuzzLanguage(f *testing.F) {
	for _, c := range languageCases(f) {
		f.Add(c.source)
	}
	f.Fuzz(func(t *testing.T, code string) {
		for name, find := range languages {
			if err := bounded(find(code), code); err != "" {
				t.Errorf("%s: %s\ninput: %q", name, err, code)
			}
		}
	})
}

func bounded(e effects, code string) string {
	if n := len(e.commands) + len(e.argvs) + len(e.reads) + len(e.writes); n > 2*len(code)+2 {
		return fmt.Sprintf("it lists %d effects", n)
	}
	if len(e.maybe) > maxGuesses+len(code) {
		return "it guesses without end"
	}
	for _, w := range append(append(append([]Word{}, e.commands...), e.reads...), e.writes...) {
		if len(w) == 0 {
			return "it lists an empty word"
		}
		for _, p := range w {
			if p.Text == "" && len(w) > 1 || p.Hole != Known && p.Text == "" {
				return "a piece is something"
			}
		}
		if len(w.String()) > len(code)+40 {
			return "a word is longer than the code"
		}
	}
	for _, m := range e.maybe {
		if len(m) > len(code)+maxGuess {
			return "a guess is longer than the code"
		}
	}
	return ""
}

// TestLanguageTime demands that reading code ends, whatever it is.
func TestLanguageTime(t *testing.T) {
	bits := []string{
		"(", "[", "{", "$(", "$(shell ", "${", "%(", "%{", "`", "'", `"`, `\"`, `'\'`, "system(", "system(\"", "system('a'.", "print > ",
		"\"a\" ", "\"a\" | getline ", "| getline ", "@", "@x ", "/[", "/", "[/", "s/a/b/;", "s/[/]/x/e;", "{p;", "1,2", "g/a/", "norm :", "exe '",
		"exe \"", "au X Y ", "d|", "sil ", "call(", "e +", "q(", "qw(", "%x{", "exec ", "exec {", "'a', ", "'a' + ", "\"\"\"", "[[", "syscmd(",
		"define(`x',", "$1", "!", "\n!", "\n.shell ", "\\! ", "\\o |", "$$", "$a$", "/*", "--", "copy to program ", "copy to program '", "| ",
		"target | ", "with x -- ", "# ", "\t@x\n", "a: ; b\n", "getline < ", "~/x/", "''", "\\\n", "a\\\n",
	}
	size := MaxSource
	if testing.Short() {
		size /= 8
	}
	for name, find := range languages {
		for _, bit := range bits {
			code := strings.Repeat(bit, size/len(bit))
			start := time.Now()
			e := find(code)
			if d := time.Since(start); d > time.Minute { // it would not end, in effect
				t.Errorf("%s: %q takes %s", name, bit, d)
			}
			listed := 0
			for _, c := range e.commands {
				listed += len(c.String())
			}
			if listed > 64*MaxSource {
				t.Errorf("%s: %q lists %d bytes", name, bit, listed)
			}
		}
	}
}
