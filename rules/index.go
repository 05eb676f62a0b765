package rules

import (
	"iter"
	"slices"
	"strings"

	"mayi/shellparse"
)

// fewRequests is how many requests a line may raise before an index of the rules
// by program is worth making.
const fewRequests = 30

// A ruleIndex holds rules by the program that their pattern names. Those that
// name none, or may name several, are in any.
type ruleIndex struct {
	named map[string][]int
	any   []int
}

func indexOf(rules []Rule) ruleIndex {
	x := ruleIndex{named: map[string][]int{}}
	for i := range rules {
		name, _, _ := strings.Cut(rules[i].Pattern, " ")
		if name == "" || strings.ContainsAny(name, `*?[\/`) {
			x.any = append(x.any, i)
		} else {
			x.named[name] = append(x.named[name], i)
		}
	}
	return x
}

// candidates yields, from the last to the first, the rules that can match a
// request. Most rules are about another program.
func (m *memo) candidates(q Request, rules []Rule) iter.Seq[int] {
	names, known := q.programs()
	return func(yield func(int) bool) {
		if !known || m.requests <= fewRequests {
			for i := len(rules) - 1; i >= 0; i-- {
				if !(known && unlikely(rules[i].Pattern, names)) && !yield(i) {
					return
				}
			}
			return
		}
		x := m.index(rules)
		list := slices.Clone(x.any)
		for _, name := range names {
			list = append(list, x.named[name]...)
		}
		slices.Sort(list)
		for _, i := range slices.Backward(slices.Compact(list)) {
			if !yield(i) {
				return
			}
		}
	}
}

// index returns the index of rules, made once for each list.
func (m *memo) index(rules []Rule) ruleIndex {
	if len(rules) == 0 {
		return ruleIndex{}
	}
	x, ok := m.indexes[&rules[0]]
	if !ok {
		x = indexOf(rules)
		if m.indexes == nil {
			m.indexes = map[*Rule]ruleIndex{}
		}
		m.indexes[&rules[0]] = x
	}
	return x
}

// programs returns the words that the text of a command may begin with, in any
// spelling that rules see. known is false if one of them is not.
func (q Request) programs() (names []string, known bool) {
	if q.Permission != "bash" {
		return nil, false
	}
	texts := append(append([]shellparse.Word{q.Text}, q.Same...), q.Also...)
	if len(q.Words) > 0 {
		texts = append(texts, q.Words[0], baseName(q.Words[0]))
	}
	for _, t := range texts {
		if len(t) == 0 || t[0].Hole != shellparse.Known {
			return nil, false
		}
		name, _, ended := strings.Cut(t[0].Text, " ")
		// A hole for several words stands with the space in front of it.
		ended = ended || len(t) == 1 || t[1].Hole == shellparse.Words && strings.HasPrefix(t[1].Text, " ")
		if name == "" || !ended || strings.Contains(name, `\`) {
			return nil, false
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, true
}

// unlikely reports, at a glance, whether a pattern begins otherwise than all of
// these names.
func unlikely(pattern string, names []string) bool {
	if pattern == "" || strings.IndexByte(`*?[\/`, pattern[0]) >= 0 {
		return false
	}
	for _, name := range names {
		if name[0] == pattern[0] {
			return false
		}
	}
	return true
}

// begins reports whether a rule can match surely: what its pattern begins with
// must stand in front of the first hole.
func begins(q Request, r *Rule) bool {
	if r.restricts() {
		// Its options may stand elsewhere, but not the name of the program.
		name, _, _ := strings.Cut(r.Pattern, " ")
		_, known := baseName(firstWord(q.Words)).Literal()
		return known || len(q.Words) == 0 || q.Words[0][0].Hole == shellparse.Glob || strings.ContainsAny(name, "*?")
	}
	prefix := r.Pattern
	if at := strings.IndexAny(prefix, `*?[\`); at >= 0 {
		prefix = strings.TrimSuffix(prefix[:at], " ")
	}
	for _, t := range append([]shellparse.Word{q.Text}, q.Same...) {
		first := ""
		if len(t) > 0 && t[0].Hole == shellparse.Known {
			first = t[0].Text
		}
		if len(t) > 0 && t[0].Hole != shellparse.Known && t[0].Hole != shellparse.Value && t[0].Hole != shellparse.Words {
			return true // a glob matches its own spelling
		}
		if strings.HasPrefix(first, prefix) {
			return true
		}
	}
	_, named := firstWord(q.Words).Literal()
	return named && r.ignore != nil // options are dropped behind a name only
}
