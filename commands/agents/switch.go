package agents

import (
	"fmt"
	"path/filepath"
	"strings"
)

// A turnsOff is a setting that keeps an agent from running hooks: a key in a file
// of settings that has a value, or a list with that value in it.
type turnsOff struct {
	agent                   string
	variable, home, project string // as of [Places.dir]; an absolute home is the machine's
	file                    string
	key                     []string
	value                   string // as JSON spells it
}

func (s turnsOff) path(at Places) string {
	dir := s.home
	if !filepath.IsAbs(dir) {
		dir = at.dir(s.variable, s.home, s.project)
	}
	return filepath.Join(dir, s.file)
}

// TurnedOff finds a setting that keeps the agent from running any hook: the file
// and what it says there, "" for none. A file that read does not know is empty.
func (a *Agent) TurnedOff(at Places, read func(path string) []byte) (path, says string) {
	for _, s := range switches {
		path := s.path(at)
		if s.agent == a.Name && s.holds(read(path)) {
			return path, strings.Join(s.key, ".") + ": " + s.value
		}
	}
	return "", ""
}

func (s turnsOff) holds(src []byte) bool {
	if strings.HasSuffix(s.file, ".toml") {
		all, _ := readTOML("", src)
		var at any = all
		for _, key := range s.key {
			in, _ := at.(map[string]any)
			at = in[key]
		}
		return at != nil && fmt.Sprint(at) == s.value
	}
	at, err := document("", src)
	if err != nil {
		return false
	}
	for _, key := range s.key {
		m := at.member(key)
		if m < 0 {
			return false
		}
		at = at.children[m].node
	}
	for _, c := range at.children {
		if at.kind == '[' && c.compact() == s.value {
			return true
		}
	}
	return at.compact() == s.value
}
