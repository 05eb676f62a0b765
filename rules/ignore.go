package rules

import (
	"slices"

	"mayi/shellparse"
)

// ignoring returns the texts of a command without the options that a file
// ignores, for each spelling that an allow may be earned by.
func (m *memo) ignoring(ignore *shellparse.Lead, q Request) []shellparse.Word {
	if ignore == nil || len(q.Words) == 0 {
		return nil
	}
	if m.ignore != ignore || !sameWords(m.full, q.Words) {
		m.ignore, m.full, m.shorter = ignore, q.Words, shorter(ignore, q)
	}
	return m.shorter
}

func shorter(ignore *shellparse.Lead, q Request) (texts []shellparse.Word) {
	based := append([]shellparse.Word{baseName(q.Words[0])}, q.Words[1:]...)
	for _, words := range [][]shellparse.Word{q.Words, based} {
		whole := shellparse.Join(words)
		same := func(t shellparse.Word) bool { return slices.Equal(t, whole) }
		if !same(q.Text) && !slices.ContainsFunc(q.Same, same) {
			continue // there is an assignment in front, or it may be another program
		}
		for _, less := range ignore.Without(words) {
			texts = append(texts, shellparse.Join(less))
		}
	}
	return texts
}

// sameWords reports whether two slices are one.
func sameWords(a, b []shellparse.Word) bool {
	return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}
