package rules

import (
	"regexp"
	"slices"
	"strings"

	"mayi/shellparse"
)

// rule spells the verb as a rule.
func (v humanVerb) rule() Rule {
	pattern := "mayi " + v.verb + " *"
	if v.with != "" {
		pattern += " " + v.with
	}
	return Rule{Permission: "bash", Pattern: pattern, Action: Deny, Reason: v.reason, Origin: originSelf}
}

// verb finds a verb of a person's in a command: of mayi by its name or by the file
// that is run, or behind the name of another program that may run it.
func (p *protector) verb(words []shellparse.Word) *protection {
	if v, sure := findVerb(words[1:]); v != nil {
		if own, certain := p.isOwn(words[0]); own {
			return &protection{v.rule(), sure && certain}
		}
	}
	name := program(words)
	if speaks[name] || name == "mayi" {
		return nil
	}
	for i := 1; i+1 < len(words); i++ {
		v, sure := findVerb(words[i+1:])
		if v == nil || !sure {
			continue
		}
		if own, certain := p.isOwn(words[i]); own && certain {
			return &protection{v.rule(), false}
		}
	}
	return nil
}

// isOwn reports whether the name of a command may run mayi, and whether it
// certainly does.
func (p *protector) isOwn(word shellparse.Word) (own, certain bool) {
	base := baseName(word)
	if fold(base.String()) == "mayi" {
		_, known := base.Literal()
		return true, known
	}
	if name, known := word.Literal(); known {
		runs := p.mine().Runs
		return runs != nil && slices.ContainsFunc(p.dirs, func(dir string) bool { return runs(name, dir) }), true
	}
	_, bare := matchText("mayi", base)
	_, below := matchText("*/mayi", word)
	return bare || below, false
}

func fold(name string) string {
	if foldPaths {
		return strings.ToLower(name)
	}
	return name
}

// findVerb returns the verb of a person's that the arguments of mayi name, or may
// name; sure is false where they only may.
func findVerb(args []shellparse.Word) (found *humanVerb, sure bool) {
	for i := 0; i < len(args); i++ {
		text, known := args[i].Literal()
		switch {
		case known && isFlag(text):
			name, _, attached := strings.Cut(strings.TrimLeft(text, "-"), "=")
			if valueFlags[name] && !attached {
				i++
			}
			continue
		case !known && isFlag(args[i].String()) && args[i][0].Hole == shellparse.Known:
			continue
		}
		for k := range humanVerbs {
			v := &humanVerbs[k]
			certain, possible := matchText(Quote(v.verb), args[i])
			if slices.ContainsFunc(args[i], isWords) {
				possible = true // it may be several words, or none
			}
			if !possible {
				continue
			}
			if v.with == "" {
				return v, certain
			}
			if has, maybe := hasFlag(args[i+1:], v.with); has || maybe && !certain {
				return v, certain && has
			} else if maybe {
				found = v
			}
		}
		if known || !mayVanish(args[i]) {
			return found, false
		}
	}
	return found, false
}

// isFlag reports whether an argument is an option.
func isFlag(text string) bool { return len(text) > 1 && text[0] == '-' }

// hasFlag reports whether an option is among the arguments, with one dash or two,
// or may be.
func hasFlag(args []shellparse.Word, flag string) (has, maybe bool) {
	if flag == "-" {
		return onlyOperand(args) == "-", false
	}
	for _, a := range args {
		text, known := a.Literal()
		name, _, _ := strings.Cut(text, "=")
		switch {
		case known && (name == flag || isFlag(name) && "-"+name == flag):
			return true, true
		case !known && a[0].Hole != shellparse.Known, !known && strings.HasPrefix(a[0].Text, "-"):
			maybe = true
		}
	}
	return false, maybe
}

// onlyOperand is the one argument that is no option and no value of one, "" where
// there are more or none.
func onlyOperand(args []shellparse.Word) (operand string) {
	for i := 0; i < len(args); i++ {
		text := args[i].String()
		switch {
		case !isFlag(text) && operand != "":
			return "" // looked for at each of many words: the rest must not be read
		case !isFlag(text):
			operand = text
		case valueFlags[strings.TrimLeft(text, "-")]:
			i++
		}
	}
	return operand
}

// setting finds a variable by which mayi finds its files, in front of it or set
// earlier in the line.
func (p *protector) setting(c shellparse.Command) *protection {
	inFront := settingIn(c.Assigns)
	rule := inFront
	if rule == nil {
		rule = p.earlier()
	}
	if rule == nil || declares[program(c.Words)] {
		return nil
	}
	if own, certain := p.isOwn(c.Words[0]); own && certain {
		return &protection{*rule, inFront != nil}
	}
	return nil
}

// earlier is the rule about a variable that the line sets for all its commands.
func (p *protector) earlier() *Rule {
	if p.looked {
		return p.setEarlier // for each of many commands
	}
	p.looked = true
	for _, d := range p.s.Commands {
		switch {
		case p.setEarlier != nil:
			return p.setEarlier
		case len(d.Words) == 0, d.Carrier, declares[program(d.Words)]:
			p.setEarlier = settingIn(d.Assigns)
		case program(d.Words) == "unset":
			for _, w := range d.Words[1:] {
				if found := settingIn([]shellparse.Assign{{Name: w.String()}}); found != nil {
					p.setEarlier = found
				}
			}
		}
	}
	return p.setEarlier
}

// settingIn returns the rule about one of some assignments.
func settingIn(assigns []shellparse.Assign) *Rule {
	for _, a := range assigns {
		for i := range settings {
			if name, _, _ := strings.Cut(settings[i].Pattern, "="); Match(name, a.Name) {
				return &settings[i]
			}
		}
	}
	return nil
}

// declares are the builtins that set variables.
var declares = map[string]bool{"declare": true, "export": true, "local": true, "readonly": true, "typeset": true}

// signal finds what stops mayi where it waits.
func (p *protector) signal(c shellparse.Command) *protection {
	name := program(c.Words)
	switch name {
	case "killall5":
		return &protection{signalRule, false}
	case "kill":
		for i, w := range c.Words[1:] {
			text, known := w.Literal()
			switch {
			case i > 0 && text == "-1": // every process
				return &protection{signalRule, false}
			case known:
			case strings.Contains(w.String(), "mayi"):
				return &protection{signalRule, true}
			case slices.ContainsFunc(p.s.Commands, seeksMayi):
				return &protection{signalRule, false}
			}
		}
	case "killall", "pkill", "skill":
		patterns := name == "pkill"
		for _, w := range c.Words[1:] {
			text, known := w.Literal()
			if patterns = patterns || text == "-r" || text == "--regexp"; !known || isFlag(text) {
				continue
			}
			pattern, err := regexp.Compile(text)
			if fold(text) == "mayi" || patterns && !isNumeric(text) && (strings.Contains(text, "mayi") || err == nil && pattern.MatchString("mayi")) {
				return &protection{signalRule, true}
			}
		}
	}
	return nil
}

func isNumeric(s string) bool { return s != "" && strings.Trim(s, "0123456789,") == "" }

func seeksMayi(c shellparse.Command) bool {
	return len(c.Words) > 1 && seekers[program(c.Words)] &&
		slices.ContainsFunc(c.Words[1:], func(w shellparse.Word) bool {
			return strings.Contains(w.String(), "mayi") || strings.Contains(w.String(), "[m]ayi")
		})
}

// drives finds the programs that leave the tree of processes.
func (p *protector) drives(c shellparse.Command) (found *protection) {
	base := baseName(c.Words[0])
	if name, known := base.Literal(); known {
		return driver(name, c.Words[1:])
	}
	if _, globs := base.Spelled(); !globs {
		return nil
	}
	pattern := globPattern(base)
	for _, r := range drivers {
		name, _, _ := strings.Cut(r.Pattern, " ")
		if r.restricts() && Match(pattern, name) {
			if d := driver(name, c.Words[1:]); d != nil {
				found = &protection{d.rule, false}
			}
		}
	}
	return found
}

// driver returns the last of the drivers that a command matches, if it asks.
func driver(name string, args []shellparse.Word) *protection {
	if len(args) == 1 {
		if text, _ := args[0].Literal(); text == "--help" || text == "--version" || text == "-V" {
			return nil
		}
	}
	words := append([]shellparse.Word{shellparse.Lit(name)}, args...)
	q := Request{Permission: "bash", Text: shellparse.Join(words), Words: words}
	m := &memo{}
	for i := range m.candidates(q, drivers) {
		if certain, _ := drivers[i].match(q, m); certain && drivers[i].restricts() {
			return &protection{drivers[i], true}
		} else if certain {
			return nil
		}
	}
	return nil
}
