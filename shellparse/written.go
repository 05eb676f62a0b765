package shellparse

import (
	"path"
	"slices"
	"strings"
)

// writes notes what is written to a file.
func (w *walker) writes(to sink, what stream, st *state) {
	if len(to.file) == 0 {
		return
	}
	for _, key := range fileKeys(to.file, st) {
		if to.append {
			what = w.written[key].then(what)
		}
		w.written[key] = what
	}
}

// writtenTo returns what the source has written to a file before. found is false
// if it has not, so that the file holds what it held. The text is good for what
// restricts; it earns nothing, for whatever ran since may have written the file
// too: curl -O, tar x, git checkout. Only what stands behind <(cmd) is sure.
func (w *walker) writtenTo(file Word, st *state) (content stream, found bool) {
	if text, _ := file.Literal(); text == "/dev/null" {
		return silent, true
	}
	for i, key := range fileKeys(file, st) {
		c, ok := w.written[key]
		if !ok || i > 0 && c != content {
			c = stream{}
		}
		content, found = c, found || ok
	}
	content.doubted = content.doubted || !isProcess(file)
	return content, found
}

// fileKeys are the names of a file, wherever the shell may be. One that is not
// known goes by its spelling: that of <(cmd) is as good as a name.
func fileKeys(file Word, st *state) []string {
	if _, literal := file.Literal(); !literal {
		if !isProcess(file) {
			return nil
		}
		return []string{file[0].Text}
	}
	keys := make([]string, 0, len(st.dirs))
	for _, dir := range st.dirs {
		keys = append(keys, path.Clean(under(dir, file).String()))
	}
	return keys
}

// runsWritten lists what a file runs that the source wrote before. seen is false
// if it did not, or if that is not sure.
func (w *walker) runsWritten(file Word, args []Word, here bool, st *state) (out outcome, seen bool) {
	content, found := w.writtenTo(file, st)
	interpreter, _, script := strings.Cut(strings.TrimPrefix(content.text, "#!"), "\n")
	switch {
	case !found:
		return same(*st), false
	case !content.literal:
		return w.hidden([]Word{{{file.String(), Value}}}, st), false
	case script && strings.HasPrefix(content.text, "#!") && !strings.HasSuffix(strings.Fields(interpreter + " ")[0], "sh"):
		return same(*st), false // it is for another program
	case here:
		return w.source(content.text, *st), content.sure()
	}
	fresh := newState(Options{})
	fresh.dirs = st.dirs
	if !slices.ContainsFunc(args, Word.maySplit) {
		fresh.args = &args
	}
	w.both(content.text, fresh)
	return same(*st), content.sure()
}
