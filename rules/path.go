package rules

import (
	"path"
	"runtime"
	"slices"
	"strings"

	"mayi/shellparse"
)

// foldPaths says that file names which differ only in case are one file.
const foldPaths = runtime.GOOS == "darwin"

// isPath reports whether the texts of a permission are paths.
func isPath(permission string) bool {
	switch permission {
	case "read", "edit", "glob", "external_directory":
		return true
	}
	return false
}

// isSocket reports whether a redirection opens a connection (bash manual,
// Redirections) and not a file.
func isSocket(file shellparse.Word) bool {
	if len(file) == 0 || file[0].Hole != shellparse.Known {
		return false
	}
	return strings.HasPrefix(file[0].Text, "/dev/tcp/") || strings.HasPrefix(file[0].Text, "/dev/udp/")
}

// fileRequests judges a file by where it is and, when links lead elsewhere, by
// where it leads as well.
func fileRequests(permission string, file shellparse.Word, via []string, at Place) []Request {
	file = numbered(file)
	dir, names, ok := below(file)
	if !ok {
		// It could lead anywhere, so it is a hole as a whole.
		return []Request{{Permission: permission, Text: shellparse.Word{{Text: file.String(), Hole: shellparse.Value}}, Via: via}}
	}
	if !path.IsAbs(dir) {
		dir = at.Cwd + "/" + dir
	}
	request := func(dir string) Request {
		q := Request{Permission: permission, Via: via}
		q.Text, q.Same = spellings(dir, names, at.Project)
		q.Store = exact(q.Text)
		if below, ok := strings.CutSuffix(q.Text.String(), "/*"); ok && permission == "external_directory" {
			q.Store = Quote(below) + "/*" // the request is for all of a directory
		}
		return q
	}
	clean := path.Clean(dir)
	out := []Request{request(clean)}
	if at.Resolve != nil && path.IsAbs(clean) {
		if leads := follow(dir, at.Resolve); leads != clean {
			out = append(out, request(leads))
		}
	}
	return out
}

// namedRequests judges a file by the end of its name too, where only that is known.
// What comes before its last unknown part is unknown as well, for that part may lead
// elsewhere; the name behind it is not.
func namedRequests(permission string, file shellparse.Word, via []string, at Place) []Request {
	list := fileRequests(permission, file, via, at)
	last := -1
	for i, p := range file {
		if p.Hole == shellparse.Value || p.Hole == shellparse.Words {
			last = i
		}
	}
	if name := file[last+1:]; last >= 0 && !strings.Contains(name.String(), "..") {
		list[0].Text = append(shellparse.Word{{Text: file[:last+1].String(), Hole: shellparse.Value}}, name...)
	}
	for i := range list {
		list[i].Spared = spared(file)
	}
	return list
}

// operandRequests judges a file that a command is given. makes says that the line may
// make the directory that the file is put into.
func operandRequests(o shellparse.Operand, makes bool, at Place) []Request {
	permission := "read"
	if o.Write {
		permission = "edit"
	}
	perhaps := false
	if o.Into {
		holder, known := holder(o.Path).Literal()
		switch {
		case !known || o.Away || at.IsDir == nil:
			perhaps = true
		case at.IsDir(path.Clean(at.abs(holder))):
		case !makes:
			return nil
		default:
			perhaps = true
		}
	}
	o.Path = numbered(o.Path)
	list := namedRequests(permission, o.Path, o.Via, at)
	for i := range list {
		list[i].Operand, list[i].Perhaps = true, perhaps
		list[i].Line, list[i].Col = o.Line, o.Col
	}
	return list
}

// holder is the path of what holds a file.
func holder(file shellparse.Word) shellparse.Word {
	for i, p := range slices.Backward(file) {
		if end := strings.LastIndexByte(p.Text, '/'); end >= 0 && p.Hole == shellparse.Known {
			return append(slices.Clone(file[:i]), shellparse.Piece{Text: p.Text[:end+1]})
		}
	}
	return shellparse.Lit(".")
}

// abs is a path seen from the root.
func (at Place) abs(file string) string {
	if path.IsAbs(file) {
		return file
	}
	return at.Cwd + "/" + file
}

// makers are the programs that make directories for others to put files into.
var makers = []string{"mkdir", "install", "tar", "unzip", "git", "rsync", "cp", "mv", "ln"}

// makesDirectories reports whether a command of a line, but for the last, may make
// a directory.
func makesDirectories(s *shellparse.Script) bool {
	for i, c := range s.Commands {
		if i == len(s.Commands)-1 || len(c.Words) == 0 {
			break
		}
		name, known := c.Words[0].Literal()
		if !known || slices.Contains(makers, path.Base(name)) {
			return true
		}
	}
	return false
}

// spared judges what is known of a file's name. What a substitution prints was
// looked for, and a name with a dot in front is mostly what holds settings.
func spared(file shellparse.Word) Spared {
	for _, p := range file {
		if (p.Hole == shellparse.Value || p.Hole == shellparse.Words) && (strings.HasPrefix(p.Text, "$(") || strings.HasPrefix(p.Text, "`")) {
			return sparedNothing
		}
	}
	switch {
	case strings.HasPrefix(path.Base(file.String()), "."):
		return sparedNothing
	case namesInPart(file):
		return sparedNames
	}
	return sparedAll
}

// spares reports whether a rule does not count for a request that it only may match.
func (q Request) spares(r *Rule) bool {
	switch {
	case !r.builtIn():
		return false
	case q.Spared == sparedNames:
		return strings.HasPrefix(r.Pattern, "*") && strings.HasPrefix(path.Base(r.Pattern), "*")
	}
	return q.Spared == sparedAll
}

// namesInPart reports whether a pattern gives the beginning of a file's name, so
// that it may well be meant for a file that a rule names: /etc/shad*.
func namesInPart(file shellparse.Word) bool {
	spelled, globs := file.Spelled()
	_, literal := file.Literal()
	base := path.Base(spelled)
	return globs && !literal && strings.HasPrefix(spelled, "/") && strings.IndexAny(base, "*?[") > 0
}

// climbs finds the parts of a path that are, or that a pattern may turn into, the
// directory itself or the one above.
var climbs = lazily(`//|/\.($|[/.*?\[@+!(])`)

// below splits a path into the directory that is known and what a glob names
// below it; a path without globs is all known. It is not ok when the path has
// other holes, or when it could lead out of that directory again.
func below(file shellparse.Word) (dir string, names shellparse.Word, ok bool) {
	if text, literal := file.Literal(); literal {
		return text, nil, true
	}
	spelled, globs := file.Spelled()
	if !globs {
		return "", nil, false
	}
	first := ""
	if file[0].Hole == shellparse.Known {
		first = file[0].Text
	}
	at := strings.LastIndexByte(first, '/') + 1
	if climbs().MatchString("/" + spelled[at:]) {
		return "", nil, false
	}
	for _, p := range file {
		// A pattern such as @(..|x) names more than what lies below.
		if p.Hole == shellparse.Glob && strings.ContainsAny(p.Text, "./") {
			return "", nil, false
		}
	}
	names = append(names, file...)
	for i := range names {
		// With globstar ** leads on into directories; what it is spelled with
		// stands apart as two globs.
		next := i > 0 && names[i-1].Hole != shellparse.Known || i+1 < len(names) && names[i+1].Hole != shellparse.Known
		if names[i].Hole == shellparse.Glob && !next {
			names[i].Hole = shellparse.Name
		}
	}
	if at == 0 {
		return "", names, true
	}
	names[0].Text = first[at:]
	return first[:at], names, true
}

// maxPath is the length in bytes of a path that no system call takes (PATH_MAX of
// Linux; that of macOS is less).
const maxPath = 4096

// follow returns where an absolute path leads. The `..` behind a link is the
// parent of where the link leads, and not of where it is.
func follow(abs string, resolve func(string) string) string {
	if len(abs) >= maxPath {
		return path.Clean(abs) // nothing can open it
	}
	at := "/"
	for _, name := range strings.Split(abs, "/") {
		if name == ".." {
			at = path.Dir(resolve(at))
		} else {
			at = path.Join(at, name)
		}
	}
	if leads := resolve(at); leads != "" {
		return leads
	}
	return at
}

// spellings are the names below a cleaned directory, or that itself, as people
// write it, relative inside the project and absolute outside, and the other
// spelling.
func spellings(abs string, names shellparse.Word, project string) (text shellparse.Word, same []shellparse.Word) {
	spell := func(dir string) shellparse.Word {
		switch {
		case names == nil:
			return shellparse.Lit(dir)
		case dir == ".":
			return names
		}
		return append(shellparse.Lit(strings.TrimSuffix(dir, "/")+"/"), names...)
	}
	rel, inside := strings.CutPrefix(abs, strings.TrimSuffix(project, "/")+"/")
	switch {
	case project == "" || !inside && abs != project:
		return spell(abs), nil
	case abs == project:
		rel = "."
	}
	return spell(rel), []shellparse.Word{spell(abs)}
}
