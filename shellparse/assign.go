package shellparse

import "strings"

// assignKind says why an assignment in front of a command matters.
type assignKind uint8

const (
	plain assignKind = iota // it does not: CI=1
	moves                   // it can run code, or change which program a name finds
	runs                    // its value is a command that the program runs
)

// assignKindOf looks a variable up, by its name or by the beginning of it.
func assignKindOf(name string) assignKind {
	name, _, _ = strings.Cut(name, "[")
	if k, ok := assignKinds[name]; ok {
		return k
	}
	for i := len(name); i > 1; i-- {
		if k, ok := assignKinds[name[:i]+"*"]; ok {
			return k
		}
	}
	return plain
}

// runValues lists the commands that variables hold for a program to run.
func (w *walker) runValues(assigns []Assign, st *state) {
	for _, a := range assigns {
		if assignKindOf(a.Name) != runs {
			continue
		}
		text, ok := a.Value.Literal()
		w.via = append(w.via, a.Name)
		switch {
		case !ok:
			w.hidden([]Word{a.Value}, st)
		case strings.TrimSpace(text) != "":
			w.source(text, st.fork())
		}
		w.via = w.via[:len(w.via)-1]
	}
}
