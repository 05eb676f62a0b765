package shellparse

// zshVariable says what a variable of zsh holds.
type zshVariable uint8

const (
	holdsPaths zshVariable = iota + 1 // where names are looked for
	holdsFiles                        // files, by their names
	holdsCode                         // what names mean, or what to run
)

// zshSpecials are the variables of zsh that change what names mean, or that hold
// code (zshparam(1), zsh/parameter and zsh/mapfile in zshmodules(1), zshmisc(1) on
// hook functions).
var zshSpecials = map[string]zshVariable{
	"aliases":            holdsCode,
	"cdpath":             holdsPaths,
	"chpwd_functions":    holdsCode,
	"commands":           holdsCode,
	"dis_aliases":        holdsCode,
	"dis_functions":      holdsCode,
	"fpath":              holdsPaths,
	"functions":          holdsCode,
	"galiases":           holdsCode,
	"mapfile":            holdsFiles,
	"module_path":        holdsPaths,
	"path":               holdsPaths,
	"periodic_functions": holdsCode,
	"precmd_functions":   holdsCode,
	"preexec_functions":  holdsCode,
	"saliases":           holdsCode,
	"zshexit_functions":  holdsCode,
}

// zshBuiltins are builtins that only zsh has, and functions that come with it
// (zshbuiltins(1), zshmodules(1), zshcontrib(1)).
var zshBuiltins = map[string]builtinKind{
	"add-zle-hook-widget": runsWith,
	"add-zsh-hook":        runsWith,
	"disable":             changesAll,
	"functions":           runsWith,
	"print":               shows,
	"sched":               runsWith,
	"zargs":               runsWith,
	"zcalc":               runsWith,
	"zcp":                 runsWith,
	"zln":                 runsWith,
	"zmodload":            loads,
	"zmv":                 runsWith,
	"zpty":                runsWith,
	"zstyle":              runsWith,
}

// zshRunners are the letters of the options with which some of those run what
// they are given; the others always do.
var zshRunners = map[string]string{
	"functions": "cM",
	"zstyle":    "e",
}

// plainModules add nothing that runs commands, opens files or connects
// (zshmodules(1)).
const plainModules = " zsh/complete zsh/complist zsh/computil zsh/curses zsh/datetime zsh/langinfo zsh/mathfunc zsh/nearcolor zsh/parameter zsh/pcre" +
	" zsh/private zsh/regex zsh/rlimits zsh/stat zsh/termcap zsh/terminfo zsh/watch zsh/zle zsh/zleparameter zsh/zprof zsh/zutil "
