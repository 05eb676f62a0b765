package db

// A FileSystem is where a file lies. On one that several machines share, or that
// a program serves, neither WAL nor sockets work: WAL needs memory that all
// processes share (sqlite.org/wal.html), a socket needs one kernel.
type FileSystem struct {
	Name    string
	Network bool
}
