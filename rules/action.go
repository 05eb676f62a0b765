package rules

import (
	"fmt"
)

// Action is a verdict. Actions are ordered by strictness, the strictest first,
// so that the builtin min combines them; the zero value denies.
type Action uint8

const (
	Deny Action = iota
	Ask
	Allow
)

var actionNames = [...]string{Deny: "deny", Ask: "ask", Allow: "allow"}

// ParseAction reads an action's name. Nothing is guessed: case counts.
func ParseAction(name string) (Action, error) {
	for a, n := range actionNames {
		if n == name {
			return Action(a), nil
		}
	}
	return Deny, fmt.Errorf("unknown action %q: it is one of allow, ask, deny", name)
}

func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return "deny"
}

// MarshalText spells the action in JSON.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads an action from JSON.
func (a *Action) UnmarshalText(text []byte) (err error) {
	*a, err = ParseAction(string(text))
	return err
}
