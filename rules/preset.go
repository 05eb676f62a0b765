package rules

import (
	"fmt"
	"slices"

	"mayi/shellparse"
)

// A shipped rule list is one that comes with mayi, as a table: reading its file
// would take longer than all else that a check does.
type shipped struct {
	rules  []Rule
	ignore *shellparse.Lead
}

// preset returns rules, and behind them those of a rule list that comes with mayi.
func preset(rules []Rule, name string, env Env) ([]Rule, error) {
	list, ok := shippedRules(name)
	if !ok {
		return nil, fmt.Errorf("there is no preset %s", name)
	}
	rules = slices.Grow(rules, len(list.rules))
	for i := range list.rules {
		r := list.rules[i]
		if r.Action == Allow && list.ignore != nil {
			r.ignore = list.ignore
		}
		if !r.raw {
			rules = append(rules, r)
			continue
		}
		r.raw = false
		patterns, err := env.expandAll(r.Permission, r.Pattern)
		if err != nil {
			return nil, fmt.Errorf("preset %s: %w", name, err)
		}
		for _, pattern := range patterns {
			r.Pattern = pattern
			rules = append(rules, r)
		}
	}
	return rules, nil
}

// Presets returns the names of the rule lists that extends and enforce know.
func Presets() []string { return []string{"destructive", "readonly"} }
