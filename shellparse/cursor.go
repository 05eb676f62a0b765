package shellparse

import "strings"

// A cursor reads code from its front to its end.
type cursor struct {
	code string
	at   int

	escapes  bool // a backslash quotes inside of bracket expressions too
	unclosed int  // up to here no bracket expression that starts is closed
}

func (c *cursor) more() bool { return c.at < len(c.code) }

// peek returns the next byte, 0 at the end.
func (c *cursor) peek() byte {
	if !c.more() {
		return 0
	}
	return c.code[c.at]
}

// take moves over a text if it comes next.
func (c *cursor) take(text string) bool {
	if !strings.HasPrefix(c.code[c.at:], text) {
		return false
	}
	c.at += len(text)
	return true
}

// run moves over bytes of a set and returns them.
func (c *cursor) run(set string) string {
	start := c.at
	for c.more() && strings.IndexByte(set, c.code[c.at]) >= 0 {
		c.at++
	}
	return c.code[start:c.at]
}

// until moves to the next byte of a set, or to the end, and returns what it
// passed.
func (c *cursor) until(set string) string {
	n := strings.IndexAny(c.code[c.at:], set)
	if n < 0 {
		n = len(c.code) - c.at
	}
	c.at += n
	return c.code[c.at-n : c.at]
}

// line returns the rest of the line and moves behind its end.
func (c *cursor) line() string {
	text := c.until("\n")
	c.take("\n")
	return text
}

// joined returns the rest of the line and of those that continue it, each behind
// a backslash, and moves behind them.
func (c *cursor) joined() string {
	start := c.at
	for c.until("\n"); c.at+1 < len(c.code) && c.at > start && c.code[c.at-1] == '\\'; c.until("\n") {
		c.at++
	}
	text := c.code[start:c.at]
	c.take("\n")
	return text
}

// word moves over a name and returns it, "" if none comes next.
func (c *cursor) word() string {
	start := c.at
	for c.more() && isNameByte(c.code[c.at]) {
		c.at++
	}
	return c.code[start:c.at]
}

// delimited moves behind the next delimiter that no backslash quotes, and
// returns what stands before it. With brackets, none that stands inside a
// bracket expression counts either; differs says that one was passed so. A
// delimiter on a later line is none.
func (c *cursor) delimited(delimiter byte, brackets bool) (text string, differs, ok bool) {
	for start := c.at; c.more(); c.at++ {
		switch b := c.code[c.at]; {
		case b == '\\':
			c.at++
		case b == delimiter:
			c.at++
			return c.code[start : c.at-1], differs, true
		case b == '\n':
			return "", differs, false
		case b == '[':
			if end := c.bracket(); end > 0 && strings.IndexByte(c.code[c.at:c.at+end], delimiter) >= 0 {
				differs = true
				if brackets {
					c.at += end - 1
				}
			}
		}
	}
	return "", differs, false
}

// bracket returns the length of the bracket expression that comes next, 0 if the
// line ends inside.
func (c *cursor) bracket() int {
	if c.at < c.unclosed {
		return 0
	}
	s, i := c.rest(), 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for ; i < len(s) && s[i] != '\n'; i++ {
		switch {
		case s[i] == ']':
			return i + 1
		case s[i] == '\\' && c.escapes && i+1 < len(s) && s[i+1] == ']':
			i++
		case s[i] == '[' && i+1 < len(s) && strings.IndexByte(".:=", s[i+1]) >= 0:
			if n := strings.Index(s[i+2:], s[i+1:i+2]+"]"); n >= 0 {
				i += n + 3
			}
		}
	}
	c.unclosed = c.at + i
	return 0
}

func isNameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z'
}

// rest returns what has not been read.
func (c *cursor) rest() string { return c.code[min(c.at, len(c.code)):] }
