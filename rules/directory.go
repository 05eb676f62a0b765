package rules

import (
	"path"
	"slices"
	"strings"

	"mayi/shellparse"
)

// directoryRequests asks for each directory outside the project once that a line
// changes to, or that holds a file which it opens or gives to a program that is
// known. Where that is not the file system of this machine, nothing is asked.
func directoryRequests(s *shellparse.Script, at Place) (out []Request) {
	if at.Project == "" {
		return nil
	}
	add := func(file shellparse.Redirect, use shellparse.FileUse) {
		if file.Away || isSocket(file.Path) {
			return
		}
		for _, q := range outside(file.Path, use, at) {
			if slices.ContainsFunc(out, func(p Request) bool { return slices.Equal(p.Text, q.Text) && p.Perhaps == q.Perhaps }) {
				continue
			}
			q.Via, q.Line, q.Col = file.Via, file.Line, file.Col
			out = append(out, q)
		}
	}
	if len(s.Commands)+len(s.Redirects) > 0 {
		add(shellparse.Redirect{Path: shellparse.Lit(at.Cwd)}, shellparse.Enters)
	}
	for _, r := range s.Redirects {
		add(r, shellparse.Reads)
	}
	for _, o := range s.Operands {
		if !o.Into { // what holds it is listed
			add(o.Redirect, o.Use)
		}
	}
	return out
}

// outside returns the requests for the directories outside the project that hold
// a file. One that is wholly known, or known but for globs, has those of where it
// is and of where it leads. Of another the part that is known has them; what the
// rest is counts for the user's own rules only, unless the line changes to it.
func outside(file shellparse.Word, use shellparse.FileUse, at Place) []Request {
	file = numbered(file)
	dir, names, ok := below(file)
	if ok && names == nil {
		return known(dir, nil, use, at)
	}
	if ok {
		return known(dir, names, shellparse.Enters, at)
	}
	spelled := shellparse.Word{{Text: file.String(), Hole: shellparse.Value}}
	if use == shellparse.Enters {
		return []Request{{Permission: "external_directory", Text: spelled}}
	}
	var out []Request
	if home[file[0].Text] && file[0].Hole != shellparse.Known && at.Home != "" {
		// Nobody knows in a function, but it hardly is another.
		out = outside(append(shellparse.Lit(at.Home), file[1:]...), use, at)
	}
	if file[0].Hole == shellparse.Known {
		if end := strings.LastIndexByte(file[0].Text, '/') + 1; end > 0 {
			out = known(file[0].Text[:end], nil, shellparse.Enters, at)
		}
	}
	return append(out, Request{Permission: "external_directory", Text: spelled, Operand: true, Perhaps: true})
}

// home are the spellings of what stands for the home directory.
var home = map[string]bool{"~": true, "$HOME": true, "${HOME}": true}

// known returns the requests for the directory that holds a file, or, if it is one
// itself, for that: by its name, and where links lead elsewhere by that as well.
// What leads into the project is not outside. names are what globs name below it.
func known(file string, names shellparse.Word, use shellparse.FileUse, at Place) (out []Request) {
	if !path.IsAbs(file) {
		file = at.Cwd + "/" + file
	}
	places := []string{path.Clean(file)}
	if at.Resolve != nil && path.IsAbs(file) {
		if leads := follow(file, at.Resolve); at.inside(leads) {
			return nil
		} else if leads != places[0] {
			places = append(places, leads)
		}
	}
	for _, place := range places {
		if at.inside(place) {
			continue
		}
		if use != shellparse.Enters && !strings.HasSuffix(file, "/") && (at.IsDir == nil || !at.IsDir(place)) {
			place = path.Dir(place)
		}
		if place == "/" && use == shellparse.Looks {
			continue // the names in the root directory are no secret
		}
		out = append(out, directoryRequest(place, names))
	}
	return out
}

// directoryRequest asks for all that is in a directory, or in what the directories
// among the names below it are.
func directoryRequest(dir string, names shellparse.Word) Request {
	q := Request{Permission: "external_directory"}
	dir = strings.TrimSuffix(dir, "/") + "/"
	for i, p := range slices.Backward(names) {
		if end := strings.LastIndexByte(p.Text, '/') + 1; p.Hole == shellparse.Known && end > 0 {
			q.Text = append(append(shellparse.Lit(dir), names[:i]...), shellparse.Piece{Text: p.Text[:end] + "*"})
			break
		}
	}
	if q.Text == nil {
		q.Text = shellparse.Lit(dir + "*")
	}
	if spelled, _ := q.Text.Spelled(); spelled == "/*" {
		q.Store = Quote(spelled) // /* would be every directory
	} else {
		q.Store = Quote(strings.TrimSuffix(spelled, "*")) + "*"
	}
	return q
}

// inside reports whether an absolute path is in the project.
func (at Place) inside(abs string) bool {
	for _, root := range []string{at.Project, at.Tree} {
		if root != "" && (abs == root || strings.HasPrefix(abs, strings.TrimSuffix(root, "/")+"/")) {
			return true
		}
	}
	return false
}

// number finds the parameters that are always a number (bash manual, Special
// Parameters): no slash is in them.
var number = lazily(`^\$(\{([$!?#]|PPID|BASHPID|UID|EUID)\}|[$!?#]|PPID|BASHPID|UID|EUID)$`)

// numbered is a path in which what is some number is part of one name.
func numbered(file shellparse.Word) shellparse.Word {
	file = slices.Clone(file)
	for i, p := range file {
		if (p.Hole == shellparse.Value || p.Hole == shellparse.Words) && number().MatchString(p.Text) {
			file[i].Hole = shellparse.Name
		}
	}
	return file
}

// socketRequests asks for the connections that a redirection to what is not known
// could open. They count for the user's own rules only.
func socketRequests(r shellparse.Redirect) (out []Request) {
	first, rest := "", r.Path
	if len(rest) > 0 && rest[0].Hole == shellparse.Known {
		first, rest = rest[0].Text, rest[1:]
	}
	if len(rest) == 0 || rest[0].Hole != shellparse.Value && rest[0].Hole != shellparse.Words {
		return nil
	}
	for _, net := range []string{"/dev/tcp/", "/dev/udp/"} {
		if strings.HasPrefix(net, first) {
			text := shellparse.Word{{Text: net}, {Text: rest.String(), Hole: shellparse.Value}}
			out = append(out, Request{Permission: "webfetch", Text: text, Via: r.Via, Operand: true, Perhaps: true})
		}
	}
	return out
}
