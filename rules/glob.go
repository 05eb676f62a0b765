package rules

import (
	"slices"
	"strings"

	"mayi/shellparse"
)

// namesFiles returns a text in which a glob at the front of an argument stands for
// itself. What comes with mayi restricts options and well-known paths, and a
// file whose name in the current directory is one of those has to be made first:
// nobody is asked about every sort *.txt for that. A rule that a person wrote
// sees whatever the glob may stand for.
func namesFiles(text shellparse.Word) shellparse.Word {
	cloned := false
	for i, p := range text {
		front := i > 0 && text[i-1].Hole == shellparse.Known && strings.HasSuffix(text[i-1].Text, " ")
		if !front || p.Hole != shellparse.Glob && p.Hole != shellparse.Name {
			continue
		}
		if !cloned {
			text, cloned = slices.Clone(text), true
		}
		text[i].Hole = shellparse.Known
	}
	return text
}

// namingFiles does the same for the words of a command.
func (m *memo) namingFiles(words []shellparse.Word) []shellparse.Word {
	if len(words) == 0 {
		return words
	}
	if sameWords(words, m.globs) {
		return m.files
	}
	m.globs, m.files = words, words
	for i, w := range words {
		if i == 0 || len(w) == 0 || w[0].Hole != shellparse.Glob && w[0].Hole != shellparse.Name {
			continue
		}
		if sameWords(m.files, words) {
			m.files = slices.Clone(words)
		}
		m.files[i] = slices.Clone(w)
		m.files[i][0].Hole = shellparse.Known
	}
	return m.files
}
