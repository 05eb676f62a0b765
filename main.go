// Mayi is a permission gate for commands. See README.md.
package main

import (
	"os"

	"mayi/commands"
)

func main() {
	os.Exit(int(commands.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)))
}
