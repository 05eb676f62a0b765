package shellparse

import "strings"

const (
	maxReach  = 4       // words behind one of handsOn among which a command may begin
	maxHands  = 2       // such words of one command that count
	maxHanded = 1 << 10 // bytes of it that are read
)

// unknown guesses what a program that no table knows may run of what it is given:
// what stands behind -- or a word such as exec, and the values of options that are of
// several words. Nothing else would keep a rule about a program from being passed by
// through each new one that runs others.
func (w *walker) unknown(name string, args []Word, st *state) {
	if w.guessing || speakers[name] || isKnown(name) {
		return // of what is guessed nothing more is: that would have no end
	}
	w.guessing = true
	defer func() { w.guessing = false }()
	guess := func(words ...Word) {
		text := Join(words).String()
		w.through(name, func() { w.guess(text[:min(len(text), maxHanded)], st) })
	}
	hands := 0
	for i, arg := range args {
		text, ok := arg.Literal()
		switch {
		case !ok:
		case handsOn[text]:
			if hands++; hands > maxHands {
				continue
			}
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
			if strings.HasPrefix(option, "-") && !messages[option] && strings.ContainsAny(strings.TrimSpace(text), " \t") {
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
