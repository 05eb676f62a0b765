package shellparse

import "strings"

// balanced reads behind an opening bracket up to the closing one, and moves
// behind that. Without one it takes the rest.
func (c *cursor) balanced(open, shut byte) string {
	start, depth := c.at, 1
	for ; c.more(); c.at++ {
		switch c.peek() {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				c.at++
				return c.code[start : c.at-1]
			}
		}
	}
	return c.code[start:]
}

// makeCode finds the effects of a makefile: recipes, $(shell …) and !=, with
// what make puts there as holes (GNU make's manual).
func makeCode(code string) (found effects) {
	makefile(code, &found, 0)
	return found
}

func makefile(code string, found *effects, depth int) {
	if depth > maxNest {
		found.hide(code)
		return
	}
	prefix := byte('\t')
	c := cursor{code: code}
	for c.more() {
		line := c.joined()
		if line != "" && line[0] == prefix {
			makeRecipe(line[1:], found, depth)
			continue
		}
		text, _, _ := strings.Cut(line, "#")
		word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
		switch strings.TrimLeft(word, "-") {
		case "include", "sinclude", "load":
			found.hide(text)
		}
		name, value, assigns := strings.Cut(text, "=")
		if assigns && strings.HasSuffix(name, "!") {
			found.run(makeText(value, found, depth))
			continue
		}
		switch name = strings.Trim(name, " \t:?+"); {
		case assigns && name == ".RECIPEPREFIX" && strings.TrimSpace(value) != "":
			prefix = strings.TrimSpace(value)[0]
		case assigns && (name == "SHELL" || name == ".SHELLFLAGS" || name == "MAKEFLAGS"):
			found.hide(text)
		default:
			if rule, recipe, ok := strings.Cut(line, ";"); ok && isMakeRule(rule) {
				makeRecipe(recipe, found, depth) // in which # is for the shell
				text = rule
			}
		}
		makeText(text, found, depth)
	}
}

// isMakeRule reports whether what stands before a ; is a rule, and no assignment
// or a part of a function.
func isMakeRule(text string) bool {
	target, after, ok := strings.Cut(text, ":")
	return ok && !strings.Contains(target, "=") && !strings.HasPrefix(strings.TrimLeft(after, ":"), "=") &&
		strings.Count(text, "(") == strings.Count(text, ")") && !strings.Contains(target, "#")
}

func makeRecipe(line string, found *effects, depth int) {
	found.run(makeText(strings.TrimLeft(line, " \t@+-"), found, depth))
}

// makeText expands a text as far as that can be known, and lists what its
// functions run.
func makeText(text string, found *effects, depth int) Word {
	var b wordBuilder
	c := cursor{code: text}
	for c.more() {
		b.literal(c.until("$"))
		start := c.at
		if !c.more() {
			break
		}
		c.at++
		switch open := c.peek(); open {
		case '$':
			b.literal("$")
			c.at++
			continue
		case '(', '{':
			c.at++
			inside := c.balanced(open, map[byte]byte{'(': ')', '{': '}'}[open])
			makeFunction(strings.TrimLeft(inside, " \t"), found, depth+1)
		default:
			c.at = min(c.at+1, len(text))
		}
		b.hole(text[start:c.at], Value)
	}
	return b.word()
}

func makeFunction(inside string, found *effects, depth int) {
	name, args, ok := strings.Cut(inside, " ")
	switch {
	case depth > maxNest:
		found.hide(inside)
	case ok && name == "shell":
		found.run(makeText(args, found, depth))
	case ok && name == "eval":
		makefile(args, found, depth)
	case ok && name == "guile":
		found.hide(inside)
	case ok && name == "file":
		file, _, _ := strings.Cut(args, ",")
		word := makeText(strings.TrimLeft(file, "<> \t"), found, depth)
		if strings.HasPrefix(strings.TrimSpace(file), "<") {
			found.read(word)
		} else {
			found.write(word)
		}
		makeText(args, found, depth)
	default:
		makeText(inside, found, depth)
	}
}

// rpmCode finds the effects of macros of rpm: %(command), and code in Lua (rpm's
// manual, "Macro syntax").
func rpmCode(code string) (found effects) {
	rpmText(code, &found, 0)
	return found
}

func rpmText(text string, found *effects, depth int) Word {
	var b wordBuilder
	c := cursor{code: text}
	for c.more() {
		b.literal(c.until("%"))
		start := c.at
		if !c.more() {
			break
		}
		c.at++
		switch {
		case c.take("%"):
			b.literal("%")
			continue
		case depth > maxNest:
			found.hide(text)
			return computed(text)
		case c.take("("):
			found.run(rpmText(c.balanced('(', ')'), found, depth+1))
		case c.take("{"):
			inside := c.balanced('{', '}')
			if strings.HasPrefix(inside, "lua:") || strings.HasPrefix(inside, "load:") || strings.HasPrefix(inside, "include:") {
				found.hide(inside)
			}
			rpmText(inside, found, depth+1)
		default:
			c.run("?!")
			c.word()
		}
		b.hole(text[start:c.at], Value)
	}
	return b.word()
}

// m4Makers are macros of m4 whose result is read again, so that it may hold any
// call, or that make calls of another name.
var m4Makers = map[string]bool{
	"builtin": true, "changequote": true, "changeword": true, "format": true, "include": true, "indir": true, "patsubst": true,
	"regexp": true, "sinclude": true, "substr": true, "translit": true,
}

// maxCalls is how many calls are read: they may hold one another.
const maxCalls = 200

// m4Code finds what syscmd and esyscmd give to a shell (GNU m4's manual,
// "Shell commands"; measured with 1.4.19).
func m4Code(code string) (found effects) {
	c := cursor{code: code}
	hidden, defines, calls := false, map[string]bool{}, []int{}
	for c.more() {
		if !isNameByte(c.peek()) {
			// $1cmd is a name that is known to a call only.
			hidden = hidden || c.peek() == '$' && c.at+2 < len(code) && strings.IndexByte("0123456789*@", code[c.at+1]) >= 0 &&
				(isNameByte(code[c.at+2]) || code[c.at+2] == '(' || code[c.at+2] == '$')
			c.at++
			continue
		}
		word := c.word()
		if !c.take("(") {
			continue
		}
		switch {
		case word == "syscmd" || word == "esyscmd":
			calls = append(calls, c.at)
		case word == "define" || word == "pushdef":
			d := cursor{code: code, at: c.at}
			d.run(" \t\n`[")
			defines[d.word()] = true
		case m4Makers[word]:
			hidden = true
		}
	}
	if len(calls) > maxCalls {
		calls, hidden = calls[:maxCalls], true
	}
	for _, call := range calls {
		found.run(m4Argument(code[call:], defines))
	}
	if hidden {
		found.hide(code)
	}
	return found
}

// m4Argument reads the first argument of a call, one level of its quotes
// removed.
func m4Argument(code string, defines map[string]bool) Word {
	var b wordBuilder
	c := cursor{code: code[:min(len(code), maxGuess)]}
	c.run(" \t\n")
	for quotes, brackets := 0, 0; c.more(); {
		at := c.at
		switch ch := c.peek(); {
		case ch == '`':
			if quotes++; quotes > 1 {
				b.literal("`")
			}
			c.at++
		case ch == '\'' && quotes > 0:
			if quotes--; quotes > 0 {
				b.literal("'")
			}
			c.at++
		case ch == '$' && at+1 < len(c.code) && strings.IndexByte("0123456789*@#", c.code[at+1]) >= 0:
			c.at += 2
			b.hole(c.code[at:c.at], Value)
		case isNameByte(ch):
			if word := c.word(); quotes == 0 && (defines[word] || c.peek() == '(') {
				b.hole(word, Value)
			} else {
				b.literal(word)
			}
		case quotes == 0 && brackets == 0 && (ch == ')' || ch == ','):
			return b.word()
		default:
			if ch == '(' && quotes == 0 {
				brackets++
			} else if ch == ')' && quotes == 0 {
				brackets--
			}
			b.literal(c.code[at : at+1])
			c.at++
		}
	}
	return computed(code)
}

// gnuplotCode finds what gnuplot gives to a shell: lines that begin with !,
// backquotes, system, and files whose names begin with < or | (gnuplot's help,
// "shell", "substitution", "piped-data").
func gnuplotCode(code string) (found effects) {
	c := cursor{code: code}
	writes, runs := false, false
	start := true // of a statement
	for c.more() {
		switch b := c.peek(); {
		case start && c.take("!"):
			found.run(Lit(c.line()))
		case b == '#':
			c.until("\n")
		case b == '\n' || b == ';':
			c.at++
			start, writes, runs = true, false, false
		case b == ' ' || b == '\t':
			c.at++
		case b == '`':
			c.at++
			found.run(Lit(c.until("`")))
			c.take("`")
			start = false
		case b == '\'' || b == '"':
			c.at++
			text := sqlString(&c, b, b == '"')
			switch c.run(" \t"); {
			case runs && c.peek() == '.':
				found.hide(text)
			case runs, strings.HasPrefix(text, "<"), strings.HasPrefix(text, "|"):
				found.run(Lit(strings.TrimLeft(text, "<|")))
			case writes:
				found.write(Lit(text))
			}
			if parts := strings.Split(text, "`"); b == '"' && len(parts) > 2 {
				found.run(Lit(parts[1]))
			}
			start, runs = false, false
		case isNameByte(b):
			switch word := c.word(); word {
			case "system":
				c.run(" \t(")
				if runs = c.peek() == '\'' || c.peek() == '"'; !runs {
					found.hide(c.until(";\n"))
				}
			case "shell", "load", "call", "eval", "evaluate":
				if start {
					found.hide(word + c.until(";\n"))
				}
			case "output", "print", "table", "save", "o", "out":
				writes = word != "print" || !start
			}
			start = false
		default:
			c.at++
			start = false
		}
	}
	return found
}
