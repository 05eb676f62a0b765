package shellparse

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A fileTool says which arguments of a program are files, and what it does with
// them. Options are named as in [optionSpec], in short where there is a twin.
type fileTool struct {
	as       string // the row that this one is like; nothing else counts then
	operands FileUse
	first    FileUse // of the first operand, where it is another
	last     FileUse // of the last of several operands, where it is another
	skip     int     // operands in front that are no files: grep's pattern
	unless   string  // options with which there are none to skip, and no last one
	inPlace  string  // options with which all operands are edited
	only     int     // how many operands count, 0 for all
	none     string  // options with which the operands are no files
	values   string  // options whose value is a file: o=edit; d=@read where it is one behind an @, F=;read where it is like curl's form
	into     string  // options whose value is a directory that the operands go into; without them the last of several may be one
	here     bool    // into: a lone operand goes into the working directory
	saves    string  // urls: options with which what they hold is written to a file of the same name; * for always, but with those of unless
	saveDir  string  // the option that names the directory for that, and for what o names
	keys     string  // operands of the form key=file: of=edit
	when     string  // options with which another row counts: c=tar -c

	// options are those that take a value, and those that matter here; where
	// there are none, those of optionTable count. Any other is a flag.
	options optionSpec

	long   bool // -name is --name
	bundle bool // options need no dash in the first argument: tar xzf
	front  bool // options end at the first operand, which may be a subcommand with a row
	until  bool // operands end at the first word that is an option or the like: find
	remote bool // operands such as host:path are elsewhere
	urls   bool // operands are no files unless they are file:// ones
}

// FileUse is what a command does with a file. The zero value is nothing.
type FileUse uint8

const (
	nothing FileUse = iota
	Reads           // what it holds
	Edits           // creates, changes or removes it
	Looks           // at its name and attributes, and at the names in a directory
	Enters          // makes it the working directory
	Touches         // changes it, and nothing of what it holds
	Removes         // takes it away as a whole, with what is in it
	fills           // puts files into it whose names the line does not tell: Edits of them
	unpacks         // Enters and fills
)

func parseUse(name string) FileUse {
	return map[string]FileUse{"read": Reads, "edit": Edits, "look": Looks, "enter": Enters, "touch": Touches, "fill": fills, "unpack": unpacks, "remove": Removes}[name]
}

// fileOperands lists the files that a well-known program is given.
func (w *walker) fileOperands(words []Word, st *state) {
	if name, ok := words[0].Literal(); ok {
		w.filesOf(path.Base(name), words[1:], st)
	}
}

// filesOf lists the files that the program or subcommand of a row is given.
func (w *walker) filesOf(row string, args []Word, st *state) {
	tool, ok := fileTools[row]
	if tool.as != "" {
		row = tool.as
		tool = fileTools[row]
	}
	if !ok {
		return
	}
	o := tool.scan(args, cmp.Or(tool.options, optionTable[row]))
	if o.unknown {
		w.unread(w.pos, "a command has too many options")
	}
	for _, w := range strings.Fields(tool.when) {
		if option, other, _ := strings.Cut(w, "="); o.any(option) {
			tool = fileTools[row+" "+other]
			break
		}
	}
	inner := w.optionFiles(tool, o, st)
	if row == "ln" {
		defer w.linked(o, st) // from here on
	}
	switch {
	case tool.keys != "":
		w.keyed(tool, o.operands, inner)
		return
	case tool.front:
		if len(o.operands) > 0 {
			if sub, ok := o.operands[0].Literal(); ok {
				if _, ok = fileTools[row+" "+sub]; ok {
					w.filesOf(row+" "+sub, o.operands[1:], inner)
					return
				}
			}
		}
	}
	files := o.operands
	if !o.any(tool.unless) {
		files = files[min(tool.skip, len(files)):]
	}
	if tool.into != "" {
		w.arrives(tool, o, files, inner)
	}
	var addresses []Word
	for i, f := range files {
		use := tool.operands
		switch {
		case tool.inPlace != "" && o.any(tool.inPlace):
			use = Edits
		case tool.only > 0 && i >= tool.only, o.any(tool.none):
			use = nothing
		case tool.first != nothing && i == 0:
			use = tool.first
		case tool.last != nothing && i > 0 && i == len(files)-1 && !o.any(tool.unless):
			use = tool.last
		}
		if tool.remote && isRemote(f) {
			continue
		}
		if tool.urls {
			url, local := strings.CutPrefix(f.literalPrefix(), "file://")
			if !local {
				addresses = append(addresses, f)
				continue
			}
			f = cut(f, len("file://")+max(0, strings.IndexByte(url, '/')))
		}
		w.fileOperand(f, use, inner)
	}
	if tool.urls {
		w.downloads(tool, o, addresses, inner)
	}
}

// optionFiles lists the files that options name, and returns the state in which
// the operands are looked up: one that enters a directory moves them there.
func (w *walker) optionFiles(tool fileTool, o scanned, st *state) *state {
	inner := st
	for _, v := range strings.Fields(tool.values) {
		name, spec, _ := strings.Cut(v, "=")
		use := parseUse(strings.TrimLeft(spec, "@;"))
		for _, value := range o.values(name) {
			if value = marked(value, spec[0]); len(value) == 0 {
				continue
			}
			if use == unpacks {
				w.fileOperand(value, fills, st)
			}
			if use == Enters || use == unpacks {
				w.enters(value, inner)
				moved := inner.cd(value)
				inner = &moved
				continue
			}
			w.fileOperand(value, use, st)
		}
	}
	return inner
}

// marked returns the file in the value of an option such as curl's -d, x=@file, or
// -F, x=@file;type=y and x=<file. Without a mark it is all of it.
func marked(value Word, mark byte) Word {
	marks := map[byte]string{'@': "@", ';': "@<"}[mark]
	if marks == "" {
		return value
	}
	prefix := value.literalPrefix()
	at := strings.IndexAny(prefix, marks)
	if at < 0 {
		return nil
	}
	if text, ok := value.Literal(); ok && mark == ';' {
		file, _, _ := strings.Cut(text[at+1:], ";")
		return Lit(file)
	}
	return cut(value, at+1)
}

// isRemote reports whether an operand is host:path, as scp and rsync take it.
func isRemote(word Word) bool {
	host, _, ok := strings.Cut(word.literalPrefix(), ":")
	return ok && !strings.Contains(host, "/")
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
func (w *walker) fileOperand(file Word, use FileUse, st *state) {
	text, literal := file.Literal()
	if use == nothing || len(file) == 0 || literal && (text == "-" || text == "" || harmless(text)) || isPipe(file) || w.full(w.pos) {
		return
	}
	if use == fills {
		w.fileOperand(inside(file, anyBelow), Edits, st)
		file, use = inside(file, nil), Edits
	}
	if use == Edits || use == Removes {
		w.writes(sink{file: file}, stream{}, st)
	}
	for _, dir := range st.dirs {
		for _, file := range w.asHanded(file) {
			for _, p := range w.names(under(dir, local(file))) {
				w.given(p, use)
			}
		}
	}
}

// MaxFiles is how many files the commands of a source may be given: each is looked
// up in the file system and held against every rule.
const MaxFiles = 2000

// given lists one file by its name as seen from where the source starts.
func (w *walker) given(p Word, use FileUse) {
	if len(w.script.Operands) >= MaxFiles {
		w.unread(w.pos, "it names too many files")
		return
	}
	line, col := w.place(w.pos)
	w.script.Operands = append(w.script.Operands, Operand{
		Redirect: Redirect{Path: p, Write: use == Edits || use == Touches || use == Removes, Away: w.away(), Via: slices.Clone(w.via), Line: line, Col: col}, Use: use,
	})
}

// enters lists a directory that the line changes to. Where it is not known where
// the shell is, what led there was listed, and a path that does not climb leads no
// further away.
func (w *walker) enters(to Word, st *state) {
	text, literal := to.Literal()
	if len(to) == 0 || w.full(w.pos) {
		return
	}
	for _, dir := range st.dirs {
		if literal && !path.IsAbs(text) && slices.Equal(dir, unknownDir) && !slices.Contains(strings.Split(text, "/"), "..") {
			continue
		}
		for _, p := range w.names(under(dir, local(to))) {
			w.given(p, Enters)
		}
	}
}

// away reports whether what is walked runs where paths are not those of this
// shell: on another machine, in a container, as another user.
func (w *walker) away() bool {
	return slices.ContainsFunc(w.via, func(name string) bool {
		c, ok := carriers[name]
		if c.as != "" {
			c = carriers[c.as]
		}
		return ok && !c.transparent && !c.here
	})
}
