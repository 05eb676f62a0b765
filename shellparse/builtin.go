package shellparse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtinKind says what a builtin does to the shell it runs in.
type builtinKind uint8

const (
	changesDir builtinKind = iota
	setsNames              // sets the variables that its arguments name
	evaluates              // only evaluates subscripts in its arguments
	changesAll             // anything may be different afterwards
)

// builtins are those that matter for what the rest of a line means (bash
// manual, Shell Builtin Commands). Carriers among them have their own table.
var builtins = map[string]builtinKind{
	".":         changesAll,
	"[":         evaluates,
	"alias":     changesAll,
	"cd":        changesDir,
	"chdir":     changesDir,
	"enable":    changesAll,
	"getopts":   setsNames,
	"let":       setsNames,
	"mapfile":   setsNames,
	"popd":      changesDir,
	"printf":    setsNames,
	"pushd":     changesDir,
	"read":      setsNames,
	"readarray": setsNames,
	"set":       changesAll,
	"shopt":     changesAll,
	"source":    changesAll,
	"test":      evaluates,
	"trap":      changesAll,
	"unset":     setsNames,
	"wait":      setsNames,
}

// builtin notes what a command that is not a carrier does to this shell.
func (w *walker) builtin(name string, args []Word, st *state) outcome {
	if w.functions[name] {
		return same(st.forget())
	}
	kind, ok := builtins[name]
	if !ok {
		return same(*st)
	}
	switch kind {
	case changesAll:
		return same(st.forget())
	case changesDir:
		return w.changeDir(name, args, st)
	}
	for _, a := range args {
		text, literal := a.Literal()
		w.subscript(text, st)
		switch {
		case kind != setsNames:
		case !literal && name != "printf":
			st.vars, st.ifs = map[string]string{}, true
		default:
			n, _, _ := strings.Cut(strings.TrimPrefix(text, "-v"), "[")
			n, _, _ = strings.Cut(n, "=")
			st.unset(n)
		}
	}
	return same(*st)
}

// changeDir follows cd. Where it fails, the shell stays where it was.
func (w *walker) changeDir(name string, args []Word, st *state) outcome {
	unknown := st.fork()
	unknown.dirs = []Word{unknownDir}
	var operands []Word
	for i, a := range args {
		text, ok := a.Literal()
		if ok && text == "--" {
			operands = append(operands, args[i+1:]...)
			break
		}
		if ok && len(text) > 1 && text[0] == '-' && strings.Trim(text[1:], "LPe@") == "" {
			continue
		}
		operands = append(operands, a)
	}
	home, homeKnown := st.vars["HOME"]
	switch {
	case name == "popd":
		return outcome{unknown, *st}
	case len(operands) == 0 && name != "pushd" && homeKnown:
		return outcome{st.cd(Lit(home)), *st}
	case len(operands) != 1:
		return outcome{unknown, *st}
	}
	to := operands[0]
	text, literal := to.Literal()
	if !literal || text == "-" || text == "" || strings.HasPrefix(text, "+") || strings.HasPrefix(text, "-") {
		return outcome{unknown, *st}
	}
	return outcome{st.cd(to), *st}
}

// subscript lists what an array subscript in an argument would run: some
// builtins evaluate a[$(cmd)] though it was quoted.
func (w *walker) subscript(text string, st *state) {
	i := strings.IndexByte(text, '[')
	if i < 0 || !strings.ContainsAny(text[i:], "$`") {
		return
	}
	word, err := syntax.NewParser(syntax.Variant(w.lang)).Document(strings.NewReader(text))
	if err != nil {
		w.unread(w.pos, "an argument that this builtin evaluates cannot be read")
		return
	}
	outer := w.text
	w.text = text
	w.parts(word.Parts, &fielder{}, st)
	w.text = outer
}
