package db

import "golang.org/x/sys/unix"

// born is when a file was made, in nanoseconds.
func born(path string) int64 {
	var s unix.Stat_t
	if unix.Stat(path, &s) != nil {
		return 0
	}
	return s.Btim.Nano()
}
