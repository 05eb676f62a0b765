package agents

import "strings"

// The lines of a patch behind which a file is named: those of apply_patch, whose
// readers allow blanks in front, and those of a unified diff.
var patchMarks = []string{
	"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:", "*** Move File:", "+++ ", "--- ", "rename to ", "rename from ",
	"copy to ",
}

// patched lists every file that a patch names.
func patched(patch string) (list []string) {
	for line := range strings.Lines(patch) {
		line = strings.TrimSpace(line)
		for _, mark := range patchMarks {
			name, ok := strings.CutPrefix(line, mark)
			if !ok {
				continue
			}
			name, _, _ = strings.Cut(strings.TrimSpace(name), "\t") // diff puts a date there
			if mark == "+++ " || mark == "--- " {
				if strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/") {
					name = name[2:]
				}
			}
			if name != "" && name != "/dev/null" {
				list = append(list, name)
			}
		}
	}
	return list
}
