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
func (m *memo) respelled(pat string, words []shellparse.Word) (certain, possible bool) {
	if !sameWords(words, m.words) {
		m.take(words)
	}
	name, _, _ := strings.Cut(pat, " ")
	if unlike(name, m.base) && unlike(name, words[0]) && !mayVanish(words[0]) {
		return false, false
	}
	if isProgram(name, words[0]) {
		certain, possible = m.respelledAs(pat, words)
	}
	for len(words) > 1 && mayVanish(words[0]) && !possible {
		// With nothing in it, the next word is the program.
		words = words[1:]
		if isProgram(name, words[0]) {
			_, possible = m.respelledAs(pat, words)
		}
	}
	return certain, possible
}

// isProgram reports whether a pattern's name could be that of a command, with
// its directory if the pattern has one.
func isProgram(name string, word shellparse.Word) bool {
	if !strings.ContainsAny(name, `/\`) {
		word = baseName(word)
	}
	_, possible := matchText(name, word)
	return possible
}

func (m *memo) respelledAs(pat string, words []shellparse.Word) (certain, possible bool) {
	p := m.pattern(pat)
	c := m.command(p.name, words)
	certain, possible = true, true
	for _, w := range p.wanted {
		isGiven, maybe := given(w, c.options)
		certain = certain && isGiven
		possible = possible && (maybe || c.hidden)
	}
	if p.dashed && !c.dashed {
		certain, possible = false, possible && c.hidden
	}
	if !possible {
		return false, false
	}
	isOther, maybe := matchText(p.others, c.others)
	if !maybe {
		_, maybe = matchText(p.others, c.operands)
	}
	return certain && isOther && c.sure, maybe
}

// A memo holds patterns and commands taken apart, so that deciding on a long
// line does that once for each.
type memo struct {
	requests int // how many are decided
	indexes  map[*Rule]ruleIndex

	patterns map[string]patternParts
	words    []shellparse.Word       // those of known
	base     shellparse.Word         // the bare name of words
	known    commandParts            // not if their name is a hole
	guesses  map[string]commandParts // by what the name may be, if it is one

	ignore  *shellparse.Lead // without which options full is shorter
	full    []shellparse.Word
	shorter []shellparse.Word

	globs, files []shellparse.Word // words, and those with globs for files
}

// patternParts are the words of a pattern.
type patternParts struct {
	name   shellparse.Word
	wanted []shellparse.Option
	others string
	dashed bool
}

func (m *memo) pattern(pat string) patternParts {
	if p, ok := m.patterns[pat]; ok {
		return p
	}
	var split []shellparse.Word
	for _, word := range strings.Split(pat, " ") {
		split = append(split, shellparse.Lit(word))
	}
	wanted, others := shellparse.Respell(split)
	if last := split[len(split)-1]; last.String() == "*" && others[len(others)-1].String() != "*" {
		// The star was taken for the value of an option, and stands for the rest.
		others = append(others, last)
	}
	p := patternParts{split[0], wanted, shellparse.Join(others).String(), slices.ContainsFunc(split, isDashes)}
	if m.patterns == nil {
		m.patterns = map[string]patternParts{}
	}
	m.patterns[pat] = p
	return p
}

// commandParts are the words of a command.
type commandParts struct {
	options          []shellparse.Option
	others, operands shellparse.Word
	hidden           bool // an argument may be an option
	dashed           bool
	sure             bool // of its name
}

// take takes a command apart.
func (m *memo) take(words []shellparse.Word) {
	m.words, m.base, m.known, m.guesses = words, baseName(words[0]), commandParts{}, map[string]commandParts{}
	if _, sure := words[0].Literal(); sure {
		m.known = takeApart(words)
		m.known.sure = true
	}
}

// command returns a command taken apart, as that of the program called name
// should its own name not be known.
func (m *memo) command(name shellparse.Word, words []shellparse.Word) commandParts {
	if sameWords(words, m.words) && m.known.sure {
		return m.known
	}
	if _, sure := words[0].Literal(); sure {
		c := takeApart(words)
		c.sure = true
		return c
	}
	if !sameWords(words, m.words) {
		return takeApart(append([]shellparse.Word{name, moreWords}, words[1:]...))
	}
	c, guessed := m.guesses[name.String()]
	if !guessed {
		c = takeApart(append([]shellparse.Word{name, moreWords}, words[1:]...))
		m.guesses[name.String()] = c
	}
	return c
}

func takeApart(words []shellparse.Word) commandParts {
	words = splitting(words)
	options, others := shellparse.Respell(words)
	return commandParts{
		options: options, others: shellparse.Join(others), operands: shellparse.Join(operands(options, others)),
		hidden: mayHideOption(words), dashed: slices.ContainsFunc(words, isDashes),
	}
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

// given reports whether the wanted option is among the options, in all that it
// means or, where the table does not know both, as it is written. One that is
// wanted without a value may have any.
func given(wanted shellparse.Option, options []shellparse.Option) (certain, possible bool) {
	as := wanted.As.String()
	for _, o := range options {
		if len(wanted.Means) > 0 && len(o.Means) > 0 {
			continue
		}
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
// more options than are written. None can behind `--`, and none that is the value
// of an option. File names could too, but nobody is asked about every glob for
// that.
func mayHideOption(words []shellparse.Word) bool {
	if end := slices.IndexFunc(words, isDashes); end > 0 && shellparse.EndsOptions(words[0]) {
		words = words[:end]
	}
	if slices.ContainsFunc(words[1:], func(w shellparse.Word) bool { return slices.ContainsFunc(w, isWords) }) {
		return true
	}
	options, others := shellparse.Respell(words)
	return slices.ContainsFunc(options, isOpen) || slices.ContainsFunc(others[1:], func(w shellparse.Word) bool {
		_, literal := w.Literal()
		return !literal && (w[0].Hole == shellparse.Value || w[0].Text == "-")
	})
}

// isOpen reports whether an option's word has a hole that may be more options,
// and not its value.
func isOpen(o shellparse.Option) bool {
	if _, literal := o.As.Literal(); literal || strings.HasPrefix(o.As[0].Text, "--") && strings.Contains(o.As[0].Text, "=") {
		return false
	}
	if n := len(o.Means); n > 0 {
		_, literal := o.Means[n-1].Literal()
		return literal
	}
	return true
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
