package agents

import (
	"path"
	"strings"
)

// globWants are what a pattern below directories means for a permission. What
// cannot be told from its text is unknown.
func globWants(permission string, dirs []string, pattern string) (list []Want) {
	texts, ok := braces(pattern)
	for _, text := range texts {
		ok = ok && plainGlob(text, permission == "read")
		if path.IsAbs(text) {
			list = append(list, each(permission, []string{path.Clean(text)})...)
		}
		for _, dir := range dirs {
			list = append(list, each(permission, []string{path.Join(dir, text)})...)
		}
	}
	if !ok {
		list = append(list, Want{Permission: permission, Unknown: true})
	}
	return list
}

// plainGlob reports whether the text of a pattern tells where it leads: behind
// what may stand for more or less than one name, nothing goes up. Where files are
// read, it has to tell the end of their names as well.
func plainGlob(text string, reads bool) bool {
	meta := false
	last := ""
	for name := range strings.SplitSeq(text, "/") {
		if name == ".." && meta {
			return false
		}
		if strings.ContainsAny(name, "{}()\\") || strings.Contains(name, "..") && name != ".." && strings.ContainsAny(name, "*?[") {
			return false
		}
		meta = meta || strings.ContainsAny(name, "*?[")
		last = name
	}
	if !reads || !strings.ContainsAny(last, "*?[") || strings.Trim(last, "*") == "" {
		return true
	}
	return !strings.ContainsAny(last, "?[") && !strings.HasSuffix(last, "*") && strings.LastIndex(last, "*") < strings.LastIndex(last, ".")
}

// braces spells out the alternatives of a pattern, unless they are too many or
// not simple.
func braces(pattern string) (list []string, ok bool) {
	shut := strings.IndexByte(pattern, '}')
	if shut < 0 {
		return []string{pattern}, true
	}
	open := strings.LastIndexByte(pattern[:shut], '{') // the innermost
	if open < 0 || strings.Count(pattern, "{") > 8 || strings.Contains(pattern[open:shut], "..") && !strings.Contains(pattern[open:shut], ",") {
		return []string{pattern}, false
	}
	ok = true
	for part := range strings.SplitSeq(pattern[open+1:shut], ",") {
		more, fine := braces(pattern[:open] + part + pattern[shut+1:])
		list = append(list, more...)
		if ok = ok && fine; !ok || len(list) > 64 {
			return append(list, pattern), false
		}
	}
	return list, ok
}
