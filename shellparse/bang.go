package shellparse

import "strings"

// filled is the text of a command in which characters stand for something that
// its program puts there, unless a backslash quotes them.
func filled(text, marks string) Word {
	var b wordBuilder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && strings.IndexByte(marks, text[i+1]) >= 0:
			i++
			b.literal(text[i : i+1])
		case strings.IndexByte(marks, text[i]) >= 0:
			b.hole(text[i:i+1], Value)
		default:
			b.literal(text[i : i+1])
		}
	}
	return b.word()
}

// edCode finds the effects of a script of ed (POSIX ed; measured with GNU ed
// 1.19): !cmd, and file names that begin with !.
func edCode(code string) (found effects) {
	c := cursor{code: code}
	current := ""
	for c.more() {
		line := c.joined()
		appends := false
		current, appends = edLine(line, current, &found)
		if !appends {
			continue
		}
		// The text of a, up to a line that is a dot. Where there is no such
		// address, ed reads the text as commands.
		certain := strings.Trim(line, "0$., \t") == "a" || strings.Trim(line, "0$., \t") == "i"
		for c.more() {
			text := c.line()
			if text == "." {
				break
			}
			if !certain {
				current, _ = edLine(text, current, &found)
			}
		}
	}
	return found
}

// edLine finds the effects of one command. It returns the file that w without a
// name writes, where the script gives it one, and whether text follows.
func edLine(line, current string, found *effects) (now string, appends bool) {
	c := cursor{code: line}
	edAddress(&c)
	command := c.peek()
	c.at++
	switch command {
	case '!':
		found.run(filled(strings.TrimPrefix(c.rest(), "!"), "%"))
	case 'a', 'i', 'c':
		return current, c.rest() == "" || strings.Trim(c.rest(), " \tlnp") == ""
	case 'g', 'v', 'G', 'V':
		delimiter := c.peek()
		c.at++
		if c.at > len(line) || delimiter == ' ' {
			break
		}
		if _, _, ok := c.delimited(delimiter, false); ok {
			for _, inner := range strings.Split(c.rest(), "\\\n") {
				if inner != "" && strings.IndexByte("gvGV", inner[0]) < 0 {
					current, _ = edLine(inner, current, found)
				}
			}
		}
	case 'e', 'E', 'f', 'r', 'w', 'W':
		c.run("q")
		if c.more() && c.peek() != ' ' && c.peek() != '\t' && c.peek() != '!' {
			break
		}
		c.run(" \t")
		name := c.rest()
		switch {
		case strings.HasPrefix(name, "!"):
			found.run(filled(name[1:], "%"))
		case command == 'w' || command == 'W':
			if name == "" {
				name = current
			}
			found.write(Lit(name))
		case command == 'f':
			return name, false
		default:
			found.read(Lit(name))
			if command != 'r' && name != "" {
				return name, false
			}
		}
	}
	return current, false
}

// edAddress moves over the addresses in front of a command of ed.
func edAddress(c *cursor) {
	for c.more() {
		switch b := c.peek(); {
		case strings.IndexByte(" \t0123456789.$,;+-^%", b) >= 0:
			c.at++
		case b == '\'':
			c.at = min(c.at+2, len(c.code))
		case b == '/' || b == '?':
			c.at++
			if _, _, ok := c.delimited(b, false); !ok {
				c.at = len(c.code)
			}
		default:
			return
		}
	}
}

// lessKeys finds what keys run that less is given behind a +: they are typed
// once the file is shown.
func lessKeys(code string) (found effects) {
	c := cursor{code: strings.TrimLeft(code, "+")}
	for c.more() {
		key := c.peek()
		c.at++
		switch key {
		case '/', '?', '&':
			c.line() // a pattern
		case '!', '#':
			found.run(filled(c.line(), "%#!"))
		case '|':
			c.at = min(c.at+1, len(c.code)) // a mark
			found.run(filled(c.line(), "%#!"))
		case 'm', '\'', '_':
			c.at = min(c.at+1, len(c.code))
		case 's':
			found.write(filled(strings.TrimSpace(c.line()), "%#"))
		case 'v':
			found.hide("an editor")
		case ':':
			if name := c.line(); strings.HasPrefix(name, "e") {
				found.read(filled(strings.TrimSpace(name[1:]), "%#"))
			}
		case '-':
			switch option := c.peek(); option {
			case 'o', 'O':
				c.at++
				found.write(Lit(strings.TrimSpace(c.line())))
			case '-', 'P', 'k', 't', 'T', 'p', 'b', 'h', 'j', 'x', 'y', 'z', 'D':
				c.line()
			default:
				c.at = min(c.at+1, len(c.code))
			}
		}
	}
	return found
}

// dcCode finds what ! gives to a shell in a program of dc: the rest of the line,
// and in a macro that is run at most the rest of that. !<, !> and !=
// compare.
func dcCode(code string) (found effects) {
	c := cursor{code: code}
	depth := 0
	for c.more() {
		b := c.peek()
		c.at++
		switch {
		case b == '#' && depth == 0:
			c.line()
		case b == '[':
			depth++
		case b == ']' && depth > 0:
			depth--
		case b == '!' && strings.IndexByte("<>=", c.peek()) < 0:
			start := c.at
			line := c.line()
			found.run(Lit(line))
			if n := strings.IndexByte(line, ']'); n >= 0 && depth > 0 {
				found.run(Lit(line[:n]))
				c.at = start + n
			}
		}
	}
	return found
}

// ftpCode finds what the commands of ftp, lftp and sftp run: !cmd, local files
// that are pipes, and settings of lftp that are programs.
func ftpCode(code string) (found effects) {
	c := cursor{code: code}
	for c.more() {
		c.run(" \t\r\n;&|(@-")
		name := c.until(" \t\r\n;&|!()")
		switch {
		case c.peek() == '!' && name == "":
			c.at++
			found.run(Lit(c.line()))
			continue
		case name == "shell" || name == "local":
			found.run(Lit(c.line()))
			continue
		case name == "lls":
			found.run(Lit("ls" + c.line()))
			continue
		case name == "source" || name == "edit" || name == "$":
			found.hide(name + c.until("\n;"))
			continue
		case name == "set":
			c.run(" \t")
			setting := c.until(" \t\r\n;")
			value := strings.Trim(strings.TrimSpace(c.until("\n;")), `"'`)
			if strings.Contains(setting, "program") || strings.Contains(setting, "cmd") || strings.Contains(setting, "command") {
				found.run(Lit(value))
			}
			continue
		}
		for c.more() && c.peek() != '\n' && c.peek() != ';' && c.peek() != '&' {
			switch b := c.peek(); {
			case b == '|':
				c.at++
				found.run(Lit(strings.TrimRight(c.until("\n"), `"'`)))
			case b == '>':
				c.run("> \t")
				found.write(Lit(strings.Trim(c.until(" \t\n;"), `"'`)))
			case b == '"' && strings.HasPrefix(c.code[c.at:], `"|`):
				c.at += 2
				found.run(Lit(c.until("\"\n")))
			default:
				c.at++
			}
		}
	}
	return found
}
