package shellparse

import "strings"

// What a backslash quotes inside double quotes, and in a here-document.
const (
	quoteEscapes   = "$`\"\\\n"
	heredocEscapes = "$`\\\n"
)

// unescape resolves backslashes where they quote only certain characters.
func unescape(s, escapes string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(escapes, s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ansiC resolves the escapes of $'…' (bash manual, ANSI-C Quoting). A NUL ends
// the string there, as bash does. ok is false when the result depends on the
// locale.
func ansiC(s string) (text string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'x':
			braced := strings.HasPrefix(s[i+1:], "{")
			width := 2
			if braced {
				i++
				width = len(s) // the last two count
			}
			n, size := number(s[i+1:], 16, width)
			if size == 0 && !braced {
				b.WriteString(`\x`)
				break
			}
			i += size
			if braced && i+1 < len(s) && s[i+1] == '}' {
				i++
			}
			if byte(n) == 0 {
				return b.String(), true
			}
			b.WriteByte(byte(n))
		case 'u', 'U':
			n, size := number(s[i+1:], 16, map[byte]int{'u': 4, 'U': 8}[c])
			if size == 0 {
				b.WriteByte('\\')
				b.WriteByte(c)
				break
			}
			i += size
			if n == 0 {
				return b.String(), true
			}
			if n >= 0x80 {
				return "", false
			}
			b.WriteByte(byte(n))
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n, size := number(s[i:], 8, 3)
			i += size - 1
			if byte(n) == 0 {
				return b.String(), true
			}
			b.WriteByte(byte(n))
		case 'c':
			if i+1 == len(s) {
				b.WriteString(`\c`)
				break
			}
			i++
			if s[i] == '\\' && i+1 < len(s) && s[i+1] == '\\' {
				i++ // \c\\ is one
			}
			n := s[i] & 0x1f
			if s[i] == '?' {
				n = 0x7f
			}
			if n == 0 {
				return b.String(), true
			}
			b.WriteByte(n)
		default:
			if k := strings.IndexByte("abeEfnrtv", c); k >= 0 {
				b.WriteByte("\a\b\x1b\x1b\f\n\r\t\v"[k])
			} else if strings.IndexByte(`\'"?`, c) >= 0 {
				b.WriteByte(c)
			} else {
				b.WriteByte('\\')
				b.WriteByte(c)
			}
		}
	}
	return b.String(), true
}

// number reads at most width digits of a base.
func number(s string, base, width int) (n, size int) {
	for size < len(s) && size < width {
		d := strings.IndexByte("0123456789abcdef", s[size]|0x20)
		if s[size] >= '0' && s[size] <= '9' {
			d = int(s[size] - '0')
		}
		if d < 0 || d >= base {
			break
		}
		n = n*base + d
		size++
	}
	return n, size
}
