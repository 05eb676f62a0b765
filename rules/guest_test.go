package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mayi/shellparse"
)

// guestCases is how many files and lines TestProjectsAreGuests makes up.
func guestCases() int {
	if testing.Short() || raceDetector {
		return 5_000
	}
	return 100_000
}

// guestLines is how many lines each of the files is held against.
const guestLines = 10

// TestProjectsAreGuests makes up config files, project files and lines, and
// demands that a project's file that nobody trusts never makes a decision more
// lenient, broken ones included; and that one that is trusted undoes no deny, an
// ask that stands because of one included, and nothing that a policy says.
func TestProjectsAreGuests(t *testing.T) {
	seed := rand.Uint64()
	m := maker{rand.New(rand.NewPCG(seed, 0))}
	var tightened, loosened, denied, broken int
	var general, policy *File
	for n := range guestCases() / guestLines {
		if n%10 == 0 {
			general, policy = m.parsed(t, n%400 == 0), m.parsed(t, false)
		}
		source := m.file()
		if n%4 == 0 {
			source = m.mutated(source)
		}
		agent := []string{"", "plan"}[n%2]
		config := func(layers ...Layer) *Config {
			c, err := NewConfig(layers, agent, testEnv)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		user, machine := Layer{General, general}, Layer{Guest, policy}
		alone, policed := config(user), config(machine, user)
		asGuest, asTrusted, underPolicy := *alone, alone, policed
		project, err := ParseFile("/srv/proj/.mayi.jsonc", []byte(source), testEnv)
		if err != nil {
			asGuest.Broken = err.Error()
			broken++
		} else {
			asGuest = *config(user, Layer{Guest, project})
			asTrusted, underPolicy = config(user, Layer{Trusted, project}), config(machine, user, Layer{Trusted, project})
		}
		for k := range guestLines {
			line := m.line()
			s := shellparse.Parse(line, shellparse.Options{Home: testEnv.Home})
			if s.Blank {
				continue
			}
			requests := LineRequests(line, s, fuzzPlace)
			var approvals []Rule
			for range m.IntN(3) {
				approvals = append(approvals, Rule{Permission: "bash", Pattern: m.pattern(), Action: Allow, Origin: Origin{Name: "approved"}})
			}
			fail := func(what string, before, after Decision) {
				t.Helper()
				t.Fatalf("seed %d: %s\nline    %s\nproject %s\nbefore  %safter   %s", seed, what, line, source, before.print(), after.print())
			}
			before, guest := Decide(requests, alone, approvals), Decide(requests, &asGuest, approvals)
			switch {
			case guest.Action > before.Action, (before.final() || asGuest.Broken != "") && guest.Action == Allow:
				fail("a file that nobody trusts loosens", before, guest)
			case guest.Action < before.Action:
				tightened++
			}
			trusted := Decide(requests, asTrusted, approvals)
			switch {
			case before.Action == Deny && trusted.Action != Deny, before.final() && trusted.Action == Allow:
				fail("a trusted file undoes a deny", before, trusted)
			case before.Action == Deny:
				denied++
			case trusted.Action > before.Action:
				loosened++
			}
			if k > 0 {
				continue
			}
			if both := Decide(requests, underPolicy, approvals); both.Action > trusted.Action || both.Action > Decide(requests, policed, approvals).by(policy) {
				fail("a trusted file loosens a policy", trusted, both)
			}
		}
	}
	if want := guestCases() / 100; tightened < want || loosened < want || denied < want || broken < want/guestLines {
		t.Errorf("of %d: %d tightened, %d loosened, %d denied, %d broken: too little was compared", guestCases(), tightened, loosened, denied, broken)
	}
}

// final reports whether a decision asks what no approval may answer.
func (d Decision) final() bool {
	return d.Action == Ask && slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Final })
}

// by is the strictest action that a rule of the file gave.
func (d Decision) by(f *File) Action {
	action := Allow
	for _, r := range d.Reasons {
		if slices.ContainsFunc(f.Rules, func(p Rule) bool { return p.Origin == r.Rule.Origin && p.String() == r.Rule.String() }) {
			action = min(action, r.Action)
		}
	}
	return action
}

// A maker makes things up.
type maker struct{ *rand.Rand }

func (m maker) one(list ...string) string { return list[m.IntN(len(list))] }

func (m maker) action() string { return m.one("allow", "allow", "ask", "deny") }

func (m maker) pattern() string {
	words := []string{m.one("git", "rm", "cat", "make", "*", "?at", "g*", "sudo", "src/a", "/etc/x", ".env", "https://a/")}
	for range m.IntN(3) {
		words = append(words, m.one("push", "-rf", "*", "x", "-r", "?", "src/a", "--", ".env", "status"))
	}
	return strings.Join(words, " ")
}

// rules is the value of a permission key.
func (m maker) rules() string {
	permission := func() string { return m.one("bash", "bash", "bash", "edit", "read", "*", "external_directory", "b*") }
	switch m.IntN(6) {
	case 0:
		return `"` + m.action() + `"`
	case 1:
		list := []string{}
		for range m.IntN(4) {
			list = append(list, fmt.Sprintf(`{"permission": %q, "pattern": %q, "action": %q}`, permission(), m.pattern(), m.action()))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	var list, seen []string
	for range 1 + m.IntN(3) {
		name := permission()
		if slices.Contains(seen, name) {
			continue
		}
		seen = append(seen, name)
		var patterns, known []string
		for range 1 + m.IntN(4) {
			p := m.pattern()
			if slices.Contains(known, p) {
				continue
			}
			known = append(known, p)
			patterns = append(patterns, fmt.Sprintf("%q: %q", p, m.action()))
		}
		value := "{" + strings.Join(patterns, ", ") + "}"
		if m.IntN(4) == 0 {
			value = `"` + m.action() + `"`
		}
		list = append(list, fmt.Sprintf("%q: %s", name, value))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// file is a whole config.
func (m maker) file() string {
	keys := []string{`"permission": ` + m.rules()}
	for key, value := range map[string]string{
		"extends": m.one(`[]`, `["readonly"]`), "on_ask": `["x"]`, "enforce": `["destructive"]`, "ignore": `{"git": "-C: --no-pager"}`,
		"agents": fmt.Sprintf(`{"plan": {"inherit": %q, "permission": %s}}`, m.one("all", "deny", "none"), m.rules()),
	} {
		if m.IntN(8) == 0 {
			keys = append(keys, fmt.Sprintf("%q: %s", key, value))
		}
	}
	return "{" + strings.Join(keys, ", ") + "}"
}

// parsed is the user's file, or the machine's: one that knows the agent, with
// presets or without.
func (m maker) parsed(t *testing.T, presets bool) *File {
	t.Helper()
	source := fmt.Sprintf(`{"permission": %s, "agents": {"plan": {"inherit": %q, "permission": %s}}`, m.rules(), m.one("all", "all", "deny", "none"), m.rules())
	if !presets {
		source += `, "extends": []`
	}
	f, err := ParseFile("config.jsonc", []byte(source+"}"), testEnv)
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return f
}

// mutated is a file as a bad disk, or a bad mind, would make it.
func (m maker) mutated(source string) string {
	b := []byte(source)
	for range 1 + m.IntN(3) {
		at := m.IntN(len(b))
		switch m.IntN(4) {
		case 0:
			b[at] = byte(m.IntN(256))
		case 1:
			b = slices.Delete(b, at, min(len(b)-1, at+m.IntN(8))+1)
		case 2:
			b = slices.Insert(b, at, []byte(m.one(`"`, `{`, `}`, `[`, `]`, `,`, `/*`, `//`, "\x00", "\ufeff", "deny", "allow", `"*": "allow",`))...)
		default:
			b = slices.Insert(b, at, b[m.IntN(at+1):at]...)
		}
		if len(b) == 0 {
			return "{"
		}
	}
	return string(b)
}

// line is a line of shell.
func (m maker) line() string {
	var b strings.Builder
	for n := range 1 + m.IntN(5)/3 {
		if n > 0 {
			b.WriteString(m.one("; ", " && ", " | ", "\n"))
		}
		b.WriteString(m.one("", "", "", "", "sudo ", "env A=1 ", "timeout 5 ", "xargs ", "$("))
		command := m.one("git", "git", "rm", "cat", "make", "/bin/rm", "$x", `"r"m`, "g*", "cat")
		b.WriteString(command)
		for range m.IntN(4) {
			b.WriteString(" " + m.one("push", "-rf", "-r", "-f", "x", "src/a", "$x", "*", `"$x"`, "--", ".env", "status", "/etc/x", "../y", "-C d", "$(cat x)"))
		}
		if m.IntN(6) == 0 {
			b.WriteString(m.one(" > src/a", " < .env", " 2> /etc/x", " > $x"))
		}
	}
	if m.IntN(20) == 0 {
		b.WriteString(m.one(" (", " '", "\x00"))
	}
	return strings.ReplaceAll(b.String(), "$(git", "$x")
}
