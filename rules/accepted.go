package rules

import (
	"path"
	"slices"
	"strings"
)

// suspects reports whether a line that could not be read might hold what a rule
// restricts, going by its words alone. It is asked about lines that a shell has
// accepted: where no word names anything that is restricted, and none that could
// be the name of a command is known only when it runs, there is nothing to ask a
// person about.
func (c *Config) suspects(line string) bool {
	words, unknown := wordsOf(line)
	for i, r := range c.Rules {
		if r.couldMatch(words, unknown) && !overridden(r, c.Rules[i+1:]) {
			return true
		}
	}
	for _, alone := range c.Alone {
		for i, r := range alone.Rules {
			if (r.Action == Deny || !alone.DenyOnly) && r.couldMatch(words, unknown) && !overridden(r, alone.Rules[i+1:]) {
				return true
			}
		}
	}
	return false
}

// overridden reports whether one of the later rules allows all that a rule
// restricts.
func overridden(r Rule, later []Rule) bool {
	return slices.ContainsFunc(later, func(l Rule) bool {
		return l.Action == Allow && (l.Permission == r.Permission || matchesAll(l.Permission)) && within(r.Pattern, l.Pattern)
	})
}

// couldMatch reports whether a rule restricts something that words could stand
// for: for a command each word of its pattern but the options, which can be
// spelled in many ways; for anything else the pattern itself.
func (r Rule) couldMatch(words []string, unknown bool) bool {
	if !r.restricts() {
		return false
	}
	occurs := func(pattern string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return Match(pattern, w) || Match(pattern, path.Base(w)) })
	}
	if !Match(r.Permission, "bash") {
		return occurs(r.Pattern)
	}
	if unknown {
		return true
	}
	for _, p := range strings.Fields(r.Pattern) {
		if !strings.HasPrefix(p, "-") && !occurs(p) {
			return false
		}
	}
	return true
}

var (
	// quoting is what a shell takes from a word.
	quoting = strings.NewReplacer("\\\n", "", `\`, "", `'`, "", `"`, "")

	// inert opens something that is no command.
	inert = strings.NewReplacer("${", "$", "=(", "= ")

	// unknownName finds a word that is known only when it runs, where the name of
	// a command may stand.
	unknownName = lazily("(^|[;&|(){}\n]|\\b(if|then|else|elif|do|while|until|time|and|or|not|begin|eval|exec|command|builtin|sudo|env|xargs)\\s)\\s*\\S*[$`*?]\\S*")

	separators = lazily("[\\s;&|()<>{}`$]+")
)

// wordsOf returns what may be words of a line, whichever way it is read, and
// whether the name of a command in it is unknown.
func wordsOf(line string) (words []string, unknown bool) {
	line = inert.Replace(quoting.Replace(line))
	for _, w := range separators().Split(line, -1) {
		words = append(words, w)
		if _, value, ok := strings.Cut(w, "="); ok {
			words = append(words, value)
		}
	}
	return words, unknownName().MatchString(line)
}
