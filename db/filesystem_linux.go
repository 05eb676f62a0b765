package db

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// FileSystemOf returns the file system of a directory. One that cannot be told is
// taken for local.
func FileSystemOf(dir string) FileSystem {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return FileSystem{Name: "an unknown file system"}
	}
	return fileSystem(uint32(s.Type))
}

// fileSystem names a file system by its magic number (statfs(2)).
func fileSystem(magic uint32) FileSystem {
	if f, ok := fileSystems[magic]; ok {
		return f
	}
	return FileSystem{Name: fmt.Sprintf("file system 0x%x", magic)}
}
