package shellparse

import (
	"strings"
)

// plainLanguages are those in which a command is spelled outright.
var plainLanguages = map[string]language{
	"cron":  cron,
	"fzf":   fzf,
	"keys":  keys,
	"sh":    func(code string) effects { return effects{commands: []Word{Lit(code)}} },
	"socat": socat,
}

// fzf finds the commands of bindings: KEY:ACTION(TEXT), and others of fzf's
// bracket pairs; behind ACTION: the text is all of the rest. What a text holds in
// braces fzf fills in.
func fzf(code string) (e effects) {
	for _, m := range fzfAction().FindAllStringSubmatchIndex(code, -1) {
		rest := code[m[1]:]
		if open := code[m[1]-1]; open != ':' {
			closing := string(open)
			if i := strings.IndexByte("([{<", open); i >= 0 {
				closing = ")]}>"[i : i+1]
			}
			if end := strings.LastIndex(rest, closing); end >= 0 {
				rest = rest[:end]
			}
		}
		e.commands = append(e.commands, Lit(rest))
	}
	return e
}

var fzfAction = lazily(`(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|preview|transform(?:-[a-z]+)*)[^a-z\s-]`)

// keys finds what tmux types into a pane. It may be a shell that reads it.
func keys(code string) (e effects) {
	if !keyName().MatchString(code) {
		e.commands = append(e.commands, Lit(code))
	}
	return e
}

var keyName = lazily(`^(?:([CMS^]-?)+.|[A-Z][A-Za-z]*[0-9]*)$`)

// socat finds the command of an address.
func socat(code string) (e effects) {
	kind, rest, _ := strings.Cut(code, ":")
	switch strings.ToUpper(kind) {
	case "EXEC", "SYSTEM", "SHELL":
		// Options follow behind a comma, as may the command's own text.
		text, _, _ := strings.Cut(rest, ",")
		e.commands = append(e.commands, Lit(text))
		if text != rest {
			e.maybe = append(e.maybe, rest)
		}
	}
	for _, address := range strings.Split(code, "!!")[1:] {
		e.commands = append(e.commands, socat(address).commands...)
	}
	return e
}
