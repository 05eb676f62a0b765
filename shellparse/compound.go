package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (w *walker) binary(c *syntax.BinaryCmd, in stream, st state) outcome {
	// The parser nests chains to the left, and they may be long.
	var chain []*syntax.BinaryCmd
	first := c.X
	for chain = append(chain, c); ; {
		x, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || first.Negated || first.Background || len(first.Redirs) > 0 {
			break
		}
		chain = append(chain, x)
		first = x.X
	}
	stages := []*syntax.Stmt{first}
	for _, c := range slices.Backward(chain) {
		stages = append(stages, c.Y)
	}
	lists := slices.ContainsFunc(chain, func(c *syntax.BinaryCmd) bool { return c.Op == syntax.AndStmt || c.Op == syntax.OrStmt })
	if !lists || in.typed && keepsTyped(stages) {
		w.in = in // else several may read a part of it
	}
	out := w.stmt(first, st)
	for _, c := range slices.Backward(chain) {
		switch c.Op {
		case syntax.AndStmt:
			y := w.stmt(c.Y, out.ok)
			out = outcome{y.ok, out.fail.join(y.fail), out.prints.then(y.prints)}
		case syntax.OrStmt:
			y := w.stmt(c.Y, out.fail)
			out = outcome{out.ok.join(y.ok), y.fail, stream{}}
		default:
			// A pipeline. Its stages run in shells of their own; the last one may
			// run in this one (zsh, mksh, bash with lastpipe).
			in := out.prints
			if c.Op == syntax.PipeAll {
				in = stream{} // its errors too
			}
			y := w.piped(c.Y, in, st)
			out = same(st.join(y.either()))
			out.prints = y.prints
		}
	}
	return out
}

// piped walks a stage that reads from the one before it.
func (w *walker) piped(s *syntax.Stmt, in stream, st state) outcome {
	w.in = in
	// Behind a pipe time is no keyword in bash: the program of that name runs.
	if t, ok := s.Cmd.(*syntax.TimeClause); ok {
		words := []Word{Lit("time")}
		if t.PosixFormat {
			words = append(words, Lit("-p"))
		}
		if t.Stmt != nil {
			if c, ok := t.Stmt.Cmd.(*syntax.CallExpr); ok {
				for _, a := range c.Assigns {
					words = append(words, Word{{w.spelling(a), Value}})
				}
				fork := st.fork()
				at := w.script.mark()
				words = append(words, w.words(c.Args, &fork)...)
				w.script.Commands = w.script.Commands[:at.commands] // they are listed below
			} else {
				words = append(words, Word{{w.spelling(t.Stmt), Words}})
			}
		}
		w.list(Command{Words: words, Carrier: true}, s.Pos())
	}
	return w.stmt(s, st.fork())
}

// time walks a pipeline behind the keyword.
func (w *walker) time(c *syntax.TimeClause, st state) (out outcome) {
	if w.lang == syntax.LangZsh && c.PosixFormat {
		w.unread(c.Pos(), "in zsh the word behind time is a command")
	}
	if c.Stmt == nil {
		return same(st)
	}
	w.through("time", func() {
		out = w.stmt(c.Stmt, st)
	})
	if w.lang == syntax.LangZsh {
		out = same(st.join(out.either())) // there it runs in a shell of its own
	}
	return out
}

// coproc walks a coprocess. The parser takes the first word of a simple command
// for the name of the coprocess if a redirection follows.
func (w *walker) coproc(c *syntax.CoprocClause, st state) {
	stmt := c.Stmt
	switch cmd := stmt.Cmd.(type) {
	case nil:
		if c.Name != nil {
			named := *stmt
			named.Cmd = &syntax.CallExpr{Args: []*syntax.Word{c.Name}}
			stmt = &named
		}
	case *syntax.CallExpr, *syntax.DeclClause, *syntax.LetClause, *syntax.TimeClause, *syntax.CoprocClause, *syntax.FuncDecl:
		if c.Name != nil {
			w.unread(cmd.Pos(), "the parser takes the first word of this for a name, and the shell does not")
		}
	}
	if c.Name != nil {
		fork := st.fork()
		w.words([]*syntax.Word{c.Name}, &fork)
	}
	w.apart([]*syntax.Stmt{stmt}, st)
}

func (w *walker) ifClause(c *syntax.IfClause, st state) outcome {
	if len(c.Cond) == 0 { // else
		return w.stmts(c.Then, st)
	}
	if !w.enter(c.Pos()) {
		return same(st.forget())
	}
	defer w.leave()
	cond := w.stmts(c.Cond, st)
	then := w.stmts(c.Then, cond.ok.fork())
	if c.Else == nil {
		return same(then.either().join(cond.fail))
	}
	return same(then.either().join(w.ifClause(c.Else, cond.fail).either()))
}

func (w *walker) whileClause(c *syntax.WhileClause, st state) outcome {
	st = w.changedIn(c, st)
	cond := w.stmts(c.Cond, st)
	body := w.stmts(c.Do, cond.either())
	return same(st.join(cond.either()).join(body.either()))
}

func (w *walker) forClause(c *syntax.ForClause, st state) outcome {
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		items := w.words(loop.Items, &st)
		if !loop.InPos.IsValid() || c.Select {
			items = []Word{{{"$@", Words}}}
			if st.args != nil && !c.Select {
				items = *st.args
			}
		}
		w.sets(loop.Name.Value, loop.Name.Pos(), &st)
		return same(w.rounds(c, loop.Name.Value, items, st))
	case *syntax.CStyleLoop:
		w.arithm(loop.Init, &st)
		st = w.changedIn(c, st)
		w.arithm(loop.Cond, &st)
		w.arithm(loop.Post, &st)
	}
	return same(st.join(w.stmts(c.Do, st.fork()).either()))
}

// maxRounds is how many words a loop is walked for one by one, and maxWalks how
// often the bodies of loops and functions are walked again in all: those that
// nest multiply.
const (
	maxRounds = 10
	maxWalks  = 500
)

// rounds walks the body of a loop once for each of the words that are known. If
// there are others, it walks it once more for all of those, which may come in
// between.
func (w *walker) rounds(c *syntax.ForClause, name string, items []Word, st state) state {
	var known []string
	others := false
	var globs []Word
	for _, item := range items {
		text, ok := item.Literal()
		_, spelled := item.Spelled()
		switch {
		case !ok && spelled && len(globs) < maxRounds && w.walks < maxWalks:
			globs = append(globs, item)
			others = true
		case !ok || len(known) == maxRounds || w.walks+len(known) > maxWalks:
			others = true
		case !slices.Contains(known, text):
			known = append(known, text)
		}
	}
	if others {
		st = w.changedIn(c, st)
	}
	after := st
	leaves := w.leaves
	for _, value := range known {
		w.walks++
		round := after.fork()
		w.known(name, value, &round)
		after = w.stmts(c.Do, round).either()
		if w.leaves != leaves {
			after = w.changedIn(c, st) // a round may have ended anywhere
		}
		if others {
			after = after.join(st)
		}
	}
	w.computes = w.computes || w.integerLike(name)
	for _, glob := range globs {
		w.walks++
		round := st.fork()
		round.unset(name)
		if round.globs == nil {
			round.globs = map[string]Word{}
		}
		if !round.wild && !w.untracked && !w.tainted[name] {
			round.globs[name] = glob
		}
		after = after.join(w.stmts(c.Do, round).either())
	}
	if others && len(globs) < len(items) {
		after = after.join(w.stmts(c.Do, st.fork()).either())
	}
	return after
}

func (w *walker) caseClause(c *syntax.CaseClause, st state) outcome {
	w.one(c.Word, &st)
	// ;& and ;;& go on with a later arm, which then starts where an earlier one
	// ended.
	if slices.ContainsFunc(c.Items, func(i *syntax.CaseItem) bool { return i.Op != syntax.Break }) {
		st = w.changedIn(c, st)
	}
	out := st
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			w.one(p, &st)
		}
		out = out.join(st).join(w.stmts(item.Stmts, st.fork()).either())
	}
	return same(out)
}

// changedIn returns what is known no matter how often a piece of source has
// run.
func (w *walker) changedIn(n syntax.Node, st state) state {
	st = st.fork()
	for node := range syntax.Preorder(n) {
		switch x := node.(type) {
		case *syntax.Assign:
			text, number := "", false
			if x.Value != nil {
				text = x.Value.Lit()
				number = isNumber(text) || len(x.Value.Parts) == 1 && alwaysNumber(x.Value.Parts[0])
			}
			switch {
			case x.Name == nil && text == "": // declare "$x"
				return st.forget()
			case x.Name == nil:
				st.clear()
			case number:
				st.count(x.Name.Value)
			default:
				st.unset(x.Name.Value)
			}
		case *syntax.WordIter:
			st.unset(x.Name.Value)
		case *syntax.Redirect:
			if name, ok := descriptor(x); ok {
				st.unset(name)
			}
		case *syntax.ParamExp:
			if x.Exp != nil && x.Param != nil {
				st.unset(x.Param.Value)
			}
			if x.Excl || x.Index != nil {
				st.computed()
			}
		case *syntax.BinaryArithm:
			st.count(target(x))
		case *syntax.UnaryArithm:
			st.count(target(x))
		case *syntax.CoprocClause:
			return st.forget()
		case *syntax.CallExpr:
			// Whatever can change the state by running: a builtin that sets
			// variables, cd, eval, a function, or what a hole turns out to be.
			if len(x.Args) == 0 {
				continue
			}
			name := x.Args[0].Lit()
			kind, isBuiltin := w.builtinKind(name)
			_, isFunction := w.functions[name]
			switch {
			case name == "" || strings.ContainsAny(name, `\{*?[~=`) || isFunction || carriers[name].here:
				return st.forget()
			case !isBuiltin || kind == evaluates:
			case kind == changesDir:
				st.dirs, st.old, st.stack = []Word{unknownDir}, nil, nil
			case kind == setsNames:
				st.clear()
			default:
				return st.forget()
			}
		}
	}
	if w.evaluates(n, &st) {
		st.computed()
	}
	return st
}

// evaluates reports whether arithmetic in a piece of source evaluates what may
// not be a number, and so may set more than it names.
func (w *walker) evaluates(n syntax.Node, st *state) bool {
	for node := range syntax.Preorder(n) {
		switch x := node.(type) {
		case *syntax.BinaryTest:
			if !isArithmeticTest(x.Op) {
				continue
			}
		case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.CStyleLoop, *syntax.LetClause:
		case *syntax.ParamExp:
			if x.Slice == nil && x.Index == nil && !x.Excl {
				continue
			}
		default:
			continue
		}
		for inner := range syntax.Preorder(node) {
			if word, ok := inner.(*syntax.Word); ok && !w.isOperand(word, st) {
				return true
			}
		}
	}
	return false
}
