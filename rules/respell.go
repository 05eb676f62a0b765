package rules

import (
	"slices"
	"strings"

	"mayi/shellparse"
)

// respelled holds a command against a pattern with the options of both taken
// apart, for rules that restrict: it matches when the pattern's options are
// among the command's and its other words match the command's other words. So
// `rm -rf *` matches rm -r -f x, rm x -fr and rm --recursive --force -- x.
func respelled(pat string, words []shellparse.Word) (certain, possible bool) {
	var split []shellparse.Word
	for _, word := range strings.Split(pat, " ") {
		split = append(split, shellparse.Lit(word))
	}
	wanted, patOthers := shellparse.Respell(split)
	options, others := shellparse.Respell(words)
	certain, possible = matchText(shellparse.Join(patOthers).String(), shellparse.Join(others))
	if !possible {
		return false, false
	}
	for _, w := range wanted {
		c, p := given(w, options)
		certain = certain && c
		possible = possible && (p || mayHideOption(words))
	}
	return certain, possible
}

// given reports whether the wanted option is among the options, as it is written
// or in all that it means.
func given(wanted shellparse.Option, options []shellparse.Option) (certain, possible bool) {
	for _, o := range options {
		c, p := matchText(wanted.As.String(), o.As)
		certain, possible = certain || c, possible || p
	}
	if len(wanted.Means) == 0 {
		return certain, possible
	}
	allCertain, allPossible := true, true
	for _, m := range wanted.Means {
		foundCertain, foundPossible := false, false
		for _, o := range options {
			for _, has := range o.Means {
				c, p := matchText(m.String(), has)
				foundCertain, foundPossible = foundCertain || c, foundPossible || p
			}
		}
		allCertain, allPossible = allCertain && foundCertain, allPossible && foundPossible
	}
	return certain || allCertain, possible || allPossible
}

// mayHideOption reports whether an argument could turn out to be an option.
// File names could too, but nobody is asked about every glob for that.
func mayHideOption(words []shellparse.Word) bool {
	return slices.ContainsFunc(words, func(w shellparse.Word) bool {
		return len(w) > 0 && (w[0].Hole == shellparse.Value || w[0].Hole == shellparse.Words)
	})
}
