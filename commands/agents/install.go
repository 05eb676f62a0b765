package agents

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"mayi/rules"
)

// Put returns the text of a file with what it is to hold in it. It is the same
// text when it holds that already. A file that cannot be read, or that is not
// ours to write, is an error of type [*rules.ConfigError].
func (a *Agent) Put(f File, src []byte) ([]byte, error) {
	switch {
	case f.Whole != "":
		if len(bytes.TrimSpace(src)) > 0 && !a.wrote(src) {
			return nil, &rules.ConfigError{File: f.Path, Msg: "it is there already and was not written by mayi", Hint: "move it away, or call mayi from it"}
		}
		return []byte(f.Whole), nil
	case f.TOML != "":
		return a.setTOML(f.Path, src, f.TOML)
	}
	e := &editor{agent: a, name: f.Path, src: src}
	if len(bytes.TrimSpace(src)) == 0 {
		e.src = []byte("{}\n")
	}
	for _, entry := range f.Entries {
		if err := e.put(entry); err != nil {
			return nil, err
		}
	}
	if _, err := document(f.Path, e.src); err != nil {
		return nil, err // what was made of it is not what it should be
	}
	return e.src, nil
}

// Cut returns the text of a file without what an install has put there, nil when
// the file was all ours.
func (a *Agent) Cut(f File, src []byte) ([]byte, error) {
	switch {
	case f.Whole != "":
		if a.wrote(src) {
			return nil, nil
		}
		return src, nil
	case f.TOML != "":
		return a.setTOML(f.Path, src, "")
	}
	e := &editor{agent: a, name: f.Path, src: src}
	for _, entry := range f.Entries {
		if err := e.cut(entry); err != nil {
			return nil, err
		}
	}
	if _, err := document(f.Path, e.src); err != nil {
		return nil, err
	}
	return e.src, nil
}

// wrote reports whether a file is one that an install wrote.
func (a *Agent) wrote(src []byte) bool {
	return bytes.Contains(src, []byte("Written by `mayi hook "+a.Name+" --install`"))
}

// Installed finds the line of the agent's hook in a file. Every entry has to be
// there, and all with the same line.
func (a *Agent) Installed(f File, src []byte) (l Line, ok bool) {
	switch {
	case f.Whole != "":
		return a.lineIn(src)
	case f.TOML != "":
		return a.tableIn(src)
	}
	root, err := document(f.Path, src)
	if err != nil {
		return Line{}, false
	}
	for _, entry := range f.Entries {
		if entry.Default {
			continue
		}
		at := root
		for _, key := range entry.Path {
			m := at.member(key)
			if m < 0 {
				return Line{}, false
			}
			at = at.children[m].node
		}
		found := entry.Member && at.compact() == compact(entry.Value)
		for _, c := range at.children {
			if a.own(c.strings()) {
				l, found = a.line(c.node), true
				break
			}
		}
		if !found {
			return Line{}, false
		}
		ok = true
	}
	return l, ok
}

// line reads the line of an entry of ours.
func (a *Agent) line(n *node) (l Line) {
	if program, args := n.member("command"), n.member("args"); program >= 0 && args >= 0 {
		l.Program, l.Args = n.children[program].text, n.children[args].strings()
	} else {
		for _, c := range n.children {
			if c.kind == '"' && (c.key == "command" || c.key == "bash" || c.key == "to") && a.own([]string{c.text}) {
				if words := shellSplit(c.text); len(words) > 0 {
					l.Program, l.Args = words[0], words[1:]
				}
			}
		}
	}
	for _, c := range n.children {
		if inner := a.line(c.node); inner.Program != "" {
			l.Program, l.Args = inner.Program, inner.Args
			l.Seconds = max(l.Seconds, inner.Seconds)
		}
		if c.key == "timeout" || c.key == "timeoutSec" {
			l.Seconds, _ = strconv.Atoi(c.text)
			if a.Name == "gemini" || a.Name == "qwen" { // in milliseconds
				l.Seconds /= 1000
			}
		}
	}
	return l
}

// lineIn finds the line in a script, or in a plugin, of ours.
func (a *Agent) lineIn(src []byte) (Line, bool) {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		var words []string
		if list, ok := strings.CutPrefix(line, "const mayi = "); ok {
			if json.Unmarshal([]byte(list), &words) != nil {
				return Line{}, false
			}
		} else if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "//") && a.own([]string{line}) {
			line, _, _ = strings.Cut(strings.TrimPrefix(line, "exec "), " || ")
			words = shellSplit(line)
		}
		if len(words) > 1 {
			return Line{Program: words[0], Args: words[1:]}, true
		}
	}
	return Line{}, false
}

// tableIn finds the line in a table of TOML.
func (a *Agent) tableIn(src []byte) (Line, bool) {
	all, err := readTOML("", src)
	if err != nil {
		return Line{}, false
	}
	hooks, _ := all["hooks"].([]map[string]any)
	for _, h := range hooks {
		command, _ := h["command"].(string)
		if words := shellSplit(command); a.own([]string{command}) && len(words) > 1 {
			n, _ := h["timeout"].(int64)
			return Line{Program: words[0], Args: words[1:], Seconds: int(n)}, true
		}
	}
	return Line{}, false
}

// Mentioned reports whether a file names the agent's hook anywhere.
func (a *Agent) Mentioned(src []byte) bool {
	root, err := document("", src)
	return err == nil && a.own(root.strings())
}
