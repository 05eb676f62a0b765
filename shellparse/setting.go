package shellparse

import (
	"slices"
	"strings"
)

// settingKind says how the value of a setting makes a program run another one.
type settingKind uint8

const (
	settingUnknown settingKind = iota // something runs that the value does not tell
	settingText                       // a text for a shell
	settingSwitch                     // the same, or a truth value
	settingProgram                    // a program
	settingRemote                     // a program that is used like ssh
	settingAlias                      // what git runs as a subcommand, or behind ! a text for a shell
	settingBang                       // behind ! a text for a shell, or a mode
	settingHelper                     // git's credential helper: behind ! a text, a path, or the end of a name
	settingAddress                    // an address of git: ext:: runs a program
	settingBase                       // the key holds an address of git
)

// switches are the truth values of git.
const switches = "true false yes no on off 0 1"

// settingText reads KEY=VALUE, or KEY VALUE as ssh takes it.
func (w *walker) settingText(tool string, word Word, st *state) {
	prefix := word.literalPrefix()
	at := strings.IndexByte(prefix, '=')
	if tool == "ssh" {
		at = strings.IndexAny(prefix, "= \t")
	}
	if at < 0 {
		if _, literal := word.Literal(); !literal {
			w.hidden([]Word{word}, st) // it may set anything
		}
		return
	}
	value := cut(word, at+1)
	for len(value) > 0 && value[0].Hole == Known && strings.TrimLeft(value[0].Text, "= \t") != value[0].Text {
		value = cut(value, 1)
	}
	w.setting(tool, strings.TrimSpace(prefix[:at]), value, st)
}

// kindOfSetting looks up what a setting of a tool does. Their names are not
// case-sensitive, but for a middle part that may be anything.
func kindOfSetting(tool, key string) (kind settingKind, ok bool) {
	key = tool + " " + strings.TrimRight(strings.ToLower(key), ":")
	if kind, ok = settings[key]; ok {
		return kind, true
	}
	row := ""
	for pattern, k := range settings {
		before, after, wild := strings.Cut(pattern, "*")
		if wild && len(key) >= len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after) && len(pattern) > len(row) {
			row, kind, ok = pattern, k, true
		}
	}
	return kind, ok
}

// setting lists what the value of a setting makes a tool run.
func (w *walker) setting(tool, key string, value Word, st *state) {
	kind, ok := kindOfSetting(tool, key)
	if !ok || len(value) == 0 {
		return
	}
	text, literal := value.Literal()
	text = strings.TrimSpace(text)
	bang, isBang := strings.CutPrefix(text, "!")
	switch {
	case literal && text == "":
	case kind == settingUnknown:
		w.hidden([]Word{append(Lit(key+"="), value...)}, st)
	case kind == settingBase && !strings.Contains(key, "ext::"): // git folds no case here: another helper of that name
		w.hidden([]Word{Lit(key)}, st)
	case kind == settingBase:
		address := key[strings.Index(key, "ext::"):]
		w.runExt(Lit(address), strings.TrimPrefix(address[:max(len("ext::"), strings.LastIndexByte(address, '.'))], "ext::"), st)
	case kind == settingRemote && literal:
		w.runRemote(value, st)
	case !literal:
		w.hidden([]Word{value}, st)
	case kind == settingText, kind == settingSwitch && !slices.Contains(strings.Fields(switches), strings.ToLower(text)):
		w.run(Lit(unquoted(text)), st)
	case kind == settingProgram:
		w.runProgram([]Word{Lit(unquoted(text))}, st)
	case isBang && (kind == settingAlias || kind == settingBang || kind == settingHelper):
		w.run(Lit(bang), st)
	case kind == settingAlias:
		w.alias(tool, Lit(unquoted(text)), st)
	case kind == settingHelper && strings.HasPrefix(text, "/"):
		w.run(value, st)
	case kind == settingHelper:
		w.run(Lit("git credential-"+text), st)
	case kind == settingAddress:
		if address, isExt := strings.CutPrefix(text, "ext::"); isExt {
			w.runExt(value, address, st)
		}
	}
}

// alias lists a command of a tool of which a text holds the arguments.
func (w *walker) alias(tool string, text Word, st *state) {
	if literal, ok := text.Literal(); ok {
		if words, ok := quotedWords(literal); ok && len(words) > 0 {
			w.command(append([]Word{Lit(tool)}, words...), nil, stream{}, st)
			return
		}
	}
	w.hidden([]Word{text}, st)
}

// unquoted drops a pair of quotes around all of a value, as TOML has them.
func unquoted(text string) string {
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] && !strings.Contains(text[1:n-1], text[:1]) {
		return text[1 : n-1]
	}
	return text
}
