package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assignKind says why an assignment in front of a command matters.
type assignKind uint8

const (
	plain    assignKind = iota // it does not: CI=1
	moves                      // it can run code, or change which program a name finds
	runs                       // its value is a command that the program runs
	expands                    // its value is expanded, and substitutions in it run
	startsUp                   // and names a file that shells run in front of all else
	remotes                    // its value is used like ssh
	filters                    // its value is a command, behind | or |- where it is a pipe: LESSOPEN
)

// assignKindOf looks a variable up, by its name or by the beginning of it.
func assignKindOf(name string) assignKind {
	name = baseName(name)
	if k, ok := assignKinds[name]; ok {
		return k
	}
	for i := min(len(name), maxName); i > 1; i-- {
		if k, ok := assignKinds[name[:i]+"*"]; ok {
			return k
		}
	}
	return plain
}

// kindOf looks a variable of the shell that is read up: zsh has special ones of
// its own.
func (w *walker) kindOf(name string) assignKind {
	name = baseName(name)
	if _, special := zshSpecials[name]; special && w.lang == syntax.LangZsh {
		return moves
	}
	return assignKindOf(name)
}

// isMoving reports whether an assignment itself is for rules to judge. One whose
// value is a command is not: that command is listed.
func isMoving(name string) bool {
	kind := assignKindOf(name)
	return kind == moves || kind == expands || kind == startsUp || kind == filters
}

// baseName is the name of the variable in x or x[i].
func baseName(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// runValues lists the commands that variables hold for a program to run.
func (w *walker) runValues(assigns []Assign, st *state) {
	for _, a := range assigns {
		text, literal := a.Value.Literal()
		kind := assignKindOf(a.Name)
		if literal && strings.TrimSpace(text) == "" {
			continue
		}
		if strings.HasPrefix(a.Name, "BASH_FUNC_") && literal {
			w.through(a.Name, func() { w.source("f "+text, st.forget()) })
			continue
		}
		w.through(a.Name, func() {
			inner := st.forget()
			switch {
			case kind == plain || kind == moves:
				w.held(a, assigns, st)
			case kind == remotes:
				w.runRemote(a.Value, &inner)
			case !literal:
				w.hidden([]Word{a.Value}, st)
			case kind == runs:
				w.source(text, inner)
			case kind == filters:
				w.source(strings.TrimLeft(text, "|-"), inner)
			default:
				w.document(text, &inner)
				if strings.HasSuffix(a.Name, "ENV") && !strings.ContainsAny(text, "$`") {
					w.list(Command{Words: []Word{a.Value}, Transparent: true}, w.pos) // a file that a shell reads
				}
				if kind == startsUp {
					if _, seen := w.runsWritten(a.Value, nil, false, st); !seen {
						w.hidden([]Word{{{text, Value}}}, st)
					}
				}
			}
		})
	}
}

// assign expands one assignment. Substitutions in it run.
func (w *walker) assign(a *syntax.Assign, st *state) Assign {
	out := Assign{Append: a.Append}
	if a.Name != nil {
		out.Name = a.Name.Value
	}
	out.Moves = isMoving(out.Name) || w.kindOf(out.Name) == moves
	if a.Index != nil {
		w.arithm(a.Index, st)
		out.Name += "[" + w.spelling(a.Index) + "]"
	}
	switch {
	case a.Array != nil:
		known := w.lang != syntax.LangMirBSDKorn
		elements := []string{}
		for _, e := range a.Array.Elems {
			w.arithm(e.Index, st)
			known = known && e.Index == nil
			if e.Value == nil {
				continue
			}
			for _, field := range w.words([]*syntax.Word{e.Value}, st) {
				text, literal := field.Literal()
				elements = append(elements, text)
				known = known && literal
			}
		}
		if known {
			out.elements = elements
		}
		out.Value = Word{{w.spelling(a.Array), Value}}
	case a.Value != nil:
		out.Value = w.one(a.Value, st)
	}
	if text, literal := out.Value.Literal(); !a.Naked && w.integerLike(out.Name) && !(literal && isNumber(text)) {
		w.computes = true
	}
	return out
}

// integerLike reports whether the shell may evaluate what a variable is given.
func (w *walker) integerLike(name string) bool {
	name = baseName(name)
	return w.tainted[name] || integerVariables[name]
}

// apply notes what an assignment leaves behind.
func (w *walker) apply(a Assign, node *syntax.Assign, st *state) {
	if strings.HasPrefix(a.Name, "BASH_CMDS") {
		w.through("BASH_CMDS", func() { w.hidden([]Word{a.Value}, st) })
		*st = st.forget()
	}
	if strings.HasPrefix(a.Name, "BASH_ALIASES") {
		w.aliased(st)
	}
	if w.lang == syntax.LangZsh {
		w.zshSpecial(a, st)
	}
	text, literal := a.Value.Literal()
	switch {
	case w.integerLike(a.Name) && !(literal && isNumber(text)):
		// It may be an integer variable, whose values are evaluated.
		w.computes = true
		st.computed()
		st.unset(baseName(a.Name))
	case node != nil && node.Value != nil && len(node.Value.Parts) == 1 && alwaysNumber(node.Value.Parts[0]) && syntax.ValidName(a.Name) && !a.Append:
		st.set(a.Name, aNumber)
	case a.elements != nil && syntax.ValidName(a.Name) && !w.untracked:
		elements := a.elements
		if a.Append {
			before, ok := st.lists[a.Name]
			if !ok {
				st.unset(a.Name)
				return
			}
			elements = append(slices.Clone(before), elements...)
		}
		st.setList(a.Name, elements)
	case !literal || !syntax.ValidName(a.Name) || node != nil && node.Array != nil:
		st.unset(baseName(a.Name))
	case a.Append:
		before, ok := w.constantOf(a.Name, st)
		st.unset(a.Name)
		if ok && before != aNumber {
			st.set(a.Name, before+text)
		}
	default:
		st.set(a.Name, text)
	}
}

// sets notes that something else than an assignment sets a variable. If the
// variable matters, that is listed as if it were one.
func (w *walker) sets(name string, pos syntax.Pos, st *state) {
	name = baseName(name)
	st.unset(name)
	w.computes = w.computes || w.integerLike(name)
	if w.kindOf(name) != plain {
		value := Word{{"…", Value}}
		w.list(Command{Assigns: []Assign{{Name: name, Value: value, Moves: true}}}, pos)
		w.runValues([]Assign{{Name: name, Value: value}}, st)
		if w.lang == syntax.LangZsh {
			w.zshSpecial(Assign{Name: name, Value: value}, st)
		}
	}
}

// setsUnknown notes that a variable is set of which the name is not known: it
// could be one that matters.
func (w *walker) setsUnknown(st *state) {
	w.list(Command{Assigns: []Assign{{Name: "…", Value: Word{{"…", Value}}, Moves: true}}}, w.pos)
	*st = st.forget()
}

// aliased is for what makes an alias: from there on a name can be anything.
func (w *walker) aliased(st *state) {
	w.unread(w.pos, "an alias may change how the rest is read")
	*st = st.forget()
}

// declare walks declare, export, local, readonly and typeset.
func (w *walker) declare(c *syntax.DeclClause, st state) outcome {
	w.pos = c.Pos()
	variant := c.Variant.Value
	words := []Word{Lit(variant)}
	var moving []Assign
	array := false
	attributes := variant == "readonly" || variant == "nameref"
	for _, a := range c.Args {
		switch {
		case a.Naked && a.Name == nil && isAttribute(variant, a.Value.Lit()):
			if variant != "export" && strings.HasPrefix(a.Value.Lit(), "-") && strings.Contains(a.Value.Lit(), "n") {
				w.setsUnknown(&st) // what the name refers to is set through it
			}
			words = append(words, Lit(a.Value.Lit()))
			attributes = true
			array = array || strings.ContainsAny(a.Value.Lit(), "aA") && w.lang == syntax.LangBash
		case a.Naked && a.Name == nil: // an option, or a word to expand
			for _, word := range w.words([]*syntax.Word{a.Value}, &st) {
				words = append(words, word)
				moving = append(moving, w.declared(variant, attributes, word, &st)...)
				if value, ok := operandAssign(word); ok && array {
					w.unknownArray(variant, value.Value, &st)
				}
			}
		case a.Naked:
			words = append(words, Lit(w.assign(a, &st).Name))
			if variant == "local" || w.tainted[a.Name.Value] {
				st.unset(a.Name.Value)
			}
		default:
			out := w.assign(a, &st)
			words = append(words, out.Word())
			if array && a.Array == nil {
				w.unknownArray(variant, out.Value, &st)
			}
			moving = append(moving, w.declares(variant, out, a, &st)...)
		}
	}
	w.list(Command{Words: words, Assigns: moving}, c.Pos())
	return same(st)
}

// declared follows one argument of declare or one of its kin that is no
// assignment to the parser. What it gives attributes to was not seen by survey.
func (w *walker) declared(variant string, attributes bool, word Word, st *state) (moving []Assign) {
	text, literal := word.Literal()
	w.computes = w.computes || literal && strings.Contains(text, "[")
	a, ok := operandAssign(word)
	if ok {
		a.Name, a.Append = strings.CutSuffix(a.Name, "+")
		a.Moves = a.Moves || w.kindOf(a.Name) == moves
		moving = w.declares(variant, a, nil, st)
	} else if variant == "local" {
		st.unset(baseName(text))
	}
	isOption := text != "" && (text[0] == '-' || text[0] == '+')
	if !ok && !literal {
		w.setsUnknown(st)
	}
	if attributes && !isOption || isAttribute(variant, text) || !ok && !literal {
		*st = st.forget()
	}
	return moving
}

// declares follows an assignment that is an argument of declare or its kin, and
// returns it if it is for rules to judge.
func (w *walker) declares(variant string, a Assign, node *syntax.Assign, st *state) []Assign {
	w.runValues([]Assign{a}, st)
	w.quotedArray(variant, a, node, st)
	w.apply(a, node, st)
	if variant == "local" && len(w.calling) == 0 {
		st.unset(baseName(a.Name)) // outside of a function it is an error
	}
	if a.Moves {
		return []Assign{a}
	}
	return nil
}

// quotedArray lists what the value of an array runs that declare is given as a
// word: declare -a 'a=($(b))' expands it once more, as does declare 'a=(…)' where a
// is an array already. Measured with bash 5.2; no other shell does.
func (w *walker) quotedArray(variant string, a Assign, node *syntax.Assign, st *state) {
	if node != nil && node.Array != nil || w.lang != syntax.LangBash && w.lang != syntax.LangBats {
		return
	}
	if text, literal := a.Value.Literal(); strings.HasPrefix(a.Value.literalPrefix(), "(") {
		w.through(variant, func() {
			if literal {
				w.source("a="+text, st.forget())
			} else {
				w.hidden([]Word{a.Value}, st)
			}
		})
	}
}

// unknownArray is for the value of an array that may begin with a bracket.
func (w *walker) unknownArray(variant string, value Word, st *state) {
	if len(value) > 0 && value[0].Hole != Known {
		w.through(variant, func() { w.hidden([]Word{value}, st) })
	}
}

// operandAssign reads a NAME=value operand. Only the name has to be literal.
func operandAssign(word Word) (Assign, bool) {
	name, _, ok := strings.Cut(word.literalPrefix(), "=")
	if !ok {
		return Assign{}, false
	}
	return Assign{Name: name, Value: cut(word, len(name)+1), Moves: isMoving(name)}, true
}
