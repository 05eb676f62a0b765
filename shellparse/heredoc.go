package shellparse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A document is a here-document whose text follows the line.
type document struct {
	end          string
	tabs, quoted bool
}

// hereDocument reads << and the word behind it.
func (j *joiner) hereDocument() {
	j.raw()
	j.take()
	var d document
	switch j.peek() {
	case '<':
		j.raw()
		return
	case '-':
		j.raw()
		d.tabs = true
	}
	if j.top().double {
		j.unsure = true // in arithmetic it shifts
		return
	}
	for c := j.peek(); c == ' ' || c == '\t'; c = j.peek() {
		j.raw()
	}
	from := len(j.out)
	for c := j.peek(); j.at < len(j.text) && strings.IndexByte(" \t\n;&|<>()", c) < 0; c = j.peek() {
		switch c {
		case '\'':
			j.single(false)
		case '"':
			for j.raw(); j.at < len(j.text) && j.peek() != '"'; {
				if j.take() == '\\' {
					j.raw()
				}
			}
			j.raw()
		case '\\':
			j.raw()
			j.raw()
		default:
			j.unsure = j.unsure || c == '$' || c == '`'
			j.raw()
		}
	}
	word := string(j.out[from:])
	d.quoted = strings.ContainsAny(word, `\'"`)
	d.end = strings.NewReplacer(`\`, "", `'`, "", `"`, "").Replace(word)
	j.docs = append(j.docs, d)
}

// documents reads the here-documents that the line before announced.
func (j *joiner) documents() {
	if len(j.docs) > 0 && j.top().pending > 0 {
		j.unsure = true // whose text follows
	}
	for _, d := range j.docs {
		for {
			if j.at >= len(j.text) {
				if j.lang == syntax.LangBash {
					if b := j.before(); b != '\n' {
						j.out = append(j.out, '\n')
					}
					j.out = append(j.out, d.end+"\n"...)
				}
				j.unsure = j.unsure || j.lang != syntax.LangBash || len(j.stack) > 1
				break
			}
			from := len(j.out)
			for j.at < len(j.text) {
				if !d.quoted {
					j.skip()
				}
				if j.at >= len(j.text) {
					break
				}
				c := j.text[j.at]
				j.raw()
				if c == '\n' {
					break
				}
				if c == '\\' && !d.quoted && j.at < len(j.text) && j.text[j.at] != '\n' {
					j.raw()
				}
			}
			line := strings.TrimSuffix(string(j.out[from:]), "\n")
			if d.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == d.end {
				break
			}
		}
	}
	j.docs = nil
	for i := range j.stack {
		j.stack[i].pending = 0
	}
}
