// Package completions holds the completion scripts of the shells.
package completions

import _ "embed"

var (
	//go:embed mayi.bash
	bash string
	//go:embed mayi.zsh
	zsh string
	//go:embed mayi.fish
	fish string
)

// Script returns the completion script of a shell.
func Script(shell string) (script string, ok bool) {
	switch shell {
	case "bash":
		return bash, true
	case "zsh":
		return zsh, true
	case "fish":
		return fish, true
	}
	return "", false
}
