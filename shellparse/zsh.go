package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// nullCommands are what zsh runs where there are redirections and no command, for
// input alone and else (zshparam(1), READNULLCMD and NULLCMD). Debian's runs
// pager.
var nullCommands = map[string][]string{"READNULLCMD": {"more", "pager"}, "NULLCMD": {"cat"}}

// nullCommand lists what zsh runs for redirections without a command.
func (w *walker) nullCommand(redirs []*syntax.Redirect, st *state) {
	name := "NULLCMD"
	if len(redirs) == 1 && redirs[0].Op == syntax.RdrIn {
		name = "READNULLCMD"
	}
	if value, ok := w.constantOf(name, st); ok {
		w.list(Command{Words: []Word{Lit(value)}}, w.pos)
		return
	}
	if st.wild || strings.Contains(w.text, "NULLCMD") {
		w.list(Command{Words: []Word{{{"$" + name, Value}}}}, w.pos)
		return
	}
	for _, usual := range nullCommands[name] {
		w.list(Command{Words: []Word{Lit(usual)}}, w.pos)
	}
}

// Measured with zsh 5.9: what it reads otherwise than the parser does, and how
// that looks in the source. $11 is one parameter there, and so is $é; $'\0' ends
// the argument, and $'\z' has no backslash; a { needs no blank; {1..} loses its
// braces.
var (
	zshDollar   = lazily(`\$[0-9]{2}|\$\[|\$[^\x00-\x7f]|\$[=~^](?:[^a-zA-Z_0-9{*@#?$!-]|$)`)
	zshNul      = lazily(`\\(?:0|x0|u0|U0|[^abeEfnrtvxuU\\'"1-7])`)
	zshName     = lazily(`^\w*[^\x00-\x7f][^=\s]*=`)
	zshSequence = lazily(`\{[^{},]*\.\.\}|\{\.\.[^{},]*\}`)
)

// zshWords says so where a word of a simple command may be another in zsh.
func (w *walker) zshWords(c *syntax.CallExpr) {
	for _, word := range c.Args {
		text := w.spelling(word)
		if zshDollar().MatchString(text) || zshSequence().MatchString(text) || strings.Contains(text, "$'") && zshNul().MatchString(text) {
			w.unread(word.Pos(), "zsh reads this word in a way of its own")
		}
		if i := strings.IndexByte(text, '('); i >= 0 && strings.ContainsAny(text[i:], ";&\n") && !strings.ContainsAny(text[:i], "'\"`$") {
			w.unread(word.Pos(), "zsh may see the end of a command in this word")
			w.fragments(reading{text: text})
		}
	}
	if len(c.Args) > 0 && zshName().MatchString(w.spelling(c.Args[0])) {
		w.unread(c.Pos(), "zsh may take this word for an assignment")
		w.fragments(reading{text: strings.TrimPrefix(w.spelling(c), w.spelling(c.Args[0]))})
	}
	if len(c.Args) > 0 && c.Args[0].Lit() == "foreach" {
		w.unread(c.Pos(), "zsh may begin a loop here")
		_, body, _ := strings.Cut(w.spelling(c), ")")
		w.fragments(reading{text: body})
	}
	if len(c.Args) > 0 && strings.HasPrefix(w.spelling(c.Args[0]), "{") {
		w.unread(c.Pos(), "zsh may begin a group of commands here")
		w.fragments(reading{text: strings.Trim(w.spelling(c), "{}")})
	}
}

// zshSpecial follows a change of a variable that holds code: what it is given runs
// later, and what a name stands for may be another thing from here on.
func (w *walker) zshSpecial(a Assign, st *state) {
	name := baseName(a.Name)
	if name == "mapfile" {
		_, file, _ := strings.Cut(strings.TrimSuffix(a.Name, "]"), "[")
		w.opens(Word{{file, Value}}, true, w.pos, st)
	}
	if zshSpecials[name] != holdsCode {
		return
	}
	w.through(name, func() {
		if text, literal := a.Value.Literal(); literal {
			w.source(text, st.forget())
		} else if a.elements == nil {
			w.hidden([]Word{a.Value}, st)
		}
		for _, text := range a.elements {
			w.source(text, st.forget())
		}
	})
	if strings.HasSuffix(name, "aliases") {
		w.aliased(st)
	}
	*st = st.forget()
}

// zshRuns is for what runs, now or later, what it is given with some options.
func (w *walker) zshRuns(name string, args []Word, st *state) {
	letters := zshRunners[name]
	if len(args) == 0 || letters != "" && !slices.ContainsFunc(args, func(a Word) bool {
		return uncertain(a) || isPlainOption(a) && strings.ContainsAny(a.String(), letters)
	}) {
		return
	}
	w.through(name, func() { w.hidden(args, st) })
	*st = st.forget()
}

// zshPrint follows print: with -P it expands prompts, in which substitutions may
// run, and with -v it sets a variable.
func (w *walker) zshPrint(args []Word, st *state) {
	letters := ""
	for len(args) > 0 && isPlainOption(args[0]) {
		letters += args[0].String()[1:]
		args = args[1:]
		if strings.HasSuffix(letters, "v") && len(args) > 0 {
			w.sets(args[0].String(), w.pos, st)
			args = args[1:]
		}
	}
	for _, a := range args {
		text, literal := a.Literal()
		switch {
		case !strings.Contains(letters, "P"):
		case literal:
			w.document(text, st)
		default:
			w.hidden([]Word{a}, st)
		}
	}
}

// zshModules says so where a module is loaded that runs commands, opens files or
// connects by names of its own.
func (w *walker) zshModules(args []Word) {
	for _, a := range args {
		if text, literal := a.Literal(); !literal || strings.Contains(text, "/") && !strings.Contains(plainModules, " "+text+" ") {
			w.unread(w.pos, "a module of zsh may do what is not known here")
		}
	}
}

// zshStmt says so where a statement may be another in zsh.
func (w *walker) zshStmt(s *syntax.Stmt, st *state) {
	for _, r := range s.Redirs {
		if _, ok := descriptor(r); ok {
			w.unread(r.Pos(), "zsh may begin a group of commands here")
			w.fragments(reading{text: r.N.Value})
		}
	}
	if c, ok := s.Cmd.(*syntax.ArithmCmd); ok && strings.ContainsAny(w.spelling(c), `'"`) {
		w.unread(c.Pos(), "zsh may see one subshell in another here")
		w.fragments(reading{text: strings.Trim(w.spelling(c), "()")})
	}
	if s.Cmd == nil && len(s.Redirs) > 0 {
		w.nullCommand(s.Redirs, st)
	}
}
