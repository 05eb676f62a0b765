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

	names [][2]int // where the names of the commands stand
}

// fish lists what a source for fish runs. It follows no assignments: a constant is
// HOME, and what the shell itself has told, until something may have set it.
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
			r.names = append(r.names, [2]int{start, r.i})
		}
		words = append(words, word)
	}
	r.w.runValues(assigns, r.st)
	if len(words) == 0 {
		return nil
	}
	// Whether it succeeds decides what runs next; both ways are kept.
	*r.st = r.w.command(words, assigns, stream{}, r.st).either()
	if name, known := words[0].Literal(); !known || fishSetters[name] {
		*r.st = r.st.fork()
		r.st.clear()
	}
	return nil
}

// fishSetters are the commands that may set variables of the shell, or run code
// that does.
var fishSetters = map[string]bool{
	".": true, "argparse": true, "emit": true, "eval": true, "export": true, "fish_add_path": true, "read": true, "set": true, "setenv": true,
	"source": true, "vared": true,
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
