package rules

import (
	"slices"
	"strings"

	"mayi/shellparse"
)

// respelled holds a command against a pattern with the options of both taken
// apart, for rules that restrict: it matches when the pattern's options are
// among the command's and its other words match the command's other words. So
// `rm -rf *` matches rm -r -f x, rm x -fr and rm --recursive --force -- x. A
// pattern that names a directory of the program, or `--`, wants it there.
func respelled(pat string, words []shellparse.Word) (certain, possible bool) {
	name, _, _ := strings.Cut(pat, " ")
	if isProgram(name, words[0]) {
		certain, possible = respelledAs(pat, words)
	}
	for len(words) > 1 && mayVanish(words[0]) && !possible {
		// With nothing in it, the next word is the program.
		words = words[1:]
		if isProgram(name, words[0]) {
			_, possible = respelledAs(pat, words)
		}
	}
	return certain, possible
}

// isProgram reports whether a pattern's name could be that of a command, with
// its directory if the pattern has one.
func isProgram(name string, word shellparse.Word) bool {
	if !strings.Contains(slashed(name), "/") {
		word = baseName(word)
	}
	_, possible := matchText(name, word)
	return possible
}

func respelledAs(pat string, words []shellparse.Word) (certain, possible bool) {
	var split []shellparse.Word
	for _, word := range strings.Split(pat, " ") {
		split = append(split, shellparse.Lit(word))
	}
	_, sure := words[0].Literal()
	if !sure {
		// Should it be the pattern's program, its options are read as such.
		words = append([]shellparse.Word{split[0], moreWords}, words[1:]...)
	}
	words = splitting(words)
	wanted, patOthers := shellparse.Respell(split)
	if last := split[len(split)-1]; last.String() == "*" && patOthers[len(patOthers)-1].String() != "*" {
		// The star was taken for the value of an option, and stands for the rest.
		patOthers = append(patOthers, last)
	}
	options, others := shellparse.Respell(words)
	pattern := shellparse.Join(patOthers).String()
	certain, possible = matchText(pattern, shellparse.Join(others))
	if !possible {
		_, possible = matchText(pattern, shellparse.Join(operands(options, others)))
	}
	if !possible {
		return false, false
	}
	hidden := mayHideOption(words)
	if slices.ContainsFunc(split, isDashes) && !slices.ContainsFunc(words, isDashes) {
		certain, possible = false, hidden
	}
	for _, w := range wanted {
		c, p := given(w, options)
		certain = certain && c
		possible = possible && (p || hidden)
	}
	return certain && sure, possible
}

// operands are the others without those that may be values of options that no
// table knows.
func operands(options []shellparse.Option, others []shellparse.Word) (left []shellparse.Word) {
	values := make([]bool, len(others)+1)
	for _, o := range options {
		values[o.MayTake] = true
	}
	for i, w := range others {
		if i == 0 || !values[i] {
			left = append(left, w)
		}
	}
	return left
}

// moreWords stands for words that are not in the line, or none.
var moreWords = shellparse.Word{{Text: "…", Hole: shellparse.Words}}

// splitting puts behind each word that may become several what else it may
// become, lest all of it be taken for the value of an option.
func splitting(words []shellparse.Word) []shellparse.Word {
	var out []shellparse.Word
	for _, w := range words {
		out = append(out, w)
		if slices.ContainsFunc(w, isWords) {
			out = append(out, moreWords)
		}
	}
	return out
}

// given reports whether the wanted option is among the options, as it is written
// or in all that it means. One that is wanted without a value may have any.
func given(wanted shellparse.Option, options []shellparse.Option) (certain, possible bool) {
	as := wanted.As.String()
	for _, o := range options {
		c, p := matchText(as, o.As)
		v, w := matchText(as+"=*", o.As)
		certain, possible = certain || c || v, possible || p || w
	}
	if len(wanted.Means) == 0 {
		return certain, possible
	}
	allCertain, allPossible := true, true
	for _, m := range wanted.Means {
		pattern := m.String()
		if !strings.Contains(pattern, " ") {
			pattern += " *"
		}
		foundCertain, foundPossible := false, false
		for _, o := range options {
			for _, has := range o.Means {
				c, p := matchText(pattern, has)
				foundCertain, foundPossible = foundCertain || c, foundPossible || p
			}
		}
		allCertain, allPossible = allCertain && foundCertain, allPossible && foundPossible
	}
	return certain || allCertain, possible || allPossible
}

// mayHideOption reports whether an argument could turn out to be an option, or
// more options than are written. File names could too, but nobody is asked about
// every glob for that.
func mayHideOption(words []shellparse.Word) bool {
	return slices.ContainsFunc(words[1:], func(w shellparse.Word) bool {
		if _, literal := w.Literal(); literal {
			return false
		}
		return w[0].Hole == shellparse.Value || strings.HasPrefix(w[0].Text, "-") || slices.ContainsFunc(w, isWords)
	})
}

func isWords(p shellparse.Piece) bool { return p.Hole == shellparse.Words }

// mayVanish reports whether a word may become none at all.
func mayVanish(w shellparse.Word) bool {
	return len(w) > 0 && !slices.ContainsFunc(w, func(p shellparse.Piece) bool { return !isWords(p) })
}

func isDashes(w shellparse.Word) bool {
	text, literal := w.Literal()
	return literal && text == "--"
}

// baseName is a program's name without the directory, as far as it is known.
func baseName(name shellparse.Word) shellparse.Word {
	for i, p := range slices.Backward(name) {
		if p.Hole != shellparse.Known {
			continue
		}
		if at := strings.LastIndexAny(p.Text, `/\`); at >= 0 {
			base := append(shellparse.Word{}, name[i:]...)
			base[0].Text = p.Text[at+1:]
			return base
		}
	}
	return name
}
