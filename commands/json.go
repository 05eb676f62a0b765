package commands

import (
	"time"

	"mayi/db"
	"mayi/rules"
)

// The JSON of what is printed. Its fields are stable.
type (
	jsonDecision struct {
		Action   rules.Action  `json:"action"`
		Line     string        `json:"line"`
		Project  string        `json:"project"`
		Session  string        `json:"session"`
		Agent    string        `json:"agent,omitempty"`
		Requests []jsonRequest `json:"requests"`

		// Of ask only: how asking ended.
		Outcome  db.Outcome `json:"outcome,omitempty"`
		ID       int64      `json:"id,omitempty"` // of the request, when somebody had to be asked
		By       string     `json:"by,omitempty"`
		Feedback string     `json:"feedback,omitempty"`
	}
	jsonRequest struct {
		Permission string       `json:"permission"`
		Text       string       `json:"text"`
		Action     rules.Action `json:"action"`
		Rule       jsonRule     `json:"rule"`
		Also       []jsonRule   `json:"also,omitempty"`
		Note       string       `json:"note,omitempty"`
		Via        []string     `json:"via,omitempty"`
		Guess      bool         `json:"guess,omitempty"` // only a text in code of another language
		Always     string       `json:"always,omitempty"`
		Line       int          `json:"line,omitempty"` // where it stands, from 1
		Col        int          `json:"col,omitempty"`
	}
	jsonRule struct {
		Permission string       `json:"permission"`
		Pattern    string       `json:"pattern"`
		Action     rules.Action `json:"action"`
		Reason     string       `json:"reason,omitempty"`
		Origin     string       `json:"origin"`
	}
	jsonPending struct {
		ID         int64         `json:"id"`
		State      db.State      `json:"state"`
		Line       string        `json:"line"`
		Permission string        `json:"permission"`
		Project    string        `json:"project"`
		Session    string        `json:"session"`
		Agent      string        `json:"agent,omitempty"`
		Cwd        string        `json:"cwd"`
		PID        int           `json:"pid"`
		Program    string        `json:"program,omitempty"`
		At         string        `json:"at"`
		Settled    string        `json:"settled,omitempty"`
		By         string        `json:"by,omitempty"`
		Feedback   string        `json:"feedback,omitempty"`
		Requests   []jsonRequest `json:"requests"`
	}
	jsonEvent struct {
		ID       int64        `json:"id"`
		At       string       `json:"at"`
		Kind     db.EventKind `json:"kind"`
		Reply    string       `json:"reply,omitempty"`
		By       string       `json:"by,omitempty"`
		Feedback string       `json:"feedback,omitempty"`
		Request  jsonPending  `json:"request"`
	}
	jsonApproval struct {
		ID         int64    `json:"id"`
		Scope      db.Scope `json:"scope"`
		Key        string   `json:"key,omitempty"` // the project or the session
		Permission string   `json:"permission"`
		Pattern    string   `json:"pattern"`
		At         string   `json:"at"`

		// The directory of the project is another one now: it does not count.
		Replaced bool `json:"replaced,omitempty"`
	}
	jsonTrust struct {
		Path    string  `json:"path"`
		Trusted bool    `json:"trusted"` // as it is now
		State   string  `json:"state,omitempty"`
		At      string  `json:"at,omitempty"`
		By      string  `json:"by,omitempty"`
		Revived []int64 `json:"revived,omitempty"` // approvals
	}
	jsonEntry struct {
		ID         int64         `json:"id"`
		At         string        `json:"at"`
		Verb       string        `json:"verb"`
		Outcome    db.Outcome    `json:"outcome"`
		Line       string        `json:"line"`
		Permission string        `json:"permission"`
		Project    string        `json:"project"`
		Session    string        `json:"session"`
		Agent      string        `json:"agent,omitempty"`
		Cwd        string        `json:"cwd"`
		PID        int           `json:"pid"`
		By         string        `json:"by,omitempty"`
		RequestID  int64         `json:"request_id,omitempty"`
		Requests   []jsonRequest `json:"requests"`
	}
)

// stamp spells a time to the millisecond, "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

func ruleJSON(r rules.Rule) jsonRule {
	return jsonRule{r.Permission, r.Pattern, r.Action, r.Reason, r.Origin.String()}
}

func reasonsJSON(reasons []rules.Reason) []jsonRequest {
	list := make([]jsonRequest, 0, len(reasons))
	for _, r := range reasons {
		out := jsonRequest{
			Permission: r.Request.Permission, Text: r.Request.String(), Action: r.Action,
			Rule: ruleJSON(r.Rule), Note: r.Note, Via: r.Request.Via, Guess: r.Request.Guess, Line: r.Request.Line, Col: r.Request.Col,
		}
		for _, a := range r.Also {
			out.Also = append(out.Also, ruleJSON(a))
		}
		if r.Storable() {
			out.Always = r.Request.Store
		}
		list = append(list, out)
	}
	return list
}

func requestJSON(r db.Request) jsonPending {
	return jsonPending{
		ID: r.ID, State: r.State, Line: r.Line, Permission: r.Permission, Project: r.Project, Session: r.Session, Agent: r.Agent,
		Cwd: r.Cwd, PID: r.Asker.PID, Program: r.Program, At: stamp(r.At), Settled: stamp(r.Settled), By: r.By, Feedback: r.Feedback,
		Requests: reasonsJSON(r.Reasons),
	}
}

func eventJSON(e db.Event) jsonEvent {
	return jsonEvent{e.ID, stamp(e.At), e.Kind, e.Reply, e.By, e.Feedback, requestJSON(e.Request)}
}

func approvalJSON(a db.Approval) jsonApproval {
	return jsonApproval{a.ID, a.Scope, a.Key, a.Permission, a.Pattern, stamp(a.At), a.Replaced}
}

func entryJSON(e db.Entry) jsonEntry {
	return jsonEntry{
		e.ID, stamp(e.At), e.Verb, e.Outcome, e.Line, e.Permission, e.Project, e.Session, e.Agent, e.Cwd, e.PID, e.By,
		e.RequestID, reasonsJSON(e.Reasons),
	}
}
