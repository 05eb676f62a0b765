package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A joiner rewrites a text so that the parser reads it as the shell does. A
// shell drops a backslash at the end of a line, and the line's end, wherever it
// meets them but in single quotes, comments and here-documents with a quoted
// delimiter (bash(1), QUOTING; POSIX 2.2.1); so what looks like two tokens may be
// one: `$\⏎(`. The parser does so between words only, and takes such a backslash
// to continue a comment.
type joiner struct {
	lang  syntax.LangVariant
	text  string
	at    int
	out   []byte
	joins []int // where in out lines were joined
	apart []int // where in out a blank goes between two parentheses
	docs  []document
	stack []level

	// unsure is set where the text may also have been left as it is: other
	// shells, or a reading that takes a whole parser, would do so.
	unsure bool
}

// A level is something that has opened and not closed.
type level struct {
	open    byte // ( [ { " or a ` of the text; q is a { inside double quotes
	double  bool // (( may be arithmetic
	word    bool // what follows its end belongs to the same word
	array   bool
	second  int // where the second of two parentheses stands in out, or 0
	pending int // here-documents whose text follows an outer line
}

// join rewrites a text for the parser.
func join(text string, lang syntax.LangVariant) *joiner {
	j := &joiner{lang: lang, text: text}
	if !slices.ContainsFunc([]string{"\\\n", "&-", "<<", "=(", "(("}, func(s string) bool { return strings.Contains(text, s) }) {
		j.out = []byte(text)
		return j // there is nothing to rewrite
	}
	j.out = make([]byte, 0, len(text))
	j.stack = append(j.stack, level{open: 'c'})
	start := true // a word may start here, and so may a comment
	for j.at < len(j.text) {
		switch top := j.top(); top.open {
		case '"':
			j.quoted()
			start = false
		case '{', 'q':
			j.braced()
			start = false
		default:
			start = j.code(start)
		}
		if len(j.stack) > maxOpeners {
			break
		}
	}
	if len(j.stack) == 1 && len(j.docs) > 0 && lang == syntax.LangBash {
		j.out = append(j.out, '\n') // the end of the text ends them, too
		j.documents()
	}
	j.unsure = j.unsure || len(j.stack) > 1 || len(j.docs) > 0 || lang != syntax.LangBash && lang != syntax.LangPOSIX
	j.out = append(j.out, j.text[j.at:]...)
	j.part()
	return j
}

func (j *joiner) top() *level { return &j.stack[len(j.stack)-1] }

func (j *joiner) push(l level) {
	l.pending = len(j.docs)
	j.stack = append(j.stack, l)
}

func (j *joiner) pop() level {
	top := *j.top()
	j.stack = j.stack[:len(j.stack)-1]
	return top
}

// skip drops the ends of lines that are continued here.
func (j *joiner) skip() {
	for strings.HasPrefix(j.text[j.at:], "\\\n") {
		j.at += 2
		j.joins = append(j.joins, len(j.out))
	}
}

// peek is the next character as the shell sees it, 0 at the end.
func (j *joiner) peek() byte {
	if j.skip(); j.at < len(j.text) {
		return j.text[j.at]
	}
	return 0
}

// take moves past a character. What it returns is 0 at the end.
func (j *joiner) take() byte {
	c := j.peek()
	if j.at < len(j.text) {
		j.raw()
	}
	return c
}

// raw moves past a character that stands for itself, whatever it is.
func (j *joiner) raw() {
	if j.at < len(j.text) {
		j.out = append(j.out, j.text[j.at])
		j.at++
	}
}

// code reads a token of commands, or a piece of one.
func (j *joiner) code(start bool) (next bool) {
	c := j.peek()
	switch top := j.top(); {
	case c == 0 && j.at >= len(j.text):
		return false
	case c == '#' && start:
		if top.double {
			j.unsure = true
			break
		}
		j.comment()
		return true
	case c == '\n':
		j.raw()
		j.documents()
		return true
	case c == '(':
		j.paren(level{open: '(', word: !start && j.before() == '='})
		return true
	case c == ')' && top.open == '(':
		j.raw()
		done := j.pop()
		if done.second > 0 && j.peek() != ')' {
			// So it was no arithmetic, but one subshell in another.
			j.apart = append(j.apart, done.second)
		}
		if done.array && strings.IndexByte(" \t\n;&|<>()", j.peek()) < 0 && j.at < len(j.text) {
			j.out = append(j.out, ";_="...) // the word goes on, which the parser does not see
		}
		return !done.word
	case c == '<' && j.peek2() == '<':
		j.hereDocument()
		return true
	case (c == '<' || c == '>') && j.lang == syntax.LangBash && j.closes():
		return true
	case strings.IndexByte(" \t;&|)", c) >= 0:
		j.raw()
		return true
	case c == '<' || c == '>':
		j.raw()
		if j.peek() == '(' {
			j.paren(level{open: '(', word: true})
		}
		return true
	case c == '"':
		j.raw()
		j.push(level{open: '"'})
		return false
	case c == '\'':
		j.single(false)
		return false
	}
	j.piece()
	return false
}

// before is the character that was read last.
func (j *joiner) before() byte {
	if len(j.out) == 0 {
		return 0
	}
	return j.out[len(j.out)-1]
}

// peek2 is the character behind the next one.
func (j *joiner) peek2() byte {
	at := j.at + 1
	for strings.HasPrefix(j.text[at:], "\\\n") {
		at += 2
	}
	if at < len(j.text) {
		return j.text[at]
	}
	return 0
}

// paren opens a parenthesis, or two that may be arithmetic.
func (j *joiner) paren(l level) {
	l.array = l.word && j.before() == '='
	j.raw()
	outer := j.top()
	l.double = outer.double
	if j.peek() == '(' && !l.array {
		l.double = true
		j.push(l)
		j.raw()
		j.push(level{open: '(', double: true, second: len(j.out) - 1})
		return
	}
	j.push(l)
}

// part puts blanks between parentheses that the parser would take for the
// beginning of arithmetic.
func (j *joiner) part() {
	if len(j.apart) == 0 {
		return
	}
	slices.Sort(j.apart)
	var out []byte
	from, k := 0, 0
	for _, at := range j.apart {
		for ; k < len(j.joins) && j.joins[k] <= at; k++ {
			j.joins[k] += len(out) - from
		}
		out = append(append(out, j.out[from:at]...), ' ')
		from = at
	}
	for ; k < len(j.joins); k++ {
		j.joins[k] += len(out) - from
	}
	j.out = append(out, j.out[from:]...)
}

// closes reads <&- and >&-, behind which a word may follow at once.
func (j *joiner) closes() bool {
	at, joins := j.at, len(j.joins)
	out := len(j.out)
	j.raw()
	if j.peek() == '&' {
		j.raw()
		if j.peek() == '-' {
			j.raw()
			j.out = append(j.out, ' ')
			return true
		}
	}
	j.at, j.out, j.joins = at, j.out[:out], j.joins[:joins]
	return false
}

// comment reads up to the end of the line. A backslash there is blanked out.
func (j *joiner) comment() {
	end := strings.IndexByte(j.text[j.at:], '\n')
	if end < 0 {
		end = len(j.text) - j.at
	}
	j.out = append(j.out, j.text[j.at:j.at+end]...)
	j.at += end
	if j.at < len(j.text) && j.before() == '\\' {
		j.out[len(j.out)-1] = ' '
	}
}

// single reads a quoted string that nothing but a quote ends.
func (j *joiner) single(escapes bool) {
	for j.raw(); j.at < len(j.text); {
		c := j.text[j.at]
		j.raw()
		switch {
		case c == '\'':
			return
		case c == '\\' && escapes:
			j.raw()
		}
	}
	j.unsure = true
}

// quoted reads a piece of a string in double quotes.
func (j *joiner) quoted() {
	if j.peek() == '"' {
		j.raw()
		j.pop()
		return
	}
	j.piece()
}

// braced reads a piece of ${…}.
func (j *joiner) braced() {
	top := j.top()
	switch j.peek() {
	case '}':
		j.raw()
		j.pop()
	case '"':
		j.raw()
		j.push(level{open: '"'})
	case '\'':
		if top.open == '{' {
			j.single(false)
			return
		}
		j.unsure = true // whether it quotes depends on the operator
		j.raw()
	default:
		j.piece()
	}
}

// piece reads one character of a word, or what an expansion begins with.
func (j *joiner) piece() {
	switch c := j.take(); c {
	case '\\':
		j.raw()
	case '`':
		// Its inside is read as a text of its own: all lines join here, even
		// those of comments and quotes.
		for j.at < len(j.text) {
			switch j.take() {
			case '\\':
				j.raw()
			case '`':
				return
			}
		}
		j.unsure = true
	case '$':
		open := j.top().open
		quoted := open == '"' || open == 'q'
		switch j.peek() {
		case '(':
			j.paren(level{open: '(', word: true})
		case '{':
			j.raw()
			l := level{open: '{'}
			if quoted {
				l.open = 'q'
			}
			j.push(l)
		case '\'':
			if !quoted {
				j.single(true)
			}
		case '$':
			j.raw()
		}
	}
}

// original returns where a place of the joined text was before.
func original(joins []int, offset, line, col int) (int, int) {
	k, _ := slices.BinarySearch(joins, offset+1)
	if k > 0 && joins[k-1] > offset-col {
		col = offset - joins[k-1] + 1
	}
	return line + k, col
}
