// Package scripts holds the code that mayi hands to a shell. Beside it stand the
// programs that build and test mayi itself.
//
// Each text names the program as @MAYI@, which stands for its quoted absolute
// path. It is read by people who want to know what runs at their every Enter, so
// its comments go along.
package scripts

import _ "embed"

var (
	//go:embed init.bash
	Bash string
	//go:embed init.zsh
	Zsh string
	//go:embed init.fish
	Fish string
	//go:embed env.bash
	BashEnv string
	//go:embed env.zsh
	ZshEnv string
)
