package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/jsonc"
	"github.com/xrash/smetrics"
)

// MaxFile is the largest config file that is read, in bytes. A config is
// written by people; a larger file is a mistake or an attack.
const MaxFile = 1 << 20

// A File is one config file, or a piece of config from elsewhere.
type File struct {
	Rules   []Rule
	Extends []string // nil when it says nothing of presets
	Agents  []FileAgent
	OnAsk   []string
}

// FileAgent is what one file says of an agent.
type FileAgent struct {
	Name    string
	Rules   []Rule
	Inherit string // "" when it does not say
}

// Env is what patterns are expanded with.
type Env struct {
	Home   string // "" when unknown
	Lookup func(name string) (value string, set bool)
}

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

// ParseFile reads a config: JSON with comments and trailing commas, its rules
// in the order in which they stand. Duplicate and unknown keys are errors, all
// of type *ConfigError. Of a file called opencode.json, or .jsonc, only the
// permissions are read.
func ParseFile(name string, data []byte, env Env) (*File, error) {
	d := newDecoder(name, data, env)
	f := &File{}
	base := path.Base(name)
	foreign := base == "opencode.json" || base == "opencode.jsonc"
	err := d.start()
	if err == nil {
		err = d.object(func(key string, at int) error { return d.topLevel(f, key, at, foreign) })
	}
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// ParsePermission reads the value of a permission key alone, as MAYI_PERMISSION
// holds it.
func ParsePermission(name string, data []byte, env Env) (*File, error) {
	d := newDecoder(name, data, env)
	err := d.start()
	if err != nil {
		return nil, err
	}
	rules, err := d.permission()
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return nil, err
	}
	return &File{Rules: rules}, nil
}

// ParseRule reads a rule as `--rule` takes it: permission:pattern=action.
func ParseRule(s string, env Env) (Rule, error) {
	permission, rest, ok := strings.Cut(s, ":")
	i := strings.LastIndexByte(rest, '=')
	if !ok || i < 0 || permission == "" {
		return Rule{}, fmt.Errorf("rule %q: it is written permission:pattern=action, as in bash:git *=allow", s)
	}
	action, err := ParseAction(rest[i+1:])
	if err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", s, err)
	}
	pattern, err := env.expand(Canonical(permission), rest[:i])
	if err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", s, err)
	}
	return Rule{Permission: Canonical(permission), Pattern: pattern, Action: action, Origin: Origin{Name: "--rule"}}, nil
}

// decoder reads JSON token by token, keeping order and places. The comments
// were turned into blanks, so that offsets are those of the source.
type decoder struct {
	name  string
	src   []byte
	json  *json.Decoder
	plain []byte
	env   Env

	tok json.Token // the token read last
	at  int        // and where it starts
}

func newDecoder(name string, data []byte, env Env) *decoder {
	plain := jsonc.ToJSON(data)
	return &decoder{name: name, src: data, plain: plain, json: json.NewDecoder(bytes.NewReader(plain)), env: env}
}

// start checks what the tokens would not show, and reads the first one.
func (d *decoder) start() error {
	if len(d.src) > MaxFile {
		return &ConfigError{File: d.name, Msg: fmt.Sprintf("the file is larger than %d KiB", MaxFile>>10)}
	}
	for i := 0; i < len(d.src); {
		r, n := utf8.DecodeRune(d.src[i:])
		if r == utf8.RuneError && n == 1 {
			return d.errorf(i, "this byte (0x%02x) is not UTF-8", d.src[i])
		}
		i += n
	}
	return d.next()
}

// next reads a token and notes where it starts.
func (d *decoder) next() error {
	at := int(d.json.InputOffset())
	for at < len(d.plain) && strings.IndexByte(" \t\r\n,:", d.plain[at]) >= 0 {
		at++
	}
	d.at = at
	tok, err := d.json.Token()
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return d.errorf(min(int(syntax.Offset)-1, len(d.src)), "%s", strings.TrimPrefix(syntax.Error(), "json: "))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return d.errorf(len(d.src), "the file ends too early: a bracket, a brace or a quote is still open")
	case err != nil:
		return d.errorf(d.at, "%v", err)
	}
	d.tok = tok
	return nil
}

// end demands that nothing follows.
func (d *decoder) end() error {
	err := d.next()
	if err == nil {
		return d.errorf(d.at, "something follows the end of the config")
	}
	if d.at < len(d.plain) {
		return err
	}
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
		key, at := d.tok.(string), d.at
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

func (d *decoder) texts() ([]string, error) {
	list := []string{}
	err := d.array(func() error {
		s, err := d.text()
		list = append(list, s)
		return err
	})
	return list, err
}

var topLevelKeys = []string{"$schema", "permission", "agents", "extends", "enforce", "on_ask"}

func (d *decoder) topLevel(f *File, key string, at int, foreign bool) (err error) {
	switch {
	case foreign && key == "agent":
		return d.object(func(name string, _ int) error { return d.agent(f, name, foreign) })
	case foreign && key != "permission":
		return d.skip()
	}
	switch key {
	case "$schema":
		_, err = d.text()
	case "permission":
		var rules []Rule
		rules, err = d.permission()
		f.Rules = append(rules, f.Rules...) // enforced presets stand behind it
	case "agents":
		return d.object(func(name string, _ int) error { return d.agent(f, name, foreign) })
	case "extends":
		f.Extends, err = d.presets()
	case "enforce":
		err = d.enforce(f)
	case "on_ask":
		f.OnAsk, err = d.texts()
	default:
		return d.unknown(at, "key", key, topLevelKeys)
	}
	return err
}

func (d *decoder) presets() ([]string, error) {
	at := d.at
	names, err := d.texts()
	for _, name := range names {
		if !isPreset(name) {
			return nil, d.unknown(at, "preset", name, Presets())
		}
	}
	return names, err
}

func (d *decoder) enforce(f *File) error {
	names, err := d.presets()
	for _, name := range names {
		if err != nil {
			break
		}
		var rules []Rule
		rules, err = preset(name, d.env)
		f.Rules = append(f.Rules, rules...)
	}
	return err
}

func (d *decoder) agent(f *File, name string, foreign bool) error {
	a := FileAgent{Name: name}
	err := d.object(func(key string, at int) (err error) {
		switch {
		case key == "permission":
			a.Rules, err = d.permission()
			return err
		case foreign:
			return d.skip()
		case key == "inherit":
			at := d.at
			a.Inherit, err = d.text()
			if _, ok := inherits[a.Inherit]; err == nil && !ok {
				return d.unknown(at, "value", a.Inherit, []string{"all", "deny", "none"})
			}
			return err
		}
		return d.unknown(at, "key of an agent", key, []string{"permission", "inherit"})
	})
	f.Agents = append(f.Agents, a)
	return err
}

// permission reads rules in one of their three forms: an action for everything,
// an object of permissions, or an array of rules.
func (d *decoder) permission() (rules []Rule, err error) {
	add := func(permission, pattern string, at int, v verdict) error {
		permission = Canonical(permission)
		if permission == "" {
			return d.errorf(at, "a permission has a name")
		}
		pattern, err := d.env.expand(permission, pattern)
		if err != nil {
			return d.errorf(at, "%v", err)
		}
		line, _ := d.place(at)
		rules = append(rules, Rule{permission, pattern, v.action, v.reason, Origin{d.name, line}})
		return nil
	}
	switch d.tok {
	case json.Delim('{'):
		err = d.object(func(permission string, at int) error {
			if _, isText := d.tok.(string); isText {
				v, err := d.verdict()
				if err != nil {
					return err
				}
				return add(permission, "*", at, v)
			}
			return d.patterns(permission, add)
		})
	case json.Delim('['):
		err = d.array(func() error { return d.rule(add) })
	default:
		at := d.at
		var v verdict
		if v, err = d.verdict(); err == nil {
			err = add("*", "*", at, v)
		}
	}
	return rules, err
}

// verdict is an action and, where one is given, the reason for it.
type verdict struct {
	action Action
	reason string
}

// verdict reads "deny", or {"action": "deny", "reason": "…"}.
func (d *decoder) verdict() (v verdict, err error) {
	if d.tok != json.Delim('{') {
		v.action, err = d.action()
		return v, err
	}
	at, given := d.at, false
	err = d.object(func(key string, keyAt int) (err error) {
		switch key {
		case "action":
			given = true
			v.action, err = d.action()
		case "reason":
			v.reason, err = d.text()
		default:
			err = d.unknown(keyAt, "key of a rule's value", key, []string{"action", "reason"})
		}
		return err
	})
	if err == nil && !given {
		err = d.errorf(at, `"action" is missing here`)
	}
	return v, err
}

func (d *decoder) action() (Action, error) {
	s, err := d.text()
	if err != nil {
		return Deny, d.errorf(d.at, "an action is needed here, not %s", d.describe())
	}
	a, err := ParseAction(s)
	if err != nil {
		return Deny, d.unknown(d.at, "action", s, []string{"allow", "ask", "deny"})
	}
	return a, nil
}

// patterns reads the patterns of one permission. {"action": …, "reason": …}, of
// which the second could be no action, is a value for all of them.
func (d *decoder) patterns(permission string, add func(string, string, int, verdict) error) error {
	type entry struct {
		pattern string
		at      int
		verdict verdict
	}
	var entries []entry
	var reason *string
	start := d.at
	err := d.object(func(pattern string, at int) error {
		if s, ok := d.tok.(string); ok && pattern == "reason" {
			if _, err := ParseAction(s); err != nil {
				reason = &s
				return nil
			}
		}
		v, err := d.verdict()
		entries = append(entries, entry{pattern, at, v})
		return err
	})
	if err != nil {
		return err
	}
	if reason != nil {
		if len(entries) != 1 || entries[0].pattern != "action" {
			return d.errorf(start, `a "reason" stands beside an "action" and nothing else`)
		}
		return add(permission, "*", start, verdict{entries[0].verdict.action, *reason})
	}
	for _, e := range entries {
		if err := add(permission, e.pattern, e.at, e.verdict); err != nil {
			return err
		}
	}
	return nil
}

// rule reads one rule of the array form.
func (d *decoder) rule(add func(string, string, int, verdict) error) error {
	var permission, pattern string
	var v verdict
	at := d.at
	missing := []string{"permission", "pattern", "action"}
	err := d.object(func(key string, keyAt int) (err error) {
		missing = slices.DeleteFunc(missing, func(s string) bool { return s == key })
		switch key {
		case "permission":
			permission, err = d.text()
		case "pattern":
			pattern, err = d.text()
		case "action":
			v.action, err = d.action()
		case "reason":
			v.reason, err = d.text()
		default:
			err = d.unknown(keyAt, "key of a rule", key, []string{"permission", "pattern", "action", "reason"})
		}
		return err
	})
	if err == nil && len(missing) > 0 {
		err = d.errorf(at, "%q is missing in this rule", missing[0])
	}
	if err != nil {
		return err
	}
	return add(permission, pattern, at, v)
}

// describe names the current token for a message.
func (d *decoder) describe() string {
	switch t := d.tok.(type) {
	case json.Delim:
		switch t {
		case '{':
			return "an object"
		case '[':
			return "an array"
		}
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
	before := d.src[:min(offset, len(d.src))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1
}

func (d *decoder) errorf(offset int, format string, args ...any) *ConfigError {
	offset = max(0, min(offset, len(d.src)))
	line, col := d.place(offset)
	start := bytes.LastIndexByte(d.src[:offset], '\n') + 1
	text, _, _ := bytes.Cut(d.src[start:], []byte("\n"))
	return &ConfigError{File: d.name, Line: line, Col: col, Msg: fmt.Sprintf(format, args...), Text: string(text)}
}

func (d *decoder) unknown(offset int, what, got string, known []string) error {
	e := d.errorf(offset, "unknown %s %q", what, got)
	e.Hint = Suggest(got, known)
	return e
}

// Suggest names the known word that was probably meant, else all of them.
func Suggest(got string, known []string) string {
	for _, k := range known {
		if smetrics.WagnerFischer(strings.ToLower(got), k, 1, 1, 1) <= 2 {
			return fmt.Sprintf("did you mean %q?", k)
		}
	}
	if len(known) == 0 {
		return ""
	}
	return "it is one of " + strings.Join(known, ", ")
}

// expand replaces what stands for a path: ~, ~/ and $HOME at the front of a
// pattern, of a command's also at the front of each of its words, and ${NAME}
// anywhere. What is put in matches only itself.
func (e Env) expand(permission, pattern string) (string, error) {
	pattern, err := e.variables(pattern)
	if err != nil || permission != "bash" {
		if err == nil {
			pattern, err = e.home(pattern)
		}
		return pattern, err
	}
	words := strings.Split(pattern, " ")
	for i := range words {
		if words[i], err = e.home(words[i]); err != nil {
			return "", err
		}
	}
	return strings.Join(words, " "), nil
}

func (e Env) home(word string) (string, error) {
	for _, prefix := range []string{"~", "$HOME"} {
		rest, ok := strings.CutPrefix(word, prefix)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if e.Home == "" {
			return "", fmt.Errorf("%s stands for the home directory, and that is not known", prefix)
		}
		return Quote(strings.TrimSuffix(e.Home, "/")) + rest, nil
	}
	return word, nil
}

func (e Env) variables(s string) (string, error) {
	var b strings.Builder
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			break
		}
		name, rest, closed := strings.Cut(s[i+2:], "}")
		if !closed || !isName(name) {
			b.WriteString(s[:i+2])
			s = s[i+2:]
			continue
		}
		value, set := e.Lookup(name)
		if !set {
			return "", fmt.Errorf("the variable %s is not set", name)
		}
		b.WriteString(s[:i] + Quote(value))
		s = rest
	}
	return b.String() + s, nil
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// Loosens reports whether a file says more than deny and ask. A guest's file is
// not heard there.
func (f *File) Loosens() bool {
	return len(f.Agents) > 0 || f.Extends != nil || f.OnAsk != nil ||
		slices.ContainsFunc(f.Rules, func(r Rule) bool { return r.Action == Allow })
}
