package shellparse

// printers are programs that print code of their own for the shell that a person
// works in, which their manuals say to evaluate, by the word behind the name that
// makes them do so; "" is any. None prints what it is given or reads elsewhere.
var printers = map[string]string{
	"atuin":                       "init",
	"brew":                        "shellenv",
	"dircolors":                   "",
	"direnv":                      "hook export",
	"fnm":                         "env",
	"fzf":                         "--bash --zsh --fish",
	"helm":                        "completion",
	"jenv":                        "init",
	"keychain":                    "",
	"kubectl":                     "completion",
	"lesspipe":                    "",
	"luarocks":                    "path",
	"mayi":                        "init completion",
	"mcfly":                       "init",
	"minikube":                    "docker-env",
	"mise":                        "activate env",
	"nodenv":                      "init",
	"opam":                        "env",
	"pyenv":                       "init virtualenv-init",
	"rbenv":                       "init",
	"register-python-argcomplete": "",
	"ssh-agent":                   "",
	"starship":                    "init",
	"thefuck":                     "--alias",
	"zoxide":                      "init",
}
