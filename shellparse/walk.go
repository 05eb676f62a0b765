package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A walker goes through a syntax tree in the order in which the shell would run
// it, lists what it meets, and carries along what is known on the way.
type walker struct {
	lang   syntax.LangVariant
	text   string // the source that positions are in
	joins  []int  // where in it lines were joined
	script *Script

	parsers map[syntax.LangVariant]*syntax.Parser // those made so far

	via         []string
	in          stream     // what a command reads that nothing redirects
	pos         syntax.Pos // where the simple command being walked stands
	anchor      syntax.Pos // the same in the source handed in
	anchorJoins []int
	sources     int // how many texts deep the walk is
	depth       int
	listed      int  // how much is listed so far, in bytes
	partly      int  // different commands listed that hold a hole
	read        int  // bytes given to the parser so far
	runs        int  // texts that arguments hold, of those that run counts
	ran         bool // met anything the shell would do
	replaced    bool // met what is read as something else
	guessing    bool // what a program that no table knows may run is being read
	computes    bool // met an arithmetic expression, or what may be one

	homeOf func(name string) string
	shells []string // functions of the shell itself that may be called
	links  []link   // made so far

	seen      map[string]bool // the texts of the commands listed
	suspects  []suspicion
	untracked bool            // no variable is a constant: a name reference may set it
	tainted   map[string]bool // variables that are never constants

	functions map[string][]*function         // those that may stand behind a name
	decls     map[*syntax.FuncDecl]*function // the same by where they are defined
	calling   []call                         // the functions being walked
	leaves    int                            // how many commands may leave a loop or a function early
	walks     int                            // how often something was walked again
	handed    handed                         // what is known of the files handed to the command at hand
	written   map[string]stream              // what the source writes to files, by path
}

func newWalker(o Options) *walker {
	if o.Shell == "" {
		o.Shell = Bash
	}
	if o.HomeOf == nil {
		o.HomeOf = func(string) string { return "" }
	}
	return &walker{
		lang: variants[o.Shell], homeOf: o.HomeOf, shells: o.Functions, script: &Script{}, tainted: map[string]bool{}, seen: map[string]bool{},
		functions: map[string][]*function{}, decls: map[*syntax.FuncDecl]*function{}, written: map[string]stream{}, parsers: map[syntax.LangVariant]*syntax.Parser{},
	}
}

// enter notes one more level of nesting. When there are too many it says so and
// returns false; otherwise leave must follow.
func (w *walker) enter(pos syntax.Pos) bool {
	if w.listed > maxListed && w.full(pos) {
		return false
	}
	if w.depth >= MaxDepth {
		w.unread(pos, "it nests too deeply")
		return false
	}
	w.depth++
	return true
}

func (w *walker) leave() { w.depth-- }

func (w *walker) unread(pos syntax.Pos, msg string) {
	line, col := w.place(pos)
	e := &SyntaxError{line, col, msg}
	if len(w.script.Unread) < maxUnread && !slices.ContainsFunc(w.script.Unread, func(f *SyntaxError) bool { return *f == *e }) {
		w.script.Unread = append(w.script.Unread, e)
	}
}

// maxUnread is how many reasons are worth telling.
const maxUnread = 20

// place returns where a node stands in the source that was handed in. What
// stands inside an argument is where the command with that argument is.
func (w *walker) place(pos syntax.Pos) (line, col int) {
	joins := w.joins
	if w.sources > 1 {
		pos, joins = w.anchor, w.anchorJoins
	}
	if !pos.IsValid() {
		return 0, 0
	}
	return original(joins, int(pos.Offset()), int(pos.Line()), int(pos.Col()))
}

func (w *walker) full(pos syntax.Pos) bool {
	full := len(w.script.Commands)+len(w.script.Redirects)+len(w.script.Operands) >= MaxCommands || w.listed > maxListed
	if full {
		w.unread(pos, "it lists too many commands")
	}
	return full
}

// spelling is a node as the source has it.
func (w *walker) spelling(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(w.text) || from >= to {
		return "?"
	}
	return w.text[from:to]
}

// list adds a command and returns its place in the list, -1 where there are too
// many.
func (w *walker) list(c Command, pos syntax.Pos) (at int) {
	if w.full(pos) {
		return -1
	}
	if text := Join(c.Words); !w.seen[text.String()] {
		_, known := text.Literal()
		if !known {
			w.partly++
		}
		if len(w.seen) >= maxDistinct || w.partly > maxPartly {
			w.unread(pos, "it runs too many different commands")
			return -1
		}
		w.seen[text.String()] = true
	}
	for _, word := range c.Words {
		w.listed += 16
		for _, p := range word {
			w.listed += len(p.Text) + 16
		}
	}
	c.Via = slices.Clone(w.via)
	c.Line, c.Col = w.place(pos)
	w.script.Commands = append(w.script.Commands, c)
	return len(w.script.Commands) - 1
}

// through lists what walk lists as found through a carrier.
func (w *walker) through(carrier string, walk func()) {
	outer := w.via
	w.via = append(w.via, carrier)
	walk()
	w.via = outer
}

// stmts walks statements that run one after the other, whatever their status.
func (w *walker) stmts(list []*syntax.Stmt, st state) outcome {
	out := outcome{st, st, silent}
	prints := silent
	for i, s := range list {
		if i > 0 {
			st = out.either()
		}
		out = w.stmt(s, st)
		prints = prints.then(out.prints)
	}
	out.prints = prints
	return out
}

// apart walks statements that run in a shell of their own: of what they change
// nothing comes back, only what they print.
func (w *walker) apart(list []*syntax.Stmt, st state) stream {
	return w.stmts(list, st.fork()).prints
}

// reading makes in what the statements of the command being walked read. Of
// several, an earlier one may have read a part of it.
func (w *walker) reading(in stream, list []*syntax.Stmt) {
	if len(list) == 1 {
		w.in = in
	}
}

func (w *walker) stmt(s *syntax.Stmt, st state) outcome {
	if s == nil || !w.enter(s.Pos()) {
		return same(st.forget())
	}
	defer w.leave()
	w.ran = true
	if s.Background || s.Coprocess || s.Disown {
		return outcome{st, st, w.redirected(s, st).prints}
	}
	out := w.redirected(s, st)
	if s.Negated {
		out.ok, out.fail, out.prints = out.fail, out.ok, stream{}
	}
	return out
}

// redirected walks a statement together with its redirections.
func (w *walker) redirected(s *syntax.Stmt, st state) outcome {
	st = st.fork()
	w.pos = s.Pos()
	outer := w.in
	defer func() { w.in = outer }()
	w.in = stream{} // what is expanded on the way may read a part of it
	in, to := w.redirects(s.Redirs, outer, &st)
	if w.lang == syntax.LangZsh {
		w.zshStmt(s, &st)
	}
	out := w.cmd(s.Cmd, in, st)
	if to.moved {
		w.writes(to, out.prints, &st)
		out.prints = stream{} // the file may be /dev/stdout by another name
		if text, _ := to.file.Literal(); text == "/dev/null" {
			out.prints = silent
		}
	}
	if to.joined {
		out.prints = stream{}
	}
	for _, r := range s.Redirs {
		if name, ok := descriptor(r); ok {
			out.ok, out.fail = out.ok.fork(), out.fail.fork()
			out.ok.unset(name)
			out.fail.unset(name)
		}
	}
	return out
}

func (w *walker) cmd(cmd syntax.Command, in stream, st state) outcome {
	switch c := cmd.(type) {
	case nil:
		return same(st) // $(<file) is what the file holds
	case *syntax.CallExpr:
		return w.call(c, in, st)
	case *syntax.DeclClause:
		return w.declare(c, st)
	case *syntax.BinaryCmd:
		return w.binary(c, in, st)
	case *syntax.Block:
		w.reading(in, c.Stmts)
		return w.stmts(c.Stmts, st)
	case *syntax.Subshell:
		w.reading(in, c.Stmts)
		return outcome{st, st, w.apart(c.Stmts, st)}
	case *syntax.IfClause:
		return w.ifClause(c, st)
	case *syntax.WhileClause:
		return w.whileClause(c, st)
	case *syntax.ForClause:
		return w.forClause(c, st)
	case *syntax.CaseClause:
		return w.caseClause(c, st)
	case *syntax.FuncDecl:
		w.function(c, &st)
		return outcome{st, st, silent}
	case *syntax.TimeClause:
		w.in = in
		return w.time(c, st)
	case *syntax.CoprocClause:
		w.coproc(c, st)
		return same(st.forget()) // it sets variables that are named for it
	case *syntax.TestClause:
		w.test(c.X, &st)
		w.construct(c)
		return same(st)
	case *syntax.ArithmCmd:
		w.arithm(c.X, &st)
		w.construct(c)
		return same(st)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			w.arithm(x, &st)
		}
		w.construct(c)
		return same(st)
	case *syntax.TestDecl:
		w.one(c.Description, &st)
		w.apart([]*syntax.Stmt{c.Body}, st)
		return same(st)
	}
	w.unread(cmd.Pos(), "this construct is not known")
	return same(st.forget())
}

// construct lists a test or an expression of the shell's own, so that rules can
// name it by its first word. It runs no program.
func (w *walker) construct(n syntax.Node) {
	text := w.spelling(n)
	words := []Word{Lit(text)}
	for _, name := range []string{"[[", "((", "let"} {
		if rest, ok := strings.CutPrefix(text, name); ok {
			words = []Word{Lit(name), Lit(strings.TrimLeft(rest, " \t"))}
		}
	}
	w.list(Command{Words: words}, n.Pos())
}

// call walks a simple command: first its words are expanded, then its
// assignments, as the shell does.
func (w *walker) call(c *syntax.CallExpr, in stream, st state) outcome {
	w.pos = c.Pos()
	if w.lang == syntax.LangZsh {
		w.zshWords(c)
	}
	w.excluded(c.Args, st)
	words := w.words(c.Args, &st)
	assigns := make([]Assign, 0, len(c.Assigns))
	for _, a := range c.Assigns {
		assigns = append(assigns, w.assign(a, &st))
		// The next one sees what this one has set.
		if last := assigns[len(assigns)-1]; len(words) > 0 {
			st.unset(baseName(last.Name))
		} else {
			w.runValues([]Assign{last}, &st)
			w.apply(last, a, &st)
		}
	}
	w.pos = c.Pos()
	if len(words) == 0 {
		if len(assigns) > 0 {
			w.list(Command{Assigns: assigns}, c.Pos())
		}
		return outcome{st, st, silent}
	}
	w.runValues(assigns, &st)
	name, _ := words[0].Literal()
	if _, ok := w.functions[name]; ok {
		return w.called(words, assigns, in, st)
	}
	return w.command(words, assigns, in, &st)
}

// excluded lists what !(a) runs in front of a command. Where extglob is off,
// which is how bash starts, that is a negated subshell and no pattern.
func (w *walker) excluded(args []*syntax.Word, st state) {
	if len(args) == 0 {
		return
	}
	if glob, ok := args[0].Parts[0].(*syntax.ExtGlob); ok && glob.Op == syntax.GlobExcept && glob.Pattern != nil {
		w.source(glob.Pattern.Value, st.fork())
	}
}
