package db

import "golang.org/x/sys/unix"

// FileSystemOf returns the file system of a directory. One that cannot be told is
// taken for local.
func FileSystemOf(dir string) FileSystem {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return FileSystem{Name: "an unknown file system"}
	}
	return FileSystem{Name: unix.ByteSliceToString(s.Fstypename[:]), Network: s.Flags&unix.MNT_LOCAL == 0}
}
