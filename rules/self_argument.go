package rules

import (
	"path"
	"slices"
	"strings"

	"mayi/shellparse"
)

// verbInCode finds the call of a human verb in code of another language.
var verbInCode = lazily(`mayi['"]?[\s,'"\]\[]+(--?\w+[\s,'"]+)*(approve|untrust|trust|revoke|import)\b|\bTIOCSTI\b|\bpty\.(spawn|fork)\b|\b(openpty|forkpty)\b`)

// mentions finds a path of mayi's own among the arguments of a command of which
// nobody knows that it only reads it, and in code.
func (p *protector) mentions(c shellparse.Command) *protection {
	name := program(c.Words)
	if name == "mayi" || c.Guess {
		return nil
	}
	if use, ok := takers[name]; ok {
		return p.takes(c, use)
	}
	flag := ""
	for _, w := range c.Words[1:] {
		text, known := w.Literal()
		if (c.Carrier && !c.Transparent || codeFlag().MatchString(flag)) && strings.ContainsAny(w.String(), " ('\"") && !speaks[name] {
			if rule := p.inCode(w.String()); rule != nil && !p.reads(c) {
				return &protection{*rule, false}
			}
		}
		if flag = text; !known || strings.Contains(text, "\n") {
			continue
		}
		for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("=:,", r) }) {
			if i := strings.IndexByte(part, '/'); i == 2 && isFlag(part) {
				part = part[i:] // 7z -o/dir
			}
			if found := p.argument(c, part); found != nil {
				return found
			}
		}
	}
	if p.amongMine() && !c.Transparent && !declares[name] && !p.reads(c) {
		return &protection{ownRule(Quote(p.mine().Trees[0]) + "/*"), false}
	}
	return nil
}

// argument is the protection of a file that a command is given in an argument, or
// in a part of one.
func (p *protector) argument(c shellparse.Command, text string) *protection {
	if isFlag(text) || !strings.ContainsAny(text, "./") && text != "mayi" {
		return nil
	}
	abs := p.at.absolute(text)
	rule, ok := p.holds(abs)
	if !ok && !p.settings(abs) {
		return nil
	}
	if !ok {
		rule = ownRule("*/" + Quote(path.Base(abs)) + "/*")
	}
	name := program(c.Words)
	program := slices.ContainsFunc(p.mine().Program, func(f string) bool { return samePath(f, abs) })
	same, copied := copies[name]
	inPlace := slices.ContainsFunc(c.Words, func(w shellparse.Word) bool { return w.String() == "inplace" })
	switch {
	case ok && copied && same:
		return &protection{rule, true}
	case copied && program:
		return &protection{rule, false}
	case program, !inPlace && (p.operand(c, text) || p.reads(c)):
		return nil
	}
	return &protection{rule, false}
}

// amongMine reports whether the line works in a directory of mayi's own.
func (p *protector) amongMine() bool {
	if len(p.dirs) == 1 && !strings.Contains(p.at.Cwd, "mayi") {
		return false
	}
	return slices.ContainsFunc(p.dirs, func(dir string) bool {
		return slices.ContainsFunc(p.mine().Trees, func(tree string) bool { return samePath(dir, tree) || isBelow(dir, tree) })
	})
}

// codeFlag finds the options behind which interpreters take code.
var codeFlag = lazily(`^-[a-zA-Z]*[ceEr]$|^--(command|eval|exec|execute|run)$`)

// inCode finds what code of another language names of mayi's own.
func (p *protector) inCode(text string) *Rule {
	if verbInCode().MatchString(text) {
		rule := humanVerbs[0].rule()
		return &rule
	}
	if rule, ok := p.spelledIn(text); ok {
		return &rule
	}
	return nil
}

// named returns the rule about a path of mayi's own that stands anywhere in the
// line: what another command is given may be that.
func (p *protector) named() *Rule {
	if p.sought {
		return p.namedRule
	}
	p.sought = true
	for _, c := range p.s.Commands {
		for _, a := range c.Assigns {
			if rule, ok := p.spelledIn(a.Value.String()); ok {
				p.namedRule = &rule
			}
		}
		for i, w := range c.Words {
			text, known := w.Literal()
			if i == 0 || !known || isFlag(text) || text == "" || len(text) > maxPath {
				continue
			}
			abs := p.at.absolute(text)
			rule, ok := p.holds(abs)
			if base := path.Base(text); !ok && strings.HasPrefix(base, "mayi.") {
				rule, ok = ownRule("*"+Quote(base)), true
			}
			if !ok {
				rule, ok = deviceRule(abs)
			}
			if !ok {
				rule, ok = p.found(c, i, text)
			}
			if ok {
				p.namedRule = &rule
				return p.namedRule
			}
		}
	}
	return p.namedRule
}

// found returns the rule about what find or fd would find by an argument.
func (p *protector) found(c shellparse.Command, i int, text string) (rule Rule, ok bool) {
	name, flag := program(c.Words), c.Words[i-1].String()
	for _, child := range p.there() {
		base := path.Base(child)
		switch {
		case name == "find" && (flag == "-name" || flag == "-iname"):
			ok = Match(text, base)
		case name == "find" && flag == "-path":
			ok = Match(text, child)
		case name == "find" && i == 1 && slices.Contains(p.mine().Trees, child):
			ok = isBelow(child, p.at.absolute(text)) && !slices.ContainsFunc(c.Words, func(w shellparse.Word) bool { return strings.HasSuffix(w.String(), "name") })
		case name == "fd" || name == "fdfind":
			ok = len(text) > 3 && strings.Contains(base, text)
		}
		if ok {
			return ownRule(Quote(child)), true
		}
	}
	return Rule{}, false
}

// takes finds what a command takes away or changes, whichever of its arguments it
// is.
func (p *protector) takes(c shellparse.Command, use shellparse.FileUse) (found *protection) {
	for _, w := range c.Words[1:] {
		if text, known := w.Literal(); known && !isFlag(text) {
			found = found.stricter(p.file(w, use))
		} else if rule, ok := p.spelledIn(w.String()); !known && ok {
			found = found.stricter(&protection{rule, false})
		}
	}
	return found
}

// operand reports whether a file is known as one that the command opens, and is
// judged as such.
func (p *protector) operand(c shellparse.Command, text string) bool {
	abs := p.at.absolute(text)
	return slices.ContainsFunc(p.s.Operands, func(o shellparse.Operand) bool {
		file, known := o.Path.Literal()
		return known && o.Line == c.Line && o.Col == c.Col && p.at.absolute(file) == abs
	})
}

// reads reports whether a command is one that the presets know to look only.
func (p *protector) reads(c shellparse.Command) bool {
	env := Env{Home: p.at.Home, Lookup: func(string) (string, bool) { return "/", true }}
	list, err := preset(nil, "default", env)
	if err == nil {
		list, err = preset(list, "readonly", env)
	}
	r, _ := lastMatch(commandRequest(c, p.at), "bash", list, unmatched("bash"), &memo{})
	return err == nil && r.Action == Allow
}

// clears finds what find … -delete and rsync --delete remove.
func (p *protector) clears(c shellparse.Command) *protection {
	name, begin := program(c.Words), "-delete"
	if name == "rsync" {
		begin = "--del"
	}
	if name != "find" && name != "rsync" || !slices.ContainsFunc(c.Words, func(w shellparse.Word) bool { return strings.HasPrefix(w.String(), begin) }) {
		return nil
	}
	var patterns []string
	for i, w := range c.Words {
		if text, _ := w.Literal(); (text == "-name" || text == "-iname") && i+1 < len(c.Words) {
			pattern, _ := c.Words[i+1].Literal()
			patterns = append(patterns, pattern)
		}
	}
	for _, o := range p.s.Operands {
		root, known := o.Path.Literal()
		if !known || o.Use != shellparse.Looks && (name != "rsync" || o.Use != shellparse.Edits) {
			continue
		}
		for _, child := range p.inside(shellparse.Removes) {
			named := len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool { return Match(pattern, path.Base(child)) })
			if named && (isBelow(child, p.at.absolute(root)) || samePath(child, p.at.absolute(root))) {
				return &protection{ownRule(Quote(child)), len(c.Words) == 3}
			}
		}
	}
	return nil
}

// copied finds what a command that copies or moves files would make in a directory
// that it is given.
func (p *protector) copied(i int) *protection {
	if p == nil {
		return nil
	}
	to := p.s.Operands[i]
	dir, known := to.Path.Literal()
	if !known || to.Use != shellparse.Edits {
		return nil
	}
	var found *protection
	for k, from := range p.s.Operands {
		if k > i+maxCopied || k < i-maxCopied || from.Line != to.Line || from.Col != to.Col || !slices.Equal(from.Via, to.Via) {
			continue
		}
		if from.Use != shellparse.Reads && from.Use != shellparse.Removes {
			continue // goes nowhere
		}
		source, known := from.Path.Literal()
		if base := path.Base(source); known && base != "." && base != "/" && base != ".." {
			made := p.at.absolute(dir + "/" + base)
			if rule, ok := p.holds(made); ok {
				return &protection{rule, true}
			}
			if p.settings(made) {
				found = &protection{ownRule("*/" + base), false}
			}
		} else if p.settings(p.at.absolute(dir)) {
			found = &protection{ownRule(Quote(p.at.absolute(dir)) + "/*"), false}
		}
	}
	return found
}

// maxCopied is how many files of one command are looked at together.
const maxCopied = 50

// settings reports whether a directory is one that holds files which are protected
// by their names.
func (p *protector) settings(dir string) bool {
	return slices.ContainsFunc(p.mine().Names, func(name string) bool {
		in := path.Dir(name)
		return in != "." && strings.HasSuffix(fold(dir), fold("/"+in))
	})
}
