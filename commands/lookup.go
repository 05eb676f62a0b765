package commands

import (
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// lookPath finds the file that $PATH finds for a program's name, and does not see
// the shims that `mayi init shims` made: what they stand for is what is judged
// and run. shims are the directories in which one was passed by. A program in a
// directory that is not absolute is passed by too, and is ErrDot if there is no other.
func (e *env) lookPath(name string) (file string, shims []string, err error) {
	if strings.Contains(name, "/") {
		file, err = exec.LookPath(name)
		return file, nil, err
	}
	err = exec.ErrNotFound
	for _, dir := range filepath.SplitList(e.path) {
		if dir == "" {
			dir = "." // as in a shell
		}
		file := filepath.Join(dir, name)
		if !filepath.IsAbs(dir) {
			file = "./" + file
		}
		switch _, e := exec.LookPath(file); {
		case e != nil:
			if errors.Is(e, fs.ErrPermission) {
				err = e
			}
		case isShim(file):
			shims = append(shims, dir)
		case !filepath.IsAbs(dir):
			err = exec.ErrDot // what is run must not depend on where that is
		default:
			return file, shims, nil
		}
	}
	return "", shims, err
}

// find is the file that $PATH finds for a program's name, "" if none.
func (e *env) find(name string) string {
	if name == "" {
		return ""
	}
	file, _, err := e.lookPath(name)
	if err != nil {
		return ""
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	return abs
}

// pathWithout is $PATH without some of its directories.
func (e *env) pathWithout(dirs []string) string {
	left := slices.DeleteFunc(filepath.SplitList(e.path), func(dir string) bool { return slices.Contains(dirs, dir) })
	return strings.Join(left, string(filepath.ListSeparator))
}

// isDot reports whether a program was found only in a directory of $PATH that is
// not absolute.
func isDot(err error) bool { return errors.Is(err, exec.ErrDot) }
