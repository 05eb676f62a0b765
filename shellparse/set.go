package shellparse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// harmlessOptions change nothing in how words expand, in which directory cd
// finds, or in what names mean: of set, by letter and by name, and of shopt.
const harmlessOptions = " abCeEfhmnptTuvx allexport emacs errexit errtrace functrace hashall history ignoreeof interactive-comments monitor" +
	" noclobber noexec noglob nolog notify nounset onecmd pipefail privileged verbose vi xtrace" +
	" checkhash checkjobs checkwinsize cmdhist dotglob extglob globskipdots globstar histappend histreedit histverify huponexit inherit_errexit" +
	" lastpipe lithist mailwarn nocaseglob no_empty_cmd_completion progcomp sourcepath xpg_echo "

func isHarmlessOption(name string) bool {
	return strings.Contains(harmlessOptions, " "+name+" ")
}

// rereads says so if an option is among those that make something else of words
// that are known.
func (w *walker) rereads(option, options string) {
	if strings.Contains(options, option) && option != "" {
		w.unread(w.pos, "set -k and set -H make something else of the words that follow")
	}
}

// setOptions follows set and shopt.
func (w *walker) setOptions(name string, args []Word, st *state) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		text, literal := a.Literal()
		switch {
		case literal && name == "set" && text == "+":
			st.args = nil // it prints
		case literal && name == "set" && (text == "--" || text == "-"):
			rest := args[i+1:]
			if st.args = &rest; slices.ContainsFunc(rest, Word.maySplit) || text == "-" && len(rest) == 0 {
				st.args = nil
			}
			return
		case literal && len(text) > 1 && (text[0] == '-' || text[0] == '+'):
			letters := text[1:]
			if name == "shopt" {
				continue // -s, -u and the like
			}
			if strings.Contains(letters, "A") && i+1 < len(args) && w.lang != syntax.LangBash { // of zsh and mksh: an array
				w.sets(args[i+1].String(), w.pos, st)
				if w.lang == syntax.LangZsh {
					w.zshSpecial(Assign{Name: args[i+1].String(), Value: Join(args[i+2:])}, st)
				}
				return
			}
			w.rereads("k", letters)
			w.rereads("H", letters)
			if strings.Trim(letters, "o"+strings.Fields(harmlessOptions)[0]) != "" {
				st.odd = true
			}
			if !strings.Contains(letters, "o") || i+1 == len(args) {
				continue
			}
			fallthrough
		case name == "shopt":
			option := text
			if name == "set" {
				i++ // -o takes it
				option = args[i].String()
			}
			w.rereads(option, "keyword")
			w.rereads(option, "histexpand")
			if option == "expand_aliases" {
				continue // alias itself says so
			}
			if !isHarmlessOption(option) {
				st.odd = true
			}
		case !literal && uncertain(a):
			*st = st.forget()
		case name == "set" && literal:
			rest := args[i:]
			if st.args = &rest; slices.ContainsFunc(rest, Word.maySplit) {
				st.args = nil
			}
			return
		default:
			st.args = nil
		}
	}
}
