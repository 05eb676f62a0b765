package shellparse

import "strings"

// sqlToken is a word, a character or a string of SQL.
type sqlToken struct {
	text   string
	quoted bool
}

// sqlTokens splits SQL, leaving comments out. A string that does not end is the
// rest. Backslashes quote in the strings of MySQL only.
func sqlTokens(code string, backslashes bool) (tokens []sqlToken) {
	c := cursor{code: code}
	for c.more() {
		start := c.at
		switch b := c.peek(); {
		case c.take("--") || backslashes && b == '#':
			c.line()
		case c.take("/*"):
			if n := strings.Index(c.rest(), "*/"); n >= 0 {
				c.at += n + 2
			} else {
				c.at = len(code)
			}
		case b == '\'' || b == '"' || b == '`':
			c.at++
			tokens = append(tokens, sqlToken{sqlString(&c, b, backslashes), true})
		case isNameByte(b) || b == '$':
			if c.word() == "" {
				c.at++
			}
			tokens = append(tokens, sqlToken{strings.ToLower(code[start:c.at]), false})
		case strings.IndexByte(" \t\r\n", b) >= 0:
			c.at++
		default:
			c.at++
			tokens = append(tokens, sqlToken{code[start:c.at], false})
		}
	}
	return tokens
}

// sqlString reads a string behind its first quote. A quote that is doubled is
// one.
func sqlString(c *cursor, quote byte, backslashes bool) string {
	var b strings.Builder
	for c.more() {
		ch := c.peek()
		c.at++
		switch {
		case ch == quote && c.peek() == quote:
			c.at++
		case ch == quote:
			return b.String()
		case ch == '\\' && backslashes && c.more():
			ch = c.peek()
			c.at++
		}
		b.WriteByte(ch)
	}
	return b.String()
}

// isSQL reports whether tokens start with words, * standing for any one.
func isSQL(tokens []sqlToken, words string) bool {
	for word := ""; words != ""; tokens = tokens[1:] {
		word, words, _ = strings.Cut(words, " ")
		if len(tokens) == 0 || word != "*" && (tokens[0].quoted || tokens[0].text != word) {
			return false
		}
	}
	return true
}

// fileOf is the file that the token at i of a statement names.
func fileOf(tokens []sqlToken, i int) Word {
	if i < len(tokens) && tokens[i].quoted {
		return Lit(tokens[i].text)
	}
	return computed("a file")
}

// sqliteCode finds the effects of what sqlite3 is given: commands behind a dot at
// the start of a line, and SQL (sqlite.org, "Command Line Shell"; measured with
// 3.40). A command may be shortened.
func sqliteCode(code string) (found effects) {
	var sql strings.Builder
	c := cursor{code: code}
	for c.more() {
		line := c.line()
		if strings.HasPrefix(line, ".") {
			sqliteDot(line[1:], &found)
		} else {
			sql.WriteString(line + "\n")
		}
	}
	tokens := sqlTokens(sql.String(), false)
	for i := range tokens {
		rest := tokens[i:]
		switch {
		case isSQL(rest, "edit (") || isSQL(rest, "load_extension ("):
			found.hide(tokens[i].text)
		case isSQL(rest, "readfile (") || isSQL(rest, "fsdir ("):
			found.read(fileOf(rest, 2))
		case isSQL(rest, "writefile ("):
			found.write(fileOf(rest, 2))
		case isSQL(rest, "attach database") || isSQL(rest, "vacuum into"):
			found.write(fileOf(rest, 2))
		case isSQL(rest, "attach"):
			found.write(fileOf(rest, 1))
		case isSQL(rest, "vacuum * into"):
			found.write(fileOf(rest, 3))
		}
	}
	return found
}

// sqliteDot finds the effects of a command, without its dot.
func sqliteDot(line string, found *effects) {
	args := sqliteArgs(line)
	if len(args) == 0 {
		return
	}
	is := func(names string, least int) bool {
		for _, name := range strings.Fields(names) {
			if len(args[0]) >= least && strings.HasPrefix(name, args[0]) {
				return true
			}
		}
		return false
	}
	var operands []string
	for _, a := range args[1:] {
		if !strings.HasPrefix(a, "-") {
			operands = append(operands, a)
		}
	}
	first, last := "", ""
	if len(operands) > 0 {
		first, last = operands[0], operands[len(operands)-1]
	}
	isOption := len(operands) < len(args)-1
	piped, isPiped := strings.CutPrefix(first, "|")
	switch {
	case is("shell system", 2):
		for i, a := range args[1:] {
			if strings.Contains(a, " ") {
				args[i+1] = `"` + a + `"`
			}
		}
		found.run(Lit(strings.Join(args[1:], " ")))
	case is("output once import read", 1) && isPiped:
		if !is("import", 1) {
			piped = strings.Join(append([]string{piped}, operands[1:]...), " ")
		}
		found.run(Lit(piped))
	case is("load", 2), is("read", 3), is("excel www", 1), is("once output", 1) && isOption:
		found.hide("." + line)
	case is("import", 1):
		found.read(Lit(first))
	case is("restore", 3):
		found.read(Lit(last))
	case is("backup save clone output once open log trace", 1):
		if last != "on" && last != "off" && last != "stdout" && last != "stderr" {
			found.write(Lit(last))
		}
	case is("archive", 2):
		found.hide("." + line)
	}
}

// sqliteArgs splits the arguments of a command: at blanks, but for quotes.
func sqliteArgs(line string) (args []string) {
	c := cursor{code: line}
	for {
		c.run(" \t\r\f\v")
		if !c.more() {
			return args
		}
		switch b := c.peek(); b {
		case '\'', '"':
			c.at++
			text, _, ok := "", false, false
			if b == '"' {
				text, _, ok = c.delimited(b, false)
				text = unescape(text, `"\`)
			} else {
				text, ok = c.until("'"), true
				c.take("'")
			}
			if !ok {
				text = c.rest()
			}
			args = append(args, text)
		default:
			args = append(args, c.until(" \t\r\f\v"))
		}
	}
}

// mysqlCode finds the effects of what mysql is given: commands of its own and
// SQL, of which the server writes the files (mysql(1), "mysql Client Commands").
func mysqlCode(code string) (found effects) {
	for line := range strings.Lines(code) {
		line = strings.TrimRight(strings.TrimSpace(line), ";")
		name, args, _ := strings.Cut(line, " ")
		switch strings.ToLower(name) {
		case "system":
			found.run(Lit(args))
		case "pager":
			found.run(Lit(args))
		case "tee":
			found.write(Lit(strings.TrimSpace(args)))
		case "source", "edit":
			found.hide(line)
		}
		for c := (cursor{code: line}); c.more(); {
			c.until(`\`)
			switch {
			case c.take(`\!`), c.take(`\P`):
				found.run(Lit(c.line()))
			case c.take(`\T`):
				found.write(Lit(strings.TrimSpace(c.line())))
			case c.take(`\.`):
				found.hide(`\.` + c.line())
			case c.take(`\e`):
				found.hide("an editor")
			default:
				c.at = min(c.at+1, len(line))
			}
		}
	}
	tokens := sqlTokens(code, true)
	for i := range tokens {
		rest := tokens[i:]
		switch {
		case isSQL(rest, "into outfile") || isSQL(rest, "into dumpfile"):
			found.write(fileOf(rest, 2))
		case isSQL(rest, "infile"):
			found.read(fileOf(rest, 1))
		case isSQL(rest, "load_file ("):
			found.read(fileOf(rest, 2))
		}
	}
	return found
}
