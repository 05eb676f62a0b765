package shellparse

import (
	"path"
	"strings"
)

// others stands for the arguments that a program adds by itself.
var others = Word{{"…", Words}}

func literals(texts []string) (words []Word) {
	for _, t := range texts {
		words = append(words, Lit(t))
	}
	return words
}

// run parses a text as a shell that is started would. One without anything in it
// runs nothing.
func (w *walker) run(text Word, st *state) {
	if literal, ok := text.Literal(); ok && strings.TrimSpace(literal) == "" {
		return
	}
	if w.runs++; w.runs > maxRuns {
		w.unread(w.pos, "its arguments hold too many commands")
		return
	}
	w.texts(carrier{}, []Word{text}, stream{}, st)
}

// maxRuns is how many texts of options and of code are read. Each is read twice,
// as bash and as a POSIX shell, which takes some 0.1 ms even if it is short.
const maxRuns = 1000

// runProgram lists a program that is given arguments which the line does not
// hold. It is listed without any too, so that a rule which restricts just that
// holds; allowing is about what runs.
func (w *walker) runProgram(words []Word, st *state) {
	if text, ok := words[0].Literal(); ok && text == "" {
		return
	}
	w.command(append(words[:len(words):len(words)], others), nil, stream{}, st)
	w.list(Command{Words: words[:1], Transparent: true}, w.pos)
	if len(words) > 1 {
		w.list(Command{Words: words, Transparent: true}, w.pos)
	}
	if text, ok := words[0].Literal(); ok && strings.Contains(text, " ") {
		w.guess(text, st)
	}
}

// guess lists what a text would run if a shell were given it, which is not
// known. What cannot be read in it is then no shell's.
func (w *walker) guess(text string, st *state) {
	outer := w.script
	w.script = &Script{}
	w.run(Lit(text), st)
	found := w.script.Commands
	w.script = outer
	if w.runs > maxRuns {
		w.unread(w.pos, "its arguments hold too many commands")
	}
	for _, c := range found {
		if w.full(w.pos) {
			return
		}
		c.Guess = true
		w.script.Commands = append(w.script.Commands, c)
	}
}

// runRemote lists what is used in the place of ssh. If it is ssh, the host and
// the command are those of the program that starts it, and nothing is hidden in
// them.
func (w *walker) runRemote(text Word, st *state) {
	if literal, ok := text.Literal(); ok && !strings.ContainsAny(literal, ";|&<>()$`\n") {
		words, ok := quotedWords(literal)
		if ok && len(words) > 0 && path.Base(words[0].String()) == "ssh" {
			w.list(Command{Words: append(words[:len(words):len(words)], others), Carrier: true}, w.pos)
			w.hooked("ssh", words[1:], st)
			return
		}
	}
	w.run(text, st)
}

// runExt lists the program of git's address ext::PROGRAM ARGUMENTS, in which a
// blank that belongs to an argument is spelled "% ".
func (w *walker) runExt(operand Word, address string, st *state) {
	if _, ok := operand.Literal(); !ok {
		w.hidden([]Word{cut(operand, len("ext::"))}, st)
		return
	}
	var words []Word
	var arg strings.Builder
	for i := 0; i < len(address); i++ {
		switch c := address[i]; {
		case c == '%' && i+1 < len(address):
			i++
			if strings.IndexByte("% ", address[i]) >= 0 {
				arg.WriteByte(address[i])
			}
		case c == ' ':
			words = append(words, Lit(arg.String()))
			arg.Reset()
		default:
			arg.WriteByte(c)
		}
	}
	w.command(append(words, Lit(arg.String())), nil, stream{}, st)
	w.guess(strings.ReplaceAll(address, "% ", " "), st)
}

// quotedWords splits a text at blanks, outside quotes and behind no backslash, and
// expands nothing in it. ok is false if a quote is left open.
func quotedWords(text string) (words []Word, ok bool) {
	var word strings.Builder
	started := false
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote && quote != 0:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			started = true
		case quote == 0 && (c == '\'' || c == '"'):
			quote, started = c, true
		case quote == 0 && strings.IndexByte(" \t\n", c) >= 0:
			if started {
				words = append(words, Lit(word.String()))
			}
			word.Reset()
			started = false
		default:
			word.WriteByte(c)
			started = true
		}
	}
	if started {
		words = append(words, Lit(word.String()))
	}
	return words, quote == 0
}
