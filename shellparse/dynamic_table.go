package shellparse

// dynamicVariables do not hold what was assigned to them: the shell computes
// them, sets them by itself or refuses the assignment (bash manual, Shell
// Variables; zshparam(1)). All that begin with BASH are among them.
var dynamicVariables = map[string]bool{
	"COLUMNS":         true,
	"COMP_WORDBREAKS": true,
	"DIRSTACK":        true,
	"EPOCHREALTIME":   true,
	"EPOCHSECONDS":    true,
	"EUID":            true,
	"FUNCNAME":        true,
	"GROUPS":          true,
	"HISTCMD":         true,
	"LINENO":          true,
	"LINES":           true,
	"MAPFILE":         true,
	"OLDPWD":          true,
	"OPTARG":          true,
	"OPTIND":          true,
	"PIPESTATUS":      true,
	"PPID":            true,
	"PWD":             true,
	"RANDOM":          true,
	"REPLY":           true,
	"SECONDS":         true,
	"SHELLOPTS":       true,
	"SRANDOM":         true,
	"UID":             true,
	"_":               true,
	"status":          true,
}
