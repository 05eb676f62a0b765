package shellparse

import "strings"

// awkToken is a token of awk. Only a string has a text of its own: what it
// stands for.
type awkToken struct {
	kind     awkKind
	text     string // as written, or the value of a string
	at, end  int    // in the code
	computed bool   // a string that awks read differently
}

type awkKind uint8

const (
	awkPunct awkKind = iota
	awkName
	awkNumber
	awkString
	awkRegex
	awkNewline
)

// awkKeywords end an operand, so that a slash behind one starts a regular
// expression.
var awkKeywords = map[string]bool{
	"BEGIN": true, "BEGINFILE": true, "END": true, "ENDFILE": true, "break": true, "case": true, "continue": true, "default": true,
	"delete": true, "do": true, "else": true, "exit": true, "for": true, "func": true, "function": true, "getline": true, "if": true,
	"in": true, "next": true, "nextfile": true, "print": true, "printf": true, "return": true, "switch": true, "while": true,
}

// awkPuncts are the operators of more than one character, the longer first.
var awkPuncts = []string{
	"**=", "|&", "||", "&&", ">>", "<=", ">=", "==", "!=", "!~", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**",
}

// awkTokens splits code of awk. ok is false where it cannot be: an awk reads the
// whole program before it starts.
func awkTokens(code string, brackets bool) (tokens []awkToken, differs, ok bool) {
	c := cursor{code: code, escapes: true}
	operand := false      // an operand has just ended: a slash divides
	var conditions []bool // of the brackets that are open, which hold a condition
	doubtful := false     // gawk would take a slash for a regular expression, mawk divides
	add := func(kind awkKind, text string, at int) {
		tokens = append(tokens, awkToken{kind: kind, text: text, at: at, end: c.at})
	}
	for c.more() {
		at := c.at
		switch b := c.peek(); {
		case b == ' ' || b == '\t' || b == '\r' || b == '\f' || b == '\v':
			c.at++
		case b == '#':
			c.until("\n")
		case b == '\\':
			c.at++
			c.take("\r")
			if !c.take("\n") {
				return nil, differs, false
			}
		case b == '\n':
			c.at++
			add(awkNewline, "\n", at)
			operand = false
		case b == '"':
			text, known, closed := awkStringValue(&c)
			if !closed {
				return nil, differs, false
			}
			add(awkString, text, at)
			tokens[len(tokens)-1].computed = !known
			operand = true
		case b == '/' && (!operand || doubtful && brackets):
			c.at++
			differs = differs || doubtful
			doubtful = false
			_, bracketed, closed := c.delimited('/', brackets)
			differs = differs || bracketed
			if !closed {
				return nil, differs, false
			}
			add(awkRegex, "", at)
			operand = true
		case b >= '0' && b <= '9' || b == '.':
			c.at++
			c.run("0123456789.abcdefxABCDEFX")
			add(awkNumber, "", at)
			operand = true
		case isNameByte(b) || isForeign(b):
			for isNameByte(c.peek()) || isForeign(c.peek()) {
				c.at++
				c.take("::")
			}
			name := code[at:c.at]
			add(awkName, name, at)
			operand = !awkKeywords[name] || name == "getline"
			doubtful = name == "length"
		case strings.IndexByte("{}()[];,+-*/%^!<>|?:~$=&@", b) >= 0:
			text := code[at : at+1]
			for _, p := range awkPuncts {
				if strings.HasPrefix(code[at:], p) {
					text = p
					break
				}
			}
			c.at += len(text)
			differs, doubtful = differs || doubtful && b == '/', false
			switch n := len(conditions); {
			case text == "(":
				before := awkToken{}
				if len(tokens) > 0 {
					before = tokens[len(tokens)-1]
				}
				conditions = append(conditions, before.kind == awkName && strings.Contains(" if for while ", " "+before.text+" "))
			case text == ")" && n > 0:
				doubtful = conditions[n-1]
				conditions = conditions[:n-1]
			}
			add(awkPunct, text, at)
			operand = text == ")" || text == "]" || text == "++" || text == "--"
		default:
			return nil, differs, false
		}
	}
	return tokens, differs, true
}

// awkStringValue reads a string and resolves its escapes. known is false where
// gawk and mawk differ about one.
func awkStringValue(c *cursor) (text string, known, closed bool) {
	var b strings.Builder
	known = true
	for c.at++; c.more(); c.at++ {
		switch c.peek() {
		case '"':
			c.at++
			return b.String(), known, true
		case '\n':
			return "", false, false
		case '\\':
		default:
			b.WriteByte(c.peek())
			continue
		}
		c.at++
		if !c.more() {
			break
		}
		e := c.peek()
		if k := strings.IndexByte(`nt\"/abfrv`, e); k >= 0 {
			b.WriteByte("\n\t\\\"/\a\b\f\r\v"[k])
			continue
		}
		switch {
		case e == '\n':
		case e >= '0' && e <= '7':
			n, size := number(c.code[c.at:], 8, 3)
			c.at += size - 1
			b.WriteByte(byte(n))
			known = known && byte(n) != 0
		case e == 'x':
			n, size := number(c.code[c.at+1:], 16, 3)
			c.at += size
			b.WriteByte(byte(n))
			known = known && size > 0 && size < 3 && n > 0
		default:
			known = false
		}
	}
	return "", false, false
}
