package shellparse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A sink is where a command's standard output goes, when that is redirected.
type sink struct {
	moved  bool
	joined bool // what is written to another descriptor goes there too
	file   Word // nil for no file, or none that is known
	append bool
}

// redirects lists the files that redirections open, walks what their words and
// here-documents run, and returns what the command then reads, which is in if
// nothing is redirected, and where its output goes.
func (w *walker) redirects(list []*syntax.Redirect, in stream, st *state) (stream, sink) {
	var to sink
	in.typed = in.typed && len(list) == 0
	for _, r := range list {
		if name, ok := descriptor(r); ok {
			w.sets(name, r.Pos(), st)
		}
		if r.N != nil && len(r.N.Value) > 1 && r.N.Value[0] != '{' && (w.lang == syntax.LangZsh || w.lang == syntax.LangPOSIX) {
			w.unread(r.Pos(), "a descriptor has one digit in this shell")
			w.fragments(reading{text: r.N.Value})
		}
		fd0 := r.N == nil || r.N.Value == "0"
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			in = in.after(w.heredoc(r, st), fd0)
		case syntax.WordHdoc:
			in = in.after(append(w.one(r.Word, st), Piece{Text: "\n"}), fd0)
		default:
			if lit, ok := r.Word.Parts[0].(*syntax.Lit); ok && (r.Op == syntax.DplIn || r.Op == syntax.DplOut) && lit.Value[0] == '-' && w.spelling(r.Word) != "-" {
				w.unread(r.Pos(), "to some shells the word behind this - is one of the command")
			}
			target := w.redirectTarget(r, st)
			if r.Op == syntax.DplOut && r.N != nil && r.N.Value != "1" {
				to.joined = true
			}
			if fd0 && (r.Op == syntax.RdrIn || r.Op == syntax.DplIn) || r.N != nil && r.N.Value == "0" {
				in, _ = w.writtenTo(target, st)
			}
			if fd1 := r.N == nil || r.N.Value == "1"; fd1 && r.Op != syntax.RdrIn && r.Op != syntax.DplIn && r.Op != syntax.RdrInOut {
				w.writes(to, silent, st)
				to = sink{moved: true, joined: to.joined, append: r.Op == syntax.AppOut || r.Op == syntax.AppAll}
				if r.Op != syntax.DplOut {
					to.file = target
				}
			}
			w.redirect(r, target, st)
		}
	}
	return in, to
}

// after is what a command reads after a here-document was opened as descriptor
// 0, or as another.
func (in stream) after(text Word, fd0 bool) stream {
	if fd0 {
		in.names = ""
		in.text, in.literal = text.Literal()
	}
	return in
}

// heredoc expands a here-document, unless its delimiter is quoted.
func (w *walker) heredoc(r *syntax.Redirect, st *state) Word {
	if r.Hdoc == nil || len(r.Hdoc.Parts) == 0 {
		return Word{}
	}
	f := fielder{started: true}
	w.doubleQuoted(r.Hdoc.Parts, heredocEscapes, &f, st)
	text := f.whole()
	if strings.ContainsAny(w.spelling(r.Word), "\\'\"") {
		// The parser takes a delimiter that is quoted in part for one that is not.
		text = Word{{w.spelling(r.Hdoc), Value}}
		if lit, ok := r.Hdoc.Parts[0].(*syntax.Lit); ok && len(r.Hdoc.Parts) == 1 && len(r.Word.Parts) == 1 {
			text = Lit(lit.Value)
		}
	}
	w.suspect(text.String())
	return text
}

// redirectTarget expands the target of a redirection. Where it would be several words
// bash refuses it; it stays a hole.
func (w *walker) redirectTarget(r *syntax.Redirect, st *state) Word {
	fields := w.words([]*syntax.Word{r.Word}, st)
	if len(fields) == 1 {
		return fields[0]
	}
	return Word{{w.spelling(r.Word), Value}}
}

func (w *walker) redirect(r *syntax.Redirect, path Word, st *state) {
	text, literal := path.Literal()
	write := true
	switch r.Op {
	case syntax.RdrIn:
		write = false
	case syntax.DplIn:
		return // only descriptors are copied; other words are an error
	case syntax.DplOut:
		// >&2 and >&- are about descriptors, any other word is a file.
		if literal && strings.Trim(strings.TrimSuffix(text, "-"), "0123456789") == "" {
			return
		}
	}
	if r.Op == syntax.DplOut && r.N == nil && w.lang != syntax.LangZsh {
		// Bash expands the word, sees that it is no number, and then expands what
		// came of it once more.
		if literal {
			w.document(text, st)
		} else {
			w.hidden([]Word{path}, st)
		}
	}
	if literal && harmless(text) || isPipe(path) {
		return
	}
	w.opens(path, write, r.Pos(), st)
}

// opens lists a file, wherever the shell may be when it opens it.
func (w *walker) opens(path Word, write bool, pos syntax.Pos, st *state) {
	if w.full(pos) {
		return
	}
	if len(w.script.Redirects) >= MaxFiles {
		w.unread(pos, "it opens too many files")
		return
	}
	line, col := w.place(pos)
	for _, dir := range st.dirs {
		for _, p := range w.names(under(dir, local(path))) {
			w.script.Redirects = append(w.script.Redirects, Redirect{
				Path: p, Write: write, Away: w.away(), Via: append([]string(nil), w.via...), Line: line, Col: col,
			})
		}
	}
}

// isPipe reports whether a path is that of a process substitution.
func isPipe(path Word) bool {
	return len(path) == 1 && path[0].Hole == Value && (strings.HasPrefix(path[0].Text, "<(") || strings.HasPrefix(path[0].Text, ">("))
}

// harmless reports whether opening a file changes and reveals nothing that the
// command could not reach before.
func harmless(file string) bool {
	switch file {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero":
		return true
	}
	fd, ok := strings.CutPrefix(file, "/dev/fd/")
	if !ok {
		fd, ok = strings.CutPrefix(file, "/proc/self/fd/")
	}
	return ok && fd != "" && strings.Trim(fd, "0123456789") == ""
}
