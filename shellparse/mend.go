package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assignment is the beginning of a word that sets a variable.
var assignment = lazily(`^[a-zA-Z_][a-zA-Z0-9_]*\+?=`)

// mend changes simple commands of a tree to what the shell takes them for. It
// returns where the text is to be blanked out for the parser to read it so.
func mend(file *syntax.File, lang syntax.LangVariant) (blank []int) {
	for node := range syntax.Preorder(file) {
		switch n := node.(type) {
		case *syntax.CallExpr:
			mendCall(n, lang)
		case *syntax.TimeClause:
			// The keyword may be followed by --, which the parser takes for a
			// command.
			first := n.Stmt
			for first != nil {
				b, ok := first.Cmd.(*syntax.BinaryCmd)
				if !ok {
					break
				}
				first = b.X
			}
			if first == nil {
				continue
			}
			if c, ok := first.Cmd.(*syntax.CallExpr); ok && len(c.Args) > 0 && len(c.Assigns) == 0 && c.Args[0].Lit() == "--" {
				blank = append(blank, int(c.Args[0].Pos().Offset()))
			}
		}
	}
	return blank
}

func mendCall(c *syntax.CallExpr, lang syntax.LangVariant) {
	// What is in front of =[ need not be a name to the parser: in ./a=[ b it
	// takes b for the command.
	for i, a := range c.Assigns {
		if a.Name != nil && !syntax.ValidName(a.Name.Value) {
			var words []*syntax.Word
			for _, a := range c.Assigns[i:] {
				words = append(words, assignedWord(a))
			}
			c.Assigns, c.Args = c.Assigns[:i], append(words, c.Args...)
			break
		}
	}
	// Behind coproc it takes an assignment for a word.
	for len(c.Args) > 0 {
		lit, ok := c.Args[0].Parts[0].(*syntax.Lit)
		if !ok {
			return
		}
		name := assignment().FindString(lit.Value)
		if name == "" || lang == syntax.LangPOSIX && name[len(name)-2] == '+' {
			return
		}
		value := &syntax.Word{Parts: append([]syntax.WordPart{after(lit, len(name))}, c.Args[0].Parts[1:]...)}
		a := &syntax.Assign{Name: &syntax.Lit{ValuePos: lit.ValuePos, ValueEnd: lit.ValueEnd, Value: name[:len(name)-1]}, Value: value}
		if name[len(name)-2] == '+' {
			a.Append, a.Name.Value = true, name[:len(name)-2]
		}
		c.Assigns, c.Args = append(c.Assigns, a), c.Args[1:]
	}
}

// assignedWord is an assignment as the word that it is behind a command.
func assignedWord(a *syntax.Assign) *syntax.Word {
	name := *a.Name
	if a.Append {
		name.Value += "+"
	}
	switch name.Value += "="; {
	case a.Value != nil:
		return &syntax.Word{Parts: append([]syntax.WordPart{&name}, a.Value.Parts...)}
	case a.Array != nil || a.Index != nil:
		// No shell takes these behind a command; nothing is known of the word.
		return &syntax.Word{Parts: []syntax.WordPart{&name, &syntax.ParamExp{Short: true, Dollar: a.Pos(), Param: &name}}}
	}
	return &syntax.Word{Parts: []syntax.WordPart{&name}}
}

// after is what is left of a literal from its n-th byte on.
func after(lit *syntax.Lit, n int) *syntax.Lit {
	pos := syntax.NewPos(lit.ValuePos.Offset()+uint(n), lit.ValuePos.Line(), lit.ValuePos.Col()+uint(n))
	return &syntax.Lit{ValuePos: pos, ValueEnd: lit.ValueEnd, Value: lit.Value[n:]}
}

// displaced reports whether the text of a here-document stands inside a
// substitution that its operator is outside of, or the other way round. Where it
// is read then, shells do not agree. The same goes for a ; behind one inside a
// substitution: bash 5.2 writes the commands there anew before it runs them, and
// may lose it, so that $(a <<E⏎E⏎b;c) runs b with the argument c.
func displaced(file *syntax.File, text string) bool {
	type span struct{ from, to uint }
	var substs []span
	var docs []*syntax.Redirect
	var semicolons []uint
	for node := range syntax.Preorder(file) {
		switch n := node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			substs = append(substs, span{n.Pos().Offset(), n.End().Offset()})
		case *syntax.Redirect:
			if n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc {
				docs = append(docs, n)
			}
		case *syntax.Stmt:
			if n.Semicolon.IsValid() && !n.Background {
				semicolons = append(semicolons, n.Semicolon.Offset())
			}
		}
	}
	if len(docs)*len(substs)*(len(semicolons)+1) > 1_000_000 {
		return true
	}
	for _, s := range substs {
		for _, d := range docs {
			op := d.OpPos.Offset()
			within := s.from < op && op < s.to
			switch {
			case within && slices.ContainsFunc(semicolons, func(at uint) bool { return op < at && at < s.to }):
				return true
			case d.Hdoc != nil:
				at := d.Hdoc.Pos().Offset()
				if within != (s.from < at && at < s.to) {
					return true
				}
			case within && !strings.Contains(text[op:min(s.to, uint(len(text)))], "\n"):
				return true // it is empty, and stands on a later line
			}
		}
	}
	return false
}
