package shellparse

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the wanted lines of testdata/*.txt")

// home is what $HOME is in every case.
const home = "/home/u"

// A tableCase is one source of a file in testdata and what is wanted of it. The
// form of these files is described at the top of testdata/words.txt.
type tableCase struct {
	file   string
	line   int
	before string // comments and blank lines
	source string
	quoted bool   // the source is written as a Go string
	unsafe string // why a real shell is not asked
	want   string
}

// shell is the shell that a case is for, by the name of its file.
func (c tableCase) shell() Shell {
	if shell, ok := variants[Shell(strings.TrimSuffix(c.file, ".txt"))]; ok && shell != 0 {
		return Shell(strings.TrimSuffix(c.file, ".txt"))
	}
	return Bash
}

func (c tableCase) parse() *Script {
	return Parse(c.source, Options{Shell: c.shell(), Home: home})
}

func (c tableCase) name() string { return fmt.Sprintf("%s:%d", c.file, c.line) }

// otherFiles are the files of testdata in another form.
var otherFiles = map[string]bool{"arity.txt": true, "exact.txt": true, "respell.txt": true, "gaps.txt": true, "files.txt": true, "code.txt": true}

// readCases reads every table in testdata.
func readCases(t testing.TB) (cases []tableCase) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !otherFiles[filepath.Base(file)] {
			cases = append(cases, readTable(t, file)...)
		}
	}
	return cases
}

func readTable(t testing.TB, file string) (cases []tableCase) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := tableCase{file: filepath.Base(file)}
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if c.line > 0 && !strings.HasPrefix(line, ">") && !strings.HasPrefix(line, "\t") {
			cases = append(cases, c)
			c = tableCase{file: c.file}
		}
		switch {
		case line == "" || line[0] == '#':
			c.before += line + "\n"
		case line[0] == '!':
			c.unsafe = strings.TrimSpace(line[1:])
		case strings.HasPrefix(line, "$ "):
			c.line, c.source = i+1, line[2:]
		case line[0] == '"':
			source, err := strconv.Unquote(line)
			if err != nil {
				t.Fatalf("%s:%d: %v", file, i+1, err)
			}
			c.line, c.source, c.quoted = i+1, source, true
		case line[0] == '>' && c.line > 0 && c.want == "":
			c.source += "\n" + strings.TrimPrefix(line[1:], " ")
		case line[0] == '\t' && c.line > 0:
			c.want += line + "\n"
		default:
			t.Fatalf("%s:%d: not a line of a table: %q", file, i+1, line)
		}
	}
	if c.line == 0 {
		t.Fatalf("%s: a table ends with a case", file)
	}
	return append(cases, c)
}

func (c tableCase) print(b *bytes.Buffer) {
	b.WriteString(c.before)
	if c.unsafe != "" {
		fmt.Fprintf(b, "! %s\n", c.unsafe)
	}
	if c.quoted {
		fmt.Fprintf(b, "%q\n", c.source)
	} else {
		b.WriteString(strings.ReplaceAll("$ "+strings.ReplaceAll(c.source, "\n", "\n> ")+"\n", "> \n", ">\n"))
	}
	b.WriteString(c.want)
}

func TestTable(t *testing.T) {
	cases := readCases(t)
	files := map[string]*bytes.Buffer{}
	for _, c := range cases {
		have := describe(c.parse())
		if have != c.want && !*update {
			t.Errorf("%s\ninput:\n%s\nhave:\n%swant:\n%s", c.name(), c.source, have, c.want)
		}
		c.want = have
		if files[c.file] == nil {
			files[c.file] = new(bytes.Buffer)
		}
		c.print(files[c.file])
	}
	if !*update {
		t.Logf("%d cases", len(cases))
		return
	}
	for file, b := range files {
		if err := os.WriteFile(filepath.Join("testdata", file), b.Bytes(), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// describe writes down what a script lists, a line each.
func describe(s *Script) string {
	var b strings.Builder
	for _, c := range s.Commands {
		var words []string
		moves := false
		for _, a := range c.Assigns {
			words = append(words, describeWord(a.Word()))
			moves = moves || a.Moves
		}
		for _, w := range c.Words {
			words = append(words, describeWord(w))
		}
		var notes []string
		if c.Guess {
			notes = append(notes, "guess")
		}
		switch {
		case c.Transparent:
			notes = append(notes, "transparent")
		case c.Carrier:
			notes = append(notes, "carrier")
		case moves:
			notes = append(notes, "moves")
		}
		if len(c.Via) > 0 {
			notes = append(notes, "via "+strings.Join(c.Via, " "))
		}
		b.WriteString("\t" + strings.Join(words, " "))
		if len(notes) > 0 {
			b.WriteString("  [" + strings.Join(notes, ", ") + "]")
		}
		b.WriteString("\n")
	}
	for _, r := range s.Redirects {
		verb := "read"
		if r.Write {
			verb = "edit"
		}
		fmt.Fprintf(&b, "\t%s: %s", verb, describeWord(r.Path))
		if len(r.Via) > 0 {
			b.WriteString("  [via " + strings.Join(r.Via, " ") + "]")
		}
		b.WriteString("\n")
	}
	for _, e := range s.Unread {
		fmt.Fprintf(&b, "\tunread: %s\n", e)
	}
	if s.Blank {
		b.WriteString("\tblank\n")
	}
	return b.String()
}

var holeMarks = map[Hole][2]string{Value: {"‹", "›"}, Words: {"«", "»"}, Glob: {"⟨", "⟩"}}

// describeWord writes a word with its holes marked, as a Go string where it
// would not stand out from its neighbours.
func describeWord(w Word) string {
	var b strings.Builder
	for _, p := range w {
		marks := holeMarks[p.Hole]
		b.WriteString(marks[0] + p.Text + marks[1])
	}
	text := b.String()
	quoted := strconv.Quote(text)
	if text == "" || strings.ContainsAny(text, " \"") || strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && len(text) > 2 ||
		text == "read:" || text == "edit:" || text == "unread:" || strings.ReplaceAll(quoted[1:len(quoted)-1], `\\`, `\`) != text {
		return quoted
	}
	return text
}
