package shellparse

import "strings"

// sedCode finds the effects of a script of GNU sed (its manual, sed scripts;
// measured with 4.9). What e runs without an argument, and s with the flag e, is
// the text that sed is at: a hole. The replacement of such an s is listed as
// well, since it is a command when it replaces all of a line.
func sedCode(code string) effects {
	return either(code, func(code string, brackets bool) (effects, bool, bool) {
		s := sedReader{cursor: cursor{code: code}, brackets: brackets}
		ok := s.script()
		return s.found, s.differs, ok
	})
}

type sedReader struct {
	cursor
	found             effects
	brackets, differs bool
}

func (s *sedReader) script() bool {
	for depth := 0; ; {
		s.run(" \t\n\r\f\v;")
		if !s.more() {
			return depth == 0
		}
		if !s.addresses() {
			return false
		}
		switch command := s.peek(); command {
		case '{':
			depth++
			s.at++
			continue
		case '}':
			depth--
			if depth < 0 {
				return false
			}
			s.at++
		default:
			whole, ok := s.command(command)
			if !ok {
				return false
			}
			if whole {
				continue
			}
		}
		s.run(" \t\r")
		if s.more() && strings.IndexByte(";\n}#", s.peek()) < 0 {
			return false
		}
	}
}

func (s *sedReader) addresses() bool {
	if !s.address() {
		return false
	}
	s.run(" \t")
	if s.take(",") {
		s.run(" \t")
		if s.peek() == '+' || s.peek() == '~' {
			s.at++
		}
		if !s.address() {
			return false
		}
	}
	s.run(" \t!")
	return true
}

// address moves over an address, if there is one.
func (s *sedReader) address() bool {
	switch delimiter := s.peek(); {
	case s.take("$"):
		return true
	case delimiter >= '0' && delimiter <= '9' || isForeign(delimiter):
		s.number()
		if s.take("~") {
			s.number()
		}
		return true
	case delimiter == '/' || delimiter == '\\' && s.at+1 < len(s.code):
		s.at++
		if delimiter == '\\' {
			delimiter = s.peek()
			s.at++
		}
		if _, ok := s.pattern(delimiter); !ok {
			return false
		}
		s.run("IM")
	}
	return true
}

func (s *sedReader) number() {
	for s.more() && (s.peek() >= '0' && s.peek() <= '9' || isForeign(s.peek())) {
		s.at++
	}
}

func (s *sedReader) pattern(delimiter byte) (text string, ok bool) {
	text, differs, ok := s.delimited(delimiter, s.brackets)
	s.differs = s.differs || differs
	return text, ok
}

// command reads a command behind its addresses. whole says that it took the
// rest of the line with it.
func (s *sedReader) command(command byte) (whole, ok bool) {
	s.at++
	switch command {
	case '#':
		s.line()
		return true, true
	case '=', 'd', 'D', 'F', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		return false, true
	case 'l', 'L', 'q', 'Q':
		s.run(" \t")
		s.number()
		return false, true
	case ':', 'b', 't', 'T', 'v':
		s.run(" \t")
		s.until(" \t\n\r;}")
		return false, true
	case 'a', 'i', 'c':
		_, ok := s.text()
		return true, ok
	case 'e':
		command, _ := s.text()
		if command.String() == "" {
			command = computed("what sed is at")
		}
		s.found.run(command)
		return true, true
	case 'r', 'R', 'w', 'W':
		s.run(" \t")
		return true, s.file(command)
	case 's':
		return s.substitute()
	case 'y':
		delimiter := s.peek()
		s.at++
		_, _, ok := s.delimited(delimiter, false)
		if ok {
			_, _, ok = s.delimited(delimiter, false)
		}
		return false, ok
	}
	return false, false
}

func (s *sedReader) file(command byte) bool {
	name := s.line()
	if command == 'r' || command == 'R' {
		s.found.read(Lit(name))
	} else {
		s.found.write(Lit(name))
	}
	return name != ""
}

// text reads the text of a, i, c and e: up to a newline that no backslash quotes,
// and behind a newline that one quotes at its front.
func (s *sedReader) text() (text Word, ok bool) {
	s.run(" \t")
	if !s.more() {
		return nil, false
	}
	if s.take("\\") {
		s.run(" \t")
		s.take("\n")
	}
	start := s.at
	for s.more() && s.peek() != '\n' {
		if s.peek() == '\\' {
			s.at++
		}
		s.at++
	}
	s.at = min(s.at, len(s.code))
	return sedUnescape(s.code[start:s.at], ""), true
}

func (s *sedReader) substitute() (whole, ok bool) {
	delimiter := s.peek()
	s.at++
	if !s.more() || delimiter == '\n' || delimiter == '\\' {
		return false, false
	}
	pattern, ok := s.pattern(delimiter)
	if !ok {
		return false, false
	}
	replacement, _, ok := s.delimited(delimiter, false)
	if !ok {
		return false, false
	}
	start := s.at
	for s.run("gpeImM0123456789"); isForeign(s.peek()); s.run("gpeImM0123456789") {
		s.at++
	}
	flags := s.code[start:s.at]
	if strings.Contains(flags, "e") {
		with := sedUnescape(replacement, "&"+string(rune(delimiter)))
		_, known := with.Literal()
		if known {
			s.found.run(with)
		}
		whole := pattern == ".*" || pattern == "^.*" || pattern == ".*$" || pattern == "^.*$"
		if !whole || !known || strings.ContainsAny(flags, "mM") {
			s.found.hide("what sed is at")
		}
	}
	if s.take("w") {
		s.run(" \t")
		return true, s.file('w')
	}
	return false, true
}

// sedUnescape resolves the backslashes of a text or, where & is special, of a
// replacement, in which the delimiter is the other special character. What the
// match is part of is computed, and so are escapes that versions read
// differently.
func sedUnescape(s, special string) Word {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '&' && special != "":
			return computed(s)
		case s[i] != '\\':
			b.WriteByte(s[i])
			continue
		}
		i++
		switch {
		case i == len(s):
		case strings.IndexByte(special, s[i]) >= 0:
			b.WriteByte(s[i])
		case s[i] == 'n':
			b.WriteByte('\n')
		case s[i] == 't':
			b.WriteByte('\t')
		case isNameByte(s[i]):
			return computed(s)
		default:
			b.WriteByte(s[i])
		}
	}
	return Lit(b.String())
}
