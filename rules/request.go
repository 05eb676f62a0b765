package rules

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"mayi/shellparse"
)

// A Request is one question that a line or a tool call raises: may this happen?
type Request struct {
	Permission string            `json:"permission"`
	Text       shellparse.Word   `json:"text"`           // what every rule sees
	Same       []shellparse.Word `json:"same,omitempty"` // other spellings that every rule sees
	Also       []shellparse.Word `json:"also,omitempty"` // spellings that only rules that restrict see

	// Words are a command's words, for rules that restrict to see its options
	// however they are spelled.
	Words []shellparse.Word `json:"words,omitempty"`

	// Via is the chain of carriers it was found through, the outermost first.
	Via []string `json:"via,omitempty"`

	// Exempt says why the request needs no allow of its own: it is a
	// transparent carrier, and what it runs is judged. Rules that ask or deny
	// by name still hold for it.
	Exempt string `json:"exempt,omitempty"`

	// Unnamed is set for a command whose name is empty, holds white space or
	// looks like an assignment: no rule allows it, for its text can be read in
	// more than one way.
	Unnamed bool `json:"unnamed,omitempty"`

	// Guess is set for a command that is only a text in code of another language,
	// which may or may not run it. Only a rule about it in particular that asks or
	// denies counts, and then it is an ask.
	Guess bool `json:"guess,omitempty"`

	// Typed is set for what a shell that is started reads from where the line itself
	// came from. Of a person's own line that is what the person types next.
	Typed bool `json:"typed,omitempty"`

	// Operand is set for a file that a command is given as an argument. Only rules
	// that ask or deny count for it, and none for every permission.
	Operand bool `json:"operand,omitempty"`

	// Spared says of which rules of the presets and the defaults only those count
	// that match whatever the holes are.
	Spared Spared `json:"spared,omitempty"`

	// Perhaps is set where it is not known whether there is anything to ask: what
	// cannot be told from the line may be a directory outside the project, or a
	// connection. Only the user's own rules count for it, but for one that asks
	// about everything; one that denies asks.
	Perhaps bool `json:"perhaps,omitempty"`

	// Unread says why the line could not be read whole. Such a request is at
	// best an ask, which only a person answers, and only for this once.
	Unread string `json:"unread,omitempty"`

	// Line and Col say where in the source it stands, from 1; 0 where there is no
	// place to name.
	Line int `json:"line,omitempty"`
	Col  int `json:"col,omitempty"`

	// Store is the pattern that an always would store by default, "" when the
	// request can only be answered for this once.
	Store string `json:"store,omitempty"`

	self *protection // what protects mayi itself from it
}

// Spared says how little the unknown parts of a file's name look like what built-in
// rules guard. The zero value is not at all.
type Spared uint8

const (
	sparedNothing Spared = iota
	sparedNames          // by the rules about the end of a name
	sparedAll
)

// String is the text of the request, holes spelled as in the source.
func (q Request) String() string { return q.Text.String() }

// absolute is the spelling of a path that does not depend on the project.
func (q Request) absolute() shellparse.Word {
	for _, same := range q.Same {
		if strings.HasPrefix(same.String(), "/") {
			return same
		}
	}
	return q.Text
}

// A Place is where a line would run. The functions look at the world, so that
// this package need not.
type Place struct {
	Project string // the root of the project, absolute
	Tree    string // that of another tree which is part of it, a linked worktree; "" if none
	Cwd     string // absolute
	Home    string // what ~ stands for, "" when unknown

	// Resolve returns where a path leads once symbolic links are followed; for
	// one that does not exist yet, where its nearest existing parent leads.
	Resolve func(path string) string

	// IsDir reports whether a path is a directory.
	IsDir func(path string) bool

	// Find returns the file that a bare program name runs, "" if none.
	Find func(name string) string

	// Own returns what belongs to mayi itself; nil for nothing that has a path.
	Own func() *Own

	// Typed says that a person typed the line at a terminal. Nothing protects mayi
	// from them: what changes an answer looks at the terminal by itself.
	Typed bool
}

// LineRequests turns what a line can run into the requests it raises.
func LineRequests(line string, s *shellparse.Script, at Place) []Request {
	var out []Request
	for _, e := range s.Unread {
		out = append(out, Request{
			Permission: "bash", Text: shellparse.Lit(line), Unread: "the line cannot be read whole: " + e.Error(), Line: e.Line, Col: e.Col,
		})
	}
	p := at.protector(line, s)
	for _, c := range s.Commands {
		q := commandRequest(c, at)
		q.self = p.command(c)
		out = append(out, q)
	}
	for _, r := range s.Redirects {
		var files []Request
		switch {
		case isSocket(r.Path):
			files = []Request{{Permission: "webfetch", Text: r.Path, Via: r.Via, Store: exact(r.Path)}}
		case r.Write:
			files = fileRequests("edit", r.Path, r.Via, at)
		default:
			files = namedRequests("read", numbered(r.Path), r.Via, at)
		}
		if r.Write {
			files[0].self = p.file(r.Path, shellparse.Edits)
		}
		files = append(files, socketRequests(r)...)
		for _, f := range files {
			f.Line, f.Col = r.Line, r.Col
			out = append(out, f)
		}
	}
	makes := makesDirectories(s)
	for i, o := range s.Operands {
		if o.Use != shellparse.Reads && !o.Write {
			continue
		}
		files := operandRequests(o, makes, at)
		if o.Write && len(files) > 0 {
			files[0].self = p.file(o.Path, o.Use).stricter(p.copied(i))
		}
		out = append(out, files...)
	}
	out = append(out, directoryRequests(s, at)...)
	return unique(out)
}

// ToolRequests turns an argument of a permission that is not a shell's into the
// requests it raises.
func ToolRequests(permission, arg string, at Place) []Request {
	permission = Canonical(permission)
	if isPath(permission) {
		out := fileRequests(permission, shellparse.Lit(arg), nil, at)
		// A tool may or may not expand it: both files are judged.
		if home, rest, err := (Env{Home: at.Home}).home(arg); err == nil && home != "" {
			out = append(out, fileRequests(permission, shellparse.Lit(at.Home+rest), nil, at)...)
		}
		if p := at.protector("", &shellparse.Script{}); permission == "edit" {
			for i := range out {
				out[i].self = p.file(out[i].absolute(), shellparse.Edits)
			}
		}
		return out
	}
	return []Request{{Permission: permission, Text: shellparse.Lit(arg), Store: Quote(arg)}}
}

func commandRequest(c shellparse.Command, at Place) Request {
	bare := shellparse.Join(c.Words)
	q := Request{Permission: "bash", Text: bare, Words: c.Words, Via: c.Via, Unnamed: unnamed(c), Guess: c.Guess, Typed: c.Typed, Line: c.Line, Col: c.Col}
	if c.Transparent {
		q.Exempt = "what it runs is judged"
	}
	assigns := make([]shellparse.Word, 0, len(c.Assigns))
	moves := false
	for _, a := range c.Assigns {
		assigns = append(assigns, a.Word())
		moves = moves || a.Moves
	}
	switch {
	case len(c.Words) == 0 && moves:
		q.Text = shellparse.Join(assigns)
	case len(c.Words) == 0:
		// x=1 changes nothing outside the shell: it is `:` with an argument.
		q.Text = shellparse.Join(assigns)
		q.Same = append(q.Same, shellparse.Join(append([]shellparse.Word{shellparse.Lit(":")}, assigns...)))
	case moves:
		q.Text = shellparse.Join(append(assigns, c.Words...))
		q.Also = append(q.Also, bare)
	}
	if len(c.Words) > 0 {
		base := baseName(c.Words[0])
		plain := shellparse.Join(append([]shellparse.Word{base}, c.Words[1:]...))
		switch name, known := c.Words[0].Literal(); {
		case base.String() == c.Words[0].String():
		case known && !moves && path.IsAbs(name) && at.Find != nil && at.Find(base.String()) == name:
			// As it is written: the `..` behind a link could lead elsewhere.
			q.Same = append(q.Same, plain)
		default:
			q.Also = append(q.Also, plain)
		}
	}
	if c.Guess {
		return q // nothing says what the code does the next time
	}
	if q.Store = store(c, q.Text); len(c.Words) == 0 && !moves {
		q.Store = ": *"
	}
	return q
}

// unique drops requests that say the same as an earlier one.
func unique(all []Request) []Request {
	seen := map[string][]Request{} // by what is cheap to compare
	out := all[:0]
	for _, q := range all {
		nowhere := q
		nowhere.Line, nowhere.Col = 0, 0
		key := q.Permission + " " + q.Text.String()
		if slices.ContainsFunc(seen[key], func(p Request) bool { return reflect.DeepEqual(p, nowhere) }) {
			continue
		}
		seen[key] = append(seen[key], nowhere)
		out = append(out, q)
	}
	return out
}
