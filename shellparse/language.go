package shellparse

// effects are what code in another language does outside its own program, as
// far as its text says.
type effects struct {
	commands []Word   // texts that a shell is given; a hole where one is computed
	argvs    [][]Word // programs that are started without a shell
	maybe    []string // texts that may be given to a shell: only rules that restrict look at these
	reads    []Word   // files
	writes   []Word
}

// A language finds the effects of code.
type language func(code string) effects

// languages are those that carriers name in their column code.
var languages = map[string]language{}
