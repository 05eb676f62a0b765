package shellparse

import (
	"slices"
	"strings"
)

// optionSpec lists the options of a program: x is a letter, x: one with a value,
// x? one whose value may only be attached, x:: one with two values; -name likewise
// for --name, and -name=x when x is the same option in short, -name:=x when it
// takes a value. A -* stands for every other long option, its value attached if
// it has one.
type optionSpec string

// twoValues is the kind of an option that takes two values.
const twoValues = ';'

// find looks an option up by its name or, if that is long, by an unambiguous
// beginning of it, as GNU getopt does. kind is 0 for a flag, else :, ? or
// [twoValues], and twin its short form or "".
func (s optionSpec) find(name string) (full string, kind byte, twin string, ok bool) {
	matches := 0
	wild := false
	for spec := range strings.FieldsSeq(string(s)) {
		spec, t, _ := strings.Cut(spec, "=")
		bare := strings.TrimRight(spec, ":?")
		k := byte(0)
		if bare != spec {
			k = spec[len(spec)-1]
		}
		if strings.HasSuffix(spec, "::") {
			k = twoValues
		}
		wild = wild || bare == "-*"
		if bare == name {
			return bare, k, t, true
		}
		if len(name) > 1 && strings.HasPrefix(bare, name) {
			matches++
			full, kind, twin = bare, k, t
		}
	}
	if matches != 1 && wild && strings.HasPrefix(name, "-") {
		return name, '?', "", true
	}
	return full, kind, twin, matches == 1
}

// uncertain reports whether a word could turn out to be an option, or several
// words, or none.
func uncertain(word Word) bool {
	if _, ok := word.Literal(); ok || isProcess(word) {
		return false
	}
	prefix := word.literalPrefix()
	return word.maySplit() || prefix == "" || prefix[0] == '-'
}

// isProcess reports whether a word is a process substitution, which the shell
// replaces by a path.
func isProcess(word Word) bool {
	return len(word) == 1 && word[0].Hole == Value && strings.HasPrefix(word[0].Text, "<(")
}

// scanned is a carrier's arguments, taken apart.
type scanned struct {
	options  []option
	operands []Word
	behind   []Word // what stands behind --
	dashed   bool   // there is a --
	two      bool   // the option at hand takes two values
	whole    bool   // one of carrier.rest made operands of all that follows it
	unknown  bool   // an option is not in the table, or a hole may be one
}

type option struct {
	name    string // x, or -name for --name
	value   Word
	pending bool // its value is the next argument
}

func (o scanned) any(names string) bool {
	list := strings.Fields(names)
	return slices.ContainsFunc(o.options, func(p option) bool { return slices.Contains(list, p.name) })
}

// values returns what was given to some options.
func (o scanned) values(names string) (values []Word) {
	list := strings.Fields(names)
	for _, p := range o.options {
		if slices.Contains(list, p.name) && len(p.value) > 0 {
			values = append(values, p.value)
		}
	}
	return values
}

// maxAppended is how many bytes of what xargs reads become words of a command.
const maxAppended = 4 << 10

// append adds what xargs adds: words at the end, or, with a replacement, a hole
// wherever it stands. Words that it reads are known if they are in the source, and
// nothing in them is quoted.
func (o scanned) append(c carrier, words []Word, in stream) []Word {
	if in.sure() && len(in.text) <= maxAppended && !strings.ContainsAny(in.text, "'\"\\\x00") &&
		!o.any(c.replace) && !o.any("0 a d E n L l P s -null -arg-file -delimiter -eof -max-args -max-lines -max-chars") {
		return append(slices.Clone(words), literals(strings.Fields(in.text))...)
	}
	if !o.any(c.replace) {
		return append(slices.Clone(words), Word{{"…", Words}})
	}
	out := slices.Clone(words)
	for _, p := range o.options {
		if !slices.Contains(strings.Fields(c.replace), p.name) {
			continue
		}
		mark, ok := p.value.Literal()
		if !ok {
			return []Word{anything(words)}
		}
		if mark == "" {
			mark = "{}"
		}
		for i := range out {
			out[i] = fill(out[i], mark, Value)
		}
	}
	if o.any("n L l -max-args -max-lines") {
		out = append(out, Word{{"…", Words}}) // the last of these options counts
	}
	return out
}

// scan takes the arguments in front of the operands apart: clustered letters,
// attached and separate values, long options abbreviated and with =. The first
// operand, or --, ends them; where the carrier permutes its arguments, only --.
func (c carrier) scan(args []Word) (o scanned) {
	for i := 0; i < len(args); i++ {
		if uncertain(args[i]) && (args[i].maySplit() || !c.takesAttached(args[i].literalPrefix())) {
			// At the first operand it may still be an option.
			return scanned{unknown: true}
		}
		prefix := args[i].literalPrefix()
		text, literal := args[i].Literal()
		switch {
		case text == "--" && literal:
			o.dashed, o.behind = true, args[i+1:]
			o.operands = append(o.operands, o.behind...)
			return o
		case text == "-" && literal && c.inner == innerShell:
			o.operands = args[i+1:]
			return o
		case text == "-" && literal && c.dash:
			o.options = append(o.options, option{name: "i"})
			continue
		case c.numeric && len(prefix) > 1 && prefix[0] == '-' && strings.Trim(prefix[1:], "+-0123456789") == "":
			continue
		case c.inner == innerShell && len(prefix) > 1 && prefix[0] == '+' && literal:
			if strings.ContainsAny(prefix, "BOok") {
				o.options = append(o.options, option{name: "B"}) // it may change anything
			}
			for _, letter := range []string{"c", "s"} {
				if strings.Contains(prefix, letter) { // +c is -c to bash, dash and zsh
					o.options = append(o.options, option{name: letter})
				}
			}
			if strings.ContainsAny(prefix, "Oo") {
				i++
			}
			continue
		case len(prefix) < 2 || prefix[0] != '-' || c.inner == innerJoin && c.options == "":
			if c.permutes {
				o.operands = append(o.operands, args[i])
				continue
			}
			o.operands = args[i:]
			return o
		}
		var needsValue bool
		var ok bool
		if name, found := strings.CutPrefix(prefix, "--"); found || c.long && len(prefix) > 2 {
			if !found {
				name = prefix[1:]
			}
			needsValue, ok = o.longOption(c, args[i], name)
		} else {
			needsValue, ok = o.letters(c, args[i])
		}
		if !ok {
			return scanned{unknown: true}
		}
		if p := o.options; len(p) > 0 && c.rest != "" && slices.Contains(strings.Fields(c.rest), p[len(p)-1].name) {
			o.whole, o.operands = true, args[i+1:]
			if v := p[len(p)-1].value; len(v) > 0 {
				o.operands = append([]Word{v}, o.operands...)
			}
			return o
		}
		if needsValue && o.two {
			o.two = false
			if i++; i < len(args) && args[i].mayVanish() {
				return scanned{unknown: true}
			}
		}
		if needsValue {
			if i++; i >= len(args) {
				return o
			}
			if args[i].mayVanish() {
				return scanned{unknown: true}
			}
			for j := range o.options {
				if o.options[j].pending {
					o.options[j].value, o.options[j].pending = args[i], false
				}
			}
		}
		if o.any(c.split) {
			o.operands = args[i+1:] // they are split off anew
			return o
		}
	}
	return o
}

// takesAttached reports whether a literal beginning such as -u or --user= is an
// option that takes what follows as its value.
func (c carrier) takesAttached(prefix string) bool {
	if name, _, ok := strings.Cut(prefix, "="); ok && strings.HasPrefix(name, "--") {
		_, _, _, known := c.options.find(name[1:])
		return known
	}
	for i := 1; i < len(prefix) && prefix[0] == '-'; i++ {
		_, kind, _, ok := c.options.find(prefix[i : i+1])
		if !ok {
			return false
		}
		if kind != 0 {
			return true
		}
	}
	return false
}

// longOption takes a word apart that spells an option by its name.
func (o *scanned) longOption(c carrier, word Word, spelled string) (needsValue, ok bool) {
	name, _, attached := strings.Cut(spelled, "=")
	full, kind, _, ok := c.options.find("-" + name)
	if !ok || !attached && len(word) > 1 {
		return false, false
	}
	o.two = kind == twoValues
	p := option{name: full, pending: (kind == ':' || o.two) && !attached}
	if attached {
		p.value = cut(word, len(word.literalPrefix())-len(spelled)+len(name)+1)
	}
	o.options = append(o.options, p)
	return p.pending, true
}

func (o *scanned) letters(c carrier, word Word) (needsValue, ok bool) {
	prefix := word.literalPrefix()
	for i := 1; i < len(prefix); i++ {
		full, kind, _, ok := c.options.find(prefix[i : i+1])
		if !ok {
			return false, false
		}
		p := option{name: full}
		rest := cut(word, i+1)
		switch {
		case kind == 0:
		case c.inner == innerShell && c.text == "":
			// A shell goes on with the cluster and takes the value after it:
			// bash -oc pipefail '…'.
			if needsValue {
				return false, false
			}
			p.pending, needsValue = true, true
		case len(rest) > 0:
			p.value = rest
			o.options = append(o.options, p)
			return false, true
		case kind == ':':
			p.pending = true
			o.options = append(o.options, p)
			return true, true
		}
		o.options = append(o.options, p)
	}
	return needsValue, len(word) == 1
}

// cut drops the first n bytes of a word's literal beginning.
func cut(word Word, n int) Word {
	var b wordBuilder
	for _, p := range word {
		k := min(n, len(p.Text))
		n -= k
		if p.Text = p.Text[k:]; p.Text != "" {
			b.piece(p)
		}
	}
	return b.word()
}
