package shellparse

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A fishReader reads the part of fish that is lists, pipelines, and/or/not,
// quotes, redirections and substitutions (fish manual, "The fish language").
// Blocks and function definitions it does not read: it says so.
type fishReader struct {
	w    *walker
	text string
	i    int
	st   *state
}

// fish lists what a source for fish runs. It knows no assignments, so only HOME
// is a constant there.
func (w *walker) fish(text string, st state) outcome {
	st = st.fork()
	r := &fishReader{w: w, text: text, st: &st}
	if err := r.list(false); err != nil {
		w.unread(syntax.Pos{}, err.Error())
		return same(st.forget())
	}
	return same(st)
}

var (
	errFishBlock = errors.New("blocks of fish are not read here")
	errFishQuote = errors.New("a quote is not closed")
	errFishParen = errors.New("a parenthesis is not closed")
	errFishOdd   = errors.New("this is no word of fish")
	errFishStray = errors.New("a parenthesis closes nothing")
	errFishFile  = errors.New("a redirection names no file")
)

// fishBlocks are the words that begin or end what is not read, at the front of a
// command.
var fishBlocks = map[string]bool{
	"begin": true, "case": true, "else": true, "end": true, "for": true, "function": true, "if": true, "switch": true, "while": true, "{": true, "}": true,
}

// list reads commands up to the end, or up to the parenthesis that closes a
// substitution.
func (r *fishReader) list(inner bool) error {
	if !r.w.enter(syntax.Pos{}) {
		return errors.New("it nests too deeply")
	}
	defer r.w.leave()
	for {
		r.blanks()
		switch {
		case r.i >= len(r.text):
			if inner {
				return errFishParen
			}
			return nil
		case r.text[r.i] == ')':
			if !inner {
				return errFishStray
			}
			r.i++
			return nil
		case strings.IndexByte("\n;|&", r.text[r.i]) >= 0:
			r.i++
		case r.text[r.i] == '#':
			for r.i < len(r.text) && r.text[r.i] != '\n' {
				r.i++
			}
		default:
			if err := r.command(); err != nil {
				return err
			}
		}
	}
}

// blanks skips what separates words.
func (r *fishReader) blanks() {
	for r.i < len(r.text) {
		switch {
		case r.text[r.i] == ' ' || r.text[r.i] == '\t' || r.text[r.i] == '\r':
			r.i++
		case strings.HasPrefix(r.text[r.i:], "\\\n"):
			r.i += 2
		default:
			return
		}
	}
}

// command reads one simple command with its redirections.
func (r *fishReader) command() error {
	var words []Word
	var assigns []Assign
	r.w.ran = true
	for {
		r.blanks()
		if r.i >= len(r.text) || strings.IndexByte("\n;|)#", r.text[r.i]) >= 0 {
			break
		}
		redirected, err := r.redirect()
		if err != nil {
			return err
		}
		if redirected {
			continue
		}
		if r.text[r.i] == '&' {
			break
		}
		start := r.i
		word, err := r.word()
		if err != nil {
			return err
		}
		if r.i == start {
			return errFishOdd
		}
		if len(words) == 0 {
			name := r.text[start:r.i]
			if fishBlocks[name] {
				return errFishBlock
			}
			if a, ok := r.assign(name, word); ok {
				assigns = append(assigns, a)
				continue
			}
			// and, or, not and ! go in front of a command of their own.
			if name == "and" || name == "or" || name == "not" || name == "!" || name == "time" {
				continue
			}
		}
		words = append(words, word)
	}
	r.w.runValues(assigns, r.st)
	if len(words) == 0 {
		return nil
	}
	// Whether it succeeds decides what runs next; both ways are kept.
	*r.st = r.w.command(words, assigns, stdin{}, r.st).either()
	return nil
}

// assign reads NAME=value in front of a command.
func (r *fishReader) assign(source string, word Word) (Assign, bool) {
	name, value, ok := strings.Cut(source, "=")
	if !ok || !syntax.ValidName(name) {
		return Assign{}, false
	}
	if word.mayVanish() {
		return Assign{Name: name, Value: Word{{value, Value}}, Moves: assignKindOf(name) == moves}, true
	}
	return operandAssign(word)
}

// redirect reads a redirection, if one stands here.
func (r *fishReader) redirect() (found bool, err error) {
	rest := r.text[r.i:]
	op := strings.TrimLeft(rest, "0123456789")
	digits := len(rest) - len(op)
	write := true
	var n int
	switch {
	case strings.HasPrefix(op, ">>"), strings.HasPrefix(op, ">?"):
		n = 2
	case strings.HasPrefix(op, "&>>"), strings.HasPrefix(op, "&>?"):
		n = 3
	case strings.HasPrefix(op, "&>"):
		n = 2
	case strings.HasPrefix(op, ">|"): // a pipe for another descriptor
		r.i += digits + 1
		return true, nil
	case strings.HasPrefix(op, ">"):
		n = 1
	case strings.HasPrefix(op, "<?"):
		n, write = 2, false
	case strings.HasPrefix(op, "<"):
		n, write = 1, false
	default:
		return false, nil
	}
	r.i += digits + n
	if r.i < len(r.text) && r.text[r.i] == '&' { // a descriptor, or - to close it
		r.i++
		_, err := r.word()
		return true, err
	}
	r.blanks()
	start := r.i
	file, err := r.word()
	switch {
	case err != nil:
		return true, err
	case r.i == start:
		return true, errFishFile
	}
	if text, ok := file.Literal(); ok && harmless(text) {
		return true, nil
	}
	r.w.opens(file, write, syntax.Pos{}, r.st)
	return true, nil
}

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
			if home, ok := r.st.vars["HOME"]; ok && name == "$HOME" {
				b.literal(home)
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

// tilde resolves ~ at the front of a word. Of another user it is not known.
func (r *fishReader) tilde(b *wordBuilder) {
	rest := r.text[r.i+1:]
	end := strings.IndexAny(rest, "/ \t\r\n;|&()<>$'\"\\{*?")
	if end < 0 {
		end = len(rest)
	}
	home, known := r.st.vars["HOME"]
	if end == 0 && known {
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
			if home, ok := r.st.vars["HOME"]; ok && name == "$HOME" {
				b.literal(home)
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
