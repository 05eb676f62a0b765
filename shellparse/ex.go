package shellparse

import "strings"

// exCode finds the effects of commands of ex and vim, a line each (vim's help,
// "cmdline" and "index"; measured with vim 9.0).
func exCode(code string) (found effects) {
	e := exReader{}
	c := cursor{code: code}
	lastDot := strings.LastIndex(code, "\n.")
	for c.more() {
		line := c.line()
		e.line(strings.TrimLeft(line, "+"), 0)
		// Text of a, i and c, up to a line that is a dot. Where there is no such
		// address it is read as commands.
		text := strings.TrimRight(line, " \t!")
		n := len(text)
		if n == 0 || strings.IndexByte("aic", text[n-1]) < 0 || exRange(text) != n-1 || c.at > lastDot+1 {
			continue
		}
		certain := n == 1 && text != "c"
		for c.more() {
			line := strings.TrimLeft(c.line(), " \t")
			if line == "." {
				break
			}
			if !certain && line != "" && (line[0] == '!' || line[0] == ':') {
				e.line(line, 0)
			}
		}
	}
	return e.found
}

type exReader struct{ found effects }

// maxNest is how deep commands may hold commands before they are a hole.
const maxNest = 40

// line reads the commands of one line.
func (e *exReader) line(line string, depth int) {
	for more := true; more; {
		line, more = e.command(line, depth)
		depth++
		if depth > maxNest && more && strings.TrimSpace(line) != "" {
			e.found.hide(line)
			return
		}
	}
}

// exRange returns the length of the range in front of a command.
func exRange(line string) int {
	c := cursor{code: line}
	for c.more() {
		switch b := c.peek(); {
		case strings.IndexByte(" \t:0123456789.$,;+-^%*&", b) >= 0 || isForeign(b):
			c.at++
		case b == '\'' || b == '\\':
			c.at = min(c.at+2, len(line))
		case b == '/' || b == '?':
			c.at++
			if _, _, ok := c.delimited(b, false); !ok {
				c.at = len(line)
			}
		default:
			return c.at
		}
	}
	return c.at
}

// command reads one command and returns what stands behind it.
func (e *exReader) command(line string, depth int) (rest string, more bool) {
	c := cursor{code: line, at: exRange(line)}
	if c.take("!") {
		e.found.run(filled(c.rest(), "%#!"))
		return "", false
	}
	start := c.at
	for c.more() && (c.peek()|0x20 >= 'a' && c.peek()|0x20 <= 'z' || c.at > start+1 && c.peek() >= '0' && c.peek() <= '9') {
		c.at++
	}
	name := line[start:c.at]
	switch {
	case !c.more() && name == "" || c.peek() == '"' && name == "" || name == "" && c.peek() == '#':
		return "", false
	case name == "" && (c.peek() == '@' || c.peek() == '=' && strings.Trim(c.rest(), "= lp#|") != ""):
		// A register, or code of Lua in neovim.
		e.found.hide(c.rest())
		return "", false
	case name == "":
		return exBar(line[min(c.at+1, len(line)):])
	case name[0] <= 'Z' && name != "X" && name != "N" && name != "P":
		if args := strings.TrimLeft(strings.TrimSpace(c.rest()), "! "); args != "" { // somebody's own
			e.found.maybe = append(e.found.maybe, args)
		}
		return "", false
	}
	kind := exKind(name)
	force := c.take("!")
	c.run(" \t")
	args := c.rest()
	switch kind {
	case exPlain:
		return exBar(args)
	case exModifier:
		return args, true
	case exHidden:
		e.found.hide(line[start:])
		return "", false
	case exReads, exWrites:
		if force && exIs(name, "r[ead]") {
			args = "!" + args // r!cmd; but w!file is w! file
		}
		return e.file(name, args, kind, depth)
	case exGlobal:
		if args != "" {
			g := cursor{code: args, at: 1}
			if _, _, ok := g.delimited(args[0], false); ok {
				return g.rest(), true
			}
		}
		return "", false
	case exSubstitute:
		return e.substitute(args)
	case exNormal:
		e.keys(args, depth)
		return "", false
	case exMaps:
		text, more := exBarText(args)
		m := cursor{code: text}
		m.until(" \t")
		e.keys(strings.TrimSpace(m.rest()), depth)
		return more, more != ""
	case exDefines:
		d := cursor{code: args}
		for d.run(" \t"); d.peek() == '-'; d.run(" \t") {
			d.until(" \t")
		}
		d.until(" \t")
		if exIs(name, "au[tocmd]") {
			d.run(" \t")
			d.until(" \t")
		}
		return d.rest(), true
	case exRuns:
		e.runs(name, args)
		return "", false
	case exSets:
		text, more := exBarText(args)
		for _, option := range strings.Fields(text) {
			name, _, assigns := strings.Cut(option, "=")
			if assigns && exCommandOptions[strings.TrimRight(name, "+^-:")] {
				e.found.hide(option)
			}
		}
		return more, more != ""
	case exExecutes:
		v := vimExpression{found: &e.found, depth: depth}
		text, rest := v.scan(args)
		if literal, ok := vimLiteral(text, " "); ok {
			e.line(literal, depth+1)
		} else {
			e.found.hide(line[start:])
		}
		return rest, rest != ""
	case exEvaluates:
		v := vimExpression{found: &e.found, depth: depth}
		_, rest = v.scan(args)
		return rest, rest != ""
	}
	e.found.hide(line[start:])
	return "", false
}

// exBar returns what stands behind the next bar that no backslash quotes.
func exBar(args string) (rest string, more bool) {
	_, rest = exBarText(args)
	return rest, rest != ""
}

func exBarText(args string) (text, rest string) {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case '\\', 0x16: // Ctrl-V
			i++
		case '|':
			return args[:i], args[i+1:]
		}
	}
	return args, ""
}

// runs reads the commands that run a program without a !.
func (e *exReader) runs(name, args string) {
	switch {
	case exIs(name, "ter[minal]"):
		for strings.HasPrefix(args, "++") {
			_, args, _ = strings.Cut(args, " ")
		}
		e.found.run(filled(args, "%#"))
	case exIs(name, "mak[e]") || exIs(name, "lmak[e]"):
		e.found.run(filled("make "+args, "%#"))
	case exIs(name, "sh[ell]"):
		e.found.hide("a shell")
	default:
		e.found.run(filled("grep -n "+args+" /dev/null", "%#"))
	}
}

// file reads a command about a file. Its name may hold backquotes, in which a
// shell runs, and in front of it +cmd gives a command.
func (e *exReader) file(name, args string, kind exCommandKind, depth int) (rest string, more bool) {
	c := cursor{code: args}
	for {
		c.run(" \t>")
		switch {
		case c.take("++"):
			c.until(" \t")
			continue
		case c.peek() == '+':
			c.at++
			e.line(strings.ReplaceAll(exWord(&c), `\ `, " "), depth+1)
			continue
		case c.peek() == '!' && (exIs(name, "r[ead]") || exIs(name, "w[rite]")):
			e.found.run(filled(c.rest()[1:], "%#!"))
			return "", false
		}
		break
	}
	text := ""
	if i := strings.IndexByte(c.rest(), '`'); i >= 0 {
		text = c.rest()
		if command, _, ok := strings.Cut(text[i+1:], "`"); ok && !strings.HasPrefix(command, "=") {
			e.found.run(filled(command, "%#"))
		} else {
			e.found.hide(text)
		}
		return "", false
	}
	text, rest = exBarText(c.rest())
	file := filled(strings.TrimSpace(text), "%#*?$")
	if kind == exWrites {
		e.found.write(file)
	} else {
		e.found.read(file)
	}
	return rest, rest != ""
}

// exWord reads up to a blank that no backslash quotes.
func exWord(c *cursor) string {
	start := c.at
	for c.more() && c.peek() != ' ' && c.peek() != '\t' {
		if c.peek() == '\\' {
			c.at++
		}
		c.at++
	}
	c.at = min(c.at, len(c.code))
	return c.code[start:c.at]
}

// substitute reads :s/pattern/replacement/flags. A replacement may be an
// expression.
func (e *exReader) substitute(args string) (rest string, more bool) {
	if args == "" || isNameByte(args[0]) || args[0] == '|' || args[0] == '"' {
		return exBar(args)
	}
	c := cursor{code: args, at: 1}
	c.delimited(args[0], false)
	replacement, _, ok := c.delimited(args[0], false)
	if !ok {
		replacement = c.rest()
	}
	if expression, is := strings.CutPrefix(replacement, `\=`); is {
		v := vimExpression{found: &e.found}
		v.scan(expression)
	}
	return exBar(c.rest())
}

// keys reads keys as if they were typed: those behind : and what ! filters
// through. Keys that are inserted do nothing.
func (e *exReader) keys(keys string, depth int) {
	for _, enter := range []string{"<CR>", "<cr>", "<Cr>", "<Enter>", "<NL>", "\\<cr>"} {
		keys = strings.ReplaceAll(keys, enter, "\r")
	}
	inserts := keys != "" && strings.IndexByte("iIaAoO", keys[0]) >= 0
	if inserts && !strings.ContainsAny(keys, "\x1b\x12\x03\x0f<\r") {
		return
	}
	before, typed, colon := strings.Cut(keys, ":")
	if i := strings.IndexByte(before, '!'); i >= 0 {
		if command, ok := strings.CutPrefix(before[i:], "!!"); ok {
			line, _, _ := strings.Cut(command, "\r")
			e.found.run(filled(line, "%#!"))
		} else {
			e.found.hide(keys)
		}
	}
	if strings.ContainsAny(before, "\x12@") {
		e.found.hide(keys)
	}
	for _, line := range strings.FieldsFunc(typed, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if colon && depth < maxNest {
			e.line(line, depth+1)
		} else {
			e.found.hide(line)
		}
	}
}
