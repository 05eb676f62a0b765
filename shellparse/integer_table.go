package shellparse

// integerVariables are integers from the start, so that the shell evaluates what
// is assigned to them, and runs the substitutions in a subscript there: in bash
// 5.2, and in mksh the rest too (measured; mksh(1), Parameters).
var integerVariables = map[string]bool{
	"BASHPID": true,
	"COLUMNS": true,
	"HISTCMD": true,
	"KSHEGID": true,
	"KSHGID":  true,
	"KSHUID":  true,
	"LINES":   true,
	"OPTIND":  true,
	"PGRP":    true,
	"PPID":    true,
	"RANDOM":  true,
	"SECONDS": true,
	"SRANDOM": true,
	"TMOUT":   true,
	"USER_ID": true,
}
