package shellparse

import "strings"

// gdbCode finds the effects of commands of gdb, a line each: those for a shell,
// and calls of system and the like in the program that is debugged (gdb's manual,
// "Shell Commands"; measured with gdb 13). Code of Python is not searched but for
// texts that it holds.
func gdbCode(code string) (found effects) {
	c := cursor{code: code}
	for c.more() {
		gdbLine(strings.TrimSpace(c.line()), &found)
	}
	return found
}

func gdbLine(line string, found *effects) {
	for _, prefix := range []string{"with ", "w "} {
		if _, inner, ok := strings.Cut(line, " -- "); ok && strings.HasPrefix(line, prefix) {
			line = strings.TrimSpace(inner)
		}
	}
	if command, ok := strings.CutPrefix(line, "!"); ok {
		found.run(Lit(command))
		return
	}
	c := cursor{code: line}
	name := c.word()
	if name == "" && c.take("|") {
		name = "pipe"
	}
	c.run(" \t")
	args := c.rest()
	is := func(full string, least int) bool { return len(name) >= least && strings.HasPrefix(full, name) }
	switch {
	case is("shell", 3):
		found.run(Lit(args))
	case is("make", 3):
		found.run(Lit("make " + args))
	case is("pipe", 3):
		gdbPipe(args, found)
	case is("python", 2), is("python-interactive", 2), name == "pi", is("guile", 2), name == "gu", name == "gr":
		found.add(anyCode(args))
	case is("source", 2), is("compile", 4):
		found.hide(line)
	case is("target", 3):
		if _, command, ok := strings.Cut(args, "|"); ok {
			found.run(Lit(command))
		}
	case is("run", 1), is("start", 5), name == "starti":
		if strings.ContainsAny(args, ";|&`$()\n") {
			found.hide(line) // a shell reads the arguments of the program
		}
	case name == "set":
		setting := strings.Fields(args)
		if len(setting) > 2 && setting[0] == "logging" && setting[1] == "file" {
			found.write(Lit(setting[2]))
		}
		if len(setting) > 1 && (setting[0] == "exec-wrapper" || setting[0] == "args" && strings.ContainsAny(args, ";|&`$()")) {
			found.hide(line)
		}
	case is("gcore", 3), is("generate-core-file", 3), is("dump", 3), is("append", 3), is("save", 3):
		if words := strings.Fields(args); len(words) > 0 && name != "p" {
			found.write(Lit(words[min(len(words)-1, 1)]))
		}
	}
	for _, call := range []string{"system", "popen", "execl", "execv", "execlp", "execvp"} {
		for rest := line; ; {
			_, after, ok := strings.Cut(rest, call)
			if !ok {
				break
			}
			rest = after
			after = strings.TrimLeft(after, " \t")
			if !strings.HasPrefix(after, "(") {
				continue
			}
			s := cursor{code: strings.TrimLeft(after[1:], " \t")}
			text, ok := "", false
			if s.take(`"`) {
				text, _, ok = s.delimited('"', false)
			}
			if ok && call[0] != 'e' && strings.TrimLeft(s.rest(), " \t") != "" {
				found.run(Lit(unescape(text, `"\`)))
			} else {
				found.hide(line)
				return
			}
		}
	}
}

// gdbPipe reads pipe -d DELIMITER COMMAND DELIMITER SHELL-COMMAND.
func gdbPipe(args string, found *effects) {
	delimiter := "|"
	if rest, ok := strings.CutPrefix(args, "-d "); ok {
		delimiter, args, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
	}
	if inner, command, ok := strings.Cut(args, delimiter); ok {
		found.run(Lit(command))
		for _, shell := range []string{"!", "shell "} {
			if text, ok := strings.CutPrefix(strings.TrimSpace(inner), shell); ok {
				found.run(Lit(text))
			}
		}
	}
}
