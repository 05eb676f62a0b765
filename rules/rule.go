// Package rules is the policy: what a rule says, which rule counts, and what a
// whole line gets. It is pure: no files, clock, environment or goroutines, so a
// decision can be made twice and is the same both times.
//
// Its promise is that an Allow is always paid for by a rule that allows; the
// zero value of everything here denies or asks. Its blindness is that it knows
// a command only as shellparse lists it.
package rules

import (
	"fmt"
	"slices"
	"strings"

	"mayi/shellparse"
)

// A Rule says what happens to requests for which both its permission and its
// pattern match.
type Rule struct {
	Permission string `json:"permission"`
	Pattern    string `json:"pattern"`
	Action     Action `json:"action"`
	Reason     string `json:"reason,omitempty"`
	Origin     Origin `json:"origin"`

	// ignore are the options without which an allow also sees a command.
	ignore *shellparse.Lead

	// raw is set while the pattern of a rule that comes with mayi has to be
	// expanded.
	raw bool

	// enforced is set for an ask of a preset that a file enforces. It stands
	// against what allows in front of it, and undoes no deny.
	enforced bool
}

// Origin is where a rule stands. It prints as config.jsonc:12, or, for what is
// not a line of a file, as its name alone.
type Origin struct {
	Name string `json:"name"`
	Line int    `json:"line,omitempty"`
}

func (o Origin) String() string {
	if o.Line == 0 {
		return o.Name
	}
	return fmt.Sprintf("%s:%d", o.Name, o.Line)
}

// String spells the rule as `--rule` takes it, without its origin.
func (r Rule) String() string {
	return fmt.Sprintf("%s:%s=%s", r.Permission, r.Pattern, r.Action)
}

// builtIn reports whether the rule comes with mayi.
func (r Rule) builtIn() bool {
	return r.Origin == originDefault || strings.HasPrefix(r.Origin.Name, "preset ")
}

func (r Rule) restricts() bool { return r.Action < Allow }

// originDefault is the origin of what is built in.
var originDefault = Origin{Name: "default"}

// Evaluate returns the last rule of the rulesets, in their order, whose
// permission and pattern both match; with none, a rule that asks.
func Evaluate(permission, text string, rulesets ...[]Rule) Rule {
	for _, rules := range slices.Backward(rulesets) {
		for _, r := range slices.Backward(rules) {
			if Match(r.Permission, permission) && Match(r.Pattern, text) {
				return r
			}
		}
	}
	return unmatched(permission)
}

// unmatched is the answer where no rule matches.
func unmatched(permission string) Rule {
	return Rule{Permission: permission, Pattern: "*", Action: Ask, Origin: originDefault}
}

// Disabled reports whether a tool is switched off: the last rule whose
// permission matches denies everything. It is a fast path for programs that
// would rather not offer a tool than see it denied.
func Disabled(tool string, rules []Rule) bool {
	names := Spellings(Canonical(tool))
	var general, named, someNamed bool
	for _, name := range names {
		for _, r := range slices.Backward(rules) {
			if !Match(r.Permission, name) {
				continue
			}
			off := r.Action == Deny && r.Pattern == "*"
			if r.singlesOut(names) {
				named, someNamed = named || off, true
			} else {
				general = general || off
			}
			break
		}
	}
	if someNamed {
		return named
	}
	return general
}

// singlesOut reports whether the rule is for some of the names and not for all
// of them alike, as `*` is.
func (r Rule) singlesOut(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return !Match(r.Permission, name) })
}

// Canonical returns the permission under which a tool asks: the tools that edit
// files all ask for edit.
func Canonical(tool string) string {
	switch tool {
	case "write", "apply_patch", "multiedit":
		return "edit"
	case "read_mcp_resource", "list_mcp_resources":
		return "read"
	}
	return tool
}

// Spellings returns the names that rules may use for a permission. An MCP tool,
// asked for as server.tool, has three.
func Spellings(permission string) []string {
	server, tool, ok := strings.Cut(permission, ".")
	if !ok || server == "" || tool == "" {
		return []string{permission}
	}
	return []string{permission, server + "_" + tool, "mcp__" + server + "__" + tool}
}

// match holds a request against the rule. A rule that restricts also sees the
// spellings that a rule that allows must not be earned by.
func (r Rule) match(q Request, m *memo) (certain, possible bool) {
	text, more, words := [1]shellparse.Word{q.Text}, q.Also, q.Words
	if !r.restricts() {
		more = m.ignoring(r.ignore, q)
	}
	pattern := r.Pattern
	fold := foldPaths && r.restricts() && isPath(q.Permission)
	if fold {
		pattern = strings.ToLower(pattern)
	}
	guards := r.restricts() && r.builtIn() && q.Permission == "bash"
	if guards {
		words = m.namingFiles(words)
	}
	for _, texts := range [...][]shellparse.Word{text[:], q.Same, more} {
		for _, t := range texts {
			if fold {
				t = lower(t)
			}
			if guards && !unlike(pattern, t) {
				t = namesFiles(t)
			}
			c, p := matchText(pattern, t)
			if c && (r.restricts() || !q.Unnamed) {
				return true, true
			}
			possible = possible || p
		}
	}
	if _, named := firstWord(words).Literal(); possible && !named {
		return false, true // with its options apart it matches no more surely
	}
	if r.restricts() && len(q.Words) > 0 {
		c, p := m.respelled(r.Pattern, words)
		return c, possible || p
	}
	return false, possible
}

func firstWord(words []shellparse.Word) shellparse.Word {
	if len(words) == 0 {
		return nil
	}
	return words[0]
}

func lower(w shellparse.Word) shellparse.Word {
	w = slices.Clone(w)
	for i := range w {
		w[i].Text = strings.ToLower(w[i].Text)
	}
	return w
}
