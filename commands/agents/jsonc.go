package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/jsonc"

	"mayi/rules"
)

// A node is a value in a file of JSON, with its place, so that the text around it
// can be kept as it is.
type node struct {
	start, end int // in bytes; the end is behind the value
	kind       byte
	text       string // of a string, or of a number, true, false and null as they stand
	children   []child
}

// A child is a member of an object or an element of an array.
type child struct {
	start int // of the key, or of the element
	key   string
	*node
}

// document reads JSON with comments and trailing commas. A fault has its place.
func document(name string, src []byte) (*node, error) {
	// Comments become blanks, so that offsets agree.
	plain := jsonc.ToJSON(src)
	if bom := []byte("\ufeff"); bytes.HasPrefix(plain, bom) {
		copy(plain, "   ")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(plain, &whole); err != nil {
		at := len(src)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && !errors.Is(json.NewDecoder(bytes.NewReader(plain)).Decode(&whole), io.ErrUnexpectedEOF) {
			at = int(syntax.Offset) - 1
		}
		return nil, fault(name, src, at, err.Error())
	}
	s := &scanner{name: name, src: src, plain: plain}
	n := s.value()
	if n.kind != '{' {
		return nil, fault(name, src, n.start, "an object is needed here")
	}
	return n, s.err
}

// fault is an error at a place of a file.
func fault(name string, src []byte, at int, msg string) error {
	at = max(0, min(at, len(src)))
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	line, _, _ := strings.Cut(string(src[start:]), "\n")
	return &rules.ConfigError{
		File: name, Line: bytes.Count(src[:at], []byte("\n")) + 1, Col: utf8.RuneCount(src[start:at]) + 1,
		Msg: msg, Text: strings.TrimSuffix(line, "\r"), Hint: "the file was left as it is; mend it and try again",
	}
}

// A scanner walks through JSON that is known to be valid.
type scanner struct {
	name       string
	src, plain []byte
	at         int
	err        error
}

func (s *scanner) blank() {
	for s.at < len(s.plain) && strings.IndexByte(" \t\r\n", s.plain[s.at]) >= 0 {
		s.at++
	}
}

// next skips blanks and, if it comes next, a byte.
func (s *scanner) next(b byte) bool {
	s.blank()
	if s.at < len(s.plain) && s.plain[s.at] == b {
		s.at++
		return true
	}
	return false
}

func (s *scanner) value() *node {
	s.blank()
	n := &node{start: s.at, kind: s.plain[s.at]}
	switch n.kind {
	case '{':
		s.at++
		seen := map[string]bool{}
		for !s.next('}') {
			s.next(',')
			s.blank()
			key := s.value()
			if seen[key.text] && s.err == nil {
				s.err = fault(s.name, s.src, key.start, "this key stands here a second time")
			}
			seen[key.text] = true
			s.next(':')
			n.children = append(n.children, child{key.start, key.text, s.value()})
		}
	case '[':
		s.at++
		for !s.next(']') {
			s.next(',')
			v := s.value()
			n.children = append(n.children, child{v.start, "", v})
		}
	case '"':
		for s.at++; s.plain[s.at] != '"'; s.at++ {
			if s.plain[s.at] == '\\' {
				s.at++
			}
		}
		s.at++
		_ = json.Unmarshal(s.plain[n.start:s.at], &n.text) // valid
	default:
		for s.at < len(s.plain) && strings.IndexByte(" \t\r\n,:]}", s.plain[s.at]) < 0 {
			s.at++
		}
		n.text = string(s.plain[n.start:s.at])
	}
	n.end = s.at
	return n
}

// member is the index of a key, -1 for none.
func (n *node) member(key string) int {
	for i, c := range n.children {
		if n.kind == '{' && c.key == key {
			return i
		}
	}
	return -1
}

// strings are all strings in a value, in order.
func (n *node) strings() (list []string) {
	if n.kind == '"' {
		list = append(list, n.text)
	}
	for _, c := range n.children {
		list = append(list, c.strings()...)
	}
	return list
}
