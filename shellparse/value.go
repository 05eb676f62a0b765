package shellparse

import (
	"slices"
	"strings"
)

// setValues notes the values that a builtin gives to variables, where they are
// known, once setNames has noted which it sets: printf -v, and read and mapfile of
// a literal text.
func (w *walker) setValues(name string, args []Word, in stream, st *state) {
	list := make([]string, len(args))
	for i, a := range args {
		text, ok := a.Literal()
		if !ok || strings.Contains(text, "[") {
			return
		}
		list[i] = text
	}
	switch name {
	case "printf":
		if len(list) > 2 && list[0] == "-v" {
			if out := printf(list[2:]); out.literal {
				w.known(list[1], out.text, st)
			}
		}
	case "read":
		w.readInto(list, in, st)
	case "mapfile", "readarray":
		if len(list) == 2 && list[0] == "-t" && in.sure() {
			lines := strings.Split(strings.TrimSuffix(in.text, "\n"), "\n")
			if !w.untracked && !w.tainted[list[1]] {
				st.setList(list[1], lines)
			}
		}
	}
}

// known notes a value, unless the variable may be more than a string.
func (w *walker) known(name, value string, st *state) {
	if !w.untracked && !w.tainted[name] {
		st.set(name, value)
	}
}

// readInto is read, with no option but -r: it takes the first line apart.
func (w *walker) readInto(names []string, in stream, st *state) {
	raw := len(names) > 0 && names[0] == "-r"
	if raw {
		names = names[1:]
	}
	line, _, ended := strings.Cut(in.text, "\n")
	odd := slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "-") })
	if !in.sure() || !ended || odd || len(names) == 0 || st.ifs || !raw && strings.Contains(line, `\`) {
		return
	}
	for _, name := range names[:len(names)-1] {
		line = strings.TrimLeft(line, blanks)
		field := line
		if at := strings.IndexAny(line, blanks); at >= 0 {
			field = line[:at]
		}
		line = line[len(field):]
		w.known(name, field, st)
	}
	w.known(names[len(names)-1], strings.Trim(line, blanks), st)
}

// shift drops positional parameters.
func (s *state) shift(args []Word) {
	n := 1
	if len(args) > 0 {
		text, _ := args[0].Literal()
		var ok bool
		if n, ok = decimal(text); !ok {
			n = -1
		}
	}
	switch {
	case s.args == nil:
	case n < 0:
		s.args = nil
	case n <= len(*s.args):
		rest := (*s.args)[n:]
		s.args = &rest
	}
}
