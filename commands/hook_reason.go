package commands

import (
	"errors"
	"fmt"
	"strings"

	"mayi/rules"
)

// action is what asking came to.
func (o *outcome) action() rules.Action {
	if o.err != nil {
		return rules.Deny
	}
	return o.decision.Action
}

// reasonFor says in one line why a call is answered as it is, and what can be
// done about it.
func (g *gate) reasonFor(o *outcome) string {
	var timeout *timeoutError
	var corrected *correctedError
	switch {
	case errors.As(o.err, &corrected):
		return "rejected by " + o.by + ": " + visible(corrected.feedback)
	case errors.As(o.err, &timeout) && timeout.waited > 0:
		return fmt.Sprintf("nobody answered within %s: %s", timeout.waited, g.ruleFor(o.decision, rules.Ask))
	case errors.As(o.err, &timeout):
		return "this needs a person's approval, and nobody is asked here: " + g.ruleFor(o.decision, rules.Ask) +
			"; a rule can allow it, or a hook installed with --ask=wait asks"
	case o.err != nil:
		return visible(o.err.Error())
	case o.by != "":
		return "allowed by " + visible(o.by)
	}
	switch o.decision.Action {
	case rules.Deny:
		return "denied: " + g.ruleFor(o.decision, rules.Deny)
	case rules.Ask:
		return "this needs a person's approval: " + g.ruleFor(o.decision, rules.Ask)
	}
	return "allowed: " + g.ruleFor(o.decision, rules.Allow)
}

// ruleFor names the first part that got an action, and the rule that gave it.
func (g *gate) ruleFor(d rules.Decision, action rules.Action) string {
	for _, r := range d.Reasons {
		if r.Action != action {
			continue
		}
		text := []rune(strings.TrimSpace(r.Request.String()))
		if len(text) > 120 {
			text = append(text[:120], '…')
		}
		why := fmt.Sprintf("%s: %s [%s %s: %s]", r.Request.Permission, string(text), r.Rule.Permission, r.Rule.Pattern, r.Rule.Origin)
		for _, more := range []string{r.Rule.Reason, r.Note} {
			if more != "" {
				why += " " + more
			}
		}
		return visible(why)
	}
	return "no rule"
}
