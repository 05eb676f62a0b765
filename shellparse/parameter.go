package shellparse

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parameter returns what a parameter expands to, where that is known: one value,
// or a list of them for "$@" and "${a[@]}".
func (w *walker) parameter(p *syntax.ParamExp, st *state) (values []Word, list, ok bool) {
	odd := p.Flags != nil || p.Width || p.IsSet || p.Split != syntax.OptUnset || p.GlobSubst != syntax.OptUnset ||
		p.RcExpand != syntax.OptUnset || p.NestedParam != nil || len(p.Modifiers) > 0 || p.Names != 0
	if p.Param == nil || odd {
		return nil, false, false
	}
	name := p.Param.Value
	if p.Excl {
		if name, ok = w.constantOf(name, st); !ok || !syntax.ValidName(name) || p.Index != nil {
			return nil, false, false
		}
	}
	values, list, ok = w.valuesOf(name, p.Index, st)
	switch {
	case !ok:
		return nil, false, false
	case p.Length:
		return w.lengthOf(values, list)
	case p.Slice == nil && p.Repl == nil && p.Exp == nil:
		return values, list, true
	case list || p.Excl:
		return nil, false, false
	}
	value, known := values[0].Literal()
	if !known || !isASCII(value) || value == aNumber {
		return nil, false, false
	}
	value, ok = w.operated(p, value, st)
	return []Word{Lit(value)}, false, ok
}

// valuesOf returns what a variable, an element of an array, or a positional
// parameter holds.
func (w *walker) valuesOf(name string, index syntax.ArithmExpr, st *state) (values []Word, list, ok bool) {
	n, isNumber := decimal(name)
	switch {
	case index != nil:
		return w.elementsOf(name, index, st)
	case name == "@" && st.args != nil:
		return *st.args, true, true
	case name == "*" && st.args != nil && len(*st.args) <= 1 && !st.ifs:
		return append([]Word{}, append(*st.args, Word{})[0]), false, true
	case name == "0" && st.zero != nil:
		return []Word{st.zero}, false, true
	case name == "#" && st.args != nil:
		return []Word{Lit(strconv.Itoa(len(*st.args)))}, false, true
	case isNumber && n > 0 && st.args != nil:
		if n > len(*st.args) {
			return []Word{{}}, false, true
		}
		return (*st.args)[n-1 : n], false, true
	}
	if elements, isList := st.lists[name]; isList && !w.untracked && !w.tainted[name] && w.lang != syntax.LangZsh {
		if len(elements) == 0 {
			return nil, false, false
		}
		return []Word{Lit(elements[0])}, false, true
	}
	if glob, isGlob := st.globs[name]; isGlob {
		return []Word{glob}, false, true
	}
	value, ok := w.constantOf(name, st)
	if name == "IFS" && !st.ifs && w.lang != syntax.LangZsh {
		value, ok = blanks, true
	}
	return []Word{Lit(value)}, false, ok && value != aNumber
}

// elementsOf returns an element of an array, or all of them.
func (w *walker) elementsOf(name string, index syntax.ArithmExpr, st *state) (values []Word, list, ok bool) {
	elements, ok := st.lists[name]
	word, isWord := index.(*syntax.Word)
	if !ok || !isWord || w.untracked || w.tainted[name] {
		return nil, false, false
	}
	at := word.Lit()
	if at == "@" {
		for _, e := range elements {
			values = append(values, Lit(e))
		}
		return values, true, true
	}
	n, isNumber := decimal(at)
	if w.lang == syntax.LangZsh {
		n-- // elements are counted from 1
	}
	if !isNumber || n < 0 || n >= len(elements) || st.odd {
		return nil, false, false
	}
	return []Word{Lit(elements[n])}, false, true
}

// lengthOf is ${#x}.
func (w *walker) lengthOf(values []Word, list bool) ([]Word, bool, bool) {
	n := len(values)
	if !list {
		value, ok := values[0].Literal()
		if n = len(value); !ok || !isASCII(value) {
			return nil, false, false
		}
	}
	return []Word{Lit(strconv.Itoa(n))}, false, true
}

// decimal reads a number that every shell takes for decimal.
func decimal(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}

// isEmptyList reports whether the inside of double quotes is nothing but a list
// without elements, so that no word is left of it.
func (w *walker) isEmptyList(parts []syntax.WordPart, st *state) bool {
	if len(parts) != 1 {
		return false
	}
	p, ok := parts[0].(*syntax.ParamExp)
	if !ok {
		return false
	}
	values, list, ok := w.parameter(p, st)
	return ok && list && len(values) == 0
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) < 0
}

// operated applies the operator of an expansion to a value, where its operands
// are plain text: a part, a replacement, a prefix or a suffix cut off, a default,
// another case (bash manual, Shell Parameter Expansion).
func (w *walker) operated(p *syntax.ParamExp, value string, st *state) (result string, ok bool) {
	switch {
	case p.Slice != nil:
		return sliced(p.Slice, value)
	case p.Repl != nil:
		from, fromOK := plainPattern(p.Repl.Orig)
		to, toOK := "", p.Repl.With == nil
		if !toOK {
			to, toOK = plainPattern(p.Repl.With)
		}
		if !fromOK || !toOK || from == "" || strings.ContainsAny(from[:1], "#%/") || strings.Contains(to, "&") {
			return "", false
		}
		if p.Repl.All {
			return strings.ReplaceAll(value, from, to), true
		}
		return strings.Replace(value, from, to, 1), true
	}
	operand, plain := "", p.Exp.Word == nil
	if !plain {
		operand, plain = plainPattern(p.Exp.Word)
	}
	switch op := p.Exp.Op; op {
	case syntax.DefaultUnset, syntax.AssignUnset, syntax.ErrorUnset:
		return value, true
	case syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull, syntax.ErrorUnsetOrNull:
		if value != "" {
			return value, true
		}
		return operand, plain && op == syntax.DefaultUnsetOrNull
	case syntax.AlternateUnset:
		return operand, plain
	case syntax.AlternateUnsetOrNull:
		if value == "" {
			return "", true
		}
		return operand, plain
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		return strings.TrimPrefix(value, operand), plain
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return strings.TrimSuffix(value, operand), plain
	case syntax.UpperAll:
		return strings.ToUpper(value), plain && operand == ""
	case syntax.LowerAll:
		return strings.ToLower(value), plain && operand == ""
	case syntax.UpperFirst:
		return strings.ToUpper(value[:min(1, len(value))]) + value[min(1, len(value)):], plain && operand == ""
	case syntax.LowerFirst:
		return strings.ToLower(value[:min(1, len(value))]) + value[min(1, len(value)):], plain && operand == ""
	}
	return "", false
}

// sliced is ${x:offset:length} with numbers for both.
func sliced(slice *syntax.Slice, value string) (part string, ok bool) {
	number := func(x syntax.ArithmExpr) (int, bool) {
		word, isWord := x.(*syntax.Word)
		if !isWord {
			return 0, false
		}
		return decimal(word.Lit())
	}
	from, ok := number(slice.Offset)
	if !ok {
		return "", false
	}
	value = value[min(from, len(value)):]
	if slice.Length == nil {
		return value, true
	}
	length, ok := number(slice.Length)
	return value[:min(length, len(value))], ok
}

// plainPattern returns the text of an operand that is neither quoted nor a
// pattern, nor expanded.
func plainPattern(word *syntax.Word) (text string, ok bool) {
	if word == nil || len(word.Parts) == 0 {
		return "", true
	}
	text = word.Lit()
	return text, text != "" && !strings.ContainsAny(text, `\*?[]()|~!@+"'`+"`$") && isASCII(text)
}

// values adds what a parameter expands to. Each of a list is a field.
func (w *walker) values(values []Word, spelling string, quoted bool, f *fielder, st *state) {
	for i, value := range values {
		if i > 0 {
			f.next()
		}
		text, literal := value.Literal()
		switch {
		case literal:
			w.constant(text, spelling, quoted, f, st)
		case quoted || !f.split || !value.mayHoldValue():
			f.started = true
			for _, piece := range value {
				f.cur.piece(piece)
			}
		default:
			f.hole(spelling, Words)
		}
	}
}
