package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/jsonc"

	"mayi/shellparse"
)

// MaxFile is the largest config file that is read, in bytes. A config is
// written by people; a larger file is a mistake or an attack.
const MaxFile = 1 << 20

// MaxPattern is the longest pattern of a rule, in bytes. Matching costs the
// length of the pattern times that of the text, and a file of a project, which
// anybody may have written, must not make every call slow.
const MaxPattern = 8 << 10

// A ConfigError says what is wrong in which place of a config. Line and Col
// count from 1, in characters; they are 0 where there is no place to name.
type ConfigError struct {
	File      string
	Line, Col int
	Msg       string
	Text      string // the line of the file
	Hint      string // the next step, or ""
}

func (e *ConfigError) Error() string {
	switch {
	case e.File == "":
		return e.Msg
	case e.Line == 0:
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// A decoder reads JSON token by token, keeping order and places.
type decoder struct {
	name  string
	src   []byte
	plain []byte // src with blanks for comments, so that offsets agree
	json  *json.Decoder
	env   Env

	tok json.Token // the token read last
	at  int        // and where it starts

	ignore shellparse.Lead // what the file's allows ignore

	counted, lines int // how many lines end in front of an offset
}

// newDecoder checks a whole source, so that reading it meets no syntax error,
// and reads the first token.
func newDecoder(name string, data []byte, env Env) (*decoder, error) {
	if len(data) > MaxFile {
		return nil, &ConfigError{File: name, Msg: fmt.Sprintf("the file is larger than %d KiB", MaxFile>>10)}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d := &decoder{name: name, src: data, env: env}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return nil, d.errorf(i, "this byte (0x%02x) is not UTF-8", data[i])
		}
		if r == '\r' && !bytes.HasPrefix(data[i:], []byte("\r\n")) {
			// Some show a new line there, and a comment goes on.
			return nil, d.errorf(i, "a carriage return stands here without a line feed")
		}
		i += n
	}
	d.plain = jsonc.ToJSON(data)
	var whole json.RawMessage
	if err := json.Unmarshal(d.plain, &whole); err != nil {
		return nil, d.syntaxError(err)
	}
	d.json = json.NewDecoder(bytes.NewReader(d.plain))
	d.json.UseNumber()
	return d, d.next()
}

func (d *decoder) syntaxError(err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return d.errorf(0, "%v", err)
	}
	offset := int(syntax.Offset) - 1
	switch {
	case len(bytes.TrimSpace(d.plain)) == 0:
		return d.errorf(len(d.src), "there is nothing here; an empty config is {}")
	case errors.Is(json.NewDecoder(bytes.NewReader(d.plain)).Decode(&json.RawMessage{}), io.ErrUnexpectedEOF):
		return d.errorf(len(d.src), "the file ends too early: a bracket, a brace or a quote is still open")
	case offset >= 0 && offset+1 < len(d.src) && d.src[offset] == '/' && d.src[offset+1] == '*':
		return d.errorf(offset, "this comment is not closed")
	}
	msg := syntax.Error()
	if r, size := utf8.DecodeRune(d.src[min(max(offset, 0), len(d.src)):]); size > 1 {
		// The scanner names the first byte.
		if _, context, ok := strings.Cut(msg, "' "); ok {
			msg = fmt.Sprintf("invalid character %q %s", r, context)
		}
	}
	return d.errorf(offset, "%s", msg)
}

// next reads a token and notes where it starts.
func (d *decoder) next() error {
	d.at = int(d.json.InputOffset())
	for d.at < len(d.plain) && strings.IndexByte(" \t\r\n,:", d.plain[d.at]) >= 0 {
		d.at++
	}
	tok, err := d.json.Token()
	if err != nil {
		return d.errorf(d.at, "%v", err)
	}
	d.tok = tok
	return nil
}

// object calls f for each key of the object that starts at the current token,
// with the key's offset and its value as the current token; f reads the value.
func (d *decoder) object(f func(key string, at int) error) error {
	if d.tok != json.Delim('{') {
		return d.errorf(d.at, "an object is needed here, not %s", d.describe())
	}
	seen := map[string]bool{}
	for {
		if err := d.next(); err != nil {
			return err
		}
		if d.tok == json.Delim('}') {
			return nil
		}
		key, _ := d.tok.(string)
		at := d.at
		if seen[key] {
			return d.errorf(at, "%q stands here a second time", key)
		}
		seen[key] = true
		if err := d.next(); err != nil {
			return err
		}
		if err := f(key, at); err != nil {
			return err
		}
	}
}

// array calls f for each element of the array that starts at the current token.
func (d *decoder) array(f func() error) error {
	if d.tok != json.Delim('[') {
		return d.errorf(d.at, "an array is needed here, not %s", d.describe())
	}
	for {
		if err := d.next(); err != nil {
			return err
		}
		if d.tok == json.Delim(']') {
			return nil
		}
		if err := f(); err != nil {
			return err
		}
	}
}

// skip reads the rest of the value at the current token.
func (d *decoder) skip() error {
	for depth := 0; ; {
		switch d.tok {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
		if err := d.next(); err != nil {
			return err
		}
	}
}

func (d *decoder) text() (string, error) {
	s, ok := d.tok.(string)
	if !ok {
		return "", d.errorf(d.at, "a string is needed here, not %s", d.describe())
	}
	return s, nil
}

// describe names the current token for a message.
func (d *decoder) describe() string {
	switch t := d.tok.(type) {
	case json.Delim:
		if t == '{' {
			return "an object"
		}
		return "an array"
	case string:
		return "a string"
	case bool:
		return "true or false"
	case nil:
		return "null"
	}
	return "a number"
}

// place turns an offset into line and column, both from 1, in characters.
func (d *decoder) place(offset int) (line, col int) {
	if offset < d.counted {
		d.counted, d.lines = 0, 0
	}
	d.lines += bytes.Count(d.src[d.counted:offset], []byte("\n"))
	d.counted = offset
	start := bytes.LastIndexByte(d.src[:offset], '\n') + 1
	return d.lines + 1, utf8.RuneCount(d.src[start:offset]) + 1
}

func (d *decoder) errorf(offset int, format string, args ...any) *ConfigError {
	offset = max(0, min(offset, len(d.src)))
	line, col := d.place(offset)
	start := bytes.LastIndexByte(d.src[:offset], '\n') + 1
	text, _, _ := bytes.Cut(d.src[start:], []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\r"))
	return &ConfigError{File: d.name, Line: line, Col: col, Msg: fmt.Sprintf(format, args...), Text: string(text)}
}

// unknown is the error for a word that is none of the known ones.
func (d *decoder) unknown(offset int, what, got string, known []string) error {
	e := d.errorf(offset, "unknown %s %q", what, got)
	e.Hint = Suggest(got, known)
	return e
}
