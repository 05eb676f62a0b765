package rules

import "mayi/shellparse"

// firstBytes are the bytes that the text of a request may begin with, in any
// spelling that rules see.
type firstBytes struct {
	any     bool
	set     [256]bool
	hole    bool // each spelling begins with a hole, which only a star surely matches
	certain bool // only rules that surely match are looked for
}

// firstBytes returns the bytes that the request may begin with.
func (q Request) firstBytes() (f firstBytes) {
	f.hole = len(q.Text) > 0 && (q.Text[0].Hole == shellparse.Value || q.Text[0].Hole == shellparse.Words) && len(q.Same)+len(q.Also) == 0
	if q.Permission != "bash" {
		f.any = true
		return f
	}
	f.add(q.Text)
	for _, t := range q.Same {
		f.add(t)
	}
	for _, t := range q.Also {
		f.add(t)
	}
	if len(q.Words) > 0 {
		f.add(q.Words[0])
		f.add(baseName(q.Words[0]))
	}
	return f
}

func (f *firstBytes) add(w shellparse.Word) {
	if len(w) == 0 || w[0].Hole != shellparse.Known || w[0].Text == "" {
		f.any = true
		return
	}
	f.set[slash(w[0].Text[0])] = true
}

// exclude reports whether a pattern begins with another byte, so that it can
// match no spelling, or not surely where that is all that is asked.
func (f *firstBytes) exclude(pattern string) bool {
	if f.certain && f.hole && pattern != "" && pattern[0] != '*' {
		return true
	}
	if f.any || pattern == "" {
		return false
	}
	c := slash(pattern[0])
	return c != '*' && c != '?' && c != '[' && c != '/' && !f.set[c]
}

// slash is a byte as both sides of a match have it.
func slash(c byte) byte {
	if c == '\\' {
		return '/'
	}
	return c
}
