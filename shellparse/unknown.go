package shellparse

import "strings"

// handsOn are words behind which most programs that have them take a command.
var handsOn = map[string]bool{
	"--": true, "cmd": true, "do": true, "exec": true, "run": true,
}

// speaks are programs that only say what they are given, and options of others whose
// value is a text for people.
var speaks = map[string]bool{
	"-m": true, "--body": true, "--comment": true, "--description": true, "--message": true, "--notes": true, "--title": true,
	"[": true, "banner": true, "cowsay": true, "echo": true, "expr": true, "figlet": true, "logger": true, "notify-send": true, "print": true, "say": true, "seq": true, "test": true, "toilet": true, "yes": true,
}

// maxReach is how many words behind one of handsOn a command may begin.
const maxReach = 4

// unknown guesses what a program that no table knows may run of what it is given:
// what stands behind -- or a word such as exec, and the values of options that are of
// several words. Nothing else would keep a rule about a program from being passed by
// through each new one that runs others.
func (w *walker) unknown(name string, args []Word, st *state) {
	if w.guessing || speaks[name] || isKnown(name) {
		return // of what is guessed nothing more is: that would have no end
	}
	w.guessing = true
	defer func() { w.guessing = false }()
	guess := func(words ...Word) {
		if w.guessed++; w.guessed > maxGuesses {
			w.unread(w.pos, "its arguments may hold too many commands")
			return
		}
		text := Join(words).String()
		w.through(name, func() { w.guess(text[:min(len(text), maxGuess)], st) })
	}
	for i, arg := range args {
		text, ok := arg.Literal()
		switch {
		case !ok:
		case handsOn[text]:
			for from := i + 1; from < len(args) && from <= i+maxReach; from++ {
				if first := args[from].literalPrefix(); first != "" && first[0] != '-' {
					guess(args[from:]...)
				}
			}
		default:
			option := ""
			if i > 0 {
				option = args[i-1].literalPrefix()
			}
			if key, value, joined := strings.Cut(text, "="); joined && strings.HasPrefix(key, "-") {
				option, text = key, value
			}
			if strings.HasPrefix(option, "-") && !speaks[option] && strings.ContainsAny(strings.TrimSpace(text), " \t") {
				guess(Lit(text))
			}
		}
	}
}

// isKnown reports whether a table says what a program does with its arguments.
func isKnown(name string) bool {
	_, carries := carriers[name]
	_, opens := fileTools[name]
	_, hooks := hookTable[name]
	_, options := optionTable[name]
	_, builtin := builtins[name]
	_, codes := codings[name]
	_, prints := printers[name]
	return carries || opens || hooks || options || builtin || codes || prints
}
