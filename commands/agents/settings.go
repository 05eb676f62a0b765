package agents

import (
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// A Line is the command that an agent's settings are to hold.
type Line struct {
	Program string   // absolute
	Args    []string // hook, the agent's name, and flags
	Seconds int      // how long the agent should wait for it
}

// Shell spells the line for a shell.
func (l Line) Shell() string {
	words := []string{shellQuote(l.Program)}
	for _, arg := range l.Args {
		words = append(words, shellQuote(arg))
	}
	return strings.Join(words, " ")
}

// shellQuote quotes a word where a shell would take it apart.
func shellQuote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-=:,@%+", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Grace is what an agent waits longer than its hook takes at most.
const Grace = 5 * time.Second

// Wait is how long a hook may wait for a person when nobody says: as long as the
// agent waits by default, less the grace.
func (a *Agent) Wait() time.Duration { return max(a.Timeout-Grace, a.Timeout/2) }

// Places are where settings live.
type Places struct {
	Home    string
	Project string // "" for the settings of the user
	Lookup  func(variable string) string
}

// dir is a directory of settings: below the project, or where a variable says, or
// below the home directory.
func (at Places) dir(variable, home, project string) string {
	if at.Project != "" {
		return filepath.Join(at.Project, project)
	}
	if variable != "" {
		if dir := at.Lookup(variable); filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
	}
	if rest, ok := strings.CutPrefix(home, ".config/"); ok {
		if dir := at.Lookup("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, rest)
		}
	}
	return filepath.Join(at.Home, home)
}

// A File is one file of settings and what it is to hold: entries among whatever
// else is there, or a text that is all of it.
type File struct {
	Path    string
	Mode    fs.FileMode // of a new file; 0 is the usual one
	Whole   string      // the file is ours
	TOML    string      // a table at the end of a file of TOML
	Entries []Entry     // in a file of JSON
}

// An Entry is one value in a file of JSON: an element of the array at a path, or
// the member that the path names. An element may be a group around a hook, in
// which others may have put theirs.
type Entry struct {
	Path    []string
	Value   any
	Front   bool // the first element, not the last
	Member  bool
	Default bool // a member, written only where there is none
}

// fields are the members of an object of JSON, in order.
type fields []field

type field struct {
	key   string
	value any
}

// hookGroup is what many agents want around a hook.
func hookGroup(matcher string, hook any) any {
	group := fields{{"matcher", matcher}, {"hooks", []any{hook}}}
	if matcher == "" {
		group = group[1:]
	}
	return group
}

// Files lists the files that an install touches, with what they are to hold.
func (a *Agent) Files(l Line, at Places) ([]File, error) { return a.files(l, at) }

// own finds the line of an agent's hook in the strings of a value.
func (a *Agent) own(strs []string) bool {
	text := strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(strings.Join(strs, " ")) + " "
	text = strings.ReplaceAll(text, "\n", " ")
	if strings.Contains(text, "mayi-hook-"+a.Name+" ") {
		return true
	}
	parts := strings.Split(text, "hook "+a.Name+" ")
	for _, before := range parts[:len(parts)-1] {
		words := strings.Fields(before)
		if len(words) > 0 && strings.HasSuffix(before, " ") && strings.Contains(filepath.Base(words[len(words)-1]), "mayi") {
			return true
		}
	}
	return false
}
