package db

import "golang.org/x/sys/unix"

// maxSocketPath is the longest path that fits a socket address, in bytes:
// sun_path has 104, the last one for the terminator (unix(4)).
const maxSocketPath = 103

// reach calls use with the path, if it fits a socket address.
func reach(path string, use func(short string) error) error {
	if len(path) > maxSocketPath {
		return unix.ENAMETOOLONG
	}
	return use(path)
}
