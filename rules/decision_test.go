package rules

import (
	"strings"
	"testing"

	"mayi/shellparse"
)

func TestNoRequestsAsk(t *testing.T) {
	everything := &Config{Rules: []Rule{{Permission: "*", Pattern: "*", Action: Allow}}}
	if d := Decide(nil, everything, everything.Rules); d.Action != Ask {
		t.Errorf("a question without requests is %s", d.Action)
	}
}

func TestNothingConfiguredAsks(t *testing.T) {
	requests := ToolRequests("bash", "ls", Place{})
	if d := Decide(requests, &Config{}, nil); d.Action != Ask || !d.Reasons[0].Storable() {
		t.Errorf("without any rule ls is %s", d.print())
	}
}

func TestGrantedNeverUndoesDeny(t *testing.T) {
	for action, want := range map[Action]Action{Deny: Deny, Ask: Allow, Allow: Allow} {
		if have := (Decision{Action: action}).Granted(); have.Action != want {
			t.Errorf("%s granted is %s, want %s", action, have.Action, want)
		}
	}
}

func TestOnlyAllowsAnswer(t *testing.T) {
	q := ToolRequests("webfetch", "https://go.dev/", Place{})
	asks := Decide(q, &Config{}, nil).Reasons[0]
	for _, c := range []struct {
		approval Rule
		want     Action
	}{
		{Rule{Permission: "webfetch", Pattern: "https://go.dev/*", Action: Allow}, Allow},
		{Rule{Permission: "webfetch", Pattern: "https://go.dev/*", Action: Ask}, Ask},
		{Rule{Permission: "webfetch", Pattern: "https://go.dev/*", Action: Deny}, Ask},
		{Rule{Permission: "bash", Pattern: "*", Action: Allow}, Ask},
		{Rule{Permission: "webfetch", Pattern: "https://go.dev", Action: Allow}, Ask},
	} {
		if have := Answer(asks, []Rule{c.approval}); have.Action != c.want {
			t.Errorf("approval %s: have %s, want %s", c.approval, have.Action, c.want)
		}
	}
	if Covers("https://go.de", asks) || !Covers("https://*", asks) {
		t.Error("a pattern covers what it does not match, or does not cover what it does")
	}
}

// TestApprovalsOfOddNames are stored for a permission that is a pattern itself.
func TestApprovalsOfOddNames(t *testing.T) {
	q := ToolRequests("a*[?]", "x", Place{})
	if r := Decide(q, &Config{}, nil).Reasons[0]; !r.Storable() {
		t.Errorf("have %#v", r)
	}
}

func TestLongestLinesAreJudged(t *testing.T) {
	line := strings.Repeat("$x ", 2000) + "rm -rf /"
	c := &Config{Rules: []Rule{{Permission: "*", Pattern: "*", Action: Allow}, {Permission: "bash", Pattern: "rm -rf /", Action: Deny}}}
	s := shellparse.Parse(line, shellparse.Options{})
	if d := Decide(LineRequests(line, s, Place{}), c, nil); d.Action != Ask || !d.Reasons[0].Final {
		t.Errorf("have %s", d.Action)
	}
}

func BenchmarkDecide(b *testing.B) {
	c, err := NewConfig(nil, "", testEnv)
	if err != nil {
		b.Fatal(err)
	}
	const line = `cd sub && git status -sb | grep -v "^??" > out.txt; for f in *.go; do gofmt -l "$f"; done`
	requests := LineRequests(line, shellparse.Parse(line, shellparse.Options{Home: testEnv.Home}), Place{Project: "/srv/proj", Cwd: "/srv/proj"})
	for b.Loop() {
		Decide(requests, c, nil)
	}
}

// TestOperandsAloneEarnNothing leaves out the command whose file was allowed.
func TestOperandsAloneEarnNothing(t *testing.T) {
	config := &Config{Rules: []Rule{{Permission: "*", Pattern: "*", Action: Allow}}}
	operand := Request{Permission: "read", Text: shellparse.Lit("a.txt"), Operand: true}
	for _, requests := range [][]Request{nil, {operand}, {operand, operand}} {
		if d := Decide(requests, config, nil); d.Action != Ask {
			t.Errorf("%d requests: have %v, want ask", len(requests), d.Action)
		}
	}
}
