package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtinKind says what a builtin does to the shell it runs in.
type builtinKind uint8

const (
	changesDir  builtinKind = iota
	setsNames               // sets the variables that its arguments name
	declares                // assigns, and gives attributes
	evaluates               // evaluates subscripts in its arguments
	computes                // evaluates its arguments
	shifts                  // drops positional parameters
	remembers               // changes which program a name finds
	leaves                  // leaves a loop or a function
	setsOptions             // changes how the shell expands words, and more
	aliases                 // changes what names mean
	sources                 // runs a file in this shell
	traps                   // its argument runs, whenever
	hides                   // may run its arguments, or make the shell run them later
	runsWith                // the same, if it is given one of some options
	shows                   // expands prompts, and sets a variable
	loads                   // adds builtins and variables
	reruns                  // runs lines of the history, as an editor leaves them
	changesAll              // anything may be different afterwards
)

// builtin notes what a command that is not a carrier does to this shell.
func (w *walker) builtin(name string, args []Word, in stream, st *state) outcome {
	kind, ok := w.builtinKind(name)
	if !ok {
		return same(*st)
	}
	switch kind {
	case changesDir:
		return w.changeDir(name, args, st)
	case setsNames:
		w.setNames(name, args, st)
		w.setValues(name, args, in, st)
	case leaves:
		w.leaves++
	case shifts:
		st.shift(args)
	case declares:
		at := len(w.script.Commands) - 1
		var moving []Assign
		for _, a := range args {
			moving = append(moving, w.declared(name, name == "readonly" || name == "integer" || name == "float", a, st)...)
		}
		if at >= 0 {
			w.script.Commands[at].Assigns = append(w.script.Commands[at].Assigns, moving...)
		}
	case evaluates:
		w.computes = w.computes || slices.ContainsFunc(args, func(a Word) bool {
			text, ok := a.Literal()
			return !ok || text == "-v" || text == "-R"
		})
	case computes:
		w.computes = true
		st.clear()
	case setsOptions:
		w.setOptions(name, args, st)
	case aliases:
		if slices.ContainsFunc(args, func(a Word) bool { return !isPlainOption(a) }) {
			w.aliased(st)
			w.aliasesOf(args, st)
		}
	case remembers:
		w.hash(args, st)
		return same(st.forget())
	case sources:
		if reads := len(args) == 0 && w.lang == langFish || len(args) > 0 && isDescriptor(args[0]); reads {
			out := same(*st)
			w.through(name, func() { out = w.sourcesInput(args, in, st) })
			return out
		}
		if len(args) > 0 {
			if !isProcess(args[0]) {
				w.through(name, func() { w.list(Command{Words: args, Transparent: true}, w.pos) }) // a script, as if started by its name
			}
			out, seen := outcome{}, false
			if w.through(name, func() { out, seen = w.runsWritten(args[0], nil, true, st) }); seen {
				return out
			}
		}
		return same(st.forget())
	case traps:
		w.trap(args, st)
	case hides:
		if len(args) > 0 && !onlyLists(name, args) {
			w.through(name, func() { w.hidden(args, st) })
			return same(st.forget())
		}
	case runsWith:
		w.zshRuns(name, args, st)
	case shows:
		w.zshPrint(args, st)
	case loads:
		w.zshModules(args)
	case reruns:
		if !onlyLists(name, args) {
			w.through(name, func() { w.hidden([]Word{{{"what it reads", Value}}}, st) })
			return same(st.forget())
		}
	case changesAll:
		return same(st.forget())
	}
	return same(*st)
}

// sourcesInput walks what is read as source from a descriptor, or by fish where
// it is told no file.
func (w *walker) sourcesInput(args []Word, in stream, st *state) outcome {
	switch {
	case len(args) > 0 && !isStdin(args[0]):
		return w.hidden(args[:1], st)
	case in.sure():
		return w.source(in.text, *st)
	case in.literal:
		w.source(in.text, *st)
	}
	return w.reads(in, st)
}

// builtinKind is the row of a builtin. r is one in zsh and in mksh (fc -e - and fc
// -s), and any other name elsewhere.
func (w *walker) builtinKind(name string) (kind builtinKind, ok bool) {
	if name == "r" && (w.lang == syntax.LangZsh || w.lang == syntax.LangMirBSDKorn) {
		return reruns, true
	}
	if kind, ok = zshBuiltins[name]; ok && w.lang == syntax.LangZsh {
		return kind, true
	}
	kind, ok = builtins[name]
	return kind, ok
}

// onlyLists reports whether a builtin surely runs nothing: fc -l does not, unless -s
// or -e stands beside it, nor do others with nothing but options that show something.
// r always runs something.
func onlyLists(name string, args []Word) bool {
	letters, needed := listing[name], ""
	if letters == "" {
		return false
	}
	if name == "fc" {
		needed = "l"
	}
	lists := false
	for _, arg := range args {
		text, literal := arg.Literal()
		switch {
		case !literal && (needed == "" || uncertain(arg)):
			return false
		case len(text) < 2 || text[0] != '-':
			return lists && (needed != "" || !strings.ContainsAny(text, "$`")) // what is completed may be expanded
		case strings.Trim(text[1:], letters) != "":
			return false
		}
		lists = lists || needed == "" || strings.Contains(text, needed)
	}
	return lists
}

// aliasesOf lists what aliases stand for, and follows them from here on.
func (w *walker) aliasesOf(args []Word, st *state) {
	for _, arg := range args {
		name, _, isDefinition := strings.Cut(arg.literalPrefix(), "=")
		if !isDefinition {
			continue
		}
		value := cut(arg, len(name)+1)
		w.through("alias", func() {
			if text, ok := value.Literal(); ok {
				w.renames(name, text)
				w.source(text, st.forget())
			} else {
				w.hidden([]Word{value}, st)
			}
		})
	}
}

// hash follows hash -p FILE NAME.
func (w *walker) hash(args []Word, st *state) {
	c := carrier{options: "p: d l r t"}
	o := c.scan(args)
	for _, file := range o.values("p") {
		text, ok := file.Literal()
		w.through("hash", func() { w.hidden([]Word{file}, st) })
		for _, name := range o.operands {
			if ok {
				w.renames(name.String(), singleQuoted(text))
			}
		}
	}
	for _, operand := range o.operands { // of zsh
		if a, ok := operandAssign(operand); ok && !o.any("d") {
			w.through("hash", func() { w.hidden([]Word{a.Value}, st) })
			if text, ok := a.Value.Literal(); ok {
				w.renames(a.Name, singleQuoted(text))
			}
		}
	}
}

func singleQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// isPlainOption reports whether a word is an option and can be nothing else.
func isPlainOption(word Word) bool {
	text, ok := word.Literal()
	return ok && len(text) > 1 && text[0] == '-'
}

// maxName is the longest name of a variable that is looked for behind options.
const maxName = 200

// setNames follows read, printf -v, unset and the like.
func (w *walker) setNames(name string, args []Word, st *state) {
	for i, a := range args {
		text, literal := a.Literal()
		if name == "printf" && i == 0 && !strings.HasPrefix(a.literalPrefix(), "-") && !uncertain(a) {
			return // the format, and what it takes
		}
		if !literal || len(text) > maxName || strings.Contains(text, "[") {
			w.computes = true // a subscript is evaluated
			st.clear()
		}
		if !literal || len(text) > maxName {
			if namesVariable(name, args[:i]) {
				w.setsUnknown(st)
			}
			continue
		}
		if name == "unset" {
			st.undefine(text)
		}
		// The name may be attached to options: read -rax.
		for isOption := text != "" && text[0] == '-'; text != ""; text = text[1:] {
			if name == "unset" && text != "PATH" {
				st.unset(baseName(text))
			} else {
				w.sets(text, w.pos, st)
			}
			if !isOption {
				break
			}
		}
	}
	if (name == "mapfile" || name == "readarray") && slices.ContainsFunc(args, mayCallBack) {
		w.through(name, func() { w.hidden(args, st) })
		*st = st.forget()
	}
}

// namesVariable reports whether the argument behind these names a variable that
// a builtin sets.
func namesVariable(builtin string, before []Word) bool {
	last := ""
	if len(before) > 0 {
		last = before[len(before)-1].String()
	}
	switch builtin {
	case "printf":
		return last == "-v"
	case "read":
		isOption := len(last) > 1 && last[0] == '-'
		return !isOption || !strings.Contains("dinNptu", last[len(last)-1:])
	case "getopts":
		return len(before) == 1
	case "mapfile", "readarray":
		return last == "" || last[0] != '-' || len(last) == 2 && last[1] == 't'
	}
	return false
}

// mayCallBack reports whether an argument may be mapfile's -C, whose value runs.
func mayCallBack(arg Word) bool {
	return uncertain(arg) || strings.HasPrefix(arg.literalPrefix(), "-") && strings.Contains(arg.String(), "C")
}

// trap lists what a trap runs. It runs between any two commands from here on.
func (w *walker) trap(args []Word, st *state) {
	for len(args) > 0 && isPlainOption(args[0]) {
		if args[0].String() != "--" {
			return // it prints
		}
		args = args[1:]
	}
	if len(args) < 2 && (len(args) == 0 || !uncertain(args[0])) {
		return // it resets
	}
	action, literal := args[0].Literal()
	w.through("trap", func() {
		switch {
		case !literal:
			w.hidden(args[:1], st)
		case action != "" && action != "-":
			w.source(action, st.forget())
		}
	})
	*st = st.forget()
}
