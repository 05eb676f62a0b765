package agents

import (
	"strconv"
	"strings"
)

// The lines of a patch behind which a file is named: those of apply_patch, whose
// readers allow blanks in front and take the rest of the line for the name, and
// those of a unified diff, where git quotes a name as C does and diff puts a date
// behind a tab.
var (
	patchMarks = []string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "*** Move File:"}
	diffMarks  = []string{"+++ ", "--- ", "rename to ", "rename from ", "copy to ", "copy from ", "Index:"}
)

// patchWants are the edits of every file that a patch names, as they are named and
// in directories.
func patchWants(patch string, dirs []string) (list []Want) {
	names, sure := patched(patch)
	list = each("edit", joined(dirs, names))
	if !sure {
		list = append(list, Want{Permission: "edit", Unknown: true})
	}
	return list
}

// patched lists every file that a patch names, in every way in which it may be
// read. It is not sure when a name cannot be read.
func patched(patch string) (list []string, sure bool) {
	sure = true
	for line := range strings.Lines(patch) {
		line = strings.TrimSpace(line)
		for _, mark := range patchMarks {
			if name, ok := strings.CutPrefix(line, mark); ok {
				list = append(list, strings.TrimSpace(name))
			}
		}
		for _, mark := range diffMarks {
			if name, ok := strings.CutPrefix(line, mark); ok {
				names, ok := diffNames(strings.TrimSpace(name))
				list, sure = append(list, names...), sure && ok
			}
		}
		// Modes and binary files are changed with no other line that names them.
		if names, ok := strings.CutPrefix(line, "diff --git "); ok {
			before, after, ok := strings.Cut(names, " b/")
			ok = ok && strings.HasPrefix(before, "a/") && !strings.Contains(after, " b/") && !strings.Contains(names, `"`)
			if ok {
				list = append(list, before[2:], after)
			}
			sure = sure && ok
		}
	}
	out := list[:0]
	for _, name := range list {
		if name != "" && name != "/dev/null" {
			out = append(out, name)
		}
	}
	return out, sure
}

// diffNames reads what stands behind a mark of a unified diff.
func diffNames(text string) (list []string, sure bool) {
	if strings.HasPrefix(text, `"`) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return []string{text}, false
		}
		name, err := strconv.Unquote(quoted)
		return []string{stripped(name), stripped(strings.Trim(quoted, `"`))}, err == nil
	}
	name, _, _ := strings.Cut(text, "\t")
	list = []string{stripped(name)}
	// Readers differ in what ends a name. It makes a difference where what is
	// behind that leads elsewhere.
	if short, rest, ok := cutBlank(text); ok && strings.Contains(rest, "/") {
		list = append(list, stripped(short), stripped(text))
	}
	return list, true
}

func cutBlank(text string) (before, after string, ok bool) {
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i:], true
}

// stripped is a name without the directory that git puts in front.
func stripped(name string) string {
	if strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/") {
		return name[2:]
	}
	return name
}
