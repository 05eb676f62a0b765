package shellparse

import "strings"

// psqlCode finds the effects of what psql is given: commands behind a backslash
// that stands outside of strings, and COPY with a program, which the server runs
// (psql(1), "Meta-Commands"; PostgreSQL, "COPY").
func psqlCode(code string) (found effects) {
	var sql strings.Builder
	c := cursor{code: code}
	for c.more() {
		sql.WriteString(c.until("\\'\"-/$"))
		start := c.at
		switch {
		case c.peek() == '\\':
			c.at++
			psqlMeta(&c, &found)
			sql.WriteString("\n")
			continue
		case c.take("--"):
			c.line()
		case c.take("/*"):
			c.past("*/")
		case c.peek() == '\'':
			escapes := start > 0 && code[start-1]|0x20 == 'e' && (start == 1 || !isNameByte(code[start-2]))
			c.at++
			if strings.Contains(sqlString(&c, '\'', escapes), `\!`) {
				// Where a quote was read otherwise than psql does, a command.
				found.maybe = append(found.maybe, strings.Trim(code[start:c.at], `'\!`))
			}
		case c.peek() == '"':
			c.at++
			sqlString(&c, '"', false)
		case c.peek() == '$':
			c.at++
			tag := c.word()
			if c.take("$") {
				c.past("$" + tag + "$")
			}
		default:
			c.at++
		}
		sql.WriteString(code[start:min(c.at, len(code))])
	}
	psqlCopies(sql.String(), &found)
	return found
}

// past moves behind a text, or to the end.
func (c *cursor) past(text string) {
	if n := strings.Index(c.rest(), text); n >= 0 {
		c.at += n + len(text)
	} else {
		c.at = len(c.code)
	}
}

// psqlCopies lists the programs and files of COPY.
func psqlCopies(sql string, found *effects) {
	tokens := sqlTokens(sql, false)
	copies := false
	for i, t := range tokens {
		rest := tokens[i:]
		switch {
		case isSQL(rest, "copy"):
			copies = true
		case isSQL(rest, ";"):
			copies = false
		case copies && (isSQL(rest, "to program") || isSQL(rest, "from program")):
			if len(rest) > 2 && rest[2].quoted {
				found.run(Lit(rest[2].text))
			} else {
				found.hide("program")
			}
		case copies && !t.quoted && (t.text == "to" || t.text == "from") && len(rest) > 1 && rest[1].quoted:
			if t.text == "to" {
				found.write(Lit(rest[1].text))
			} else {
				found.read(Lit(rest[1].text))
			}
		}
	}
}

// psqlMeta reads a command behind its backslash, up to the end of the line or to
// the next one.
func psqlMeta(c *cursor, found *effects) {
	if c.take("!") {
		command := c.line()
		if strings.TrimSpace(command) == "" {
			command = "sh"
		}
		found.run(Lit(command))
		return
	}
	name := c.word()
	c.take("+")
	if name == "copy" {
		psqlCopies("copy "+c.line(), found)
		return
	}
	pipes := strings.Contains(" o out g gx w write ", " "+name+" ")
	var args []Word
	for c.more() && c.peek() != '\n' && c.peek() != '\\' {
		c.run(" \t\r")
		if pipes && c.take("|") {
			found.run(filled(c.line(), ":"))
			return
		}
		if arg := psqlArg(c, found); len(arg) > 0 {
			args = append(args, arg)
		}
	}
	first := Word(nil)
	if len(args) > 0 {
		first = args[0]
	}
	switch name {
	case "o", "out", "w", "write", "g", "gx", "s":
		if len(args) > 0 {
			found.write(args[len(args)-1])
		}
	case "i", "include", "ir", "include_relative":
		found.read(first)
		found.hide(`\` + name + " " + first.String())
	case "e", "edit", "ef", "ev":
		found.hide("an editor")
	case "setenv":
		if len(args) > 1 && strings.Contains(" PAGER PSQL_PAGER EDITOR VISUAL PSQL_EDITOR SHELL PATH ", " "+first.String()+" ") {
			found.run(args[1])
		}
	case "lo_import":
		found.read(first)
	case "lo_export":
		if len(args) > 1 {
			found.write(args[1])
		}
	}
}

// psqlArg reads an argument of a command. What stands in backquotes is run.
func psqlArg(c *cursor, found *effects) Word {
	var b wordBuilder
	for c.more() && strings.IndexByte(" \t\r\n\\", c.peek()) < 0 {
		switch ch := c.peek(); ch {
		case '\'', '"':
			c.at++
			b.literal(sqlString(c, ch, ch == '\''))
		case '`':
			c.at++
			command := c.until("`\n")
			c.take("`")
			found.run(filled(command, ":"))
			b.hole("`"+command+"`", Value)
		case ':':
			c.at++
			b.hole(":"+c.word(), Value)
		default:
			b.literal(c.code[c.at : c.at+1])
			c.at++
		}
	}
	return b.word()
}
