package agents

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
)

// tomlString spells a basic string of TOML, whose escapes are those of JSON.
func tomlString(s string) string { return compact(s) }

// readTOML reads a whole file. A fault has its place.
func readTOML(name string, src []byte) (map[string]any, error) {
	var all map[string]any
	_, err := toml.Decode(string(src), &all)
	var parse toml.ParseError
	switch {
	case errors.As(err, &parse):
		return nil, fault(name, src, parse.Position.Start, parse.Message)
	case err != nil:
		return nil, fault(name, src, 0, err.Error())
	}
	return all, nil
}

// ownTable finds the text of our table, which is written as one run of lines.
func (a *Agent) ownTable(src []byte) (from, to int, ok bool) {
	at := 0
	for line := range bytes.Lines(src) {
		if string(bytes.TrimSpace(line)) == "[[hooks]]" {
			from, to = at, at+len(line)
			for more := range bytes.Lines(src[to:]) {
				if t := bytes.TrimSpace(more); len(t) == 0 || t[0] == '[' {
					break
				}
				to += len(more)
			}
			if a.own([]string{string(src[from:to])}) {
				return from, to, true
			}
		}
		at += len(line)
	}
	return 0, 0, false
}

// setTOML puts a table at the end of a file, in the place of the one of an earlier
// install, or takes it out when it is empty. What else the file says is the same
// afterwards, or it is an error.
func (a *Agent) setTOML(name string, src []byte, table string) ([]byte, error) {
	before, err := readTOML(name, src)
	if err != nil {
		return nil, err
	}
	out := bytes.Clone(src)
	from, to, ok := a.ownTable(src)
	switch {
	case ok:
		if table == "" && from > 0 && bytes.HasSuffix(src[:from], []byte("\n\n")) {
			from-- // the blank line that was put in front
		}
		out = append(append(bytes.Clone(src[:from]), table...), src[to:]...)
	case table != "":
		if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, '\n')
		}
		if len(out) > 0 {
			out = append(out, '\n')
		}
		out = append(out, table...)
	}
	after, err := readTOML(name, out)
	if err != nil || !reflect.DeepEqual(a.others(before), a.others(after)) {
		return nil, fault(name, src, from, "hooks are written here in a way that cannot be added to")
	}
	return out, nil
}

// others is what a file says without our hook.
func (a *Agent) others(all map[string]any) map[string]any {
	rest := map[string]any{}
	for key, v := range all {
		rest[key] = v
	}
	hooks, ok := rest["hooks"].([]map[string]any)
	if !ok {
		return rest
	}
	var list []map[string]any
	for _, h := range hooks {
		if !a.own([]string{fmt.Sprint(h["command"])}) {
			list = append(list, h)
		}
	}
	if rest["hooks"] = list; list == nil {
		delete(rest, "hooks")
	}
	return rest
}

// shellSplit takes a line apart that [Line.Shell] has put together.
func shellSplit(line string) (words []string) {
	var word strings.Builder
	in, quoted := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted, in = !quoted, true
		case quoted:
			word.WriteByte(c)
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		case c == ' ' || c == '\n':
			if in {
				words = append(words, word.String())
				word.Reset()
			}
			in = false
		default:
			in = true
			word.WriteByte(c)
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words
}
