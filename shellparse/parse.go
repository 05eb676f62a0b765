package shellparse

import (
	"errors"
	"fmt"
	"strings"

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

// A Script is what a source can run.
type Script struct {
	Commands  []Command
	Redirects []Redirect

	// Unread says, for each part of the source that could not be read, why.
	// Whatever stands there may run as well.
	Unread []*SyntaxError

	// Blank is set when the source is blank or a comment, and runs nothing.
	Blank bool
}

// A Command is a simple command: a program or a builtin with its arguments.
type Command struct {
	Words []Word

	// Assigns are the assignments in front of the command that can run code or
	// change which program runs; others are left out. For a bare assignment,
	// which has no Words, it holds all of them.
	Assigns []Assign

	// Via is the chain of carriers the command was found through, the
	// outermost first.
	Via []string

	// Carrier is set when the command runs another one given in its arguments,
	// Transparent when besides it matters only through that other one, which is
	// known and listed.
	Carrier, Transparent bool

	Line, Col int // where it stands in the source, from 1; bytes within the line
}

// An Assign sets a variable in front of a command or by itself.
type Assign struct {
	Name   string
	Value  Word
	Moves  bool // can run code or change which program a name finds
	Append bool
}

// Word spells the assignment as the source does.
func (a Assign) Word() Word {
	op := "="
	if a.Append {
		op = "+="
	}
	return append(Word{{Text: a.Name + op}}, a.Value...)
}

// A Redirect opens a file.
type Redirect struct {
	// Path is absolute or relative to where the source starts, a cd before it
	// taken into account. It is not cleaned.
	Path  Word
	Write bool
	Via   []string
	Line  int
	Col   int
}

// A SyntaxError says why and where a source could not be read.
type SyntaxError struct {
	Line, Col int // from 1; 0 where there is no place to name
	Msg       string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg)
}

// Shell is the shell for which a source is read.
type Shell string

const (
	Bash  Shell = "bash"
	POSIX Shell = "posix"
	Mksh  Shell = "mksh"
	Zsh   Shell = "zsh"
	Bats  Shell = "bats"
)

// Shells are the shells that Parse reads.
var variants = map[Shell]syntax.LangVariant{
	Bash: syntax.LangBash, POSIX: syntax.LangPOSIX, Mksh: syntax.LangMirBSDKorn, Zsh: syntax.LangZsh, Bats: syntax.LangBats,
}

// ParseShell reads the name of a shell; sh and dash are POSIX.
func ParseShell(name string) (Shell, error) {
	switch name {
	case "", "bash":
		return Bash, nil
	case "sh", "dash":
		return POSIX, nil
	}
	if _, ok := variants[Shell(name)]; ok {
		return Shell(name), nil
	}
	return "", fmt.Errorf("unknown shell %q: it is one of bash, posix, mksh, zsh, bats", name)
}

// Options say for whom a source is read.
type Options struct {
	Shell Shell  // the zero value is bash
	Home  string // what ~ and $HOME stand for; "" when unknown
}

// Parse lists what a source can run. It always returns a script: what it cannot
// read it says in Unread.
func Parse(source string, o Options) *Script {
	w := newWalker(o)
	w.source(source, newState(o))
	return w.finish(strings.TrimSpace(source) == "")
}

// Argv lists what an argument vector runs, every word taken literally.
func Argv(argv []string, o Options) *Script {
	w := newWalker(o)
	words := make([]Word, len(argv))
	size := 0
	for i, a := range argv {
		words[i] = Lit(a)
		size += len(a) + 1
	}
	if size > MaxSource {
		w.unread(syntax.Pos{}, tooLong)
	} else {
		st := newState(o)
		w.sources = 1
		w.command(words, nil, stdin{}, &st)
	}
	return w.finish(false)
}

var tooLong = fmt.Sprintf("it is longer than %d KiB", MaxSource>>10)

// finish makes sure that nothing is lost: what is not blank asks for something.
func (w *walker) finish(blank bool) *Script {
	s := w.script
	if len(s.Commands)+len(s.Redirects)+len(s.Unread) == 0 {
		s.Blank = blank || !w.ran
		if !s.Blank {
			s.Commands = append(s.Commands, Command{Words: []Word{Lit(":")}, Line: 1, Col: 1})
		}
	}
	return s
}

// source parses a text and walks what it holds, beginning in state st. It
// returns the states in which the text ends.
func (w *walker) source(text string, st state) outcome {
	switch {
	case len(text) > MaxSource:
		w.unread(syntax.Pos{}, tooLong)
		return same(st.forget())
	case strings.IndexByte(text, 0) >= 0:
		// A shell drops the byte, or ends the text there.
		w.unread(syntax.Pos{}, "it holds a NUL byte, which shells read differently")
		return same(st.forget())
	case nesting(text) > MaxDepth:
		w.unread(syntax.Pos{}, "it nests too deeply")
		return same(st.forget())
	}
	if !w.enter(syntax.Pos{}) {
		return same(st.forget())
	}
	defer w.leave()
	if w.sources++; w.sources > 1 {
		if w.inner++; w.inner == 1 {
			w.anchor = w.pos
		}
		defer func() { w.inner-- }()
	}
	outer := w.text
	w.text = text
	defer func() { w.text, w.sources = outer, w.sources-1 }()

	p := syntax.NewParser(syntax.Variant(w.lang))
	file, err := p.Parse(strings.NewReader(text), "")
	out := same(st)
	if file != nil {
		// Without an error this is all of it. With one, a shell that reads line
		// by line has run these statements before it sees the fault.
		out = w.stmts(file.Stmts, st)
	}
	if err != nil {
		w.syntaxError(err)
		return same(st.forget())
	}
	return out
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

// nesting bounds from above how deeply the parser would recurse, by counting
// what opens a construct and has not been closed. Quoting is ignored: it hides
// as many brackets as it makes up.
func nesting(text string) int {
	depth, deepest := 0, 0
	word := 0 // where the current word starts
	for i := 0; i <= len(text); i++ {
		var c byte = '\n'
		if i < len(text) {
			c = text[i]
		}
		switch c {
		case '(', '{', '[':
			depth++
		case ')', '}', ']':
			depth = max(0, depth-1)
		case '\\', '`', '!':
			// `\`…\`` nests by backslashes, `! ! !` by repetition.
			if i > 0 && text[i-1] == c {
				depth++
			}
		}
		if c == ' ' || c == '\n' || c == '\t' || c == ';' {
			switch text[word:min(i, len(text))] {
			case "if", "while", "until", "for", "case", "select", "time", "coproc", "function", "!":
				depth++
			case "fi", "done", "esac":
				depth = max(0, depth-1)
			case "":
			default:
				if c != ' ' && c != '\t' {
					break
				}
			}
			word = i + 1
		}
		deepest = max(deepest, depth)
	}
	return deepest
}
