package shellparse

import (
	"path"
	"slices"
	"strings"
)

// printsCode reports whether what eval is given is what one of the [printers] prints
// and nothing else. Run by itself that program could do as much as its code does;
// still nobody but the person whose shell it is can take it on trust.
func (w *walker) printsCode(words []Word) bool {
	if len(words) != 1 || len(words[0]) != 1 || words[0][0].Hole == Known || !slices.Equal(w.via, []string{"eval"}) {
		return false
	}
	text := words[0][0].Text
	if w.lang == langFish && strings.HasPrefix(text, "(") {
		text = "$" + text // fish spells it either way
	}
	text, ok := strings.CutPrefix(text, "$(")
	if !ok || !strings.HasSuffix(text, ")") {
		return false
	}
	text = strings.TrimSuffix(text, ")")
	isPlain := func(r rune) bool { return r < 0x80 && (isAlnum(byte(r)) || strings.ContainsRune(" ./_:=@%+-~", r)) }
	args := strings.Fields(text)
	if len(args) == 0 || strings.ContainsFunc(text, func(r rune) bool { return !isPlain(r) }) {
		return false
	}
	if _, mine := w.functions[args[0]]; mine || slices.Contains(w.shells, args[0]) {
		return false
	}
	does, known := printers[path.Base(args[0])]
	return known && (does == "" || len(args) > 1 && slices.Contains(strings.Fields(does), args[1]))
}
