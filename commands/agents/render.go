package agents

import (
	"bytes"
	"encoding/json"
	"strings"
)

// indent is the white space in front of the line that an offset is in.
func (e *editor) indent(at int) string {
	line := e.src[bytes.LastIndexByte(e.src[:at], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// unit is by how much the file indents.
func (e *editor) unit() string {
	for line := range bytes.Lines(e.src) {
		if n := len(line) - len(bytes.TrimLeft(line, " \t")); n > 0 && n < len(bytes.TrimRight(line, "\r\n")) {
			return string(line[:n])
		}
	}
	return "  "
}

func (e *editor) newline() string {
	if bytes.Contains(e.src, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// render spells a value over several lines; an array of plain values stays in
// one.
func (e *editor) render(v any, indent string) string {
	inner := indent + e.unit()
	var parts []string
	open, shut := "{", "}"
	switch v := v.(type) {
	case fields:
		for _, f := range v {
			parts = append(parts, compact(f.key)+": "+e.render(f.value, inner))
		}
	case []any:
		open, shut = "[", "]"
		for _, item := range v {
			parts = append(parts, e.render(item, inner))
		}
	default:
		return spaced(v)
	}
	return open + e.newline() + inner + strings.Join(parts, ","+e.newline()+inner) + e.newline() + indent + shut
}

// spaced spells a value in one line.
func spaced(v any) string {
	var parts []string
	switch v := v.(type) {
	case fields:
		for _, f := range v {
			parts = append(parts, compact(f.key)+": "+spaced(f.value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, item := range v {
			parts = append(parts, spaced(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []string:
		for _, item := range v {
			parts = append(parts, compact(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return compact(v)
}

// compact spells a value without blanks.
func compact(v any) string {
	switch v := v.(type) {
	case fields, []any, []string:
		n, err := document("", []byte(`{"x":`+spaced(v)+"}"))
		if err != nil {
			return ""
		}
		return n.children[0].compact()
	default:
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return ""
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
}
