package shellparse

import (
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
	if len(c.Args) > 0 && strings.HasPrefix(w.spelling(c.Args[0]), "{") {
		w.unread(c.Pos(), "zsh may begin a group of commands here")
		w.fragments(reading{text: strings.Trim(w.spelling(c), "{}")})
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
