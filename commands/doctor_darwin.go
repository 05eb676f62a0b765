package commands

import "context"

// checkTerminal says what holds for every macOS: tty(4) has TIOCSTI, and nothing
// switches it off.
func checkTerminal(context.Context, *env) []finding {
	return []finding{{
		What: "terminals: a program can type into the one it was started from, and answer what is asked there",
		Hint: "answer at another terminal",
	}}
}

// checkProcesses has nothing to look at: everybody may ask sysctl(3) for every
// process.
func checkProcesses(context.Context, *env) []finding { return nil }
