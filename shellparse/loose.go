package shellparse

import "strings"

// A loose says how the arguments of a program come apart whose options matter
// wherever they stand: behind operands, in clusters, abbreviated. Other than with
// [carrier.scan], where an option that no table knows hides the command behind
// it, one that is not in the row is taken for a flag here: what it does to the
// rest is then nothing that makes a program run.
type loose struct {
	long    bool // -name is --name
	bundled bool // the first argument holds letters without a dash: tar xIf
	stops   int  // behind as many operands stands no option; 0 is any number

	until optionSpec // behind these stands no option either
}

// apart takes arguments apart by the options of spec. What it cannot tell it
// takes for a flag or an operand.
func (l loose) apart(spec optionSpec, args []Word) (o scanned) {
	var waiting []int // the options whose values are the next arguments
	add := func(name string, kind byte, value Word) {
		o.options = append(o.options, option{name: name, value: value})
		if kind == ':' && len(value) == 0 {
			waiting = append(waiting, len(o.options)-1)
		}
	}
	sure := 0
	for i, arg := range args {
		prefix := arg.literalPrefix()
		text, literal := arg.Literal()
		switch {
		case len(waiting) > 0:
			o.options[waiting[0]].value = arg
			waiting = waiting[1:]
		case l.bundled && i == 0 && prefix != "" && prefix[0] != '-':
			for j := range len(prefix) {
				full, kind, _, _ := spec.find(prefix[j : j+1])
				add(full, kind, nil)
			}
		case text == "--" && literal && !o.unknown:
			o.dashed, o.behind = true, args[i+1:]
			o.operands = append(o.operands, o.behind...)
			return o
		case len(prefix) < 2 || prefix[0] != '-':
			o.unknown = o.unknown || uncertain(arg)
			o.operands = append(o.operands, arg)
			if !uncertain(arg) {
				sure++
			}
			if sure == l.stops && l.stops > 0 {
				o.behind = args[i+1:]
				return o
			}
		default:
			if !l.named(spec, arg, prefix, add) && !l.lettered(spec, arg, prefix, add) {
				o.unknown = true
			}
			if n := len(o.options); l.until != "" && n > 0 && l.until.holds(o.options[n-1].name) {
				o.whole, o.behind = true, args[i+1:]
				return o
			}
		}
	}
	return o
}

// named takes an option apart that is spelled by its name, or by a beginning of
// it that is no other one's.
func (l loose) named(spec optionSpec, arg Word, prefix string, add func(string, byte, Word)) bool {
	spelled, double := strings.CutPrefix(prefix, "--")
	if !double {
		if !l.long {
			return false
		}
		spelled = prefix[1:]
	}
	name, _, attached := strings.Cut(spelled, "=")
	full, kind, _, ok := spec.find("-" + name)
	// A beginning with one dash may as well be a letter with its value.
	if !ok || !double && full != "-"+name && len(name) < 3 {
		return false
	}
	var value Word
	if attached {
		value = cut(arg, len(prefix)-len(spelled)+len(name)+1)
		if len(value) == 0 {
			value = Lit("")
		}
	}
	add(full, kind, value)
	return true
}

// lettered takes a cluster of letters apart; the value of one may be attached.
func (l loose) lettered(spec optionSpec, arg Word, prefix string, add func(string, byte, Word)) (known bool) {
	known = prefix[1] != '-'
	for i := 1; i < len(prefix) && prefix[1] != '-'; i++ {
		full, kind, _, ok := spec.find(prefix[i : i+1])
		if i+1 < len(prefix) && prefix[i] == prefix[i+1] && spec.holds("-"+prefix[i:i+2]) {
			add("-"+prefix[i:i+2], ':', cut(arg, i+2)) // -TT of zip
			return known
		}
		if l.long && i > 1 {
			return false // -wx is no cluster there
		}
		known = known && ok
		if kind != 0 {
			add(full, kind, cut(arg, i+1))
			return known
		}
		if ok {
			add(full, 0, nil)
		}
	}
	return known
}

// holds reports whether a list names an option.
func (s optionSpec) holds(name string) bool {
	for _, spec := range strings.Fields(string(s)) {
		if strings.TrimRight(spec, ":?") == name {
			return true
		}
	}
	return false
}

// given returns what was given to the options of a list, in the order of the
// line.
func (o scanned) given(list optionSpec) (values []Word) {
	for _, p := range o.options {
		if len(p.value) > 0 && list.holds(p.name) {
			values = append(values, p.value)
		}
	}
	return values
}

// has reports whether one of the options of a list was given.
func (o scanned) has(list optionSpec) bool {
	for _, p := range o.options {
		if list.holds(p.name) {
			return true
		}
	}
	return false
}
