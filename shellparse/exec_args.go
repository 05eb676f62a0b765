package shellparse

import (
	"cmp"
	"slices"
	"strings"
)

// fillAll makes a hole of each occurrence of any of the marks.
func fillAll(words []Word, marks string, hole Hole) {
	for _, mark := range strings.Fields(marks) {
		for i := range words {
			words[i] = fill(words[i], mark, hole)
		}
	}
}

// texts parses words as a shell that is started would, each by itself. Its
// positional parameters are not known: "$@" is what a program adds.
func (w *walker) texts(c carrier, words []Word, in stream, st *state) (seen bool) {
	seen = true
	for _, word := range words {
		_, ok := w.shell(c, scanned{options: []option{{name: "c"}}}, []Word{word, {{"…", Words}}}, in, st)
		seen = seen && ok
	}
	return seen
}

// each lists what parallel runs: the words in front of ::: (of --, in moreutils)
// joined, once for each of those behind it, quoted. Where these cannot be known,
// a hole stands for them.
func (w *walker) each(c carrier, words []Word, in stream, st *state) (seen bool) {
	at := slices.IndexFunc(words, isSeparator)
	template, args := words, []Word(nil)
	if at >= 0 {
		template, args = words[:at], words[at+1:]
	}
	known := at >= 0 && len(words[at].String()) <= len(":::") && len(args) <= maxEach && !slices.ContainsFunc(args, func(word Word) bool {
		_, ok := word.Literal()
		return !ok || isSeparator(word)
	})
	text, ok := Join(template).Literal()
	filled := strings.Contains(text, "{")
	switch {
	case len(template) == 0 && known:
		return w.texts(c, args, in, st)
	case at < 0 && len(template) == 0 && in.sure():
		return w.texts(c, []Word{Lit(in.text)}, stream{}, st)
	case len(template) == 0:
		w.hidden([]Word{{{"what it reads", Value}}}, st)
		return false
	case !ok, filled && (strings.ContainsAny(text, "\"'`$\\") || strings.Contains(strings.ReplaceAll(text, "{}", ""), "{")):
		w.hidden(template, st)
		return false
	case !known:
		args = []Word{{{"…", Words}}}
	}
	for _, arg := range args {
		quoted := `"$@"`
		if literal, ok := arg.Literal(); ok {
			quoted = "'" + strings.ReplaceAll(literal, "'", `'\''`) + "'"
		}
		line := text + " " + quoted
		if filled {
			line = strings.ReplaceAll(text, "{}", quoted)
		}
		w.texts(c, []Word{Lit(line)}, in, st)
	}
	return true
}

// isSeparator reports whether a word separates what parallel runs from what it
// runs that for.
func isSeparator(word Word) bool {
	return word.String() == "--" || strings.HasPrefix(word.String(), ":::")
}

// execArgs lists the commands that find's primaries start.
func (w *walker) execArgs(c carrier, args []Word, st *state) (seen bool) {
	starts := strings.Fields(c.exec)
	for i := 0; i < len(args); i++ {
		text, ok := args[i].Literal()
		if !ok && args[i].maySplit() {
			w.hidden(args[i:i+1], st) // it may be -exec and more
			continue
		}
		if c.attaches(text) {
			w.hidden(args[i:], st)
			return false
		}
		if !slices.Contains(starts, text) {
			continue
		}
		before := args[:i]
		inner := st.fork()
		if strings.HasSuffix(text, "dir") {
			inner.dirs = []Word{unknownDir}
		}
		hole := Value
		var words []Word
		for i++; i < len(args); i++ {
			text, ok := args[i].Literal()
			if ok && text == ";" {
				break
			}
			if ok && text == "+" && len(words) > 0 && words[len(words)-1].String() == "{}" {
				hole = Words
				break
			}
			words = append(words, args[i])
		}
		if len(words) == 0 {
			continue
		}
		if c.appends && !slices.ContainsFunc(words, func(word Word) bool { return strings.Contains(word.String(), "{") }) {
			words = append(words, Word{{"…", Words}})
		}
		fillAll(words, cmp.Or(c.replace, "{}"), hole)
		_, known := words[0].Literal()
		seen = seen || known
		var h handed
		if strings.HasPrefix(c.exec, "-") && !strings.HasPrefix(c.exec, "--") {
			h = found(before)
		}
		w.handing(h, func() { w.command(words, nil, stream{}, &inner) })
	}
	return seen
}

// attaches reports whether an argument holds an option that starts a command
// together with others, or with the command attached: -Hx, --exec=rm. Only fd
// has options like that.
func (c carrier) attaches(text string) bool {
	for _, word := range strings.Fields(c.exec) {
		switch {
		case strings.HasPrefix(word, "--"):
			if name, _, ok := strings.Cut(text, "="); len(text) > 3 && (text != word && strings.HasPrefix(word, name) && ok) {
				return true
			}
		case len(word) == 2 && len(text) > 2 && text[0] == '-' && text[1] != '-' && strings.Contains(text, word[1:]):
			return true
		}
	}
	return false
}

// fill makes a hole of each occurrence of mark in a word.
func fill(word Word, mark string, hole Hole) Word {
	if mark == "" || !strings.Contains(word.String(), mark) {
		return word
	}
	var b wordBuilder
	for _, p := range word {
		for p.Hole == Known {
			before, after, found := strings.Cut(p.Text, mark)
			if !found {
				break
			}
			b.literal(before)
			b.hole(mark, hole)
			p.Text = after
		}
		if p.Hole != Known || p.Text != "" {
			b.piece(p)
		}
	}
	return b.word()
}
