package rules

import (
	"path"
	"slices"
	"strings"

	"mayi/shellparse"
)

// Self-protection are the rules that keep what is judged from changing who
// judges. They come with mayi, stand behind everything and are no part of a
// [Config]: no rule, agent or approval undoes them. They are a tripwire: they see
// what a line says, and not what a program does by itself.

// originSelf is the origin of a rule of self-protection.
var originSelf = Origin{Name: "self-protection"}

// Own is what mayi has of its own on this machine. Paths are absolute, and those
// that a link leads to stand beside the link.
type Own struct {
	Trees   []string // directories that are protected with all that is in them
	Files   []string
	Names   []string // the ends of paths that are protected in whatever directory: .claude/settings.json
	Program []string // the paths of the program itself

	// Present returns which of all these are there.
	Present func() []string

	// Same reports whether a path is one of these files by another name.
	Same func(path string) bool

	// Runs reports whether the name of a command, as seen from a directory, runs
	// the program itself.
	Runs func(name, dir string) bool
}

// SelfRules are the rules of self-protection as people read them, in order.
func SelfRules(own *Own) (list []Rule) {
	for _, v := range humanVerbs {
		list = append(list, v.rule())
	}
	list = slices.Concat(list, settings, []Rule{signalRule}, drivers, devices)
	for _, tree := range own.Trees {
		list = append(list, ownRule(Quote(tree)+"/*"))
	}
	for _, file := range append(slices.Clone(own.Files), own.Program...) {
		list = append(list, ownRule(Quote(file)))
	}
	for _, name := range own.Names {
		list = append(list, ownRule("*/"+Quote(name)))
	}
	return list
}

func ownRule(pattern string) Rule {
	return Rule{Permission: "edit", Pattern: pattern, Action: Deny, Reason: "a person changes mayi, its files and its hooks, and not what they judge", Origin: originSelf}
}

// A protection is the rule of self-protection that holds for a request. Where it
// is not certain, because something is known only when it runs, it asks.
type protection struct {
	rule    Rule
	certain bool
}

func (p *protection) action() Action {
	if !p.certain {
		return Ask
	}
	return p.rule.Action
}

// stricter returns the stricter one of two protections, either of which may be nil.
func (p *protection) stricter(q *protection) *protection {
	if p == nil || q != nil && q.action() < p.action() {
		return q
	}
	return p
}

// over is the last word on a request: a deny that nothing undoes, or an ask that
// no approval answers.
func (p *protection) over(r Reason) Reason {
	if p == nil || r.Action == Deny {
		return r
	}
	r.Action, r.Rule, r.Also, r.Note, r.Request.Store = p.action(), p.rule, nil, "", ""
	if r.Request.Guess {
		r.Action = Ask
	}
	r.Final = r.Action == Ask
	switch {
	case r.Request.Guess:
		r.Note = "the code holds this text, and may run it"
	case r.Final && p.rule.Action == Deny:
		r.Note = "what it comes to is known only when it runs"
	}
	return r
}

// A protector finds what a line would do to mayi itself.
type protector struct {
	at   Place
	own  *Own // nil until it is needed
	s    *shellparse.Script
	dots bool     // a glob may name what begins with a dot
	dirs []string // where the line may be

	sought     bool // namedRule is known
	namedRule  *Rule
	looked     bool // setEarlier is known
	setEarlier *Rule
}

// protector is nil where a person typed the line.
func (at Place) protector(line string, s *shellparse.Script) *protector {
	if at.Typed {
		return nil
	}
	p := &protector{at: at, s: s, dirs: []string{at.Cwd}}
	p.dots = strings.Contains(line, "dotglob") || strings.Contains(strings.ToLower(strings.ReplaceAll(line, "_", "")), "globdots")
	for _, o := range s.Operands {
		if dir, known := o.Path.Literal(); known && o.Use == shellparse.Enters && len(p.dirs) < 5 {
			dir = at.absolute(dir)
			p.dirs = append(p.dirs, dir)
			if at.Resolve == nil || !path.IsAbs(dir) {
				continue
			}
			if leads := at.Resolve(dir); leads != dir {
				p.dirs = append(p.dirs, leads)
			}
		}
	}
	return p
}

func (at Place) absolute(file string) string {
	if !path.IsAbs(file) {
		file = at.Cwd + "/" + file
	}
	return path.Clean(file)
}

// mine is what is mayi's own, found out when it is first needed.
func (p *protector) mine() *Own {
	if p.own == nil {
		p.own = &Own{}
		if p.at.Own != nil {
			p.own = p.at.Own()
		}
	}
	return p.own
}

// command returns what protects mayi from a command.
func (p *protector) command(c shellparse.Command) *protection {
	if p == nil || len(c.Words) == 0 {
		return nil
	}
	found := p.verb(c.Words)
	for _, check := range []func(shellparse.Command) *protection{p.setting, p.signal, p.drives, p.mentions, p.clears} {
		if found != nil && found.action() == Deny {
			break
		}
		found = found.stricter(check(c))
	}
	return found
}

// program is the bare name of a command, "" if that is not known.
func program(words []shellparse.Word) string {
	name, _ := baseName(words[0]).Literal()
	return name
}
