package shellparse

import (
	"slices"
	"strings"
)

// arrives lists the names that files get in a directory which they are put into:
// cp a/b /etc writes /etc/b. Where the last operand may as well be the file itself,
// rules look whether it is a directory.
func (w *walker) arrives(tool fileTool, o scanned, files []Word, st *state) {
	if o.any(tool.inPlace) {
		return
	}
	targets, sure := o.values(tool.into), true
	switch n := len(files); {
	case len(targets) > 0:
	case o.any("T"):
	case n == 1 && tool.here:
		targets = literals([]string{"."})
	case n > 1:
		to := files[n-1]
		text, _ := to.Literal()
		targets, files = []Word{to}, files[:n-1]
		sure = n > 2 || strings.HasSuffix(to.String(), "/") || text == "." || text == ".."
	}
	for _, to := range targets {
		if tool.remote && isRemote(to) {
			continue
		}
		for _, f := range files {
			if tool.remote && isRemote(f) {
				f = cut(f, strings.IndexByte(f.literalPrefix(), ':')+1)
			}
			name := entry(f)
			if tool.remote && strings.HasSuffix(f.String(), "/") {
				name = anyName // rsync means what is in it
			}
			w.arrival(inside(to, name), !sure, st)
		}
	}
}

// arrival lists a file that is put into a directory, or would be if that is one.
func (w *walker) arrival(file Word, perhaps bool, st *state) {
	start := len(w.script.Operands)
	w.fileOperand(file, Edits, st)
	for i := range w.script.Operands[start:] {
		w.script.Operands[start+i].Into = perhaps
	}
}

// downloads lists the files to which a program such as curl writes what addresses
// hold, by their last names.
func (w *walker) downloads(tool fileTool, o scanned, addresses []Word, st *state) {
	dir := Lit(".")
	if dirs := o.values(tool.saveDir); len(dirs) > 0 {
		dir = dirs[len(dirs)-1]
		for _, file := range o.values("o") {
			w.arrival(inside(dir, file), false, st)
		}
	}
	if tool.saves != "*" && !o.any(tool.saves) || o.any(tool.unless) {
		return
	}
	for _, a := range addresses {
		w.arrival(inside(dir, addressed(a)), false, st)
	}
}

// addressed is the name of the file that an address holds; index.html is what wget
// calls one without.
func addressed(address Word) Word {
	for i, p := range address {
		if at := strings.IndexAny(p.Text, "?#"); at >= 0 && (p.Hole == Known || p.Hole == Glob || p.Hole == Name) {
			address = glue(address[:i], Lit(p.Text[:at]))
			break
		}
	}
	if text, ok := address.Literal(); ok {
		_, rest, _ := strings.Cut(text, "://")
		if strings.HasSuffix(text, "/") || !strings.Contains(rest, "/") {
			return Lit("index.html")
		}
	}
	return entry(address)
}

// inside is a name in a directory.
func inside(dir, name Word) Word {
	if text := dir.String(); !strings.HasSuffix(text, "/") {
		dir = glue(dir, Lit("/"))
	}
	return glue(dir, name)
}

// anyName is the name of a file that the line does not tell, anyBelow that of one
// at any depth.
var (
	anyName  = Word{{"*", Glob}}
	anyBelow = Word{{"*", Glob}, {"*", Glob}}
)

// entry is the last name of a path. Of . and .. it is what those hold.
func entry(p Word) Word {
	if text, ok := p.Literal(); ok {
		p = Lit(strings.TrimRight(text, "/"))
	}
	for i, piece := range slices.Backward(p) {
		if at := strings.LastIndexByte(piece.Text, '/'); at >= 0 && piece.Hole == Known {
			p = glue(Lit(piece.Text[at+1:]), p[i+1:])
			break
		}
	}
	if text, ok := p.Literal(); ok && (text == "" || text == "." || text == "..") {
		return anyName
	}
	return p
}
