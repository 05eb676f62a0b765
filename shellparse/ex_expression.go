package shellparse

import "strings"

// A vimExpression finds the effects of an expression of vim (vim's help,
// "expression" and "functions").
type vimExpression struct {
	found *effects
	depth int
}

// scan reads an expression up to a bar that stands outside of strings, and
// returns it and what stands behind the bar.
func (v *vimExpression) scan(args string) (text, rest string) {
	c := cursor{code: args}
	for c.more() {
		start := c.at
		switch b := c.peek(); {
		case b == '\'' || b == '"':
			if !vimString(&c) {
				return args, "" // a comment, or an error
			}
			if inside := args[start+1 : c.at-1]; vimEvaluated(inside) {
				v.found.hide(inside)
			}
		case b == '@':
			c.at = min(c.at+2, len(args)) // a register
		case b == '|':
			if !strings.HasPrefix(c.rest(), "||") {
				return args[:c.at], args[c.at+1:]
			}
			c.at += 2
		case isNameByte(b):
			name := c.word()
			if name == "lua" && strings.HasSuffix(args[:start], "v:") {
				v.found.hide(args[start-2:])
			}
			if c.peek() == '(' {
				v.call(name, args[start:], len(name)+1)
			}
		default:
			c.at++
		}
	}
	return args, ""
}

// vimEvaluated reports whether a string that is given to a function such as map or
// sort would run something: it names a function or is an expression itself.
func vimEvaluated(text string) bool {
	for name, kind := range vimFunctions {
		if kind == vimShell && strings.HasPrefix(text, name) && (text == name || strings.Contains(text, name+"(")) ||
			kind == vimShell && strings.Contains(text, name+"(v:") {
			return true
		}
	}
	return false
}

// vimString moves over a string.
func vimString(c *cursor) bool {
	quote := c.peek()
	for c.at++; c.more(); c.at++ {
		switch {
		case c.peek() == '\\' && quote == '"':
			c.at++
		case c.peek() == quote && quote == '\'' && strings.HasPrefix(c.rest(), "''"):
			c.at++
		case c.peek() == quote:
			c.at++
			return true
		}
	}
	c.at = min(c.at, len(c.code))
	return false
}

// call looks at a call of a function, whose arguments start at an offset of
// code.
func (v *vimExpression) call(name, code string, at int) {
	kind, ok := vimFunctions[name]
	if !ok {
		return
	}
	c := cursor{code: code, at: at}
	for c.more() && strings.IndexByte(",)", c.peek()) < 0 {
		if b := c.peek(); (b != '\'' && b != '"') || !vimString(&c) {
			if strings.IndexByte(" \t.", b) < 0 {
				break
			}
			c.at++
		}
	}
	spelling := code[:min(c.at, len(code))]
	literal, known := "", false
	if c.peek() == ')' || c.peek() == ',' {
		literal, known = vimLiteral(code[at:c.at], "")
	}
	switch kind {
	case vimShell:
		if known {
			v.found.run(Lit(literal))
		} else {
			v.found.hide(spelling)
		}
	case vimCode, vimKeys:
		e := exReader{}
		switch {
		case !known || v.depth > maxNest:
			v.found.hide(spelling)
		case kind == vimKeys:
			e.keys(literal, v.depth+1)
		default:
			e.line(literal, v.depth+1)
		}
		v.found.add(e.found)
	case vimFunction:
		if !known || vimFunctions[literal] != 0 {
			v.found.hide(spelling)
		}
	case vimExpands:
		if i := strings.IndexByte(literal, '`'); i >= 0 {
			v.found.run(Lit(strings.TrimRight(literal[i+1:], "`")))
		}
	case vimForeign:
		v.found.hide(spelling)
	case vimReads, vimWrites:
		file := computed(spelling)
		if known {
			file = Lit(literal)
		}
		if kind == vimReads {
			v.found.read(file)
		} else {
			v.found.write(file)
		}
	case vimWritesOther:
		v.found.write(computed(spelling))
	}
}

// vimLiteral returns the text of strings that are put together by . and .., or
// stand side by side and are joined.
func vimLiteral(code, join string) (text string, ok bool) {
	var b strings.Builder
	c := cursor{code: code}
	for first, dot := true, true; ; first, dot = false, false {
		if dots := c.run(" \t."); strings.Contains(dots, ".") {
			dot = true
		}
		if !c.more() {
			return b.String(), !first
		}
		start, quote := c.at, c.peek()
		if quote != '\'' && quote != '"' || !vimString(&c) {
			return "", false
		}
		inside := code[start+1 : c.at-1]
		if !first && !dot {
			b.WriteString(join)
		}
		if quote == '\'' {
			b.WriteString(strings.ReplaceAll(inside, "''", "'"))
			continue
		}
		for i := 0; i < len(inside); i++ {
			if inside[i] != '\\' || i+1 == len(inside) {
				b.WriteByte(inside[i])
				continue
			}
			i++
			switch k := strings.IndexByte("nrtbe", inside[i]); {
			case k >= 0:
				b.WriteByte("\n\r\t\b\x1b"[k])
			case inside[i] == '<' && strings.HasPrefix(strings.ToLower(inside[i:]), "<cr>"):
				b.WriteByte('\r')
				i += 3
			case inside[i] == '<' || isNameByte(inside[i]):
				return "", false
			default:
				b.WriteByte(inside[i])
			}
		}
	}
}
