package rules

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mayi/shellparse"
)

// dataLines calls f for each line of a testdata file that is not a comment.
func dataLines(t *testing.T, name string, f func(where, line string)) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		if line[0] != '#' {
			f(fmt.Sprintf("%s:%d", name, n), strings.TrimSuffix(line, "\n"))
		}
	}
}

func TestMatch(t *testing.T) {
	dataLines(t, "testdata/match.txt", func(where, line string) {
		var pattern, text string
		var err error
		rest := line
		for _, side := range []*string{&pattern, &text} {
			quoted, perr := strconv.QuotedPrefix(rest)
			if perr != nil {
				t.Fatalf("%s: %v", where, perr)
			}
			if *side, err = strconv.Unquote(quoted); err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			rest = strings.TrimLeft(rest[len(quoted):], " ")
		}
		if have, want := Match(pattern, text), rest == "yes"; have != want {
			t.Errorf("%s: pattern %q, text %q: have %v, want %v", where, pattern, text, have, want)
		}
		if have := reference(pattern, text); have != (rest == "yes") {
			t.Errorf("%s: pattern %q, text %q: the reference has %v", where, pattern, text, have)
		}
	})
}

// withRules calls ask for each question of a testdata file, with the rules that
// stand in front of it.
func withRules(t *testing.T, name string, ask func(where, question, want string, rules []Rule)) {
	t.Helper()
	var rules []Rule
	dataLines(t, name, func(where, line string) {
		question, asks := strings.CutPrefix(line, "? ")
		switch {
		case line == "":
			rules = nil
		case asks:
			question, want, ok := strings.Cut(question, " =")
			if !ok {
				t.Fatalf("%s: a question ends in = and what is wanted", where)
			}
			ask(where, question, strings.TrimSpace(want), rules)
		default:
			rule, err := ParseRule(line, testEnv)
			if err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			rules = append(rules, rule)
		}
	})
}

func TestEvaluate(t *testing.T) {
	withRules(t, "testdata/evaluate.txt", func(where, question, want string, rules []Rule) {
		permission, text, _ := strings.Cut(question, " ")
		have := Evaluate(permission, text, rules)
		if have.Action.String() != want {
			t.Errorf("%s: have %s, want %s", where, have, want)
		}
		for i := range rules {
			if again := Evaluate(permission, text, rules[:i], nil, rules[i:]); again != have {
				t.Errorf("%s: in two rulesets, split at %d: have %s, want %s", where, i, again, have)
			}
		}
	})
}

func TestEvaluateWithoutMatchNamesThePermission(t *testing.T) {
	want := Rule{Permission: "deploy", Pattern: "*", Action: Ask, Origin: originDefault}
	if have := Evaluate("deploy", "x"); have != want {
		t.Errorf("have %#v, want %#v", have, want)
	}
}

func TestDisabled(t *testing.T) {
	withRules(t, "testdata/disabled.txt", func(where, question, want string, rules []Rule) {
		off := slices.DeleteFunc(strings.Fields(question), func(tool string) bool { return !Disabled(tool, rules) })
		if have := strings.Join(off, " "); have != want {
			t.Errorf("%s: have %s, want %s", where, have, want)
		}
	})
}

func TestPrefix(t *testing.T) {
	dataLines(t, "testdata/prefix.txt", func(where, line string) {
		command, want, _ := strings.Cut(line, " =")
		s := shellparse.Parse(command, shellparse.Options{})
		have, ok := s.Commands[0].Prefix()
		if !ok {
			have = nil
		}
		if strings.Join(have, " ") != strings.TrimSpace(want) {
			t.Errorf("%s: have %q, want %q", where, have, want)
		}
	})
}

func TestNothingHasNoPrefix(t *testing.T) {
	if prefix, ok := (shellparse.Command{}).Prefix(); ok || len(prefix) > 0 {
		t.Errorf("have %q", prefix)
	}
}

func TestActionsAreOrderedByStrictness(t *testing.T) {
	var zero Action
	if zero != Deny || min(Deny, Ask, Allow) != Deny || min(Ask, Allow) != Ask {
		t.Error("deny is not the zero value, or not the strictest")
	}
	for a := range Action(3) {
		if have, err := ParseAction(a.String()); err != nil || have != a {
			t.Errorf("%s reads as %s, %v", a, have, err)
		}
	}
	for _, bad := range []string{"", "Allow", "yes", "allow "} {
		if a, err := ParseAction(bad); err == nil || a != Deny {
			t.Errorf("%q reads as %s, %v", bad, a, err)
		}
	}
	if Action(9).String() != "deny" {
		t.Error("an action that is none does not deny")
	}
	var a Action
	if err := a.UnmarshalText([]byte("permit")); err == nil || a != Deny {
		t.Errorf("permit reads as %s, %v", a, err)
	}
	if text, err := Allow.MarshalText(); string(text) != "allow" || err != nil {
		t.Errorf("allow is written %q, %v", text, err)
	}
}

func TestLintFindsWhatWasNotMeant(t *testing.T) {
	for _, tt := range []struct {
		rules []Rule
		want  string // of the first rule, "" for nothing
	}{
		{[]Rule{{Permission: "bash", Pattern: "git *", Action: Deny}, {Permission: "*", Pattern: "g*", Action: Ask}}, "has no effect"},
		{[]Rule{{Permission: "bash", Pattern: "git *", Action: Deny}, {Permission: "bash", Pattern: "git push", Action: Ask}}, ""},
		{[]Rule{{Permission: "bash", Pattern: "rm", Action: Deny}}, "without arguments only"},
		{[]Rule{{Permission: "bash", Pattern: "rm", Action: Deny}, {Permission: "bash", Pattern: "rm *", Action: Deny}}, ""},
		{[]Rule{{Permission: "Bash", Pattern: "*", Action: Deny}}, "did you mean \"bash\""},
		{[]Rule{{Permission: "webfech", Pattern: "*", Action: Deny}}, "did you mean \"webfetch\""},
		{[]Rule{{Permission: "github.read", Pattern: "*", Action: Deny}}, ""},
		{[]Rule{{Permission: "bash", Pattern: "*", Action: Allow}}, "such as rm -r *"},
		{[]Rule{{Permission: "bash", Pattern: "git *", Action: Allow}}, "the preset destructive guards"},
		{[]Rule{{Permission: "bash", Pattern: "git status *", Action: Allow}}, ""},
		{[]Rule{{Permission: "bash", Pattern: "*", Action: Allow}, {Permission: "bash", Pattern: "rm -r *", Action: Ask, Origin: Origin{Name: "preset destructive"}}}, ""},
	} {
		have := ""
		for _, f := range Lint(tt.rules) {
			if f.Rule == tt.rules[0] {
				have += f.Msg
			}
		}
		if (tt.want == "") != (have == "") || !strings.Contains(have, tt.want) {
			t.Errorf("%v\nhave %q\nwant %q", tt.rules, have, tt.want)
		}
	}
}
