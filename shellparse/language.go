package shellparse

import (
	"strings"
	"unicode/utf8"
)

// effects are what code in another language does outside its own program, as
// far as its text says. A word with holes is computed by the code.
type effects struct {
	commands []Word   // texts that a shell is given
	argvs    [][]Word // programs that are started without a shell
	maybe    []string // texts that may be given to a shell: only rules that restrict look at these
	reads    []Word   // files
	writes   []Word
}

// A language finds the effects of code. It takes time linear in the length of
// the code, whatever that holds; code that it cannot read has a hole for a
// command.
type language func(code string) effects

// A character that is not ASCII stands where it can for a number or a name: so
// the walker spells what the shell puts into the code. No such program has it
// there by itself.
func isForeign(b byte) bool { return b >= 0x80 }

// languages are those that carriers name in their column code.
var languages = map[string]language{
	"any":     anyCode,
	"awk":     awkCode,
	"dc":      dcCode,
	"ed":      edCode,
	"ex":      exCode,
	"ftp":     ftpCode,
	"gdb":     gdbCode,
	"gnuplot": gnuplotCode,
	"less":    lessKeys,
	"m4":      m4Code,
	"make":    makeCode,
	"mysql":   mysqlCode,
	"psql":    psqlCode,
	"rpm":     rpmCode,
	"sed":     sedCode,
	"sqlite":  sqliteCode,
}

// maxSpelling is how much of the code a hole is spelled with, in bytes: calls
// that hold one another would otherwise list their text once a level.
const maxSpelling = 200

// computed is a word that only running the code could tell.
func computed(spelling string) Word {
	spelling = strings.TrimSpace(spelling)
	if spelling == "" {
		spelling = "…"
	}
	if len(spelling) > maxSpelling {
		spelling = spelling[:maxSpelling]
	}
	return Word{{spelling, Value}}
}

// hide lists a command that is known to the running code only.
func (e *effects) hide(spelling string) { e.commands = append(e.commands, computed(spelling)) }

// run lists a command unless it is blank.
func (e *effects) run(command Word) {
	if text, ok := command.Literal(); ok {
		command = Lit(strings.TrimSpace(text))
	}
	if strings.TrimSpace(command.String()) != "" {
		e.commands = append(e.commands, command)
	}
}

func (e *effects) read(file Word)  { e.reads = appendFile(e.reads, file) }
func (e *effects) write(file Word) { e.writes = appendFile(e.writes, file) }

// appendFile appends a file but for those that are there without opening any.
func appendFile(files []Word, file Word) []Word {
	if text := file.String(); text == "" || text == "-" || harmless(text) {
		return files
	}
	return append(files, file)
}

func (e *effects) add(more effects) {
	e.commands = append(e.commands, more.commands...)
	e.argvs = append(e.argvs, more.argvs...)
	e.maybe = append(e.maybe, more.maybe...)
	e.reads = append(e.reads, more.reads...)
	e.writes = append(e.writes, more.writes...)
}

// either reads code in two ways where versions of a program differ: whether a
// delimiter may stand inside the brackets of a regular expression. A program
// that cannot read the code in its way runs none of it; where neither can be
// read, something else than these may be meant.
func either(code string, read func(code string, brackets bool) (found effects, differs, ok bool)) effects {
	found, differs, ok := read(code, true)
	if _, size := utf8.DecodeRuneInString(code); size == len(code) && size > 1 {
		ok = false // all of it is what the shell puts there
	}
	if differs {
		other, _, otherOK := read(code, false)
		switch {
		case ok && otherOK:
			found.add(other)
		case otherOK:
			found, ok = other, true
		}
	}
	if !ok {
		found.hide(code)
	}
	return found
}
