package commands

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"mayi/shellparse"
)

// maxInput is how much of a script or of standard input is read. It is more
// than is judged, so that a source that is too long is told from one that ends.
const maxInput = shellparse.MaxSource + 1

// question reads what a command was asked about: one argument is a line of
// shell, several are an argv, "-" alone reads the line from standard input, and
// of another permission every argument is one pattern.
func (g *gate) question(c *cli.Context) (*question, error) {
	args := c.Args().Slice()
	permission := "bash"
	if judges(c.Command) {
		permission = textFlag(c, "permission")
	}
	script := c.String("file")
	switch {
	case permission == "":
		return nil, usagef("the permission is empty")
	case script != "" && len(args) > 0:
		return nil, usagef("-f judges a script, there is no place for %q beside it", args[0])
	case script != "":
		return g.script(script, c.IsSet("shell"))
	case len(args) == 0:
		return nil, &usageError{"what should be judged?", "mayi " + c.Command.Name + " 'git status && make'"}
	case permission != "bash":
		return g.tools(permission, args)
	case boolFlag(c, "argv") || len(args) > 1:
		return g.words(args)
	case args[0] == "-":
		source, err := io.ReadAll(io.LimitReader(g.stdin, maxInput))
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return g.line(string(source))
	}
	return g.line(args[0])
}

// script makes a question of a file. Its first line says which shell it is for,
// unless a flag does.
func (g *gate) script(path string, shellNamed bool) (*question, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, fmt.Errorf("script %s: %w", path, rootCause(err))
	}
	defer f.Close()
	source, err := io.ReadAll(io.LimitReader(f, maxInput))
	if err != nil {
		return nil, fmt.Errorf("script %s: %w", path, rootCause(err))
	}
	first, _, _ := strings.Cut(string(source), "\n")
	if shellNamed || !strings.HasPrefix(first, "#!") {
		return g.line(string(source))
	}
	m := interpreter.FindStringSubmatch(first)
	if m == nil {
		return nil, &inputError{fmt.Sprintf("script %s starts with %q, which is no shell that is known here; --shell says which one to read it for", path, first)}
	}
	if _, err := shellparse.ParseShell(m[1]); err != nil {
		return nil, &inputError{fmt.Sprintf("script %s is for %s, not for a shell that is read here", path, m[1])}
	}
	g.shell = m[1]
	return g.line(string(source))
}

// interpreter finds the program in a first line that starts it and nothing else,
// with options that change nothing in how the script is read.
var interpreter = regexp.MustCompile(`^#! ?(?:/usr/bin/env |(?:/usr|/usr/local)?/bin/)(\w+)(?: -[eux]+)?\s*$`)

// judgeable refuses text that no shell reads the way it is written.
func judgeable(text string) error {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return &inputError{fmt.Sprintf("the input holds a NUL byte at offset %d, which shells drop or stop at", i)}
	}
	if !utf8.ValidString(text) {
		i := strings.IndexRune(text, utf8.RuneError)
		return &inputError{fmt.Sprintf("the input is not UTF-8: byte 0x%02x at offset %d; spell it as $'\\x%02x'", text[i], i, text[i])}
	}
	return nil
}
