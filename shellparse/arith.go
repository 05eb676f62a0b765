package shellparse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// arithm walks an arithmetic expression for what its words run and set.
func (w *walker) arithm(x syntax.ArithmExpr, st *state) {
	if x == nil || !w.enter(x.Pos()) {
		return
	}
	defer w.leave()
	w.computes = true
	switch x := x.(type) {
	case *syntax.Word:
		w.operand(x, st)
	case *syntax.BinaryArithm:
		switch name := target(x); {
		case x.Op == syntax.Assgn && name != "":
			w.arithm(x.Y, st)
		case x.Op == syntax.AndArit || x.Op == syntax.OrArit || x.Op == syntax.TernQuest || x.Op == syntax.TernColon:
			w.arithm(x.X, st)
			before := st.fork() // the other operand may not be evaluated
			w.arithm(x.Y, st)
			*st = before.join(*st)
		default:
			w.arithm(x.X, st)
			w.arithm(x.Y, st)
		}
	case *syntax.UnaryArithm:
		w.arithm(x.X, st)
	case *syntax.ParenArithm:
		w.arithm(x.X, st)
	case *syntax.FlagsArithm:
		w.arithm(x.X, st)
	}
	switch name := target(x); {
	case name == "":
	case w.kindOf(name) != plain:
		w.sets(name, x.Pos(), st)
	default:
		st.set(name, aNumber)
	}
}

// operand walks an operand of an expression. The shell evaluates the value of a
// variable there as an expression again, which may set any variable to a number
// (bash manual, Shell Arithmetic).
func (w *walker) operand(word *syntax.Word, st *state) {
	text, literal := w.one(word, st).Literal()
	all := text == "@" || text == "*" // of an array
	if literal && (isNumber(text) || text == "" || all) || w.isOperand(word, st) {
		return
	}
	if literal {
		w.document(text, st)
	}
	st.computed()
}

// alwaysNumber reports whether an expansion yields a number whatever happens.
func alwaysNumber(part syntax.WordPart) bool {
	switch p := part.(type) {
	case *syntax.ArithmExp:
		return true
	case *syntax.ParamExp:
		if p.Length {
			return true
		}
		return p.Short && p.Param != nil && strings.Contains("# ? $ !", p.Param.Value)
	}
	return false
}

// isOperand reports whether evaluating a word sets nothing, given which variables
// hold numbers.
func (w *walker) isOperand(word *syntax.Word, st *state) bool {
	value, known := w.constantOf(word.Lit(), st)
	return isNumber(word.Lit()) || known && isNumber(value) || len(word.Parts) == 1 && alwaysNumber(word.Parts[0])
}

// target is the variable that an expression as a whole assigns to, "" for none.
// Where it is an element of an array, what is evaluated with it says enough.
func target(x syntax.ArithmExpr) string {
	switch x := x.(type) {
	case *syntax.BinaryArithm:
		switch x.Op {
		case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
			syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
			if word, ok := x.X.(*syntax.Word); ok {
				return word.Lit()
			}
		}
	case *syntax.UnaryArithm:
		if word, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.Inc || x.Op == syntax.Dec) {
			return word.Lit()
		}
	}
	return ""
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
		if isArithmeticTest(x.Op) {
			for _, y := range []syntax.TestExpr{x.X, x.Y} {
				if word, ok := y.(*syntax.Word); ok {
					w.arithm(word, st)
				}
			}
			return
		}
		w.test(x.X, st)
		w.test(x.Y, st)
	case *syntax.UnaryTest:
		if x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar {
			w.computes = true // -v a[i]
		}
		w.test(x.X, st)
	case *syntax.ParenTest:
		w.test(x.X, st)
	}
}

func isArithmeticTest(op syntax.BinTestOperator) bool {
	switch op {
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
		return true
	}
	return false
}

// suspect remembers a quoted text that would run something if an expression were
// made of it: the shell expands the subscript of a[$(date)] when it evaluates
// that, though it was quoted.
func (w *walker) suspect(text string) {
	if i := strings.IndexByte(text, '['); i >= 0 && strings.ContainsAny(text[i:], "$`") && len(w.suspects) < MaxCommands {
		w.suspects = append(w.suspects, suspicion{text, w.pos})
	}
}

// A suspicion is a text and where it stands.
type suspicion struct {
	text string
	pos  syntax.Pos
}

// listSuspects lists what quoted subscripts run, if anything in the source
// evaluates expressions.
func (w *walker) listSuspects() {
	st := state{}.forget()
	for len(w.suspects) > 0 && w.computes {
		s := w.suspects[0]
		w.suspects = w.suspects[1:]
		w.pos = s.pos
		w.document(s.text, &st)
	}
}
