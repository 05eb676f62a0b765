package shellparse

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// A Script is what a source can run.
type Script struct {
	Commands  []Command
	Redirects []Redirect
	Operands  []Operand

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

	// Guess is set when it is only a text in code of another language, which may
	// or may not run it: listed with its words for rules that restrict.
	Guess bool

	// Typed is set for what a shell that is started reads from the standard input
	// of the line itself: where the line was typed at a terminal, so is that. It is
	// also set for the code that a well-known program prints for the shell.
	Typed bool

	Line, Col int // where it stands in the source, from 1; bytes within the line
}

// An Assign sets a variable in front of a command or by itself.
type Assign struct {
	Name   string
	Value  Word
	Moves  bool // can run code or change which program a name finds
	Append bool

	elements []string // of an array, if each is known
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
	Away  bool // opened on another machine, in a container or by another user
	Via   []string
	Line  int
	Col   int
}

// An Operand is a file that a well-known program is given as an argument, or a
// directory that the source changes to.
type Operand struct {
	Redirect
	Use FileUse

	// Into is set where the file is the one only if what holds it is a directory:
	// cp a b writes b/a then.
	Into bool
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
	Fish  Shell = "fish"
)

// variants are the shells that Parse reads.
var variants = map[Shell]syntax.LangVariant{
	Bash: syntax.LangBash, POSIX: syntax.LangPOSIX, Mksh: syntax.LangMirBSDKorn, Zsh: syntax.LangZsh, Bats: syntax.LangBats,
	Fish: langFish,
}

// langFish is none that the parser knows: fish has a reader of its own.
const langFish syntax.LangVariant = 1 << 30

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
	return "", fmt.Errorf("unknown shell %q: it is one of bash, posix, mksh, zsh, bats, fish", name)
}

// Options say for whom a source is read.
type Options struct {
	Shell Shell  // the zero value is bash
	Home  string // what ~ and $HOME stand for; "" when unknown

	// HomeOf returns what ~name stands for, "" when unknown; it may be nil.
	HomeOf func(name string) string
	// Aliases are those of the shell that reads the source, by name. They can
	// only add to what is listed.
	Aliases map[string]string
	// Values are what its variables hold before the source runs: plain ones, of
	// one string and without an attribute that changes what is assigned to them.
	// Functions are those of its functions that the source may call: one may have
	// set any variable when it is done.
	Values    map[string]string
	Functions []string
}

// Parse lists what a source can run. It always returns a script: what it cannot
// read it says in Unread.
func Parse(source string, o Options) *Script {
	w := newWalker(o)
	w.readings(source, o, func(text string) {
		if o.Shell == POSIX {
			w.both(text, newState(o)) // sh is bash on many machines
		} else {
			w.source(text, newState(o))
		}
	})
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
		defer w.within("", nil)()
		w.command(words, nil, stream{}, &st)
	}
	return w.finish(false)
}

// finish makes sure that nothing is lost: what is not blank asks for something.
func (w *walker) finish(blank bool) *Script {
	w.listSuspects()
	s := w.script
	if w.replaced {
		s.restore()
	}
	if len(s.Commands)+len(s.Redirects)+len(s.Unread) == 0 {
		s.Blank = blank || !w.ran
		if !s.Blank {
			s.Commands = append(s.Commands, Command{Words: []Word{Lit(":")}, Line: 1, Col: 1})
		}
	}
	return s
}

// restorer makes the characters that the parser could not read of what stood for
// them.
var restorer = sync.OnceValue(func() *strings.Replacer {
	pairs := []string{carriage, "\r"}
	for c := 0x80; c <= 0xff; c++ {
		pairs = append(pairs, string(strayByte+rune(c)), string([]byte{byte(c)}))
	}
	return strings.NewReplacer(pairs...)
})

// restore puts back the characters that were replaced for the parser.
func (s *Script) restore() {
	replacer := restorer()
	back := func(words ...Word) {
		for _, w := range words {
			for i := range w {
				w[i].Text = replacer.Replace(w[i].Text)
			}
		}
	}
	for i := range s.Commands {
		back(s.Commands[i].Words...)
		for k := range s.Commands[i].Assigns {
			a := &s.Commands[i].Assigns[k]
			a.Name = replacer.Replace(a.Name)
			back(a.Value)
		}
	}
	for _, r := range s.Redirects {
		back(r.Path)
	}
	for _, o := range s.Operands {
		back(o.Path)
	}
}

// A mark is a place in the lists of a script.
type mark struct{ commands, redirects int }

func (s *Script) mark() mark { return mark{len(s.Commands), len(s.Redirects)} }

// fold drops what was listed from middle on if it repeats what was listed from
// start on.
func (s *Script) fold(start, middle mark) (folded bool) {
	folded = slices.EqualFunc(s.Commands[start.commands:middle.commands], s.Commands[middle.commands:], Command.equal) &&
		slices.EqualFunc(s.Redirects[start.redirects:middle.redirects], s.Redirects[middle.redirects:], Redirect.equal)
	if folded {
		s.Commands, s.Redirects = s.Commands[:middle.commands], s.Redirects[:middle.redirects]
	}
	return folded
}

func (c Command) equal(d Command) bool {
	return slices.EqualFunc(c.Words, d.Words, slices.Equal[Word]) &&
		slices.EqualFunc(c.Assigns, d.Assigns, func(a, b Assign) bool { return slices.Equal(a.Word(), b.Word()) }) &&
		slices.Equal(c.Via, d.Via) && c.Carrier == d.Carrier && c.Transparent == d.Transparent && c.Guess == d.Guess
}

func (r Redirect) equal(q Redirect) bool {
	return slices.Equal(r.Path, q.Path) && r.Write == q.Write && slices.Equal(r.Via, q.Via)
}
