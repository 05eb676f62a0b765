package db

import (
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// maxSocketPath is the longest path that fits a socket address, in bytes:
// sun_path has 108, the last one for the terminator (unix(7)).
const maxSocketPath = 107

// reach calls use with a name of the path that fits a socket address: a long
// one is named through its directory, held open.
func reach(path string, use func(short string) error) error {
	if len(path) <= maxSocketPath {
		return use(path)
	}
	dir, err := unix.Open(filepath.Dir(path), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(dir)
	return use(fmt.Sprintf("/proc/self/fd/%d/%s", dir, filepath.Base(path)))
}
