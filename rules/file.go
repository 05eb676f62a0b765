package rules

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"mayi/shellparse"
)

// A File is one config file, or a piece of config from elsewhere.
type File struct {
	Rules   []Rule
	Extends []string // nil when it says nothing of presets
	Agents  []FileAgent
	OnAsk   []string
}

// FileAgent is what one file says of an agent.
type FileAgent struct {
	Name    string
	Rules   []Rule
	Inherit string // "" when it does not say
}

// ParseFile reads a config: JSON with comments and trailing commas, its rules
// in the order in which they stand. Duplicate and unknown keys are errors, all
// of type *ConfigError. Of a file called opencode.json, or .jsonc, only the
// permissions are read.
func ParseFile(name string, data []byte, env Env) (*File, error) {
	d, err := newDecoder(name, data, env)
	if err != nil {
		return nil, err
	}
	f := &File{}
	base := path.Base(name)
	foreign := base == "opencode.json" || base == "opencode.jsonc"
	err = d.object(func(key string, at int) error { return d.topLevel(f, key, at, foreign) })
	if err != nil {
		return nil, err
	}
	d.attach(f.Rules)
	for _, a := range f.Agents {
		d.attach(a.Rules)
	}
	return f, nil
}

// attach gives the rules of this file, and not those of a preset it enforces,
// what the file ignores.
func (d *decoder) attach(rules []Rule) {
	for i := range rules {
		if len(d.ignore) > 0 && rules[i].Origin.Name == d.name {
			rules[i].ignore = &d.ignore
		}
	}
}

// ParsePermission reads the value of a permission key alone, as MAYI_PERMISSION
// holds it.
func ParsePermission(name string, data []byte, env Env) (*File, error) {
	d, err := newDecoder(name, data, env)
	if err != nil {
		return nil, err
	}
	rules, err := d.permission()
	if err != nil {
		return nil, err
	}
	return &File{Rules: rules}, nil
}

// ParseRule reads a rule as `--rule` takes it: permission:pattern=action.
func ParseRule(s string, env Env) (Rule, error) {
	permission, rest, ok := strings.Cut(s, ":")
	i := strings.LastIndexByte(rest, '=')
	if !ok || i < 0 || permission == "" {
		return Rule{}, fmt.Errorf("rule %q: it is written permission:pattern=action, as in bash:git *=allow", s)
	}
	action, err := ParseAction(rest[i+1:])
	if err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", s, err)
	}
	permission = Canonical(permission)
	pattern, err := env.expand(permission, rest[:i])
	if err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", s, err)
	}
	return Rule{Permission: permission, Pattern: pattern, Action: action, Origin: Origin{Name: "--rule"}}, nil
}

// Loosens reports whether a file says more than deny and ask. A guest's file is
// not heard there.
func (f *File) Loosens() bool {
	return len(f.Agents) > 0 || len(f.Unheard()) > 0 ||
		slices.ContainsFunc(f.Rules, func(r Rule) bool { return r.Action == Allow })
}

// Unheard returns the keys of a file that no project's file may use, trusted or
// not: what they say could undo a deny of the user's, or runs a program.
func (f *File) Unheard() (keys []string) {
	if f.Extends != nil {
		keys = append(keys, "extends")
	}
	if slices.ContainsFunc(f.Agents, func(a FileAgent) bool { return a.Inherit != "" }) {
		keys = append(keys, "inherit")
	}
	if f.OnAsk != nil {
		keys = append(keys, "on_ask")
	}
	return keys
}

var topLevelKeys = []string{"$schema", "permission", "agents", "extends", "enforce", "ignore", "on_ask"}

func (d *decoder) topLevel(f *File, key string, at int, foreign bool) (err error) {
	switch {
	case foreign && key == "agent":
		return d.object(func(name string, _ int) error { return d.agent(f, name, foreign) })
	case foreign && key != "permission":
		return d.skip()
	}
	switch key {
	case "$schema":
		_, err = d.text()
	case "permission":
		var rules []Rule
		rules, err = d.permission()
		f.Rules = append(rules, f.Rules...) // enforced presets stand behind it
	case "agents":
		err = d.object(func(name string, _ int) error { return d.agent(f, name, foreign) })
	case "extends":
		f.Extends = []string{}
		err = d.presets(func(name string) error {
			f.Extends = append(f.Extends, name)
			return nil
		})
	case "enforce":
		err = d.presets(func(name string) error {
			own := len(f.Rules)
			f.Rules, err = preset(f.Rules, name, d.env)
			for i := range f.Rules[own:] {
				r := &f.Rules[own+i]
				r.enforced = r.Action == Ask
			}
			return err
		})
	case "ignore":
		err = d.object(func(name string, at int) error { return d.ignored(name, at) })
	case "on_ask":
		f.OnAsk, err = d.program()
	default:
		err = d.unknown(at, "key", key, topLevelKeys)
	}
	return err
}

// presets calls f for each name of an array of presets.
func (d *decoder) presets(f func(name string) error) error {
	return d.array(func() error {
		name, err := d.text()
		switch {
		case err != nil:
			return err
		case !slices.Contains(Presets(), name):
			return d.unknown(d.at, "preset", name, Presets())
		}
		return f(name)
	})
}

// ignored reads the options to ignore behind a program's name.
func (d *decoder) ignored(name string, at int) error {
	if name == "" || strings.Join(strings.Fields(name), " ") != name || strings.Contains(name, " -") || strings.ContainsAny(name, "*?") || len(strings.Fields(name)) > shellparse.MaxLead {
		return d.errorf(at, "%q is not a program, or a program and its subcommand", name)
	}
	text, err := d.text()
	if err != nil {
		return err
	}
	options, err := shellparse.ParseLeadOptions(text)
	if err != nil {
		return d.errorf(d.at, "%v", err)
	}
	if d.ignore == nil {
		d.ignore = shellparse.Lead{}
	}
	d.ignore[name] = options
	return nil
}

// program reads a program's name and its arguments; the empty array is none.
func (d *decoder) program() ([]string, error) {
	list := []string{}
	err := d.array(func() error {
		s, err := d.text()
		list = append(list, s)
		return err
	})
	return list, err
}

func (d *decoder) agent(f *File, name string, foreign bool) error {
	a := FileAgent{Name: name}
	err := d.object(func(key string, at int) (err error) {
		switch {
		case key == "permission":
			a.Rules, err = d.permission()
		case foreign:
			err = d.skip()
		case key == "inherit":
			a.Inherit, err = d.text()
			if _, ok := inherits[a.Inherit]; err == nil && !ok {
				err = d.unknown(d.at, "value", a.Inherit, []string{"all", "deny", "none"})
			}
		default:
			err = d.unknown(at, "key of an agent", key, []string{"permission", "inherit"})
		}
		return err
	})
	f.Agents = append(f.Agents, a)
	return err
}

// permission reads rules in one of their three forms: an action for everything,
// an object of permissions, or an array of rules.
func (d *decoder) permission() (rules []Rule, err error) {
	add := func(permission, pattern string, at int, v verdict) error {
		permission = Canonical(permission)
		if len(pattern) > MaxPattern {
			return d.errorf(at, "a pattern longer than %d KiB", MaxPattern>>10)
		}
		line, _ := d.place(at)
		patterns, err := d.env.expandAll(permission, pattern)
		if err != nil {
			return d.errorf(at, "%v", err)
		}
		for _, p := range patterns {
			rules = append(rules, Rule{Permission: permission, Pattern: p, Action: v.action, Reason: v.reason, Origin: Origin{d.name, line}})
		}
		return nil
	}
	switch d.tok {
	case json.Delim('{'):
		err = d.object(func(permission string, at int) error {
			switch {
			case permission == "":
				return d.errorf(at, "a permission has a name")
			case permission == "permission", permission == "action":
				// What is meant for everything must not end as a rule for nothing.
				return d.errorf(at, "%q is a key of a rule, and no permission", permission)
			case d.tok == json.Delim('{'):
				return d.patterns(permission, at, add)
			}
			v, err := d.verdict()
			if err != nil {
				return err
			}
			return add(permission, "*", at, v)
		})
	case json.Delim('['):
		err = d.array(func() error { return d.rule(add) })
	default:
		at := d.at
		var v verdict
		if v, err = d.verdict(); err == nil {
			err = add("*", "*", at, v)
		}
	}
	return rules, err
}
