package shellparse

import "strings"

// A holding says what the value of a variable is to the program that reads it.
// The variable is for rules to judge besides, see [assignKinds].
type holding struct {
	options string // further arguments of this program
	code    string // code in this language; with options, as far as there is a $ in it
	setting string // settings of this tool
}

// held lists what a variable makes a program run whose value is no command by
// itself.
func (w *walker) held(a Assign, assigns []Assign, st *state) {
	name := baseName(a.Name)
	inner := st.forget()
	if number, ok := strings.CutPrefix(name, "GIT_CONFIG_VALUE_"); ok {
		w.heldSetting("GIT_CONFIG_KEY_"+number, a.Value, assigns, st)
		return
	}
	if number, ok := strings.CutPrefix(name, "GIT_CONFIG_KEY_"); ok {
		if value, ok := w.constantOf("GIT_CONFIG_VALUE_"+number, st); ok {
			if key, ok := a.Value.Literal(); ok {
				w.setting("git", key, Lit(value), &inner)
			}
		}
		return
	}
	h, ok := holdings[name]
	if !ok {
		return
	}
	for _, t := range h.codes(a.Value) {
		w.codeText(t, &inner)
	}
	text, literal := a.Value.Literal()
	words, ok := quotedWords(text)
	switch {
	case h.options == "" && h.setting == "":
	case !literal || !ok:
		w.hidden([]Word{a.Value}, st)
	case h.options != "":
		w.hook(h.options, words, &inner)
	default:
		for _, word := range words {
			w.settingText(h.setting, word, &inner)
		}
	}
}

// codes returns the code in the value of a variable.
func (h holding) codes(value Word) (found []snippet) {
	if h.code != "" && (h.options == "" || strings.Contains(value.String(), "$")) {
		found = append(found, snippet{h.code, value, false})
	}
	literal, _ := value.Literal()
	words, _ := quotedWords(literal)
	return append(found, codesOf(h.options, words, stream{}, func(Word) stream { return stream{} })...)
}

// heldSetting lists what a setting makes git run that is given by two variables,
// one of which holds its key.
func (w *walker) heldSetting(keyName string, value Word, assigns []Assign, st *state) {
	inner := st.forget()
	for _, a := range assigns {
		if key, ok := a.Value.Literal(); ok && a.Name == keyName {
			w.setting("git", key, value, &inner)
			return
		}
	}
	if key, ok := w.constantOf(keyName, st); ok {
		w.setting("git", key, value, &inner)
	} else if text, ok := value.Literal(); ok {
		w.guess(strings.TrimPrefix(text, "!"), &inner)
	}
}
