package shellparse

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// MaxSource is the longest source that Parse reads, in bytes. The parser
// recurses once per open bracket, and a goroutine that overflows its stack
// cannot be recovered: the limit keeps a hostile line from killing the process.
const MaxSource = 64 << 10

// MaxDepth is how deeply commands, substitutions and expressions may nest, in
// the source and through the carriers that hold source of their own.
const MaxDepth = 100

// MaxCommands is how many commands a source may list.
const MaxCommands = 10_000

// maxOpeners is how many opening brackets a source may hold, whether they nest
// or not. Each costs the parser up to 9 KiB of stack, and time that grows with
// the square of their depth; other constructs cost less than 2 KiB. Counting
// them all needs no guess at what is quoted.
const maxOpeners = 2000

// maxDistinct and maxPartly are how many different commands a source may list, and
// how many of them may hold holes. To hold one against the rules for git takes
// some 0.2 ms, and 0.7 ms where it is not wholly known.
const (
	maxDistinct = 2000
	maxPartly   = 700
)

// maxRead is how much text is read in all, in bytes: the source, what its
// arguments hold, and constants where they are used.
const maxRead = 12 * MaxSource

// maxListed bounds the size of all words that are listed, in bytes with some more
// for each word. A carrier repeats the words of the commands in it, so that a
// chain of them stands for much more than its own length.
const maxListed = 16 * MaxSource

var tooLong = fmt.Sprintf("it is longer than %d KiB", MaxSource>>10)

// readable reports whether a text may be given to the parser, and says why not.
func (w *walker) readable(text string) bool {
	w.read += len(text)
	openers := strings.Count(text, "**")
	for _, c := range []string{"(", "[", "{", "!", "~"} {
		openers += strings.Count(text, c)
	}
	switch {
	case len(text) > MaxSource:
		w.unread(syntax.Pos{}, tooLong)
	case w.read > maxRead:
		w.unread(syntax.Pos{}, "its arguments hold too much source")
	case strings.Count(text, "|")+strings.Count(text, "&&") > MaxCommands:
		// The parser makes one command of a list, nested as deeply as it is long.
		w.unread(syntax.Pos{}, fmt.Sprintf("it joins more than %d commands", MaxCommands))
	case openers > maxOpeners:
		w.unread(syntax.Pos{}, fmt.Sprintf("it holds more than %d brackets", maxOpeners))
	default:
		return true
	}
	return false
}

// source parses a text and walks what it holds, beginning in state st. It
// returns the states in which the text ends.
func (w *walker) source(text string, st state) outcome {
	if !w.readable(text) || !w.enter(syntax.Pos{}) {
		return same(st.forget())
	}
	defer w.leave()
	text = w.characters(text)
	if w.lang == langFish {
		defer w.within(text, nil)()
		return w.fish(text, st)
	}
	j := join(text, w.lang)
	start := w.script.mark()
	out := w.parsed(w.parse(string(j.out), j.joins), st)
	if !j.unsure || string(j.out) == text {
		return out
	}
	middle := w.script.mark()
	out = same(out.either().join(w.parsed(w.parse(text, nil), st).either()))
	if !w.script.fold(start, middle) {
		w.unread(syntax.Pos{}, "it can be read in more than one way where a line is continued")
	}
	return out
}

// carriage stands for a carriage return while a text is read: the parser drops
// those, and to every shell they are part of a word. The parser takes it for an
// ordinary character.
const carriage = "\x0e"

// A byte that is no UTF-8, which the parser refuses, is read as this rune with
// its value added.
const strayByte = '\uf700'

// characters replaces what the parser cannot read as the shell does. Script.restore
// puts it back.
func (w *walker) characters(text string) string {
	if strings.IndexByte(text, 0) >= 0 {
		w.unread(syntax.Pos{}, "it holds a NUL byte, which shells read differently")
		text = strings.ReplaceAll(text, "\x00", "")
	}
	if strings.IndexByte(text, '\r') >= 0 {
		if strings.Contains(text, carriage) {
			w.unread(syntax.Pos{}, "it holds a carriage return and a shift")
		}
		w.replaced = true
		text = strings.ReplaceAll(text, "\r", carriage)
	}
	if !utf8.ValidString(text) {
		var b strings.Builder
		for len(text) > 0 {
			r, size := utf8.DecodeRuneInString(text)
			switch {
			case r == utf8.RuneError && size == 1:
				b.WriteRune(strayByte + rune(text[0]))
			default:
				if r >= strayByte && r <= strayByte+0xff {
					w.unread(syntax.Pos{}, "it holds bytes that are no characters")
				}
				b.WriteString(text[:size])
			}
			text = text[size:]
		}
		w.replaced = true
		text = b.String()
	}
	return text
}

// A reading is what the parser makes of a text.
type reading struct {
	text  string
	joins []int // where lines of it were joined
	file  *syntax.File
	err   error
}

// parse reads a text.
func (w *walker) parse(text string, joins []int) reading {
	r := reading{text: text, joins: joins}
	for range 2 {
		r.err = w.unfailing(func() (err error) {
			r.file, err = w.parser().Parse(strings.NewReader(r.text), "")
			return err
		})
		if r.file == nil {
			break
		}
		blank := mend(r.file, w.lang)
		if len(blank) == 0 || w.lang == syntax.LangZsh {
			break
		}
		plain := []byte(r.text)
		for _, at := range blank {
			copy(plain[at:], "  ")
		}
		r.text = string(plain)
	}
	return r
}

// parser is the one for the language at hand. It is large, and made once a walk.
func (w *walker) parser() *syntax.Parser {
	if w.parsers[w.lang] == nil {
		w.parsers[w.lang] = syntax.NewParser(syntax.Variant(w.lang))
	}
	return w.parsers[w.lang]
}

// unfailing makes an error of a panic of the parser, which has some for sources
// that no shell would take: <<$a[0 is one.
func (w *walker) unfailing(parse func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the parser failed")
			delete(w.parsers, w.lang) // it may not be what it was
		}
	}()
	return parse()
}

// parsed walks a text that the parser has read.
func (w *walker) parsed(r reading, st state) outcome {
	defer w.within(r.text, r.joins)()
	out := same(st)
	if r.file != nil {
		// Without an error this is all of it. With one, a shell that reads line
		// by line has run these statements before it sees the fault.
		w.survey(r.file)
		typed := w.sources == 1 && r.err == nil && keepsTyped(r.file.Stmts)
		if typed {
			w.in = stream{typed: true}
		}
		out = w.stmts(r.file.Stmts, st)
		if typed {
			w.in = stream{}
		}
	}
	switch {
	case r.err != nil:
		w.syntaxError(r.err)
		w.fragments(r)
	case displaced(r.file, r.text):
		w.unread(syntax.Pos{}, "shells do not agree on the here-documents in its substitutions")
		r.file = nil
		w.fragments(r)
	default:
		return out
	}
	return same(st.forget())
}

// keepsTyped reports whether what the last of some statements reads is what is
// typed: an earlier one has redirected nothing. That is sure of plain commands that
// are neither exec nor run code in this shell.
func keepsTyped(list []*syntax.Stmt) bool {
	for i, s := range list {
		call, ok := s.Cmd.(*syntax.CallExpr)
		if i == len(list)-1 {
			return true
		}
		if !ok || len(s.Redirs) > 0 || s.Coprocess || len(call.Args) == 0 {
			return false
		}
		if name := call.Args[0].Lit(); name == "" || slices.Contains([]string{".", "builtin", "command", "eval", "exec", "source"}, name) || strings.Contains(name, `\`) {
			return false
		}
	}
	return false
}

// within makes text the one that positions are in, until the function that it
// returns is called.
func (w *walker) within(text string, joins []int) (leave func()) {
	outer, outerJoins := w.text, w.joins
	w.text, w.joins = text, joins
	if w.sources++; w.sources == 2 {
		w.anchor, w.anchorJoins = w.pos, outerJoins
	}
	return func() { w.text, w.joins, w.sources = outer, outerJoins, w.sources-1 }
}

// both walks a text that a shell called sh runs. That may be bash or one that
// knows POSIX alone; what either would run is listed, and once if they agree.
func (w *walker) both(text string, st state) outcome {
	outer := w.lang
	defer func() { w.lang = outer }()
	start := w.script.mark()
	w.lang = syntax.LangBash
	out := w.source(text, st)
	middle := w.script.mark()
	w.lang = syntax.LangPOSIX
	// What is no POSIX at all may still be something to such a shell: ((a)) runs a
	// there.
	posix := w.source(text, st)
	prints := out.prints
	if prints != posix.prints {
		prints = stream{}
	}
	after := out.either().join(posix.either())
	w.script.fold(start, middle)
	return outcome{after, after, prints}
}

// document lists what a text would run if it were expanded like the inside of
// double quotes.
func (w *walker) document(text string, st *state) {
	if w.lang == langFish || !strings.ContainsAny(text, "$`") || !w.readable(text) || !w.enter(syntax.Pos{}) {
		return
	}
	defer w.leave()
	text = w.characters(text)
	if strings.Contains(text, "\\\n") {
		if strings.Contains(text, `\\`) {
			w.unread(w.pos, "an argument that the shell expands continues a line")
		}
		text = strings.ReplaceAll(text, "\\\n", "")
	}
	var word *syntax.Word
	err := w.unfailing(func() (err error) {
		word, err = w.parser().Document(strings.NewReader(text))
		return err
	})
	if err != nil || word == nil {
		w.unread(w.pos, "an argument that the shell expands cannot be read")
		return
	}
	defer w.within(text, nil)()
	w.doubleQuoted(word.Parts, heredocEscapes, &fielder{}, st)
}

func (w *walker) syntaxError(err error) {
	var parse syntax.ParseError
	var lang syntax.LangError
	switch {
	case errors.As(err, &parse):
		w.unread(parse.Pos, parse.Text)
	case errors.As(err, &lang):
		w.unread(lang.Pos, lang.Feature+" is not a feature of this shell")
	default:
		w.unread(syntax.Pos{}, err.Error())
	}
}

// survey notes what holds for a text wherever in it the walk is: a loop or a
// function may run what stands further down before what stands further up.
func (w *walker) survey(file *syntax.File) {
	var functions []*syntax.FuncDecl
	for node := range syntax.Preorder(file) {
		switch n := node.(type) {
		case *syntax.FuncDecl:
			functions = append(functions, n)
		case *syntax.DeclClause:
			attributes := n.Variant.Value == "readonly"
			for _, a := range n.Args {
				switch {
				case a.Naked && a.Name == nil && a.Value != nil:
					text := a.Value.Lit()
					attributes = attributes || isAttribute(n.Variant.Value, text)
					w.untracked = w.untracked || isAttribute(n.Variant.Value, text) && strings.Contains(text, "n")
				case attributes && a.Name != nil:
					w.tainted[a.Name.Value] = true
				}
			}
			w.untracked = w.untracked || n.Variant.Value == "nameref"
		}
	}
	w.effects(functions)
}

func funcNames(c *syntax.FuncDecl) (names []string) {
	if c.Name != nil {
		names = append(names, c.Name.Value)
	}
	for _, n := range c.Names {
		names = append(names, n.Value)
	}
	return names
}

// isAttribute reports whether an option of declare or one of its kin makes a
// variable something else than a string.
func isAttribute(variant, option string) bool {
	if option == "" || option[0] != '-' && option[0] != '+' {
		return false
	}
	harmless := "xgpfFI"
	if variant == "export" {
		harmless = "xgpfFIn"
	}
	return strings.Trim(option[1:], harmless) != ""
}
