package shellparse

import (
	"path"
	"slices"
	"strings"
)

// A fileTool says which arguments of a program are files, and what it does with
// them.
type fileTool struct {
	operands fileUse
	last     fileUse // of the last of several operands, where it is another
	skip     int     // operands in front that are no files: grep's pattern
	unless   string  // options with which there are none to skip
	inPlace  string  // options with which the operands are edited
	values   string  // options whose value is a file, -o=edit
	keys     string  // operands of the form key=file, of=edit
}

// fileUse is what happens to a file. The zero value is nothing.
type fileUse uint8

const (
	nothing fileUse = iota
	reads
	edits
)

func parseUse(name string) fileUse { return map[string]fileUse{"read": reads, "edit": edits}[name] }

// fileOperands lists the files that a well-known program is given.
func (w *walker) fileOperands(words []Word, st *state) {
	name, ok := words[0].Literal()
	if !ok {
		return
	}
	tool, ok := fileTools[path.Base(name)]
	if !ok {
		return
	}
	options, others := Respell(words)
	given := func(list string) bool {
		return slices.ContainsFunc(options, func(o Option) bool {
			return slices.ContainsFunc(append(o.Means, o.As), func(m Word) bool {
				flag, _, _ := strings.Cut(m.literalPrefix(), " ")
				return slices.Contains(strings.Fields(list), flag)
			})
		})
	}
	for _, o := range options {
		for _, m := range o.Means {
			flag, _, valued := strings.Cut(m.literalPrefix(), " ")
			if !valued && len(m) == 1 {
				continue
			}
			for _, v := range strings.Fields(tool.values) {
				if name, use, _ := strings.Cut(v, "="); name == flag {
					w.fileOperand(cut(m, len(flag)+1), parseUse(use), st)
				}
			}
		}
	}
	files := others[1:]
	if tool.keys != "" {
		w.keyed(tool, files, st)
		return
	}
	if !given(tool.unless) {
		files = files[min(tool.skip, len(files)):]
	}
	use := tool.operands
	if tool.inPlace != "" && given(tool.inPlace) {
		use = edits
	}
	for i, f := range files {
		if tool.last != nothing && i > 0 && i == len(files)-1 && !given("-t") {
			use = tool.last
		}
		w.fileOperand(f, use, st)
	}
}

// keyed lists the files of operands such as dd's of=file.
func (w *walker) keyed(tool fileTool, words []Word, st *state) {
	for _, word := range words {
		key, _, ok := strings.Cut(word.literalPrefix(), "=")
		if !ok {
			continue
		}
		for _, k := range strings.Fields(tool.keys) {
			if name, use, _ := strings.Cut(k, "="); name == key {
				w.fileOperand(cut(word, len(key)+1), parseUse(use), st)
			}
		}
	}
}

// fileOperand lists one file, wherever the shell may be when the program opens it. A
// lone - is standard input or output.
func (w *walker) fileOperand(file Word, use fileUse, st *state) {
	text, literal := file.Literal()
	if use == nothing || len(file) == 0 || literal && (text == "-" || text == "" || harmless(text)) || w.full(w.pos) {
		return
	}
	line, col := w.place(w.pos)
	for _, dir := range st.dirs {
		w.script.Operands = append(w.script.Operands, Operand{
			Redirect{Path: under(dir, file), Write: use == edits, Via: slices.Clone(w.via), Line: line, Col: col},
		})
	}
}
