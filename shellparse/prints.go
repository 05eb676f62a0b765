package shellparse

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// printed is what a builtin, or cat or tee, writes to its standard output.
func (w *walker) printed(name string, args []Word, in stream, st *state) stream {
	if st.odd || st.wild {
		return stream{}
	}
	list := make([]string, len(args))
	for i, a := range args {
		text, ok := a.Literal()
		if !ok && name != "cat" && name != "tee" {
			return stream{}
		}
		list[i] = text
	}
	var out stream
	switch name {
	case "echo":
		out = w.echo(list)
	case "printf":
		out = printf(list)
	case ":", "true":
		out = silent
	case "cat":
		out = w.cat(args, in, st)
	case "tee":
		for _, file := range args {
			w.writes(sink{file: file}, in, st)
		}
		return in
	}
	if w.read += len(out.text); w.read > maxRead {
		return stream{}
	}
	return out
}

// echo is what echo writes. Whether it reads escapes depends on the shell: bash
// does with -e, dash and zsh do without (bash manual; dash(1); zshbuiltins(1)).
func (w *walker) echo(args []string) stream {
	bash := w.lang == syntax.LangBash || w.lang == syntax.LangBats
	escapes, end := !bash, "\n"
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "neE") == "" {
		flags := args[0][1:]
		if !bash && flags != "n" {
			return stream{} // an option in zsh, text in dash
		}
		if strings.Contains(flags, "n") {
			end = ""
		}
		if strings.ContainsAny(flags, "eE") {
			escapes = strings.LastIndexByte(flags, 'e') > strings.LastIndexByte(flags, 'E')
		}
		args = args[1:]
	}
	text := strings.Join(args, " ")
	if escapes && strings.Contains(text, `\`) {
		var ok bool
		if text, ok = unescaped(text, true); !ok {
			return stream{}
		}
	}
	return stream{text: text + end, literal: true}
}

// printf is what printf writes, where the format has no other directives than %s
// and %%.
func printf(args []string) stream {
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return stream{}
	}
	format, args := args[0], args[1:]
	var b strings.Builder
	for {
		taken := false
		for rest := format; rest != ""; {
			at := strings.IndexByte(rest, '%')
			if at < 0 {
				at = len(rest)
			}
			text, ok := unescaped(rest[:at], false)
			if !ok {
				return stream{}
			}
			b.WriteString(text)
			if rest = rest[at:]; rest == "" {
				break
			}
			switch {
			case strings.HasPrefix(rest, "%%"):
				b.WriteByte('%')
			case strings.HasPrefix(rest, "%s"):
				if len(args) > 0 {
					b.WriteString(args[0])
					args, taken = args[1:], true
				}
			default:
				return stream{}
			}
			rest = rest[2:]
		}
		if b.Len() > MaxSource {
			return stream{}
		}
		if len(args) == 0 || !taken {
			return stream{text: b.String(), literal: true} // the format is used again while arguments are left
		}
	}
}

// unescaped reads the escapes that echo and printf have in common; an octal
// number begins with a 0 in echo. ok is false for any other.
func unescaped(text string, echo bool) (plain string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			continue
		}
		if i++; i == len(text) {
			return "", false
		}
		if at := strings.IndexByte(`abfnrtv\`, text[i]); at >= 0 {
			b.WriteByte("\a\b\f\n\r\t\v\\"[at])
			continue
		}
		digits := text[i:]
		if echo && digits[0] != '0' {
			return "", false
		}
		n := 0
		for n < 3 && n < len(digits) && digits[n] >= '0' && digits[n] <= '7' {
			n++
		}
		value, err := strconv.ParseUint(digits[:n], 8, 8)
		if err != nil || value == 0 || echo && n == 3 {
			return "", false
		}
		b.WriteByte(byte(value))
		i += n - 1
	}
	return b.String(), true
}

// cat is what cat writes: what it reads, or what the source wrote to its files.
func (w *walker) cat(args []Word, in stream, st *state) stream {
	if len(args) == 0 {
		return in
	}
	out := silent
	for _, a := range args {
		text, _ := a.Literal()
		switch {
		case text == "-" || isStdin(a):
			out = out.then(in)
			in = silent
		case strings.HasPrefix(text, "-"):
			return stream{}
		default:
			content, _ := w.writtenTo(a, st)
			out = out.then(content)
		}
	}
	return out
}
