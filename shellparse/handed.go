package shellparse

import (
	"slices"
	"strings"
)

// found is the pattern that the names of all files match which find comes upon
// where the arguments end, "" where they do not tell: one -name among tests that
// must all hold, and in front of any action. Of an -iname it is the pattern in small
// letters, as rules are written; the name may be in others.
func found(args []Word) (h handed) {
	for i, a := range args {
		text, literal := a.Literal()
		isName := (text == "-name" || text == "-iname") && (i == 0 || args[i-1].literalPrefix() == "" || args[i-1].literalPrefix()[0] != '-') // else it may be a value
		switch {
		case !literal, slices.Contains([]string{"-o", "-or", "!", "-not", ",", "-files0-from"}, text):
			return handed{}
		case isName && i+1 < len(args) && h.pattern == "":
			h.pattern, _ = args[i+1].Literal()
			if h.perhaps = text == "-iname"; h.perhaps {
				h.pattern = strings.ToLower(h.pattern)
			}
		}
	}
	if strings.ContainsAny(h.pattern, `[\/`) {
		return handed{}
	}
	return h
}

// finds is what find writes. With one of these actions that may be something else
// than the paths of what it finds.
func finds(args []Word) stream {
	before := args
	for i, a := range args {
		text, _ := a.Literal()
		if strings.HasPrefix(text, "-exec") || strings.HasPrefix(text, "-ok") || text == "-printf" || text == "-ls" {
			return stream{}
		}
		if strings.HasPrefix(text, "-print") && len(before) == len(args) {
			before = args[:i]
		}
	}
	if len(before) < len(args) && slices.ContainsFunc(args[len(before):], func(a Word) bool {
		text, _ := a.Literal()
		return text == "-o" || text == "-or" || text == "," || a.literalPrefix() == ""
	}) {
		return stream{}
	}
	return stream{names: found(before).pattern}
}

// A handed says what the names match that find or xargs hands to commands.
type handed struct {
	pattern string // "" where nothing is known
	perhaps bool   // it may be another name as well, such as a part of one that xargs splits
}

// handing makes h what holds for the commands that walk goes through.
func (w *walker) handing(h handed, walk func()) {
	outer := w.handed
	w.handed = h
	walk()
	w.handed = outer
}

// asHanded returns a file, or, where it is one that is handed on, what is known of
// it. Its name may stand behind a directory, or be all there is.
func (w *walker) asHanded(file Word) (files []Word) {
	if w.handed.pattern == "" || len(file) != 1 {
		return []Word{file}
	}
	hole := file[0]
	if hole.Hole == Known || hole.Text != "{}" && hole.Text != "…" {
		return []Word{file}
	}
	var name Word
	for rest := w.handed.pattern; rest != ""; {
		n := strings.IndexAny(rest, "*?")
		switch {
		case n < 0:
			name, rest = append(name, Piece{Text: rest}), ""
		case n > 0:
			name, rest = append(name, Piece{Text: rest[:n]}), rest[n:]
		default:
			name, rest = append(name, Piece{Text: rest[:1], Hole: Glob}), rest[1:]
		}
	}
	dir := Word{{hole.Text, Value}}
	if w.handed.perhaps {
		files = append(files, file)
	}
	return append(files, glue(dir, name), glue(dir, Lit("/"), name))
}
