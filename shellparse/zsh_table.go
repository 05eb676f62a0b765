package shellparse

// zshSpecials are the variables of zsh that change what names mean, or that hold
// code (zshparam(1), zsh/parameter in zshmodules(1), zshmisc(1) on hook
// functions).
var zshSpecials = map[string]struct{}{
	"aliases":            {},
	"cdpath":             {},
	"chpwd_functions":    {},
	"commands":           {},
	"dis_aliases":        {},
	"dis_functions":      {},
	"fpath":              {},
	"functions":          {},
	"galiases":           {},
	"module_path":        {},
	"path":               {},
	"periodic_functions": {},
	"precmd_functions":   {},
	"preexec_functions":  {},
	"saliases":           {},
	"zshexit_functions":  {},
}
