package shellparse

import (
	"cmp"
	"strings"
)

// maxOptions is how many options of one command are looked at, for commands nest.
const maxOptions = 1000

// scan takes arguments apart as far as the options are known. Unlike a carrier's,
// an option that is not known is a flag: nothing runs that would be missed.
func (t fileTool) scan(args []Word, spec optionSpec) (o scanned) {
	for i := 0; i < len(args); i++ {
		if len(o.options) > maxOptions {
			o.unknown = true
			return o
		}
		prefix := args[i].literalPrefix()
		text, literal := args[i].Literal()
		isOption := len(prefix) > 1 && prefix[0] == '-'
		switch {
		case literal && text == "--":
			o.operands = append(o.operands, args[i+1:]...)
			return o
		case t.bundle && i == 0 && literal && !isOption:
			i += o.bundled(text, args[1:], spec)
			continue
		case t.until && (isOption && len(o.operands) > 0 || literal && (text == "(" || text == "!")):
			t.until, t.front = false, false
			t.skip = -1 // what follows is no operand
		case !isOption && t.front:
			o.operands = args[i:]
			return o
		}
		if !isOption {
			if t.skip >= 0 {
				o.operands = append(o.operands, args[i])
			}
			continue
		}
		if kind := t.option(args[i], spec, &o); kind != 0 {
			i++
			if kind == twoValues {
				i++
			}
			if i < len(args) {
				o.options[len(o.options)-1].value = args[i]
			}
		}
	}
	return o
}

// option takes one word of options apart. kind is not 0 when the last of them
// wants a value, or two.
func (t fileTool) option(word Word, spec optionSpec, o *scanned) (kind byte) {
	prefix := word.literalPrefix()
	add := func(full, twin string, value Word) {
		o.options = append(o.options, option{name: cmp.Or(twin, full), value: value})
	}
	if long, ok := strings.CutPrefix(prefix, "--"); ok || t.long && len(prefix) > 2 {
		if !ok {
			long = prefix[1:]
		}
		name, _, attached := strings.Cut(long, "=")
		full, kind, twin, known := spec.find("-" + name)
		switch {
		case !known:
			return 0
		case attached:
			add(full, twin, cut(word, strings.IndexByte(prefix, '=')+1))
			return 0
		}
		add(full, twin, nil)
		return valueKind(kind)
	}
	for i := 1; i < len(prefix); i++ {
		full, kind, twin, known := spec.find(prefix[i : i+1])
		if !known {
			continue
		}
		add(full, twin, nil)
		if kind == 0 {
			continue
		}
		rest := cut(word, i+1)
		if len(rest) == 0 || kind == twoValues {
			return valueKind(kind)
		}
		o.options[len(o.options)-1].value = rest
		return 0
	}
	return 0
}

// valueKind is the kind of an option whose value is the next word, else 0.
func valueKind(kind byte) byte {
	if kind == '?' {
		return 0
	}
	return kind
}

// bundled takes options apart that stand without a dash in the first argument;
// their values follow in the same order. It returns how many those are.
func (o *scanned) bundled(letters string, behind []Word, spec optionSpec) (taken int) {
	for i := range len(letters) {
		p := option{name: letters[i : i+1]}
		if full, kind, twin, ok := spec.find(p.name); ok {
			p.name = cmp.Or(twin, full)
			if kind == ':' && taken < len(behind) {
				p.value = behind[taken]
				taken++
			}
		}
		o.options = append(o.options, p)
	}
	return taken
}
