package commands

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

// shimHead is how a shim begins, and what it is known by.
const shimHead = "#!/bin/sh\n# A shim of mayi: "

func (a *app) initShims() *cli.Command {
	return &cli.Command{
		Name:      "shims",
		Usage:     "fill a directory for the front of $PATH with programs that run commands through `mayi run`",
		ArgsUsage: "DIR NAME…",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "shell", Value: "bash", Usage: "the shell for which the code that sets $PATH is printed: bash, zsh, fish"},
			&cli.BoolFlag{Name: "remove", Usage: "remove the shims of these names, or all of them, and the directory if nothing is left"},
		},
		Action: a.do(func(c *cli.Context, e *env) error {
			dialect, ok := wrappers[textFlag(c, "shell")]
			if !ok {
				return usagef("no code for %q: it is one of bash, zsh, fish", textFlag(c, "shell"))
			}
			dir, err := filepath.Abs(c.Args().First())
			names := c.Args().Tail()
			switch {
			case !c.Args().Present() || len(names) == 0 && !boolFlag(c, "remove"):
				return &usageError{"which directory, and which commands?", "mayi init shims ~/.mayi/shims rm docker"}
			case err != nil:
				return err
			case strings.ContainsAny(dir, ":\n"):
				return usagef("a directory of $PATH has no colon in its name: %s", dir)
			}
			for _, name := range names {
				if ofTheShell(name) && !boolFlag(c, "remove") {
					return usagef("%s is part of the shell itself, which looks for no file of that name", name)
				}
				if !wrappable(name) {
					return usagef("%q is no name of a command that can be wrapped", name)
				}
			}
			if boolFlag(c, "remove") {
				return removeShims(dir, names)
			}
			program, err := e.program(c, sparing(quoteSh))
			if err != nil {
				return err
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			for _, name := range names {
				if err := writeShim(dir, name, program); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintln(e.out.out, dialect.path(dir))
			return err
		}),
	}
}

// writeShim puts a shim into its place whole, for it may be run meanwhile. Another
// file of that name is left alone.
func writeShim(dir, name, program string) error {
	path := filepath.Join(dir, name)
	if _, err := os.Lstat(path); err == nil && !isShim(path) {
		return fmt.Errorf("%s: there is a file that is no shim: %w", path, fs.ErrExist)
	}
	f, err := os.CreateTemp(dir, ".shim-*")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s%s is judged, and run if it may be.\nexec %s run --argv -- %s \"$@\"\n", shimHead, name, program, name)
	err = errors.Join(err, f.Chmod(0o755), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// removeShims removes shims and nothing else.
func removeShims(dir string, names []string) error {
	if len(names) == 0 {
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if !isShim(path) {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	_ = os.Remove(dir) // if it is empty
	return nil
}

// isShim reports whether a file is a shim that mayi wrote.
func isShim(path string) bool {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(shimHead))
	_, err = io.ReadFull(bufio.NewReader(f), head)
	return err == nil && string(head) == shimHead
}
