package agents

import (
	"path"
	"strings"
)

// A kind says what a tool does with its arguments.
type kind uint8

const (
	plainTool kind = iota // its name is the permission, its arguments the pattern
	shellTool
	readTool
	manyTool // reads what patterns match
	editTool
	patchTool
	globTool
	grepTool
	listTool
	fetchTool
	searchTool
	taskTool
)

// wants is what a tool needs to be allowed. It is never empty. An argument that
// counts and is not of its kind fails the payload.
func (p *payload) wants(tool string, in *object) []Want {
	if list := mcpWants(tool, in); list != nil {
		return list
	}
	own := Want{Permission: tool, Args: []string{in.raw}}
	t, known := toolTable[tool]
	if t.permission != "" {
		own.Permission = t.permission
	}
	var list []Want
	switch t.kind {
	case shellTool:
		list = p.shellWants(tool, in)
	case readTool, editTool:
		list = each(map[kind]string{readTool: "read", editTool: "edit"}[t.kind], p.placed(in, pathKeys))
	case manyTool:
		list = each("read", p.placed(in, manyKeys))
		for _, w := range list {
			if strings.ContainsAny(w.Args[0], "*?[{") {
				list = append(list, own, Want{Permission: "read", Unknown: true}) // who can say what it reads
				break
			}
		}
	case patchTool:
		for _, text := range p.texts(in, patchKeys) {
			list = append(list, patchWants(text, p.dirs(in, nil))...)
		}
		list = append(list, each("edit", p.placed(in, pathKeys))...)
	case globTool:
		for _, pattern := range p.texts(in, patternKeys) {
			list = append(list, globWants("glob", p.below(in), pattern)...)
		}
	case grepTool:
		if list = each("grep", p.texts(in, patternKeys)); list == nil {
			break
		}
		for _, dir := range p.below(in) {
			// The contents of what lies below are shown.
			list = append(list, each("read", []string{path.Join(dir, "."), path.Join(dir, "*")})...)
		}
		for _, glob := range p.texts(in, filterKeys) {
			if !strings.HasPrefix(glob, "!") { // what is left out is not shown
				list = append(list, globWants("read", p.below(in), glob)...)
			}
		}
	case listTool:
		list = each("list", p.below(in))
	case fetchTool:
		list = p.fetchWants(in)
	case searchTool:
		list = each("websearch", p.texts(in, queryKeys))
	case taskTool:
		if texts := p.texts(in, taskKeys); len(texts) > 0 {
			list = each("task", texts[:1])
		}
	case plainTool:
		list = []Want{own}
		if !known {
			// Nothing is known of it but what its arguments are called, and they may
			// mean anything, so that none of them is a fault.
			guess := &payload{}
			list = append(list, splits(tool, p.joint, in.raw)...)
			list = append(list, guess.shellWants(tool, in)...)
			list = append(list, each("edit", guess.placed(in, pathKeys))...)
		}
	}
	if len(list) == 0 {
		// A tool of a kind that is known, without the argument that counts: it
		// could be anything, so it needs what its kind needs for all.
		list = append([]Want{own}, unknownWant(t.kind)...)
	}
	return list
}

// unknownWant is for a tool that does not say to what it does it: no text of a
// rule but one for everything allows the empty one.
func unknownWant(k kind) []Want {
	permission, ok := map[kind]string{
		shellTool: "bash", readTool: "read", manyTool: "read", editTool: "edit", patchTool: "edit", globTool: "glob",
		grepTool: "grep", fetchTool: "webfetch", searchTool: "websearch", taskTool: "task",
	}[k]
	if !ok {
		return nil
	}
	return []Want{{Permission: permission, Unknown: true}}
}

// each is one want for each text.
func each(permission string, list []string) (out []Want) {
	for _, text := range list {
		out = append(out, Want{Permission: permission, Args: []string{text}})
	}
	return out
}
