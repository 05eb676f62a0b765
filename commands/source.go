package commands

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"mayi/rules"
)

// A configSource is a file that may hold config, and its place.
type configSource struct {
	kind     rules.LayerKind
	path     string
	name     string // as messages and origins show it
	required bool
	project  bool
	plain    bool // a symbolic link is not followed
	owner    owner
}

// owner says whose a file has to be, for nobody else to write to it.
type owner uint8

const (
	ownerAny  owner = iota // what it says is not believed, or the caller named it
	ownerUser              // the user or root, and the group may write to it
	ownerRoot              // root alone, the directory too
)

// A document is a file as it was read: once, so that what is judged, hashed and
// shown are the same bytes.
type document struct {
	data []byte
	info fs.FileInfo // of the file that was read
}

// readConfig reads one file. Both are nil where there is none and none is needed.
func (e *env) readConfig(s configSource) (*rules.File, *document, error) {
	read, err := readSmall(s.path, s.plain)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !s.required, errors.Is(err, syscall.ENOTDIR) && !s.required:
		return nil, nil, nil
	case err != nil:
		return nil, nil, &rules.ConfigError{File: s.name, Msg: "cannot be read: " + rootCause(err).Error(), Hint: "nothing is judged by a config that cannot be read; mend it or move it away"}
	}
	if why := s.owner.mistrusts(s.path, read.info); why != "" {
		return nil, nil, &rules.ConfigError{File: s.name, Msg: "is not safe to go by: " + why, Hint: "give it its owner back and take the write permission of others away (chmod go-w), once you know what it says"}
	}
	f, err := rules.ParseFile(s.name, read.data, e.expansion())
	return f, read, err
}

// readSmall reads a regular file of at most one byte more than a config may have.
// Opening does not wait for the other end of a fifo. Where the file has to be
// plain, its own name must not be a symbolic link. Another name that it has besides
// (a hard link) is no matter: what is read is what counts, whoever wrote it how.
func readSmall(path string, plain bool) (*document, error) {
	flags := os.O_RDONLY | nonblock
	if plain {
		flags |= unix.O_NOFOLLOW
	}
	f, err := os.OpenFile(path, flags, 0)
	switch {
	case plain && errors.Is(err, unix.ELOOP):
		return nil, errors.New("it is a symbolic link")
	case errors.Is(err, unix.ENXIO): // open(2): a socket
		return nil, errors.New("it is not a regular file")
	case err != nil:
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, rules.MaxFile+1))
	return &document{data, info}, err
}

// mistrusts says who else could have written a file, "" for nobody. The group of a
// user's own file may be theirs alone (umask 002), and root in a container reads
// the files of the user outside.
func (o owner) mistrusts(path string, info fs.FileInfo) string {
	switch o {
	case ownerUser:
		if info.Mode().Perm()&0o002 != 0 {
			return "everybody may write to it" + modeOf(info)
		}
		if uid := uidOf(info); uid != 0 && uid != os.Geteuid() && os.Geteuid() != 0 {
			return fmt.Sprintf("it belongs to user %d", uid)
		}
	case ownerRoot:
		if why := writers(info, 0); why != "" {
			return why
		}
		dir, err := os.Lstat(filepath.Dir(path))
		switch {
		case err != nil:
			return "its directory cannot be looked at: " + rootCause(err).Error()
		case !dir.IsDir():
			return "its directory is a symbolic link"
		}
		if why := writers(dir, 0); why != "" {
			return "its directory: " + why
		}
	}
	return ""
}

// writers says who else than root and this user may write to a file, "" for nobody.
func writers(info fs.FileInfo, user int) string {
	switch uid := uidOf(info); {
	case uid != 0 && uid != user:
		return fmt.Sprintf("it belongs to user %d", uid)
	case info.Mode().Perm()&0o022 != 0:
		return "others may write to it" + modeOf(info)
	}
	return ""
}

func modeOf(info fs.FileInfo) string { return fmt.Sprintf(" (mode %04o)", info.Mode().Perm()) }

func uidOf(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

// rootCause drops the operation and the path that an error of package os names.
func rootCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
