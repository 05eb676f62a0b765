package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A walker goes through a syntax tree in the order in which the shell would run
// it, lists what it meets, and carries along what is known on the way.
type walker struct {
	opts   Options
	lang   syntax.LangVariant
	text   string // the source that positions are in
	script *Script

	via       []string
	pos       syntax.Pos // where the simple command being walked stands
	anchor    syntax.Pos // the same in the source handed in
	sources   int        // how many texts are being read
	inner     int        // how many texts deep the walk is in arguments
	depth     int
	untracked bool            // no variable is a constant any more
	ran       bool            // met anything the shell would do
	tainted   map[string]bool // variables that are never constants again
	functions map[string]bool // names that a function may stand behind
}

func newWalker(o Options) *walker {
	if o.Shell == "" {
		o.Shell = Bash
	}
	return &walker{opts: o, lang: variants[o.Shell], script: &Script{}, tainted: map[string]bool{}, functions: map[string]bool{}}
}

// enter notes one more level of nesting. When there are too many it says so and
// returns false; otherwise leave must follow.
func (w *walker) enter(pos syntax.Pos) bool {
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
	if !slices.ContainsFunc(w.script.Unread, func(f *SyntaxError) bool { return *f == *e }) {
		w.script.Unread = append(w.script.Unread, e)
	}
}

// place returns where a node stands in the source that was handed in. What
// stands inside an argument is where the command with that argument is.
func (w *walker) place(pos syntax.Pos) (line, col int) {
	if w.inner > 0 {
		pos = w.anchor
	}
	if !pos.IsValid() {
		return 0, 0
	}
	return int(pos.Line()), int(pos.Col())
}

func (w *walker) full(pos syntax.Pos) bool {
	full := len(w.script.Commands)+len(w.script.Redirects) >= MaxCommands
	if full {
		w.unread(pos, "it lists too many commands")
	}
	return full
}

// spelling is a node as the source has it.
func (w *walker) spelling(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from < 0 || to > len(w.text) || from > to {
		return "?"
	}
	return w.text[from:to]
}

// stmts walks statements that run one after the other, whatever their status.
func (w *walker) stmts(list []*syntax.Stmt, st state) outcome {
	out := same(st)
	for i, s := range list {
		if i > 0 {
			st = out.either()
		}
		out = w.stmt(s, st)
	}
	return out
}

// apart walks statements that run in a shell of their own: nothing of what they
// change comes back.
func (w *walker) apart(list []*syntax.Stmt, st state) {
	w.stmts(list, st.fork())
}

func (w *walker) stmt(s *syntax.Stmt, st state) outcome {
	if s == nil || !w.enter(s.Pos()) {
		return same(st.forget())
	}
	defer w.leave()
	w.ran = true
	if s.Background || s.Coprocess || s.Disown {
		w.stmtBody(s, st.fork())
		return same(st)
	}
	out := w.stmtBody(s, st)
	if s.Negated {
		out.ok, out.fail = out.fail, out.ok
	}
	return out
}

func (w *walker) stmtBody(s *syntax.Stmt, st state) outcome {
	st = st.fork()
	in := w.redirects(s.Redirs, &st)
	switch c := s.Cmd.(type) {
	case nil:
		return same(st)
	case *syntax.CallExpr:
		return w.call(c, in, st)
	case *syntax.DeclClause:
		return w.declare(c, st)
	case *syntax.BinaryCmd:
		return w.binary(c, st)
	case *syntax.Block:
		return w.stmts(c.Stmts, st)
	case *syntax.Subshell:
		w.apart(c.Stmts, st)
		return same(st)
	case *syntax.IfClause:
		return w.ifClause(c, st)
	case *syntax.WhileClause:
		st = w.changedIn(c, st)
		cond := w.stmts(c.Cond, st)
		body := w.stmts(c.Do, cond.either())
		return same(st.join(cond.either()).join(body.either()))
	case *syntax.ForClause:
		return w.forClause(c, st)
	case *syntax.CaseClause:
		w.words([]*syntax.Word{c.Word}, &st)
		out := st
		for _, item := range c.Items {
			w.words(item.Patterns, &st)
			out = out.join(w.stmts(item.Stmts, st.fork()).either())
		}
		// ;& goes on with the next arm: each may start where another ended.
		if slices.ContainsFunc(c.Items, func(i *syntax.CaseItem) bool { return i.Op != syntax.Break }) {
			return same(w.changedIn(c, out))
		}
		return same(out)
	case *syntax.FuncDecl:
		w.function(c, st)
		return same(st)
	case *syntax.TimeClause:
		w.via = append(w.via, "time")
		defer func() { w.via = w.via[:len(w.via)-1] }()
		if c.Stmt == nil {
			return same(st)
		}
		return w.stmt(c.Stmt, st)
	case *syntax.CoprocClause:
		if c.Name != nil {
			w.words([]*syntax.Word{c.Name}, &st)
		}
		w.apart([]*syntax.Stmt{c.Stmt}, st)
		st.vars = map[string]string{} // it sets an array of that name
		return same(st)
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
		w.words([]*syntax.Word{c.Description}, &st)
		w.apart([]*syntax.Stmt{c.Body}, st)
		return same(st)
	}
	w.unread(s.Cmd.Pos(), "this construct is not known")
	return same(st.forget())
}

func (w *walker) binary(c *syntax.BinaryCmd, st state) outcome {
	switch c.Op {
	case syntax.AndStmt:
		x := w.stmt(c.X, st)
		y := w.stmt(c.Y, x.ok)
		return outcome{y.ok, x.fail.join(y.fail)}
	case syntax.OrStmt:
		x := w.stmt(c.X, st)
		y := w.stmt(c.Y, x.fail)
		return outcome{x.ok.join(y.ok), y.fail}
	}
	// A pipeline. Its stages run in shells of their own; the last one may run in
	// this one (zsh, mksh, bash with lastpipe).
	w.stmt(c.X, st.fork())
	y := w.pipedInto(c.Y, st)
	return same(st.join(y.either()))
}

// pipedInto walks a stage that reads from the one before it.
func (w *walker) pipedInto(s *syntax.Stmt, st state) outcome { return w.stmt(s, st.fork()) }

func (w *walker) ifClause(c *syntax.IfClause, st state) outcome {
	if len(c.Cond) == 0 { // else
		return w.stmts(c.Then, st)
	}
	cond := w.stmts(c.Cond, st)
	then := w.stmts(c.Then, cond.ok.fork())
	if c.Else == nil {
		return same(then.either().join(cond.fail))
	}
	return same(then.either().join(w.ifClause(c.Else, cond.fail).either()))
}

func (w *walker) forClause(c *syntax.ForClause, st state) outcome {
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		w.words(loop.Items, &st)
		st.unset(loop.Name.Value)
	case *syntax.CStyleLoop:
		st = w.changedIn(c, st)
		for _, x := range []syntax.ArithmExpr{loop.Init, loop.Cond, loop.Post} {
			w.arithm(x, &st)
		}
	}
	st = w.changedIn(c, st)
	return same(st.join(w.stmts(c.Do, st.fork()).either()))
}

// changedIn returns what is known no matter how often a piece of source has
// run: it is walked once to see what it changes, listing nothing.
func (w *walker) changedIn(n syntax.Node, st state) state {
	st = st.fork()
	for node := range syntax.Preorder(n) {
		switch x := node.(type) {
		case *syntax.Assign:
			if x.Name != nil {
				st.unset(x.Name.Value)
			} else {
				st.vars, st.ifs = map[string]string{}, true
			}
		case *syntax.WordIter:
			st.unset(x.Name.Value)
		case *syntax.ParamExp, *syntax.BinaryArithm, *syntax.UnaryArithm:
			w.assigned(x, &st)
		case *syntax.CallExpr:
			// Whatever can change the state by running: a builtin that sets
			// variables, cd, eval, a function, or what a hole turns out to be.
			if len(x.Args) == 0 {
				continue
			}
			name := x.Args[0].Lit()
			b, isBuiltin := builtins[name]
			switch {
			case name == "" || strings.ContainsAny(name, `\{*?[~`) || w.functions[name] || carriers[name].here:
				return st.forget()
			case !isBuiltin:
			case b == changesAll:
				return st.forget()
			case b == setsNames:
				st.vars, st.ifs = map[string]string{}, true
			case b == changesDir:
				st.dirs = []Word{unknownDir}
			}
		}
	}
	return st
}

// assigned notes variables that an expression sets.
func (w *walker) assigned(n syntax.Node, st *state) {
	switch x := n.(type) {
	case *syntax.ParamExp:
		if x.Param != nil && x.Exp != nil && (x.Exp.Op == syntax.AssignUnset || x.Exp.Op == syntax.AssignUnsetOrNull) {
			st.unset(x.Param.Value)
		}
	case *syntax.BinaryArithm:
		switch x.Op {
		case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
			syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
			st.unset(w.target(x.X))
		}
	case *syntax.UnaryArithm:
		if x.Op == syntax.Inc || x.Op == syntax.Dec {
			st.unset(w.target(x.X))
		}
	}
}

// target is the variable that an arithmetic assignment sets.
func (w *walker) target(x syntax.ArithmExpr) string {
	switch x := x.(type) {
	case *syntax.Word:
		if p, ok := x.Parts[0].(*syntax.ParamExp); ok && p.Param != nil {
			return p.Param.Value // a[i]++
		}
		return x.Lit()
	}
	return ""
}

// function walks the body of a function where it is defined, knowing nothing of
// the variables and the directory it will be called with. From then on a call
// of that name may change both.
func (w *walker) function(c *syntax.FuncDecl, st state) {
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	for _, n := range names {
		w.functions[n.Value] = true
	}
	body := st.forget()
	if home, ok := st.vars["HOME"]; ok {
		body.vars["HOME"] = home
	}
	w.stmt(c.Body, body)
}

// construct lists a test or an expression of the shell's own, so that rules can
// name it by its first word. It runs no program.
func (w *walker) construct(n syntax.Node) {
	w.list(Command{Words: []Word{Lit(w.spelling(n))}}, n.Pos())
}

func (w *walker) list(c Command, pos syntax.Pos) {
	if w.full(pos) {
		return
	}
	c.Via = slices.Clone(w.via)
	c.Line, c.Col = w.place(pos)
	w.script.Commands = append(w.script.Commands, c)
}

// test walks the operands of [[ ]].
func (w *walker) test(x syntax.TestExpr, st *state) {
	if x == nil || !w.enter(x.Pos()) {
		return
	}
	defer w.leave()
	switch x := x.(type) {
	case *syntax.Word:
		w.one(x, st)
	case *syntax.BinaryTest:
		w.test(x.X, st)
		w.test(x.Y, st)
	case *syntax.UnaryTest:
		w.test(x.X, st)
	case *syntax.ParenTest:
		w.test(x.X, st)
	}
}

// arithm walks an arithmetic expression for what its words run and set.
func (w *walker) arithm(x syntax.ArithmExpr, st *state) {
	if x == nil || !w.enter(x.Pos()) {
		return
	}
	defer w.leave()
	w.assigned(x, st)
	switch x := x.(type) {
	case *syntax.Word:
		w.one(x, st)
	case *syntax.BinaryArithm:
		w.arithm(x.X, st)
		w.arithm(x.Y, st)
	case *syntax.UnaryArithm:
		w.arithm(x.X, st)
	case *syntax.ParenArithm:
		w.arithm(x.X, st)
	case *syntax.FlagsArithm:
		w.arithm(x.X, st)
	}
}

// call walks a simple command: first its words are expanded, then its
// assignments, as the shell does.
func (w *walker) call(c *syntax.CallExpr, in stdin, st state) outcome {
	words := w.words(c.Args, &st)
	assigns := make([]Assign, 0, len(c.Assigns))
	for _, a := range c.Assigns {
		assigns = append(assigns, w.assign(a, &st))
	}
	w.runValues(assigns, &st)
	if len(words) == 0 {
		for _, a := range assigns {
			w.apply(a, &st)
		}
		if len(assigns) > 0 {
			w.list(Command{Assigns: assigns}, c.Pos())
		}
		return same(st)
	}
	w.pos = c.Pos()
	return w.command(words, assigns, in, &st)
}

// assign expands one assignment. Substitutions in it run.
func (w *walker) assign(a *syntax.Assign, st *state) Assign {
	out := Assign{Append: a.Append}
	if a.Name != nil {
		out.Name = a.Name.Value
	}
	out.Moves = assignKindOf(out.Name) == moves
	if a.Index != nil {
		w.arithm(a.Index, st)
		out.Name += "[" + w.spelling(a.Index) + "]"
	}
	switch {
	case a.Array != nil:
		for _, e := range a.Array.Elems {
			w.arithm(e.Index, st)
			if e.Value != nil {
				w.words([]*syntax.Word{e.Value}, st)
			}
		}
		out.Value = Word{{w.spelling(a.Array), Value}}
	case a.Value != nil:
		out.Value = w.one(a.Value, st)
	}
	return out
}

// apply notes what an assignment leaves behind.
func (w *walker) apply(a Assign, st *state) {
	value, ok := a.Value.Literal()
	if !ok || a.Append || w.tainted[a.Name] || !syntax.ValidName(a.Name) {
		name, _, _ := strings.Cut(a.Name, "[")
		st.unset(name)
		return
	}
	st.set(a.Name, value)
}

// declare walks declare, export, local, readonly and typeset.
func (w *walker) declare(c *syntax.DeclClause, st state) outcome {
	words := []Word{Lit(c.Variant.Value)}
	taint := c.Variant.Value == "readonly" || c.Variant.Value == "nameref"
	lost := c.Variant.Value == "nameref"
	var moving []Assign
	for _, a := range c.Args {
		if a.Naked && a.Name == nil { // an option, or a word to expand
			for _, word := range w.words([]*syntax.Word{a.Value}, &st) {
				words = append(words, word)
				text, ok := word.Literal()
				w.subscript(text, &st)
				switch {
				case !ok:
					lost = true
				case strings.HasPrefix(text, "-") && strings.ContainsRune(text, 'n') && c.Variant.Value != "export":
					lost = true // a name reference: setting one variable sets another
				case strings.Trim(text, "-xgp") != "":
					taint = true
					if name, _, ok := strings.Cut(text, "="); ok {
						st.unset(name)
						w.tainted[name] = true
					}
				}
			}
			continue
		}
		out := w.assign(a, &st)
		if a.Naked {
			words = append(words, Lit(out.Name))
		} else {
			words = append(words, out.Word())
			w.runValues([]Assign{out}, &st)
			if out.Moves {
				moving = append(moving, out)
			}
		}
		if taint {
			w.tainted[a.Name.Value] = true
		}
		if !a.Naked || taint {
			w.apply(out, &st)
		}
	}
	w.list(Command{Words: words, Assigns: moving}, c.Pos())
	if lost {
		st = w.lose(st)
	}
	return same(st)
}

// lose is for what makes every variable unreliable from here on.
func (w *walker) lose(st state) state {
	w.untracked = true
	st = st.fork()
	st.vars = map[string]string{}
	st.ifs = true
	return st
}
