package shellparse

import (
	"path"
	"strings"
)

// local spells a path through /proc (proc(5)) as the one that it leads to,
// whichever process it is that opens it.
func local(file Word) Word {
	prefix := file.literalPrefix()
	for _, self := range []string{"/proc/self/", "/proc/thread-self/"} {
		rest, ok := strings.CutPrefix(prefix, self)
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, "/")
		switch name {
		case "cwd":
			return glue(Lit("."), cut(file, len(self)+len(name)))
		case "root":
			return glue(Lit("/"), cut(file, len(self)+len(name)))
		}
	}
	return file
}

// A link is a name that the source gives to another file before it opens that.
type link struct {
	name   string // as seen from where the source starts, cleaned
	target Word
}

// maxLinks is how many links are followed, and maxLinked how many names a path
// may have through them.
const (
	maxLinks  = 16
	maxLinked = 4
)

// linked notes what ln makes: from then on a path below the link is one below what
// it leads to as well. A link that anything else makes, such as cp -a, tar x or git
// clone, is not known before it is there.
func (w *walker) linked(o scanned, st *state) {
	files := o.operands
	into := o.values("t")
	switch {
	case len(files) == 0:
		return
	case len(into) == 0 && len(files) == 1:
		into = []Word{Lit(".")}
	case len(into) == 0:
		into, files = files[len(files)-1:], files[:len(files)-1]
	}
	for _, dir := range st.dirs {
		name, ok := under(dir, into[0]).Literal()
		if !ok {
			continue
		}
		for _, f := range files {
			// Whether the last operand is a directory that holds the link, or the
			// link, is not known.
			names := []string{path.Join(name, path.Base(f.String()))}
			if len(files) == 1 {
				names = append(names, path.Clean(name))
			}
			for _, name := range names {
				from := dir
				if o.any("s") && !o.any("r") {
					from = Lit(path.Dir(name))
				}
				if len(w.links) < maxLinks {
					w.links = append(w.links, link{name, under(from, f)})
				}
			}
		}
	}
}

// names returns a path, and what it is through the links made before.
func (w *walker) names(file Word) []Word {
	all := []Word{file}
	for i := 0; i < len(all) && len(w.links) > 0; i++ {
		prefix := all[i].literalPrefix()
		clean := path.Clean(prefix)
		if strings.HasSuffix(prefix, "/") {
			clean += "/"
		}
		for _, l := range w.links {
			rest, below := strings.CutPrefix(clean, l.name+"/")
			if !below && clean != l.name || len(all) >= maxLinked {
				continue
			}
			if !below {
				rest = ""
			}
			if below {
				rest = "/" + rest
			}
			all = append(all, glue(l.target, Lit(rest), cut(all[i], len(prefix))))
		}
	}
	return all
}

// glue is two words as one.
func glue(words ...Word) Word {
	var b wordBuilder
	for _, word := range words {
		for _, p := range word {
			b.piece(p)
		}
	}
	return b.word()
}
