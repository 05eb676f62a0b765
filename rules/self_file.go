package rules

import (
	"path"
	"slices"
	"strings"

	"mayi/shellparse"
)

// file returns what protects a file that is written, changed or removed.
func (p *protector) file(file shellparse.Word, use shellparse.FileUse) *protection {
	if p == nil || len(file) == 0 {
		return nil
	}
	text, known := file.Literal()
	if !known {
		return p.vague(file, use)
	}
	if uri, ok := strings.CutPrefix(text, "file:"); ok { // as sqlite3 takes it
		text, _, _ = strings.Cut(strings.TrimPrefix(uri, "//"), "?")
	}
	abs := p.at.absolute(text)
	found := p.exact(abs, use)
	if p.at.Resolve != nil && path.IsAbs(abs) && (found == nil || found.action() != Deny) {
		if !path.IsAbs(text) {
			text = p.at.Cwd + "/" + text
		}
		if leads := follow(text, p.at.Resolve); leads != abs {
			found = found.stricter(p.exact(leads, use))
		}
	}
	return found
}

// exact is the protection of a file by one of its names.
func (p *protector) exact(abs string, use shellparse.FileUse) *protection {
	if rule, ok := p.holds(abs); ok {
		return &protection{rule, true}
	}
	own := p.mine()
	if own.Same != nil && own.Same(abs) {
		return &protection{ownRule(Quote(abs)), true}
	}
	if rule, ok := deviceRule(abs); ok {
		return &protection{rule, true}
	}
	for _, child := range p.inside(use) {
		if isBelow(child, abs) {
			return &protection{ownRule(Quote(child)), true}
		}
	}
	return nil
}

// inside are the files that a use of a directory above them reaches.
func (p *protector) inside(use shellparse.FileUse) []string {
	switch use {
	case shellparse.Removes:
		return p.there()
	case shellparse.Touches:
		return slices.Concat(p.mine().Trees, p.mine().Program)
	}
	return nil
}

// deviceRule returns the rule about a file through which a terminal is reached.
func deviceRule(abs string) (Rule, bool) {
	for _, r := range devices {
		if Match(r.Pattern, abs) && !isOwnProcess(abs) {
			return r, true
		}
	}
	return Rule{}, false
}

// there is what exists of mayi's own.
func (p *protector) there() []string {
	if own := p.mine(); own.Present != nil {
		return own.Present()
	}
	return nil
}

// isOwnProcess reports whether a file is one that the process itself has open.
func isOwnProcess(abs string) bool {
	return strings.HasPrefix(abs, "/proc/self/") || strings.HasPrefix(abs, "/proc/thread-self/")
}

// holds returns the rule about a path that is mayi's own.
func (p *protector) holds(abs string) (rule Rule, ok bool) {
	own := p.mine()
	for _, tree := range own.Trees {
		if samePath(abs, tree) || isBelow(abs, tree) {
			return ownRule(Quote(tree) + "/*"), true
		}
	}
	for _, file := range slices.Concat(own.Files, own.Program) {
		if samePath(abs, file) {
			return ownRule(Quote(file)), true
		}
	}
	for _, name := range own.Names {
		if strings.HasSuffix(fold(abs), fold("/"+name)) {
			return ownRule("*/" + Quote(name)), true
		}
	}
	return Rule{}, false
}

func samePath(a, b string) bool { return fold(a) == fold(b) }

// isBelow reports whether a path is inside of a directory.
func isBelow(abs, dir string) bool {
	return strings.HasPrefix(fold(abs), strings.TrimSuffix(fold(dir), "/")+"/")
}

// vague is the protection of a file of which the name is known in part.
func (p *protector) vague(file shellparse.Word, use shellparse.FileUse) *protection {
	own := p.mine()
	file = numbered(file)
	if file[0].Hole != shellparse.Known || !strings.HasPrefix(file[0].Text, "/") {
		if _, globs := file.Spelled(); globs || file[0].Hole == shellparse.Known {
			file = append(shellparse.Lit(p.at.Cwd+"/"), file...)
		}
	}
	parts := components(file)
	for _, r := range devices {
		if strings.HasPrefix(file[0].Text, "/dev/") || strings.HasPrefix(file[0].Text, "/proc/") {
			if _, possible := matchText(r.Pattern, file); possible && !isOwnProcess(file[0].Text) {
				return &protection{r, true}
			}
		}
	}
	// A pattern names what is there, or stands for itself.
	for _, f := range p.there() {
		want := strings.Split(f, "/")
		if p.mayName(parts, want, slices.Contains(own.Trees, f), use == shellparse.Removes) {
			return &protection{ownRule(Quote(f)), false}
		}
		if dir := want[:len(want)-1]; use == shellparse.Edits && isHidden(strings.Join(dir, "/")) && p.mayName(parts, dir, false, false) {
			return &protection{ownRule(Quote(f)), false}
		}
	}
	return p.hinted(file, use, own)
}

// components splits a path with holes at its slashes.
func components(file shellparse.Word) (parts []shellparse.Word) {
	var part shellparse.Word
	for _, piece := range file {
		if piece.Hole != shellparse.Known {
			part = append(part, piece)
			continue
		}
		for i, text := range strings.Split(piece.Text, "/") {
			if i > 0 {
				parts = append(parts, part)
				part = nil
			}
			if text != "" {
				part = append(part, shellparse.Piece{Text: text})
			}
		}
	}
	parts = append(parts, part)
	clean := parts[:0]
	for _, part := range parts {
		switch text, known := part.Literal(); {
		case known && text == ".":
		case known && text == ".." && len(clean) > 1:
			clean = clean[:len(clean)-1]
		default:
			clean = append(clean, part)
		}
	}
	return clean
}

// mayName reports whether globs may make a path of components that is the wanted
// one, or something inside of it, or a directory above it.
func (p *protector) mayName(parts []shellparse.Word, want []string, inside, above bool) bool {
	for len(parts) > 0 && len(want) > 0 {
		if isStars(parts[0]) {
			return p.mayName(parts[1:], want, inside, above) || p.mayName(parts, want[1:], inside, above)
		}
		if len(parts[0]) == 0 && want[0] != "" {
			parts = parts[1:] // a//b
			continue
		}
		if !p.mayBe(parts[0], want[0]) {
			return false
		}
		parts, want = parts[1:], want[1:]
	}
	for len(parts) > 0 && (len(parts[0]) == 0 || isStars(parts[0])) {
		parts = parts[1:]
	}
	return len(parts) == 0 && len(want) == 0 || len(want) == 0 && inside || len(parts) == 0 && above
}

func isStars(part shellparse.Word) bool {
	return len(part) > 1 && !slices.ContainsFunc(part, func(q shellparse.Piece) bool { return q.Hole == shellparse.Known || q.Text != "*" })
}

// mayBe reports whether a component with globs may be a name. Values that are not
// known may not, for they could be any.
func (p *protector) mayBe(part shellparse.Word, name string) bool {
	if len(part) == 0 {
		return name == ""
	}
	if _, spelled := part.Spelled(); !spelled {
		return false
	}
	simple := part[0].Hole != shellparse.Known && strings.ContainsAny(part[0].Text[:1], "*?[") && !strings.Contains(part[0].Text, "(")
	if simple && !p.dots && strings.HasPrefix(name, ".") && !strings.HasPrefix(part[0].Text, "[.") {
		return false
	}
	return Match(fold(globPattern(part)), fold(name))
}

// globPattern writes a word with globs as a pattern.
func globPattern(w shellparse.Word) string {
	var b strings.Builder
	for _, piece := range w {
		switch {
		case piece.Hole == shellparse.Known:
			b.WriteString(Quote(piece.Text))
		case piece.Text == "?" || strings.HasPrefix(piece.Text, "[") && strings.HasSuffix(piece.Text, "]"):
			b.WriteString("?")
		default:
			b.WriteString("*")
		}
	}
	return b.String()
}

// hinted finds in a path with an unknown value what points at something of mayi's
// own: the end of its name, the directory that it is in, the text of the hole, or
// a name elsewhere in the line.
func (p *protector) hinted(file shellparse.Word, use shellparse.FileUse, own *Own) *protection {
	first := slices.IndexFunc(file, isUnknown)
	if first < 0 {
		return nil
	}
	last := first
	for i, piece := range file {
		if isUnknown(piece) {
			last = i
			if rule, ok := p.spelledIn(piece.Text); ok {
				return &protection{rule, false}
			}
		}
	}
	if rule := p.named(); rule != nil && use != shellparse.Looks {
		return &protection{*rule, false}
	}
	before, after := file[:first].String(), file[last+1:].String()
	_, tail, _ := strings.Cut(after, "/")
	tail = path.Clean("/" + tail)
	all := slices.Concat(own.Files, own.Program)
	for _, name := range own.Names {
		all = append(all, "/"+name)
	}
	dir, begin := path.Split(before)
	if strings.HasPrefix(path.Base(tail), "mayi.db") {
		return &protection{ownRule("*" + Quote(tail)), false}
	}
	for _, f := range all {
		if tail != "/" && (strings.HasSuffix(f, tail) || strings.HasSuffix(tail, f)) {
			return &protection{ownRule("*" + Quote(f)), false}
		}
	}
	for _, tree := range own.Trees {
		for begin := tail; begin != "/"; begin = path.Dir(begin) {
			if strings.HasSuffix(tree, begin) {
				return &protection{ownRule(Quote(tree) + "/*"), false}
			}
		}
		if use == shellparse.Removes && (strings.Contains(file.String(), "XDG_CONFIG_HOME") || strings.Contains(file.String(), "XDG_STATE_HOME")) && tail == "/" {
			return &protection{ownRule(Quote(tree) + "/*"), false}
		}
		if dir := strings.TrimSuffix(dir, "/"); dir != "" && (samePath(dir, tree) || isBelow(dir, tree)) {
			return &protection{ownRule(Quote(tree) + "/*"), false}
		}
	}
	for _, f := range all {
		in, base := path.Split(f)
		inDir := dir != "" && dir != "/" && strings.HasSuffix(dir, in) && in != "/"
		if (inDir || dir != "" && begin != "" && strings.HasSuffix(dir, in)) && !strings.Contains(after, "/") && strings.HasPrefix(base, begin) && strings.HasSuffix(base, after) && (begin != "" || isHidden(in)) {
			return &protection{ownRule("*" + Quote(f)), false}
		}
	}
	return nil
}

func isHidden(dir string) bool {
	base := path.Base(dir)
	return strings.HasPrefix(base, ".") || base == "mayi"
}

func isUnknown(q shellparse.Piece) bool {
	return q.Hole == shellparse.Value || q.Hole == shellparse.Words
}

// findsMayi finds a substitution that says where the program is.
var findsMayi = lazily(`\b(which|command -[vp]+|type -[Pp]+|whence( -p)?|readlink( -\w+)?|realpath) +(-- +)?(\S*/)?mayi\b`)

// spelledIn finds the name of something of mayi's own in a text that is code, or
// the spelling of a hole.
func (p *protector) spelledIn(text string) (Rule, bool) {
	own := p.mine()
	if len(own.Program) > 0 && findsMayi().MatchString(text) {
		return ownRule(Quote(own.Program[0])), true
	}
	for _, tree := range own.Trees {
		short := path.Join(path.Base(path.Dir(tree)), path.Base(tree))
		if strings.Contains(text, tree) || strings.Contains(text, short+"/") {
			return ownRule(Quote(tree) + "/*"), true
		}
	}
	for _, r := range devices {
		if stem, _, _ := strings.Cut(r.Pattern, "*"); len(stem) > len("/dev/tty") && strings.Contains(text, strings.TrimSuffix(stem, "?")) {
			return r, true
		}
	}
	for _, f := range own.Files {
		if strings.Contains(text, f) {
			return ownRule(Quote(f)), true
		}
	}
	for _, name := range own.Names {
		if strings.Contains(text, name) && (strings.Contains(name, "/") || strings.Contains(name, "mayi")) {
			return ownRule("*/" + Quote(name)), true
		}
	}
	return Rule{}, false
}
