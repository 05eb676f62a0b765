package shellparse

import (
	"path"
	"strings"
)

// An Option is one word of options and, where the table of its program knows
// them, what it means: clusters are split, long options become their short
// twin, and an option with a value is one word, `-o value`.
type Option struct {
	As    Word
	Means []Word

	// MayTake is the index among the others of a word that is the option's value
	// if the option takes one, which no table says; 0 if there is none.
	MayTake int
}

// Respell takes a command's words apart, whatever order and spelling its options
// have. The others are the program's bare name and the operands; `--` is
// dropped.
func Respell(words []Word) (options []Option, others []Word) {
	if len(words) == 0 {
		return nil, nil
	}
	name, known := words[0].Literal()
	if !known {
		return nil, words
	}
	name = path.Base(name)
	spec, listed := optionTable[name]
	others = []Word{Lit(name)}
	type spelled struct {
		text    string
		mayTake int
	}
	seen := map[spelled]bool{} // what is repeated says no more
	for i := 1; i < len(words); i++ {
		word := words[i]
		prefix := word.literalPrefix()
		if text, ok := word.Literal(); ok && text == "--" {
			if spec.expression() {
				continue
			}
			return options, append(others, words[i+1:]...)
		}
		if len(prefix) < 2 || prefix[0] != '-' {
			others = append(others, word)
			if sub, ok := optionTable[name+" "+prefix]; ok && len(others) == 2 {
				spec, listed = sub+" "+spec, true // the first to name an option counts
			}
			continue
		}
		option, valuedBy := Option{As: word}, i
		if listed {
			means, needsValue := spec.respell(word)
			if needsValue && i+1 < len(words) {
				i++
				last := len(means) - 1
				means[last] = valued(means[last], words[i])
			}
			option.Means = means
		}
		if len(option.Means) == 0 && !strings.Contains(prefix, "=") {
			option.MayTake = len(others)
		}
		if text, ok := word.Literal(); ok && valuedBy == i {
			key := spelled{text, option.MayTake}
			if seen[key] {
				continue
			}
			seen[key] = true
		}
		options = append(options, option)
	}
	for i := range options {
		if options[i].MayTake >= len(others) {
			options[i].MayTake = 0
		}
	}
	return options, others
}

// EndsOptions reports whether -- among the arguments of a program says that no
// options follow.
func EndsOptions(name Word) bool {
	text, known := name.Literal()
	return known && !optionTable[path.Base(text)].expression()
}

// expression reports whether a program takes an expression, as find does: -name
// is a word of it and no cluster, and behind -- there may be more.
func (s optionSpec) expression() bool { return strings.HasPrefix(string(s), "-- ") }

// respell returns the options that one word holds, and whether the last of them
// takes the next word as its value.
func (s optionSpec) respell(word Word) (found []Word, needsValue bool) {
	prefix := word.literalPrefix()
	if s.expression() && len(prefix) > 2 {
		if _, kind, _, ok := s.find(prefix); ok && len(word) == 1 {
			return []Word{word}, kind == ':'
		}
		return nil, false
	}
	if strings.HasPrefix(prefix, "--") {
		long, _, attached := strings.Cut(prefix[1:], "=")
		full, kind, twin, ok := s.find(long)
		if !ok {
			return nil, false
		}
		option := Lit("-" + full)
		if twin != "" {
			option = Lit("-" + twin)
		}
		if attached {
			option = valued(option, cut(word, len(long)+2))
		}
		return []Word{option}, kind == ':' && !attached
	}
	var seen [256]bool
	for i := 1; i < len(prefix); i++ {
		full, kind, twin, ok := s.find(prefix[i : i+1])
		if !ok {
			return found, false
		}
		if twin != "" {
			full = twin
		}
		if kind == 0 && seen[prefix[i]] {
			continue
		}
		seen[prefix[i]] = true
		option := Lit("-" + full)
		rest := cut(word, i+1)
		switch {
		case kind == 0:
		case len(rest) > 0:
			return append(found, valued(option, rest)), false
		case kind == ':':
			return append(found, option), true
		}
		found = append(found, option)
	}
	return found, false
}

func valued(option, value Word) Word { return Join([]Word{option, value}) }
