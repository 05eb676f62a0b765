package shellparse

import (
	"fmt"
	"strings"
)

// A Lead lists, for a program or a program and its subcommands, the options
// that may stand directly behind that name without changing what kind of thing
// the command does, such as the -C of git.
type Lead map[string]LeadOptions

// MaxLead is how many words the name of a subcommand may have in a [Lead].
const MaxLead = 8

// LeadOptions are options by their exact spelling, dashes and all. The value says
// whether one takes a value: 0 if none, ':' if it does, '?' if one may only be
// attached.
type LeadOptions map[string]byte

// ParseLeadOptions reads options as a config spells them, separated by spaces:
// -x or --name, with : behind one that takes a value and ? behind one whose value
// may only be attached.
func ParseLeadOptions(s string) (LeadOptions, error) {
	list := LeadOptions{}
	for _, spec := range strings.Fields(s) {
		name := strings.TrimRight(spec, ":?")
		if len(strings.TrimLeft(name, "-")) == 0 || name[0] != '-' || strings.ContainsAny(name, "=:?*") || len(spec) > len(name)+1 {
			return nil, fmt.Errorf("%q is not an option: it is written -x, -x:, --name, --name: or --name?", spec)
		}
		list[name] = 0
		if name != spec {
			list[name] = spec[len(spec)-1]
		}
	}
	return list, nil
}

// Without returns the command without the options that l lists, where they stand
// directly behind the name they are listed for: for git -C d stash -q show first
// without those of git, then also without those of git stash. An option that is
// not listed stays, and so does all behind it. A value may be unknown, but never
// what may become several words or none; options are never abbreviated, for what
// an abbreviation means is known only with all options at hand.
func (l Lead) Without(words []Word) (shorter [][]Word) {
	var key []string
	left := words
	for n := 0; n < min(len(left), MaxLead); n++ {
		text, literal := left[n].Literal()
		if !literal || strings.HasPrefix(text, "-") || strings.Contains(text, " ") {
			break
		}
		key = append(key, text)
		list := l[strings.Join(key, " ")]
		rest := left[n+1:]
		for len(rest) > 0 {
			took := list.take(rest)
			if took == 0 {
				break
			}
			rest = rest[took:]
		}
		if len(rest) < len(left)-n-1 {
			left = append(append([]Word{}, left[:n+1]...), rest...)
			shorter = append(shorter, left)
		}
	}
	return shorter
}

// take returns how many words the listed options at the front take up that stand
// in one word, with the value of the last; 0 if one is not listed.
func (l LeadOptions) take(words []Word) int {
	word := words[0]
	_, literal := word.Literal()
	prefix := word.literalPrefix()
	if word.maySplit() || hasGlob(word) || len(prefix) < 2 || prefix[0] != '-' {
		return 0
	}
	name, _, attached := strings.Cut(prefix, "=")
	if kind, listed := l[name]; listed && (attached || literal) {
		switch {
		case attached && kind != 0 && len(name) > 2:
			return 1
		case !attached && kind == ':':
			return withValue(words)
		case !attached:
			return 1
		}
	}
	if prefix[1] == '-' {
		return 0
	}
	for i := 1; i < len(prefix); i++ {
		kind, listed := l["-"+prefix[i:i+1]]
		more := i+1 < len(prefix) || !literal
		switch {
		case !listed:
			return 0
		case kind == 0:
		case more:
			return 1 // the rest is its value
		case kind == ':':
			return withValue(words)
		}
	}
	if !literal {
		return 0 // $x in -a$x may be more letters
	}
	return 1
}

// withValue is how many words an option and the value behind it are, 0 unless
// that is certain to be one word.
func withValue(words []Word) int {
	if len(words) < 2 || words[1].maySplit() || hasGlob(words[1]) {
		return 0
	}
	return 2
}

func hasGlob(word Word) bool {
	for _, p := range word {
		if p.Hole == Glob || p.Hole == Name {
			return true
		}
	}
	return false
}
