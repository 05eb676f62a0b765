package agents

import (
	"bytes"
	"fmt"
	"strings"
)

// An editor changes a file of JSON here and there and keeps the rest of the text:
// order, comments, indentation and line ends.
type editor struct {
	agent *Agent
	name  string
	src   []byte
}

// put brings an entry into the file, or up to date.
func (e *editor) put(entry Entry) error {
	root, err := document(e.name, e.src)
	if err != nil {
		return err
	}
	at := root
	for i, key := range entry.Path {
		if at.kind != '{' {
			return fault(e.name, e.src, at.start, fmt.Sprintf("an object is needed here, for %s", strings.Join(entry.Path, ".")))
		}
		m := at.member(key)
		last := i == len(entry.Path)-1
		if m < 0 {
			e.insert(at, key, entry.nested(entry.Path[i+1:]), false)
			return nil
		}
		if last && (entry.Member || entry.Default) {
			if entry.Member {
				e.replace(at, m, entry.Value)
			}
			return nil
		}
		at = at.children[m].node
	}
	if at.kind != '[' {
		return fault(e.name, e.src, at.start, fmt.Sprintf("an array is needed here, for %s", strings.Join(entry.Path, ".")))
	}
	ours := e.ours(at)
	switch {
	case len(ours) == 0:
		e.insert(at, "", entry.Value, entry.Front)
		return nil
	case len(ours) > 1: // or it would run twice
		e.take(at, ours[len(ours)-1])
		return e.put(entry)
	case entry.Front && ours[0] > 0:
		e.take(at, ours[0])
		return e.put(entry)
	}
	i := ours[0]
	hooks, k := e.shared(at.children[i].node)
	switch {
	case hooks != nil && len(e.ours(hooks)) > 1:
		e.remove(hooks, k)
		return e.put(entry)
	case hooks == nil:
		e.replace(at, i, entry.Value)
	case sameGroup(at.children[i].node, entry.Value):
		e.replace(hooks, k, hookOf(entry.Value))
	default:
		e.take(at, i)
		return e.put(entry)
	}
	return nil
}

// nested is the value to write where the rest of a path is missing.
func (entry Entry) nested(rest []string) any {
	v := entry.Value
	if !entry.Member && !entry.Default {
		v = []any{v}
	}
	for i := len(rest) - 1; i >= 0; i-- {
		v = fields{{rest[i], v}}
	}
	return v
}

// cut takes an entry out of the file, and what becomes empty by that; a member
// only where nothing else is left beside it.
func (e *editor) cut(entry Entry) error {
	root, err := document(e.name, e.src)
	if err != nil || entry.Default {
		return err
	}
	chain, index := []*node{root}, []int{}
	for _, key := range entry.Path {
		at := chain[len(chain)-1]
		m := at.member(key)
		if m < 0 {
			return nil
		}
		chain, index = append(chain, at.children[m].node), append(index, m)
	}
	last := chain[len(chain)-1]
	switch {
	case !entry.Member:
		ours := e.ours(last)
		if len(ours) == 0 {
			return nil
		}
		if hooks, k := e.shared(last.children[ours[0]].node); hooks != nil {
			e.remove(hooks, k)
			return e.cut(entry)
		}
		index = append(index, ours[0])
	case len(index) < 2 || len(chain[len(chain)-2].children) > 1:
		return nil // somebody else's may stand beside it
	}
	// The outermost value that holds nothing else goes.
	depth := len(index) - 1
	for depth > 0 && len(chain[depth].children) == 1 && !e.comments(chain[depth]) {
		depth--
	}
	e.remove(chain[depth], index[depth])
	return e.cut(entry)
}

// comments reports whether something stands in a container of one child beside
// it.
func (e *editor) comments(n *node) bool {
	c := n.children[0]
	around := append(bytes.Clone(e.src[n.start+1:c.start]), e.src[c.end:n.end-1]...)
	return len(bytes.Trim(around, " \t\r\n,")) > 0
}

// replace writes a value in the place of another, unless they are the same.
func (e *editor) replace(in *node, i int, v any) {
	c := in.children[i]
	have, want := uncommented(e.src[c.node.start:c.node.end]), compact(v)
	if have == want {
		return
	}
	text := e.render(v, e.indent(c.start))
	e.splice(c.node.start, c.node.end, text)
}

// uncommented is a value without comments and blanks.
func uncommented(src []byte) string {
	n, err := document("", append(append([]byte(`{"x":`), src...), '}'))
	if err != nil {
		return ""
	}
	return n.children[0].compact()
}

func (n *node) compact() string {
	var parts []string
	for _, c := range n.children {
		key := ""
		if n.kind == '{' {
			key = compact(c.key) + ":"
		}
		parts = append(parts, key+c.compact())
	}
	switch n.kind {
	case '{':
		return "{" + strings.Join(parts, ",") + "}"
	case '[':
		return "[" + strings.Join(parts, ",") + "]"
	case '"':
		return compact(n.text)
	}
	return n.text
}

// insert adds a member, or an element when the key is empty.
func (e *editor) insert(in *node, key string, v any, front bool) {
	label := ""
	if in.kind == '{' {
		label = compact(key) + ": "
	}
	inside := e.src[in.start+1 : in.end-1]
	if len(in.children) > 0 && !bytes.ContainsRune(inside, '\n') {
		text := label + spaced(v)
		if front {
			e.splice(in.start+1, in.start+1, text+", ")
			return
		}
		e.add(in, " "+text)
		return
	}
	outer := e.indent(in.start)
	indent := outer + e.unit()
	if len(in.children) > 0 {
		indent = e.indent(in.children[0].start)
	}
	text := e.newline() + indent + label + e.render(v, indent)
	switch {
	case len(in.children) == 0:
		rest := bytes.TrimRight(inside, " \t\r\n")
		e.splice(in.start+1+len(rest), in.end-1, text+e.newline()+outer)
	case front:
		e.splice(in.start+1, in.start+1, text+",")
	default:
		e.add(in, text)
	}
}

// add writes a text behind the last child of a container, with a comma between.
func (e *editor) add(in *node, text string) {
	last := in.children[len(in.children)-1]
	gap := bytes.TrimRight(e.src[last.end:in.end-1], " \t\r\n")
	e.splice(last.end+len(gap), last.end+len(gap), text)
	if comma(e.src[last.end:last.end+len(gap)]) < 0 {
		e.splice(last.end, last.end, ",")
	}
}

// comma finds a comma among comments, -1 for none.
func comma(gap []byte) int {
	for i := 0; i < len(gap); i++ {
		switch {
		case gap[i] == ',':
			return i
		case bytes.HasPrefix(gap[i:], []byte("//")):
			n := bytes.IndexByte(gap[i:], '\n')
			if n < 0 {
				return -1
			}
			i += n
		case bytes.HasPrefix(gap[i:], []byte("/*")):
			n := bytes.Index(gap[i+2:], []byte("*/"))
			if n < 0 {
				return -1
			}
			i += n + 3
		}
	}
	return -1
}

// remove takes out a child with the comma that parts it from the others.
func (e *editor) remove(in *node, i int) {
	c := in.children[i]
	end := in.end - 1
	if i+1 < len(in.children) {
		end = in.children[i+1].start
	}
	from := c.start
	for from > in.start+1 && strings.IndexByte(" \t", e.src[from-1]) >= 0 {
		from--
	}
	if from > in.start+1 && e.src[from-1] == '\n' {
		from--
		if e.src[from-1] == '\r' {
			from--
		}
	}
	to := c.end
	n := comma(e.src[c.end:end])
	if n >= 0 {
		to = c.end + n + 1
	}
	if from == in.start+1 && e.src[from] != '\n' {
		for to < end && e.src[to] == ' ' {
			to++ // the first of several in one line
		}
	}
	if len(in.children) == 1 && len(bytes.TrimSpace(e.src[in.start+1:from]))+len(bytes.TrimSpace(e.src[to:in.end-1])) == 0 {
		from, to = in.start+1, in.end-1
	}
	e.splice(from, to, "")
	if n < 0 && i > 0 { // it was the last, and the one before is now
		before := in.children[i-1]
		if n := comma(e.src[before.end:from]); n >= 0 {
			e.splice(before.end+n, before.end+n+1, "")
		}
	}
}

func (e *editor) splice(from, to int, text string) {
	e.src = append(append(bytes.Clone(e.src[:from]), text...), e.src[to:]...)
}
