package shellparse

import "strings"

// word reads one word. Where an unquoted expansion or a brace stands in it, it
// may vanish or become several words, for fish combines it with each element of
// a list: then it is a hole as a whole.
func (r *fishReader) word() (Word, error) {
	var b wordBuilder
	start, several := r.i, false
	for r.i < len(r.text) {
		c := r.text[r.i]
		var err error
		switch {
		case strings.IndexByte(" \t\r\n;|)<>", c) >= 0, c == '&' && r.separates():
			return r.finish(b.word(), start, several), nil
		case c == '\\':
			b.literal(r.escape())
		case c == '\'':
			err = r.single(&b)
		case c == '"':
			err = r.double(&b)
		case c == '(', strings.HasPrefix(r.text[r.i:], "$("):
			several = true
			err = r.substitution()
		case c == '$':
			name := r.variable()
			if value, ok := r.st.vars[name[1:]]; ok {
				b.literal(value)
			} else {
				several = true
			}
		case c == '~' && r.i == start:
			r.tilde(&b)
		case c == '*', c == '?':
			r.i++
			b.hole(string(c), Glob)
		default:
			several = several || c == '{'
			r.i++
			b.literal(string(c))
		}
		if err != nil {
			return nil, err
		}
	}
	return r.finish(b.word(), start, several), nil
}

func (r *fishReader) finish(word Word, start int, several bool) Word {
	if several {
		return Word{{r.text[start:r.i], Words}}
	}
	return word
}

// separates reports whether the & here ends a command: inside a word it is a
// character.
func (r *fishReader) separates() bool {
	return r.i+1 == len(r.text) || strings.IndexByte(" \t\n;|&>)", r.text[r.i+1]) >= 0
}

// tilde resolves ~ and ~name at the front of a word.
func (r *fishReader) tilde(b *wordBuilder) {
	rest := r.text[r.i+1:]
	end := strings.IndexAny(rest, "/ \t\r\n;|&()<>$'\"\\{*?")
	if end < 0 {
		end = len(rest)
	}
	home, known := r.st.vars["HOME"]
	if end > 0 {
		home = r.w.homeOf(rest[:end])
		known = home != ""
	}
	if known {
		b.literal(home)
	} else {
		b.hole("~"+rest[:end], Value)
	}
	r.i += 1 + end
}

// single reads '…', where a backslash quotes itself and the quote only.
func (r *fishReader) single(b *wordBuilder) error {
	for r.i++; r.i < len(r.text); r.i++ {
		switch c := r.text[r.i]; {
		case c == '\'':
			r.i++
			b.literal("")
			return nil
		case c == '\\' && r.i+1 < len(r.text) && strings.IndexByte(`\'`, r.text[r.i+1]) >= 0:
			r.i++
			b.literal(r.text[r.i : r.i+1])
		default:
			b.literal(string(c))
		}
	}
	return errFishQuote
}

// double reads "…", where variables and $(…) expand, each to one string.
func (r *fishReader) double(b *wordBuilder) error {
	for r.i++; r.i < len(r.text); {
		rest := r.text[r.i:]
		switch {
		case rest[0] == '"':
			r.i++
			return nil
		case strings.HasPrefix(rest, "\\\n"):
			r.i += 2
		case rest[0] == '\\' && len(rest) > 1 && strings.IndexByte(`\"$`, rest[1]) >= 0:
			b.literal(rest[1:2])
			r.i += 2
		case strings.HasPrefix(rest, "$("):
			start := r.i
			if err := r.substitution(); err != nil {
				return err
			}
			b.hole(r.text[start:r.i], Value)
		case rest[0] == '$':
			name := r.variable()
			if value, ok := r.st.vars[name[1:]]; ok {
				b.literal(value)
			} else {
				b.hole(name, Value)
			}
		default:
			b.literal(rest[:1])
			r.i++
		}
	}
	return errFishQuote
}

// escape reads a backslash outside quotes and returns what it stands for.
func (r *fishReader) escape() string {
	start := r.i
	r.i += 2
	if r.i > len(r.text) {
		r.i = len(r.text)
		return ""
	}
	c := r.text[start+1]
	if k := strings.IndexByte("abefnrtv", c); k >= 0 {
		return "\a\b\x1b\f\n\r\t\v"[k : k+1]
	}
	digits := map[byte][2]int{'x': {16, 2}, 'X': {16, 2}, 'u': {16, 4}, 'U': {16, 8}}[c]
	from := r.i
	if c >= '0' && c <= '7' {
		digits, from = [2]int{8, 3}, start+1
	}
	if digits[0] == 0 {
		if c == '\n' {
			return "" // the line goes on
		}
		return string(c)
	}
	n, size := number(r.text[from:], digits[0], digits[1])
	r.i = from + size
	switch {
	case size == 0:
		return string(c)
	case c == 'u' || c == 'U':
		return string(rune(n))
	}
	return string([]byte{byte(n)})
}

// variable reads $name, $$name and their indexes, and returns how it is spelled.
func (r *fishReader) variable() string {
	start := r.i
	for r.i < len(r.text) && r.text[r.i] == '$' {
		r.i++
	}
	for r.i < len(r.text) && (r.text[r.i] == '_' || isAlnum(r.text[r.i])) {
		r.i++
	}
	if r.i < len(r.text) && r.text[r.i] == '[' {
		if end := strings.IndexByte(r.text[r.i:], ']'); end > 0 && !strings.Contains(r.text[r.i:r.i+end], "(") {
			r.i += end + 1
		}
	}
	return r.text[start:r.i]
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// substitution reads (…) or $(…), and an index behind it.
func (r *fishReader) substitution() error {
	r.i += strings.IndexByte(r.text[r.i:], '(') + 1
	if err := r.list(true); err != nil {
		return err
	}
	if r.i < len(r.text) && r.text[r.i] == '[' {
		end := strings.IndexByte(r.text[r.i:], ']')
		if end < 0 || strings.Contains(r.text[r.i:r.i+end], "(") {
			return errFishParen
		}
		r.i += end + 1
	}
	return nil
}
