package rules

import (
	"slices"
	"strings"
)

// A Decision is the verdict on a whole line: the strictest of its reasons.
type Decision struct {
	Action  Action   `json:"action"`
	Reasons []Reason `json:"reasons"`
}

// A Reason is the verdict on one request and the rule that gave it.
type Reason struct {
	Request Request `json:"request"`
	Action  Action  `json:"action"`
	Rule    Rule    `json:"rule"`

	// Also are the rules that matter as well: for each action the last one that
	// matches for some values of the holes and says otherwise than Rule.
	Also []Rule `json:"also,omitempty"`

	// Note says in a sentence why, where Rule alone does not.
	Note string `json:"note,omitempty"`

	// Final is set on an ask that no approval answers: a person has to, for
	// this once.
	Final bool `json:"final,omitempty"`
}

// Storable reports whether an always can answer the reason for good.
func (r Reason) Storable() bool {
	return r.Action == Ask && !r.Final && r.Request.Store != ""
}

// StoreEverywhere is the default pattern for an approval that is to hold in
// every project. There a path inside this one is spelled absolute.
func (r Reason) StoreEverywhere() string {
	q := r.Request
	if q.Store != exact(q.Text) || !isPath(q.Permission) {
		return q.Store
	}
	for _, same := range q.Same {
		if strings.HasPrefix(same.String(), "/") {
			return exact(same)
		}
	}
	return q.Store
}

// Nothing is the decision on a line that runs nothing: blank, or a comment.
func Nothing() Decision {
	return Decision{Action: Allow, Reasons: []Reason{{
		Request: Request{Permission: "bash"},
		Action:  Allow,
		Rule:    Rule{Permission: "bash", Pattern: "", Action: Allow, Origin: originDefault},
		Note:    "nothing would run",
	}}}
}

// Granted is the decision once a person has allowed what it asks. A deny stays
// one.
func (d Decision) Granted() Decision {
	if d.Action == Ask {
		d.Action = Allow
	}
	return d
}

// Decide judges every request against the config, and only where that asks
// looks at the approvals: an approval answers a question, it never undoes a
// deny. Where nothing but operands of commands is judged, that is an ask, for
// something was lost.
func Decide(requests []Request, config *Config, approvals []Rule) Decision {
	d := Decision{Action: Allow}
	m := &memo{requests: len(requests)}
	for _, q := range requests {
		if q.Typed && config.Accepted {
			continue // a shell at a person's terminal is judged by its own name
		}
		r := Answer(config.judge(q, m), approvals)
		if (q.Operand || q.Guess) && r.Action == Allow {
			continue // the command needs the allow, and not its arguments
		}
		d.Reasons = append(d.Reasons, r)
		d.Action = min(d.Action, r.Action)
	}
	if len(d.Reasons) == 0 {
		d.Action = Ask
	}
	return d
}

// Answer lets the approvals answer a reason that asks; every other reason, and
// an ask that is final, is returned as it is.
func Answer(r Reason, approvals []Rule) Reason {
	if r.Action != Ask || r.Final {
		return r
	}
	for _, a := range slices.Backward(approvals) {
		if a.Action != Allow || !Match(a.Permission, r.Request.Permission) || !a.answers(r.Rule) {
			continue
		}
		if certain, _ := a.match(r.Request, &memo{}); certain {
			return Reason{Request: r.Request, Action: Allow, Rule: a}
		}
	}
	return r
}

// answers reports whether an approval may answer what a rule asks. What comes
// with mayi asks about something in particular, such as git push --force, and an
// approval that reaches beyond it, such as git push *, was not given for that.
func (r Rule) answers(asks Rule) bool {
	return !asks.builtIn() || matchesAll(asks.Pattern) || parsePattern(r.Pattern).literal() || within(r.Pattern, asks.Pattern)
}

// Covers reports whether an approval with this pattern would answer the reason.
func Covers(pattern string, r Reason) bool {
	approval := Rule{Permission: Quote(r.Request.Permission), Pattern: pattern, Action: Allow}
	return Answer(r, []Rule{approval}).Action == Allow
}

// judge evaluates a request against the layers in order, then against each
// ruleset that stands alone, and takes the strictest answer. Of several asks it
// takes the one that no approval answers, else the most particular.
func (c *Config) judge(q Request, m *memo) Reason {
	r := judgeNames(q, c.Rules, unmatched(q.Permission), m)
	for _, alone := range c.Alone {
		s := judgeNames(q, alone.Rules, Rule{Permission: q.Permission, Pattern: "*", Action: Allow, Origin: originDefault}, m)
		switch {
		case s.Action == Ask && alone.DenyOnly && !s.Final:
		case s.Action < r.Action:
			r = s
		case s.Action == Ask && r.Action == Ask && !r.Final && (s.Final || matchesAll(r.Rule.Pattern)):
			r = s
		}
	}
	unread := q.Unread
	if c.Accepted && unread != "" && !c.suspects(q.Text.String()) {
		unread = ""
	}
	for _, blind := range []string{unread, c.Broken} {
		if blind != "" && r.Action > Deny && !q.Guess {
			r.Action, r.Final, r.Note = Ask, true, blind
		}
	}
	if r.Action == Ask {
		r.Request.Store = storable(r)
	}
	return q.self.over(r)
}

// storable is what an always may store for a reason that asks. Where a rule asks
// about something in particular, such as `git push --force *`, the pattern must
// not reach beyond it: then the exact text is stored. It is "" where an approval
// of that pattern would not answer the reason.
func storable(r Reason) string {
	pattern := r.Request.Store
	if pattern == "" {
		return ""
	}
	asks := func(rule Rule) bool { return rule.Action == Ask }
	particular := asks(r.Rule) && !matchesAll(r.Rule.Pattern) && !within(pattern, r.Rule.Pattern)
	if particular || slices.ContainsFunc(r.Also, asks) {
		pattern = exact(r.Request.Text)
	}
	if !Covers(pattern, r) {
		return ""
	}
	return pattern
}

// judgeNames evaluates a request under every name of its permission. A rule for
// all of them alike, such as `*`, answers where no rule names one; among the
// names that a rule does name the strictest answer counts.
func judgeNames(q Request, rules []Rule, otherwise Rule, m *memo) Reason {
	names := Spellings(q.Permission)
	var general, named *Reason
	for _, name := range names {
		r, found := lastMatch(q, name, rules, otherwise, m)
		best := &general
		if found && r.Rule.singlesOut(names) {
			best = &named
		}
		if *best == nil || r.Action < (*best).Action {
			*best = &r
		}
	}
	if named != nil {
		return *named
	}
	return *general
}

// lastMatch goes from the last rule to the first. A certain match ends the
// search; the possible ones before it are remembered, and unless they all say
// the same as it does, the answer is an ask that names both. Without a certain
// match found is false and the rule is otherwise.
//
// An enforced ask does not end the search, for it undoes no deny: it counts unless
// the rules around it deny, or may.
//
// A request that needs no allow of its own passes by the rules that are not
// about it in particular.
func lastMatch(q Request, permission string, rules []Rule, otherwise Rule, m *memo) (reason Reason, found bool) {
	var maybe []Rule
	decided := otherwise
	if q.Exempt != "" || q.Operand || q.Guess {
		decided = Rule{Permission: permission, Pattern: "*", Action: Allow, Reason: q.Exempt, Origin: originDefault}
	}
	matched, matches := "", false // the permission of the rule before, for most say the same
	denied := false
	var enforced *Rule // the last enforced ask that surely matches, else one that possibly does
	sure, behind := false, 0
	for i := range m.candidates(q, rules) {
		r := &rules[i]
		if (len(maybe) > 1 && (denied || r.Action != Deny) || said(maybe, r.Action)) && !begins(q, r) {
			// It is an ask, whatever else may match, or what this rule may say has been
			// said. Only a deny can make it one that no approval answers, and only what
			// surely matches ends the search.
			continue
		}
		if r.Permission != matched {
			matched, matches = r.Permission, Match(r.Permission, permission)
		}
		if !matches || q.Exempt != "" && matchesAll(r.Pattern) || q.Operand && matchesAll(r.Permission) || q.Guess && r.restricts() && matchesAll(r.Pattern) {
			continue
		}
		certain, possible := r.match(q, m)
		if q.spares(r) {
			possible = certain
		}
		if q.Perhaps && r.builtIn() {
			continue
		}
		if q.Perhaps && certain && r.restricts() {
			if r.Action == Deny || !matchesAll(r.Pattern) {
				maybe = append(maybe, *r)
			}
			break
		}
		if r.enforced {
			if certain && !sure || possible && enforced == nil {
				enforced, sure, behind = r, certain, len(maybe)
			}
			continue
		}
		if certain {
			decided, found = *r, true
			break
		}
		if possible && !said(maybe, r.Action) {
			maybe = append(maybe, *r)
			denied = denied || r.Action == Deny
		}
	}
	switch {
	case enforced == nil || denied || decided.Action == Deny:
	case sure:
		decided, found, maybe = *enforced, true, maybe[:behind]
	default:
		maybe = append(maybe, *enforced)
	}
	reason = Reason{Request: q, Action: decided.Action, Rule: decided}
	for _, r := range maybe {
		if r.Action != decided.Action {
			reason.Also = append(reason.Also, r)
		}
	}
	if len(reason.Also) > 0 {
		denies := func(r Rule) bool { return r.Action == Deny }
		reason.Action = Ask
		reason.Final = denies(decided) || slices.ContainsFunc(reason.Also, denies)
		reason.Note = "what stands there is known only when it runs, and rules differ on what it could be"
		if q.Unnamed {
			reason.Note = "the name of the command can be read in more than one way, so no rule allows it"
		}
	}
	if q.Guess {
		return reason.guessed(), found
	}
	return reason, found
}

// said reports whether one of some rules has an action.
func said(list []Rule, a Action) bool {
	return slices.ContainsFunc(list, func(r Rule) bool { return r.Action == a })
}

// guessed is the reason where the request is only a text that may be run: what
// would restrict it asks, and no more, for it may be mere text.
func (r Reason) guessed() Reason {
	about := append([]Rule{r.Rule}, r.Also...)
	i := slices.IndexFunc(about, Rule.restricts)
	if i < 0 {
		return Reason{Request: r.Request, Action: Allow, Rule: r.Rule}
	}
	r.Action, r.Rule = Ask, about[i]
	r.Also = append(about[:i:i], about[i+1:]...)
	r.Final = slices.ContainsFunc(append(r.Also, r.Rule), func(r Rule) bool { return r.Action == Deny })
	r.Note = "the code holds this text, and may run it"
	return r
}
