package db

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A Bell is a process's own socket. A ring means "look again", nothing more:
// what is sent is thrown away, so a forged ring costs one look at a row.
//
// All methods work on a nil *Bell, which never rings. Who has none looks at the
// row by the clock.
type Bell struct {
	path  string
	conn  *net.UnixConn
	rings chan struct{}
}

// BellKind says who listens, and is the first word of the socket's name.
type BellKind string

const (
	AskerBell   BellKind = "ask"
	WatcherBell BellKind = "watch" // also rung by RingWatchers
)

// newPrefix is the name of a socket on its way. Between its making and its
// being ready a socket refuses connections, as a dead one does.
const newPrefix = ".new-"

// Listen binds a bell of its own in a directory, which it creates if need be,
// and removes those whose owners are gone. The path may be of any length on
// Linux; elsewhere one longer than a socket address (103 bytes) does not fit.
// Where it cannot bind there, or several machines share the directory, it binds
// in one of the user's own on this machine.
func Listen(dir string, kind BellKind) (*Bell, error) {
	b, err := listenIn(dir, kind, "", os.MkdirAll)
	if err == nil {
		return b, nil
	}
	for _, away := range awayDirs() {
		if b, awayErr := listenIn(away, kind, awaySuffix, os.Mkdir); awayErr == nil {
			return b, nil
		}
	}
	return nil, fmt.Errorf("bell in %s: %w", dir, err)
}

func listenIn(dir string, kind BellKind, suffix string, mkdir func(string, fs.FileMode) error) (*Bell, error) {
	if FileSystemOf(filepath.Dir(dir)).Network {
		return nil, errNetwork
	}
	if err := mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := checkBellDir(dir); err != nil {
		return nil, err
	}
	SweepBells(dir)
	return bind(dir, kind, suffix)
}

var errNetwork = errors.New("it is on a network file system")

// awaySuffix ends the name of a bell that is not beside the database, so that it
// is looked for where it is.
const awaySuffix = ".away"

func isAway(bell string) bool { return strings.HasSuffix(bell, awaySuffix) }

// awayDirs are where bells are that cannot be beside the database: who rings must
// find them too, so no variable says where that is. The first is what
// $XDG_RUNTIME_DIR is where systemd or elogind make it.
func awayDirs() []string {
	return []string{fmt.Sprintf("/run/user/%d/mayi", os.Geteuid()), fmt.Sprintf("/tmp/mayi-%d", os.Geteuid())}
}

// bind binds a bell in a directory that is there.
func bind(dir string, kind BellKind, suffix string) (*Bell, error) {
	name := rand.Text()[:16]
	b := &Bell{path: filepath.Join(dir, string(kind)+"-"+name+suffix), rings: make(chan struct{}, 1)}
	fresh := filepath.Join(dir, newPrefix+name)
	err := reach(fresh, func(short string) (err error) {
		b.conn, err = net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: short})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("bell in %s: %w", dir, err)
	}
	if err := os.Rename(fresh, b.path); err != nil {
		b.conn.Close()
		os.Remove(fresh)
		return nil, fmt.Errorf("bell in %s: %w", dir, err)
	}
	go b.listen()
	return b, nil
}

func (b *Bell) listen() {
	for {
		var thrown [1]byte
		if _, err := b.conn.Read(thrown[:]); err != nil {
			return // closed
		}
		select {
		case b.rings <- struct{}{}:
		default: // one is waiting already, and as good as two
		}
	}
}

// Path returns the path to ring, "" for no bell.
func (b *Bell) Path() string {
	if b == nil {
		return ""
	}
	return b.path
}

// C receives after the bell was rung, once for any number of rings.
func (b *Bell) C() <-chan struct{} {
	if b == nil {
		return nil
	}
	return b.rings
}

// Close removes the bell. A request that still waits with it is a ghost then.
func (b *Bell) Close() error {
	if b == nil {
		return nil
	}
	return errors.Join(os.Remove(b.path), b.conn.Close())
}

// bellName is what is stored of a bell's path.
func bellName(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}

// bellPath is where a stored bell is. A name that is none leads nowhere else, and
// neither does a directory that others may enter.
func (db *DB) bellPath(name string) string {
	name = bellName(name)
	if !isAway(name) {
		return bellIn(db.Bells(), name)
	}
	path := ""
	for _, dir := range awayDirs() {
		if checkBellDir(dir) != nil {
			continue
		}
		path = bellIn(dir, name)
		if _, err := os.Lstat(path); err == nil {
			break
		}
	}
	return cmp.Or(path, bellIn(awayDirs()[0], name))
}

func bellIn(dir, name string) string {
	if name == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// Ring rings a bell and does not wait. A bell with unheard rings in its queue
// counts as rung.
func Ring(path string) error {
	err := dial(path, func(fd int, to unix.Sockaddr) error {
		return unix.Sendto(fd, []byte{0}, unix.MSG_DONTWAIT, to)
	})
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.ENOBUFS) {
		return nil
	}
	return err
}

// RingWatchers rings the bells of the watchers in a directory, and of those that
// could not be there. One that cannot be rung looks by the clock.
func RingWatchers(dir string) {
	ringWatchersIn(dir)
	for _, away := range awayDirs() {
		if checkBellDir(away) == nil {
			ringWatchersIn(away)
		}
	}
}

func ringWatchersIn(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), string(WatcherBell)+"-") {
			Ring(filepath.Join(dir, e.Name()))
		}
	}
}

// probe finds out whether somebody listens, without ringing.
func probe(path string) error { return dial(path, unix.Connect) }

func dial(path string, use func(fd int, to unix.Sockaddr) error) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("bell %q: %w", path, unix.EINVAL) // on Linux, @ would be another space of names
	}
	err := reach(path, func(short string) error {
		syscall.ForkLock.RLock() // macOS has no SOCK_CLOEXEC
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
		if err == nil {
			unix.CloseOnExec(fd)
		}
		syscall.ForkLock.RUnlock()
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return use(fd, &unix.SockaddrUnix{Name: short})
	})
	if err != nil {
		return fmt.Errorf("bell %s: %w", path, err)
	}
	return nil
}

// checkBellDir refuses a directory that others may enter: they could ring, or put
// sockets of their own there.
func checkBellDir(dir string) error {
	d, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !d.IsDir():
		return fmt.Errorf("%w: it is not a directory", ErrUnsafe)
	case owner(d) != os.Geteuid():
		return fmt.Errorf("%w: it belongs to user %d", ErrUnsafe, owner(d))
	case d.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%w: others may enter it (mode %v)", ErrUnsafe, d.Mode().Perm())
	}
	return nil
}

// TryBell binds a socket in a directory, rings it, hears it and removes it, and
// leaves all others alone.
func TryBell(dir string) error {
	if err := checkBellDir(dir); err != nil {
		return fmt.Errorf("bell in %s: %w", dir, err)
	}
	b, err := bind(dir, "try", "")
	if err != nil {
		return err
	}
	defer b.Close()
	if err := Ring(b.path); err != nil {
		return err
	}
	select {
	case <-b.C():
		return nil
	case <-time.After(time.Second):
		return fmt.Errorf("bell %s: it was rung and not heard", b.path)
	}
}

// SweepBells removes the sockets whose owners are gone.
func SweepBells(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.Type() == fs.ModeSocket && !strings.HasPrefix(e.Name(), newPrefix) && errors.Is(probe(path), unix.ECONNREFUSED) {
			os.Remove(path)
		}
	}
}
