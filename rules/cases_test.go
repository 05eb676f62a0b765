package rules

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mayi/shellparse"
)

// A caseLine is a source of a file in testdata/cases, and what stands behind tabs
// below it.
type caseLine struct {
	before string // comments and blank lines in front of it
	head   string // the source as the file spells it
	shell  shellparse.Shell
	source string
	notes  []string
	where  string
}

var caseHead = regexp.MustCompile(`^(posix |zsh )?(\$ |")`)

// readCaseLines reads a file of cases. A source begins with "$ " and goes on
// behind "> ", or is a Go string; a shell may stand in front of it.
func readCaseLines(t *testing.T, name string) (cases []caseLine) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before := ""
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		var last *caseLine
		if len(cases) > 0 {
			last = &cases[len(cases)-1]
		}
		head := caseHead.FindString(line)
		switch {
		case line == "" || line[0] == '#':
			before += line + "\n"
		case head != "":
			c := caseLine{before: before, head: line + "\n", where: fmt.Sprintf("%s:%d", name, i+1)}
			before = ""
			shell, _, found := strings.Cut(head, " ")
			if found && shell != "$" {
				c.shell = shellparse.Shell(shell)
				line = strings.TrimPrefix(line, shell+" ")
			}
			if c.source, found = strings.CutPrefix(line, "$ "); !found {
				if c.source, err = strconv.Unquote(line); err != nil {
					t.Fatalf("%s: %v", c.where, err)
				}
			}
			cases = append(cases, c)
		case strings.HasPrefix(line, ">"):
			last.head += line + "\n"
			last.source += "\n" + strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")
		case line[0] == '\t':
			last.notes = append(last.notes, line[1:])
		default:
			t.Fatalf("%s:%d: unexpected line %q", name, i+1, line)
		}
	}
	return cases
}

// decide judges the line in a stock world, by the presets, an allow for the first
// of these patterns and a deny for the second.
func (c caseLine) decide(t *testing.T, stock *world, rules ...string) Decision {
	t.Helper()
	config := *stock.config
	config.Rules = config.Rules[:len(config.Rules):len(config.Rules)]
	for i, pattern := range rules {
		action := Allow
		if i > 0 {
			action = Deny
		}
		config.Rules = append(config.Rules, Rule{Permission: "bash", Pattern: pattern, Action: action})
	}
	s := shellparse.Parse(c.source, shellparse.Options{Shell: c.shell, Home: testEnv.Home})
	if s.Blank {
		return Nothing()
	}
	return Decide(LineRequests(c.source, s, stock.place), &config, nil)
}

// TestDenySurvives is the promise of the whole: a deny survives every spelling,
// wrapper and quoting of a command that can be known from the line, and what
// cannot be known never earns an allow by itself.
func TestDenySurvives(t *testing.T) {
	stock := readWorld(t, &archive{})
	cases := readCaseLines(t, "testdata/cases/evasions.txt")
	if len(cases) < 400 {
		t.Fatalf("only %d cases were read", len(cases))
	}
	for _, c := range cases {
		allowed, bare := "", true
		for _, note := range c.notes {
			if reason, ok := strings.CutPrefix(note, "allowed: "); ok {
				allowed = reason
				continue
			}
			hidden, unknown := strings.CutPrefix(note, "? ")
			if unquoted, err := strconv.Unquote(hidden); err == nil {
				hidden = unquoted
			}
			bare = false
			switch d := c.decide(t, stock, "*", Quote(hidden)); {
			case d.Action == Allow:
				t.Errorf("%s: %s\nwith every command allowed but %q\nhave: %swant: no allow", c.where, c.source, hidden, d.print())
			case !unknown && d.Action != Deny:
				t.Errorf("%s: %s\nwith every command allowed but %q\nhave: %swant: deny", c.where, c.source, hidden, d.print())
			}
		}
		switch d := c.decide(t, stock); {
		case d.Action == Allow && allowed == "":
			t.Errorf("%s: %s\nby default\nhave: %swant: no allow", c.where, c.source, d.print())
		case d.Action != Allow && allowed != "":
			t.Errorf("%s: %s\nby default it is not allowed any more: the note can go", c.where, c.source)
		}
		if bare && allowed == "" {
			t.Errorf("%s: %s\nwithout what it hides", c.where, c.source)
		}
	}
}

// TestDenySurvivesPadding is the same for lines that are long.
func TestDenySurvivesPadding(t *testing.T) {
	stock := readWorld(t, &archive{})
	for _, source := range []string{
		"echo " + strings.Repeat("a", 20_000) + "; rm -rf x",
		"X=" + strings.Repeat("A", 8_000) + " rm -rf x",
		"cat <<E >/dev/null\n" + strings.Repeat("filler line\n", 500) + "E\nrm -rf x",
		strings.Repeat(": ; ", 9_000) + "rm -rf x",
		strings.Repeat("\n", 60_000) + "rm -rf x",
	} {
		c := caseLine{source: source}
		if d := c.decide(t, stock, "*", "rm -rf x"); d.Action != Deny {
			t.Errorf("%.40s…\nhave: %s\nwant: deny", source, d.Action)
		}
	}
}

// TestEverydayLines holds what the default configuration says of lines that
// people run every day: those that only look are allowed, and of the others
// nothing is asked about but what writes or runs something.
func TestEverydayLines(t *testing.T) {
	const name = "testdata/cases/everyday.txt"
	stock := readWorld(t, &archive{})
	cases := readCaseLines(t, name)
	if len(cases) < 300 {
		t.Fatalf("only %d cases were read", len(cases))
	}
	var file strings.Builder
	for _, c := range cases {
		d := c.decide(t, stock)
		var have []string
		for _, r := range d.Reasons {
			if r.Action != Allow {
				have = append(have, fmt.Sprintf("%s %s %q", r.Action, r.Request.Permission, r.Request.String()))
			}
		}
		if d.Action == Allow {
			have = []string{"allow"}
		}
		if strings.Join(have, "\n") != strings.Join(c.notes, "\n") && !*update {
			t.Errorf("%s: %s\nhave: %q\nwant: %q", c.where, c.source, have, c.notes)
		}
		file.WriteString(c.before + c.head)
		for _, line := range have {
			file.WriteString("\t" + line + "\n")
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(file.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
