package shellparse

// builtins are those that matter for what the rest of a line means, or that run
// what they are given (bash manual, Shell Builtin Commands; dash(1);
// zshbuiltins(1)). Carriers among them have their own table.
var builtins = map[string]builtinKind{
	".":         sources,
	"[":         evaluates,
	"alias":     aliases,
	"argparse":  hides, // of fish: NAME=!SCRIPT
	"bind":      hides,
	"break":     leaves,
	"cd":        changesDir,
	"chdir":     changesDir,
	"compgen":   hides,
	"complete":  hides,
	"continue":  leaves,
	"declare":   declares,
	"emulate":   hides, // of zsh, as are setopt and unsetopt
	"enable":    changesAll,
	"export":    declares,
	"fc":        reruns,
	"float":     declares,
	"getopts":   setsNames,
	"hash":      remembers,
	"integer":   declares,
	"jobs":      hides,
	"let":       computes,
	"local":     declares,
	"mapfile":   setsNames,
	"popd":      changesDir,
	"printf":    setsNames,
	"pushd":     changesDir,
	"read":      setsNames,
	"readarray": setsNames,
	"readonly":  declares,
	"return":    leaves,
	"set":       setsOptions,
	"setopt":    changesAll,
	"shift":     shifts,
	"shopt":     setsOptions,
	"source":    sources,
	"test":      evaluates,
	"trap":      traps,
	"typeset":   declares,
	"unset":     setsNames,
	"unsetopt":  changesAll,
	"wait":      setsNames,
}
