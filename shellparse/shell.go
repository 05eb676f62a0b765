package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shell lists what a shell that is started runs: the text after -c, or what it
// reads. A script in a file holds nothing that can be listed.
func (w *walker) shell(c carrier, o scanned, rest []Word, in stream, st *state) (outcome, bool) {
	fresh := newState(Options{})
	fresh.dirs, fresh.odd = st.dirs, o.odd()
	if home, ok := w.constantOf("HOME", st); ok {
		fresh.vars["HOME"] = home
	}
	if o.any("k H") {
		w.rereads("k", "k")
	}
	switch {
	case o.any("c"):
		if len(rest) == 0 {
			return same(*st), false
		}
		text, ok := rest[0].Literal()
		if !ok || c.foreign {
			w.hidden(rest[:1], st)
		}
		if !ok {
			return same(st.forget()), false
		}
		if after := rest[1:]; len(after) == 0 || !slices.ContainsFunc(after, Word.maySplit) {
			if len(after) > 0 {
				fresh.zero, after = after[0], after[1:]
			}
			fresh.args = &after
		}
		return w.inner(c, text, fresh), !c.foreign
	case len(rest) > 0 && !o.any("s") && isDescriptor(rest[0]) && !isStdin(rest[0]):
		return w.hidden(rest[:1], st), false
	case len(rest) > 0 && !o.any("s") && !isStdin(rest[0]):
		if !strings.HasPrefix(rest[0].literalPrefix(), "-") && !isProcess(rest[0]) {
			w.list(Command{Words: rest, Transparent: true}, w.pos) // a script, as if started by its name
		}
		return w.runsWritten(rest[0], rest[1:], false, st)
	case in.literal:
		if c.foreign || in.doubted {
			w.hidden([]Word{{{"what it reads", Value}}}, st)
		}
		return w.inner(c, in.text, fresh), !c.foreign && in.sure()
	case o.any("-version -help"):
		return same(*st), false
	}
	// A start-up file may be anything.
	in.typed = in.typed && (len(rest) == 0 || o.any("s")) && !o.any("-rcfile -init-file")
	return w.reads(in, st), false
}

// reads lists what a shell reads of which nothing is known but where it comes from.
func (w *walker) reads(in stream, st *state) outcome {
	typed := in.typed && !slices.ContainsFunc(w.via, func(name string) bool { return !slices.Contains(keepsInput, name) })
	w.list(Command{Words: []Word{{{"what it reads", Value}}}, Typed: typed}, w.pos)
	return same(st.forget())
}

// keepsInput are carriers that surely give their own standard input to what they
// run, and the shells themselves.
var keepsInput = []string{
	"-", "bash", "builtin", "command", "dash", "doas", "env", "exec", "fish", "ksh", "mksh", "nice", "nocorrect", "nohup", "rbash", "sh", "su", "sudo", "time", "zsh",
}

// inner walks a text as the shell that c stands for reads it.
func (w *walker) inner(c carrier, text string, st state) outcome {
	if c.lang == "" {
		return w.both(text, st)
	}
	outer := w.lang
	defer func() { w.lang = outer }()
	w.lang = variants[c.lang]
	return w.source(text, st)
}

// odd reports whether options given to a shell change how words expand.
func (o scanned) odd() bool {
	for _, p := range o.options {
		switch p.name {
		case "o", "O":
			if text, ok := p.value.Literal(); !ok || !isHarmlessOption(text) {
				return true
			}
		case "B", "y", "-posix":
			return true
		}
	}
	return false
}

// isStdin reports whether a file name stands for what a command reads.
func isStdin(word Word) bool {
	text, ok := word.Literal()
	return ok && (text == "/dev/stdin" || text == "/dev/fd/0" || text == "/proc/self/fd/0")
}

// isDescriptor reports whether a file name stands for what some descriptor reads.
func isDescriptor(word Word) bool {
	prefix := word.literalPrefix()
	return isStdin(word) || strings.HasPrefix(prefix, "/dev/fd/") || strings.HasPrefix(prefix, "/proc/") && strings.Contains(word.String(), "/fd/")
}

// descriptor returns the variable that a redirection such as {fd}>file sets.
func descriptor(r *syntax.Redirect) (name string, ok bool) {
	if r.N == nil || !strings.HasPrefix(r.N.Value, "{") {
		return "", false
	}
	return baseName(strings.Trim(r.N.Value, "{}")), true
}
