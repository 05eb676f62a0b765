package rules

import (
	"fmt"
	"slices"
)

// A Config is every layer put together, ready to judge by.
type Config struct {
	// Rules are the layers one after the other; the last match counts.
	Rules []Rule

	// Alone are rulesets evaluated by themselves: where one has no match, or
	// allows, it says nothing; its deny and ask stand against every layer.
	Alone []Alone

	// Broken says why a project's file could not be read. Nothing is allowed
	// then, for the file may have denied it.
	Broken string

	// Accepted says that what is judged are lines that a shell has accepted, typed
	// by a person: one that cannot be read here asks only if its words could stand
	// for something that a rule restricts.
	Accepted bool

	// Agents are the names that an agent may be chosen by.
	Agents []string

	// OnAsk is the program to run for each new request, with its arguments.
	OnAsk []string
}

// Alone is a ruleset that can only tighten.
type Alone struct {
	Rules    []Rule
	DenyOnly bool // its asks say nothing either
	Again    bool // its rules stand in Config.Rules too, among others
}

// A Layer is one source of rules and its place among the others.
type Layer struct {
	Kind LayerKind
	File *File
}

// LayerKind says what a layer may do.
type LayerKind uint8

const (
	Guest    LayerKind = iota // can only tighten: a project's file, or the policy of the machine
	Trusted                   // a project's file that a person trusts: behind the general ones, and undoes no deny of theirs
	General                   // the machine's and the user's config, in front of the agent's rules
	Override                  // what this call was given, behind them
)

// Inherit says what an agent takes over from the general layers.
type Inherit uint8

const (
	InheritDeny Inherit = iota // they stand alone, and only their deny counts
	InheritAll                 // the agent's rules are one more layer
	InheritNone                // nothing
)

// An Agent is a named set of rules, chosen for one program that asks.
type Agent struct {
	Rules   []Rule
	Inherit Inherit
}

// manyRules is room for what comes with mayi and for the rules of most people.
const manyRules = 3500

// ShellAgent is the profile of the guard on a person's own Enter.
const ShellAgent = "shell"

// NewConfig puts the layers together in their order, in front of them the
// built-in defaults and the presets that the last layer to say so extends, and
// behind the general ones the rules of the agent. An agent that no layer
// defines is an error: a misspelled name must not drop its rules.
//
// Of a trusted file the rules count, and those it gives to the agent. They undo
// no deny of the layers in front of them, an ask that stands because such a deny
// possibly matches included.
func NewConfig(layers []Layer, agent string, env Env) (*Config, error) {
	extends := []string{"readonly", "destructive"}
	for _, l := range layers {
		if l.Kind >= General && l.File.Extends != nil {
			extends = l.File.Extends
		}
	}
	general := make([]Rule, 0, manyRules)
	for _, name := range append([]string{"default"}, extends...) {
		var err error
		if general, err = preset(general, name, env); err != nil {
			return nil, err
		}
	}
	c := &Config{Accepted: agent == ShellAgent}
	var override []Rule
	var project, projectAgent []Rule // of the trusted files
	chosen, names, err := builtinAgent(agent, env)
	if err != nil {
		return nil, err
	}
	for _, l := range layers {
		switch l.Kind {
		case Guest:
			c.Alone = append(c.Alone, Alone{Rules: l.File.Rules})
			continue
		case Trusted:
			project = append(project, l.File.Rules...)
			for _, a := range l.File.Agents {
				names = append(names, a.Name)
				if a.Name == agent {
					chosen = chosen.extend(FileAgent{})
					projectAgent = append(projectAgent, a.Rules...)
				}
			}
			continue
		case General:
			general = append(general, l.File.Rules...)
		case Override:
			override = append(override, l.File.Rules...)
			// What such a file says of the agent stands behind its own rules, or
			// these would undo it.
			for _, a := range l.File.Agents {
				if a.Name == agent {
					override = append(override, a.Rules...)
				}
			}
		}
		if l.File.OnAsk != nil {
			c.OnAsk = l.File.OnAsk
		}
		for _, a := range l.File.Agents {
			names = append(names, a.Name)
			if a.Name == agent {
				if l.Kind == Override {
					a.Rules = nil
				}
				chosen = chosen.extend(a)
			}
		}
	}
	if agent != "" && chosen == nil {
		return nil, &ConfigError{Msg: fmt.Sprintf("no agent is called %q", agent), Hint: Suggest(agent, names)}
	}
	slices.Sort(names)
	c.Agents = slices.Compact(names)
	var own []Rule // of the agent
	if chosen != nil {
		own = chosen.Rules
	}
	switch {
	case chosen == nil || chosen.Inherit == InheritAll:
		own = append(general, own...)
	case chosen.Inherit == InheritDeny:
		c.Alone = append(c.Alone, Alone{Rules: general, DenyOnly: true})
		if len(project) > 0 {
			c.Alone = append(c.Alone, Alone{Rules: project, DenyOnly: true})
		}
		general, project = nil, nil
	default:
		general, project = nil, nil
	}
	if len(project)+len(projectAgent) == 0 {
		c.Rules = append(own, override...)
		return c, nil
	}
	// The same without what the project says: its denies stand.
	c.Alone = append(c.Alone, Alone{Rules: slices.Concat(own, override), DenyOnly: true, Again: true})
	c.Rules = slices.Concat(general, project, own[len(general):], projectAgent, override)
	return c, nil
}

// builtinAgent returns the agent of that name if it is built in, and the names
// of those that are.
func builtinAgent(name string, env Env) (*Agent, []string, error) {
	names := []string{ShellAgent}
	if name != ShellAgent {
		return nil, names, nil
	}
	everything := Rule{Permission: "*", Pattern: "*", Action: Allow, Reason: "a person typed it", Origin: Origin{Name: "agent " + ShellAgent}}
	rules, err := preset([]Rule{everything}, "destructive", env)
	return &Agent{Inherit: InheritDeny, Rules: rules}, names, err
}

// extend adds what a file says of an agent to what is known of it.
func (a *Agent) extend(f FileAgent) *Agent {
	if a == nil {
		a = &Agent{Inherit: InheritAll}
	}
	a.Rules = append(a.Rules, f.Rules...)
	if f.Inherit != "" {
		a.Inherit = inherits[f.Inherit]
	}
	return a
}

var inherits = map[string]Inherit{"all": InheritAll, "deny": InheritDeny, "none": InheritNone}
