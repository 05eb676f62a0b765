package commands

import (
	"encoding/json"
	"testing"
	"time"

	"mayi/db"
	"mayi/rules"
	"mayi/shellparse"
)

// TestJSONFieldsAreStable holds what programs read against what was promised.
func TestJSONFieldsAreStable(t *testing.T) {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 120e6, time.UTC)
	rule := rules.Rule{Permission: "*", Pattern: "*", Action: rules.Ask, Reason: "why", Origin: rules.Origin{Name: "config.jsonc", Line: 3}}
	reason := rules.Reason{
		Request: rules.Request{Permission: "bash", Text: shellparse.Lit("make x"), Via: []string{"env"}, Store: "make x *", Line: 1, Col: 5},
		Action:  rules.Ask, Rule: rule, Also: []rules.Rule{rule}, Note: "note",
	}
	request := db.Request{
		ID: 1, State: db.StateRejected, Project: "/p", Session: "s", Agent: "plan", Cwd: "/p/sub", Permission: "bash", Line: "env make x",
		Reasons: []rules.Reason{reason}, Asker: db.Process{PID: 7}, Program: "claude", At: noon, Settled: noon, By: "me", Feedback: "no",
	}
	const (
		ruleText    = `{"permission":"*","pattern":"*","action":"ask","reason":"why","origin":"config.jsonc:3"}`
		reasonText  = `{"permission":"bash","text":"make x","action":"ask","rule":` + ruleText + `,"also":[` + ruleText + `],"note":"note","via":["env"],"always":"make x *","line":1,"col":5}`
		requestText = `{"id":1,"state":"rejected","line":"env make x","permission":"bash","project":"/p","session":"s","agent":"plan","cwd":"/p/sub","pid":7,"program":"claude",` +
			`"at":"2026-01-02T12:00:00.120Z","settled":"2026-01-02T12:00:00.120Z","by":"me","feedback":"no","requests":[` + reasonText + `]}`
	)
	for _, tt := range []struct {
		value any
		want  string
	}{
		{requestJSON(request), requestText},
		{eventJSON(db.Event{ID: 2, At: noon, Kind: db.Replied, Request: request, Reply: "reject", By: "me", Feedback: "no"}),
			`{"id":2,"at":"2026-01-02T12:00:00.120Z","kind":"replied","reply":"reject","by":"me","feedback":"no","request":` + requestText + `}`},
		{approvalJSON(db.Approval{ID: 3, Scope: db.ScopeProject, Key: "/p", Permission: "bash", Pattern: "make *", At: noon}),
			`{"id":3,"scope":"project","key":"/p","permission":"bash","pattern":"make *","at":"2026-01-02T12:00:00.120Z"}`},
		{entryJSON(db.Entry{ID: 4, At: noon, Verb: "ask", Outcome: db.OutcomeOnce, Line: "make x", Permission: "bash", Project: "/p", Session: "s", Cwd: "/p", PID: 7, By: "me", RequestID: 1}),
			`{"id":4,"at":"2026-01-02T12:00:00.120Z","verb":"ask","outcome":"once","line":"make x","permission":"bash","project":"/p","session":"s","cwd":"/p","pid":7,"by":"me","request_id":1,"requests":[]}`},
	} {
		have, err := json.Marshal(tt.value)
		if err != nil || string(have) != tt.want {
			t.Errorf("have %s (%v)\nwant %s", have, err, tt.want)
		}
	}
}
