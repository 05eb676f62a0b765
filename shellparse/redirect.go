package shellparse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stdin is what a command reads, as far as the source says: a literal text, or
// something that cannot be known.
type stdin struct {
	text    string
	literal bool
}

// redirects lists the files that redirections open, walks what their words and
// here-documents run, and returns what the command then reads.
func (w *walker) redirects(list []*syntax.Redirect, st *state) (in stdin) {
	for _, r := range list {
		if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
			st.unset(strings.Trim(r.N.Value, "{}"))
		}
		toStdin := r.N == nil || r.N.Value == "0"
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			text := w.one(r.Hdoc, st)
			if toStdin {
				in.text, in.literal = text.Literal()
			}
			continue
		case syntax.WordHdoc:
			text := w.one(r.Word, st)
			if toStdin {
				in.text, in.literal = text.Literal()
			}
			continue
		}
		if toStdin && (r.Op == syntax.RdrIn || r.Op == syntax.DplIn || r.Op == syntax.RdrInOut) {
			in = stdin{}
		}
		w.redirect(r, w.redirectTarget(r, st), st)
	}
	return in
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
	if literal && harmless(text) || w.full(r.Pos()) {
		return
	}
	line, col := w.place(r.Pos())
	for _, dir := range st.dirs {
		w.script.Redirects = append(w.script.Redirects, Redirect{
			Path: under(dir, path), Write: write, Via: append([]string(nil), w.via...), Line: line, Col: col,
		})
	}
}

// harmless reports whether opening a file changes and reveals nothing that the
// command could not reach before.
func harmless(file string) bool {
	switch file {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero":
		return true
	}
	fd, ok := strings.CutPrefix(file, "/dev/fd/")
	return ok && fd != "" && strings.Trim(fd, "0123456789") == ""
}
