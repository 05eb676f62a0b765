package shellparse

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTablesAreSorted wants one row a line, in order.
func TestTablesAreSorted(t *testing.T) {
	for file, rows := range map[string]int{
		"listing_table.go": len(listing), "code_table.go": len(codings), "holding_table.go": len(holdings), "hook_table.go": len(hookTable), "setting_table.go": len(settings),
		"arity_table.go": len(arityTable()), "assign_table.go": len(assignKinds), "builtin_table.go": len(builtins), "carrier_table.go": len(carriers),
		"dynamic_table.go": len(dynamicVariables), "exact_table.go": len(exactOnly), "files_table.go": len(fileTools), "integer_table.go": len(integerVariables), "option_table.go": len(optionTable),
	} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, row := range regexp.MustCompile(`(?m)^\t+"([^"]*)": `).FindAllSubmatch(data, -1) {
			keys = append(keys, string(row[1]))
		}
		if len(keys) != rows {
			t.Errorf("%s: have: %d lines with a row, want: %d", file, len(keys), rows)
		}
		for i := 1; i < len(keys); i++ {
			if keys[i-1] >= keys[i] {
				t.Errorf("%s: %q stands before %q", file, keys[i-1], keys[i])
			}
		}
	}
}

// TestEveryRowMatters takes each row of each table out in turn: some case must
// then come out differently.
func TestEveryRowMatters(t *testing.T) {
	cases := readCases(t)
	table := func(name string) (differs bool) {
		name = strings.Trim(name, "*")
		return slices.ContainsFunc(cases, func(c tableCase) bool {
			return strings.Contains(c.source, name) && describe(c.parse()) != c.want
		})
	}
	lines := func(file string, holds func(line) bool) func(string) bool {
		all := readLines(t, file)
		return func(name string) bool {
			return slices.ContainsFunc(all, func(l line) bool { return strings.HasPrefix(l.source, strings.Fields(name)[0]) && !holds(l) })
		}
	}
	everyRowMatters(t, "assignKinds", assignKinds, table)
	inCode := lines("code.txt", func(l line) bool { return l.codes() == l.want })
	everyRowMatters(t, "codings", codings, inCode)
	everyRowMatters(t, "holdings", holdings, func(row string) bool { return table(row) || inCode(row) })
	everyRowMatters(t, "hookTable", hookTable, table)
	everyRowMatters(t, "settings", settings, func(row string) bool {
		return slices.ContainsFunc(cases, func(c tableCase) bool { return c.file == "settings.txt" && describe(c.parse()) != c.want })
	})
	everyRowMatters(t, "zshSpecials", zshSpecials, table)
	everyRowMatters(t, "builtins", builtins, table)
	everyRowMatters(t, "carriers", carriers, table)
	everyRowMatters(t, "dynamicVariables", dynamicVariables, table)
	everyRowMatters(t, "integerVariables", integerVariables, table)
	everyRowMatters(t, "listing", listing, table)
	everyRowMatters(t, "handsOn", handsOn, table)
	everyRowMatters(t, "messages", messages, table)
	everyRowMatters(t, "speakers", speakers, table)
	everyRowMatters(t, "zshBuiltins", zshBuiltins, table)
	everyRowMatters(t, "zshRunners", zshRunners, table)
	everyRowMatters(t, "exactOnly", exactOnly, lines("exact.txt", line.isExact))
	everyRowMatters(t, "optionTable", optionTable, lines("respell.txt", line.respells))
}

func everyRowMatters[V any](t *testing.T, name string, table map[string]V, differs func(row string) bool) {
	for _, row := range slices.Sorted(maps.Keys(table)) {
		value := table[row]
		delete(table, row)
		if !differs(row) {
			t.Errorf("%s: no case needs the row %q", name, row)
		}
		table[row] = value
	}
}

// A line of a file such as arity.txt: words, and what is wanted of them.
type line struct{ source, want string }

func readLines(t *testing.T, file string) (lines []line) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.Lines(string(data)) {
		text = strings.TrimSuffix(text, "\n")
		if text == "" || text[0] == '#' {
			continue
		}
		source, want, ok := strings.Cut(text, " => ")
		if !ok {
			t.Fatalf("%s: not a case: %q", file, text)
		}
		lines = append(lines, line{source, want})
	}
	return lines
}

func (l line) words() []Word { return Parse(l.source, Options{Home: home}).Commands[0].Words }

// isExact reports whether the command of a line has no prefix, or the one that
// is wanted.
func (l line) isExact() bool {
	prefix, ok := Parse(l.source, Options{Home: home}).Commands[0].Prefix()
	return l.want == "!exact" && !ok || ok && strings.Join(prefix, " ") == l.want
}

// respells reports whether the words of a line come apart as wanted.
func (l line) respells() bool { return l.respelled() == l.want }

func (l line) respelled() string {
	options, others := Respell(l.words())
	parts := []string{describeWord(Join(others))}
	for _, o := range options {
		var means []string
		for _, w := range o.Means {
			means = append(means, describeWord(w))
		}
		parts = append(parts, describeWord(o.As)+": "+strings.Join(means, ", "))
	}
	return strings.TrimSuffix(strings.Join(parts, " | "), ": ")
}

func TestExact(t *testing.T) {
	for _, l := range readLines(t, "exact.txt") {
		if !l.isExact() {
			prefix, ok := Parse(l.source, Options{}).Commands[0].Prefix()
			t.Errorf("input: %s\nhave: %q, %v\nwant: %s", l.source, prefix, ok, l.want)
		}
	}
}

func TestRespell(t *testing.T) {
	if *update {
		data, err := os.ReadFile("testdata/respell.txt")
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, l := range readLines(t, "respell.txt") {
			text = strings.Replace(text, "\n"+l.source+" => "+l.want+"\n", "\n"+l.source+" => "+l.respelled()+"\n", 1)
		}
		write(t, "testdata/respell.txt", text)
	}
	for _, l := range readLines(t, "respell.txt") {
		if !l.respells() {
			t.Errorf("input: %s\nhave: %s\nwant: %s", l.source, l.respelled(), l.want)
		}
	}
}

func TestArity(t *testing.T) {
	used := map[string]bool{}
	for _, l := range readLines(t, "arity.txt") {
		words := strings.Fields(l.source)
		for n := len(words); n > 0; n-- {
			if _, ok := arityTable()[strings.Join(words[:n], " ")]; ok {
				used[strings.Join(words[:n], " ")] = true
				break
			}
		}
		c := Parse(l.source, Options{}).Commands[0]
		prefix, ok := c.Prefix()
		if _, exact := exactOnly[words[0]]; exact || c.Carrier || isExactOnly(words) || words[0] == "time" {
			if ok && words[0] != "time" {
				t.Errorf("input: %s\nhave: the prefix %q\nwant: none, for what the program runs or removes is among its arguments", l.source, prefix)
			}
			n := min(arity(words), len(words))
			prefix, ok = words[:n], !slices.ContainsFunc(words[:n], func(w string) bool { return strings.HasPrefix(w, "-") })
		}
		have := strings.Join(prefix, " ")
		if !ok {
			have = "!exact"
		}
		if have != l.want {
			t.Errorf("input: %s\nhave: %s\nwant: %s", l.source, have, l.want)
		}
	}
	for row, n := range arityTable() {
		if !used[row] {
			t.Errorf("no case needs the row %q", row)
		}
		if words := len(strings.Fields(row)); n < words || words > maxArityKey {
			t.Errorf("the row %q has %d words, and stands for %d", row, words, n)
		}
	}
}

// TestGaps holds the known faults: what a shell runs, and Parse does not list.
// When one is mended this fails, and the line moves to a table.
func TestGaps(t *testing.T) {
	shell := Bash
	for _, l := range readLines(t, "gaps.txt") {
		source := l.source
		if name, rest, ok := strings.Cut(source, ": "); ok && variants[Shell(name)] != 0 {
			shell, source = Shell(name), rest
		}
		source = strings.NewReplacer(`\n`, "\n").Replace(source)
		missing, _, _ := strings.Cut(l.want, " # ")
		s := Parse(source, Options{Shell: shell, Home: home})
		if len(s.Unread) > 0 || slices.ContainsFunc(s.Commands, func(c Command) bool { return c.couldBe(strings.Fields(missing)) }) {
			t.Errorf("input: %s\nhave:\n%swant: still without %s", source, describe(s), missing)
		}
	}
}
