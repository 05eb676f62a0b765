package rules

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mayi/shellparse"
)

// testOwn is what belongs to mayi in the place of testdata/self.txt.
var testOwn = &Own{
	Trees:   []string{"/etc/mayi", "/home/u/.config/mayi", "/home/u/.local/state/mayi"},
	Files:   []string{"/home/u/.config/amp/settings.json"},
	Names:   []string{".claude/settings.json", ".claude/settings.local.json", ".codex/config.toml", ".cursor/hooks.json", ".mayi.jsonc", "crush.json"},
	Program: []string{"/usr/local/bin/mayi"},
	Present: func() []string {
		return []string{
			"/home/u/.claude/settings.json", "/home/u/.codex/config.toml", "/home/u/.config/mayi", "/home/u/.config/mayi/config.jsonc", "/home/u/.local/state/mayi",
			"/home/u/.local/state/mayi/mayi.db", "/srv/proj/.claude/settings.json",
			"/usr/local/bin/mayi",
		}
	},
	Same: func(path string) bool { return path == "/srv/proj/hard" },
	Runs: func(name, dir string) bool {
		if strings.Contains(name, "/") && !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return name == "/srv/proj/hard" || name == "/srv/proj/sym" || name == "sym"
	},
}

func selfPlace() Place {
	return Place{
		Project: "/srv/proj", Cwd: "/srv/proj", Home: "/home/u",
		Resolve: func(path string) string {
			for link, to := range map[string]string{"/srv/proj/cfg": "/home/u/.config/mayi", "/srv/proj/sym": "/usr/local/bin/mayi", "/proc/self/cwd": "/srv/proj", "/proc/self/root": ""} {
				if rest, ok := strings.CutPrefix(path+"/", link+"/"); ok {
					return filepath.Join("/", to, rest)
				}
			}
			return path
		},
		Own: func() *Own { return testOwn },
	}
}

// A selfCase is a line of testdata/self.txt.
type selfCase struct {
	before, want, line string
}

func readSelfCases(t *testing.T) (cases []selfCase) {
	t.Helper()
	data, err := os.ReadFile("testdata/self.txt")
	if err != nil {
		t.Fatal(err)
	}
	before := ""
	for line := range strings.Lines(string(data)) {
		if line[0] == '#' || line == "\n" {
			before += line
			continue
		}
		want, source, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("testdata/self.txt: %s", line)
		}
		cases = append(cases, selfCase{before, want, source})
		before = ""
	}
	return cases
}

// requests are those of the line, or of an edit behind -p edit.
func (c selfCase) requests(at Place) []Request {
	if file, ok := strings.CutPrefix(c.line, "-p edit "); ok {
		return ToolRequests("edit", file, at)
	}
	return LineRequests(c.line, shellparse.Parse(c.line, shellparse.Options{Home: at.Home}), at)
}

var (
	everything     = []Rule{{Permission: "*", Pattern: "*", Action: Allow}}
	allowsAll      = &Config{Rules: everything}
	everyPossible  = []Rule{{Permission: "*", Pattern: "*", Action: Allow, Origin: Origin{Name: "approved"}}}
	selfProtection = func(r Reason) bool { return r.Action < Allow && r.Rule.Origin == originSelf }
)

// TestSelfProtection holds lines against what nothing may undo: each is judged
// with everything allowed and everything approved.
func TestSelfProtection(t *testing.T) {
	var file strings.Builder
	for _, c := range readSelfCases(t) {
		d := Decide(c.requests(selfPlace()), allowsAll, everyPossible)
		if have := d.Action.String(); have != c.want && !*update {
			t.Errorf("input: %s\nhave: %swant: %s", c.line, d.print(), c.want)
		}
		fmt.Fprintf(&file, "%s%s\t%s\n", c.before, d.Action, c.line)
		for _, r := range d.Reasons {
			if selfProtection(r) && (r.Storable() || r.Action == Ask && !r.Final) {
				t.Errorf("input: %s\nhave: an approval could answer %s", c.line, r.Rule)
			}
		}
		typed := selfPlace()
		typed.Typed = true
		for _, r := range Decide(c.requests(typed), allowsAll, nil).Reasons {
			if selfProtection(r) {
				t.Errorf("input: %s\ntyped by a person\nhave: %s", c.line, r.Rule)
			}
		}
	}
	if *update {
		if err := os.WriteFile("testdata/self.txt", []byte(file.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNothingUndoesSelfProtection demands that no config makes a protected line
// more lenient, whatever its rules, agents, presets and approvals are. Each config
// is tried with 20 lines.
func TestNothingUndoesSelfProtection(t *testing.T) {
	type protected struct {
		line     string
		requests []Request
		want     Action
	}
	var lines []protected
	for _, c := range readSelfCases(t) {
		if c.want != "allow" {
			want, err := ParseAction(c.want)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, protected{c.line, c.requests(selfPlace()), want})
		}
	}
	rounds := 5000
	if testing.Short() {
		rounds = 200
	}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	for range rounds {
		some := make([]protected, 20)
		for i := range some {
			some[i] = lines[random.IntN(len(lines))]
		}
		l := some[0]
		pattern := func() string {
			return pick("*", "mayi *", "mayi approve *", Quote(l.line), l.line, "* *", "/home/u/*", "*/.claude/*", "tmux *", l.line[:len(l.line)/2]+"*")
		}
		list := func() (rules []Rule) {
			for range random.IntN(4) {
				action := Allow
				if random.IntN(4) == 0 {
					action = Ask
				}
				rules = append(rules, Rule{Permission: pick("*", "bash", "edit"), Pattern: pattern(), Action: action})
			}
			return rules
		}
		agent := pick("", "x", ShellAgent)
		var layers []Layer
		for range 1 + random.IntN(3) {
			f := &File{Rules: list(), Extends: []string{}, Agents: []FileAgent{{Name: "x", Inherit: pick("", "all", "deny", "none"), Rules: list()}, {Name: ShellAgent, Inherit: "none", Rules: list()}}}
			layers = append(layers, Layer{LayerKind(random.IntN(3)), f})
		}
		layers = append(layers, Layer{General, &File{Extends: []string{}, Agents: []FileAgent{{Name: "x"}}}})
		config, err := NewConfig(layers, agent, testEnv)
		if err != nil {
			t.Fatal(err)
		}
		approvals := append(list(), everything...)
		for _, l := range some {
			if d := Decide(l.requests, config, approvals); d.Action > l.want {
				t.Fatalf("input: %s\nhave: %swant: %s\nlayers %+v", l.line, d.print(), l.want, layers)
			}
		}
	}
}

// TestSelfTables demands order, and that every row is needed by a case.
func TestSelfTables(t *testing.T) {
	cases := readSelfCases(t)
	verdict := func(c selfCase) string {
		var b strings.Builder
		for _, q := range c.requests(selfPlace()) {
			if q.self != nil {
				fmt.Fprintln(&b, q.self.action(), q.self.rule)
			}
		}
		return b.String()
	}
	with := map[string]string{}
	for _, c := range cases {
		with[c.line] = verdict(c)
	}
	matters := func(table, row, word string) {
		t.Helper()
		for _, c := range cases {
			if strings.Contains(c.line, word) && verdict(c) != with[c.line] {
				return
			}
		}
		t.Errorf("no case needs the row %q of %s", row, table)
	}
	ordered := func(table string, rules []Rule) {
		if !slices.IsSortedFunc(rules, func(a, b Rule) int {
			first := func(r Rule) string { name, _, _ := strings.Cut(r.Pattern, " "); return name }
			return strings.Compare(first(a), first(b))
		}) {
			t.Errorf("%s is not in order", table)
		}
		for i, row := range rules {
			rules[i].Pattern = "no such program"
			matters(table, row.Pattern, strings.Trim(strings.FieldsFunc(row.Pattern, func(r rune) bool { return r == ' ' || r == '*' || r == '=' || r == '?' })[0], "@"))
			rules[i] = row
		}
	}
	ordered("drivers", drivers)
	ordered("devices", devices)
	ordered("settings", settings)
	if !slices.IsSortedFunc(humanVerbs, func(a, b humanVerb) int { return strings.Compare(a.verb, b.verb) }) {
		t.Error("humanVerbs is not in order")
	}
	for i, row := range humanVerbs {
		humanVerbs[i].verb = "no such verb"
		matters("humanVerbs", row.verb+" "+row.with, row.verb)
		humanVerbs[i] = row
	}
	eachRow(valueFlags, func(row string) { matters("valueFlags", row, row) })
	eachRow(declares, func(row string) { matters("declares", row, row) })
	eachRow(speaks, func(row string) { matters("speaks", row, row) })
	eachRow(copies, func(row string) { matters("copies", row, row) })
	eachRow(takers, func(row string) { matters("takers", row, row) })
	eachRow(seekers, func(row string) { matters("seekers", row, row) })
}

// eachRow calls f with each key of a table, while that is not in it.
func eachRow[T any](table map[string]T, f func(row string)) {
	for _, row := range slices.Sorted(maps.Keys(table)) {
		value := table[row]
		delete(table, row)
		f(row)
		table[row] = value
	}
}
