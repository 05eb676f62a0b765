package shellparse

// holdings are the variables in which a program finds more of its arguments, code
// or settings. That make expands MAKEFLAGS as it expands its makefiles was measured,
// as were TAR_OPTIONS, ZIPOPT, GIT_CONFIG_PARAMETERS, PERL5OPT and PERL5DB; the
// others are from the manual page of the program that reads them.
var holdings = map[string]holding{
	"ANSIBLE_SSH_ARGS":      {options: "ssh"},
	"EXINIT":                {code: "ex"},
	"FZF_DEFAULT_OPTS":      {options: "fzf"},
	"GIT_CONFIG_PARAMETERS": {setting: "git"},
	"GNUMAKEFLAGS":          {options: "make", code: "make"},
	"GVIMINIT":              {code: "ex"},
	"LESS":                  {options: "less"},
	"MAKEFLAGS":             {options: "make", code: "make"},
	"MANOPT":                {options: "man"},
	"PERL5DB":               {code: "any"},
	"PERL5OPT":              {options: "perl"},
	"SYSTEMD_LESS":          {options: "less"},
	"TAR_OPTIONS":           {options: "tar"},
	"VIMINIT":               {code: "ex"},
	"ZIPOPT":                {options: "zip"},
}
