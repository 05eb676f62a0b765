package rules

import (
	"encoding/json"
	"slices"
)

// A verdict is an action and, where one is given, the reason for it.
type verdict struct {
	action Action
	reason string
}

// An adder takes a rule that was read, and the offset at which it stands.
type adder func(permission, pattern string, at int, v verdict) error

// verdict reads "deny", or {"action": "deny", "reason": "…"}.
func (d *decoder) verdict() (v verdict, err error) {
	if d.tok != json.Delim('{') {
		v.action, err = d.action()
		return v, err
	}
	at, given := d.at, false
	err = d.object(func(key string, keyAt int) (err error) {
		switch key {
		case "action":
			given = true
			v.action, err = d.action()
		case "reason":
			v.reason, err = d.text()
		default:
			err = d.unknown(keyAt, "key of a rule's value", key, []string{"action", "reason"})
		}
		return err
	})
	if err == nil && !given {
		err = d.errorf(at, `"action" is missing here`)
	}
	return v, err
}

func (d *decoder) action() (Action, error) {
	s, ok := d.tok.(string)
	if !ok {
		return Deny, d.errorf(d.at, "an action is needed here, not %s", d.describe())
	}
	a, err := ParseAction(s)
	if err != nil {
		return Deny, d.unknown(d.at, "action", s, actionNames[:])
	}
	return a, nil
}

// patterns reads the patterns of one permission. An object of "action" and
// perhaps "reason" alone is a verdict on all of them; a "reason" with no
// "action", or among patterns, is an error, for it could be meant for neither.
func (d *decoder) patterns(permission string, at int, add adder) error {
	type entry struct {
		pattern string
		at      int
		verdict verdict
	}
	var entries []entry
	var reason string
	reasonAt, plain := -1, true
	err := d.object(func(pattern string, at int) error {
		_, isText := d.tok.(string)
		if isText && pattern == "reason" {
			reason, reasonAt = d.tok.(string), at
			return nil
		}
		plain = plain && isText
		v, err := d.verdict()
		entries = append(entries, entry{pattern, at, v})
		return err
	})
	if err != nil {
		return err
	}
	if plain && len(entries) == 1 && entries[0].pattern == "action" {
		return add(permission, "*", at, verdict{entries[0].verdict.action, reason})
	}
	if reasonAt >= 0 {
		return d.errorf(reasonAt, `a "reason" stands beside an "action" and nothing else`)
	}
	for _, e := range entries {
		if err := add(permission, e.pattern, e.at, e.verdict); err != nil {
			return err
		}
	}
	return nil
}

var ruleKeys = []string{"permission", "pattern", "action", "reason"}

// rule reads one rule of the array form.
func (d *decoder) rule(add adder) error {
	var permission, pattern string
	var v verdict
	at, patternAt := d.at, 0
	missing := ruleKeys[:3]
	err := d.object(func(key string, keyAt int) (err error) {
		missing = slices.DeleteFunc(slices.Clone(missing), func(s string) bool { return s == key })
		switch key {
		case "permission":
			permission, err = d.text()
		case "pattern":
			patternAt = keyAt
			pattern, err = d.text()
		case "action":
			v.action, err = d.action()
		case "reason":
			v.reason, err = d.text()
		default:
			err = d.unknown(keyAt, "key of a rule", key, ruleKeys)
		}
		return err
	})
	if err == nil && len(missing) > 0 {
		err = d.errorf(at, "%q is missing in this rule", missing[0])
	}
	switch {
	case err != nil:
		return err
	case permission == "":
		return d.errorf(at, "a permission has a name")
	}
	return add(permission, pattern, patternAt, v)
}
