package rules

import (
	"fmt"
	"strings"
)

// Env is what patterns are expanded with.
type Env struct {
	Home   string // "" when unknown
	Real   string // where Home leads, if links lead elsewhere
	Lookup func(name string) (value string, set bool)

	asIs bool // patterns stay as they are
}

// expand replaces what stands for a path: ~, ~/ and $HOME at the front of a
// pattern, where it may be about commands also at the front of each of its
// words, and ${NAME} anywhere. What is put in matches only itself, and is not
// expanded again.
func (e Env) expand(permission, pattern string) (string, error) {
	words := []string{pattern}
	if Match(permission, "bash") {
		words = strings.Split(pattern, " ")
	}
	for i, word := range words {
		home, rest, err := e.home(word)
		if err != nil {
			return "", err
		}
		if rest, err = e.variables(rest); err != nil {
			return "", err
		}
		words[i] = home + rest
	}
	return strings.Join(words, " "), nil
}

// expandAll expands a pattern for the home directory by its name and, where links
// lead elsewhere, for where it is.
func (e Env) expandAll(permission, pattern string) ([]string, error) {
	if e.asIs {
		return []string{pattern}, nil
	}
	named, err := e.expand(permission, pattern)
	if err != nil || e.Real == "" {
		return []string{named}, err
	}
	real, err := Env{Home: e.Real, Lookup: e.Lookup}.expand(permission, pattern)
	if err != nil || real == named {
		return []string{named}, err
	}
	return []string{named, real}, nil
}

// home splits off what stands for the home directory, and returns that instead.
func (e Env) home(word string) (home, rest string, err error) {
	for _, prefix := range []string{"~", "$HOME"} {
		rest, ok := strings.CutPrefix(word, prefix)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if e.Home == "" {
			return "", "", fmt.Errorf("%s stands for the home directory, and that is not known", prefix)
		}
		home = Quote(strings.TrimRight(e.Home, "/"))
		if home == "" && rest == "" {
			home = "/"
		}
		return home, rest, nil
	}
	return "", word, nil
}

func (e Env) variables(s string) (string, error) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, rest, closed := strings.Cut(after, "}")
		if !closed || !isName(name) {
			b.WriteString("${")
			s = after
			continue
		}
		value, set := "", false
		if e.Lookup != nil {
			value, set = e.Lookup(name)
		}
		if !set {
			return "", fmt.Errorf("the variable %s is not set", name)
		}
		b.WriteString(Quote(value))
		s = rest
	}
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
