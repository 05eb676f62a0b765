package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// nonblock opens a fifo without waiting for its other end.
const nonblock = unix.O_NONBLOCK

// errPromptOver ends a prompt that nobody needs to answer any more.
var errPromptOver = errors.New("the prompt is over")

// A terminal is the controlling terminal of this process, opened for a prompt.
// Reads from it end when the context does.
type terminal struct {
	ctx   context.Context
	file  *os.File
	wake  *os.File // readable once ctx is done
	stop  func() bool
	saved unix.Termios
}

// openTerminal opens /dev/tty. Standard input and output are never a terminal to
// ask at: they may be anybody's.
func openTerminal(ctx context.Context) (*terminal, error) {
	file, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	saved, err := unix.IoctlGetTermios(int(file.Fd()), ioctlGetTermios)
	if err != nil {
		file.Close()
		return nil, err
	}
	wake, waker, err := os.Pipe()
	if err != nil {
		file.Close()
		return nil, err
	}
	t := &terminal{ctx: ctx, file: file, wake: wake, saved: *saved}
	t.stop = context.AfterFunc(ctx, func() { waker.Close() })
	return t, nil
}

// close puts the modes of the terminal back and closes it.
func (t *terminal) close() {
	t.restore()
	t.stop()
	t.wake.Close()
	t.file.Close()
}

func (t *terminal) restore() {
	_ = unix.IoctlSetTermios(int(t.file.Fd()), ioctlSetTermios, &t.saved)
}

// raw turns off echo, lines and the keys that send signals.
func (t *terminal) raw() error {
	m := t.saved
	m.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG
	m.Cc[unix.VMIN], m.Cc[unix.VTIME] = 1, 0
	return unix.IoctlSetTermios(int(t.file.Fd()), ioctlSetTermios, &m)
}

// flush throws away what was typed before the question could be seen.
func (t *terminal) flush() {
	_ = flushInput(int(t.file.Fd()))
}

// foreground reports whether the terminal listens to this process group. Reading
// from the background would stop the process.
func (t *terminal) foreground() bool {
	pgrp, err := unix.IoctlGetInt(int(t.file.Fd()), unix.TIOCGPGRP)
	return err == nil && pgrp == unix.Getpgrp()
}

// lock waits until this process may ask at the terminal: it is in the
// foreground, and no other question is open there. The lock is a flock beside
// the database, so a crash frees it. busy is called once if it has to wait.
func (t *terminal) lock(dir string, busy func()) (unlock func(), err error) {
	// By the terminal's own device: /dev/tty is one for all of them.
	device := controllingTerminal()
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("tty-%d.lock", device)), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for first := true; ; first = false {
		if t.foreground() && unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			return func() { f.Close() }, nil
		}
		if first {
			busy()
		}
		select {
		case <-t.ctx.Done():
			f.Close()
			return nil, errPromptOver
		case <-time.After(150 * time.Millisecond):
		}
	}
}

// wait blocks until there is something to read. A timeout of 0 waits for good.
func (t *terminal) wait(timeout time.Duration) (ready bool, err error) {
	ms := -1
	if timeout > 0 {
		ms = int(timeout.Milliseconds())
	}
	fds := []unix.PollFd{
		{Fd: int32(t.file.Fd()), Events: unix.POLLIN},
		{Fd: int32(t.wake.Fd()), Events: unix.POLLIN},
	}
	for {
		n, err := unix.Poll(fds, ms)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return false, err
		case fds[1].Revents != 0 || t.ctx.Err() != nil:
			return false, errPromptOver
		}
		return n > 0, nil
	}
}

// burst reads all that has come in at once: one key, or several that no person
// pressed one after the other.
func (t *terminal) burst() ([]byte, error) {
	if _, err := t.wait(0); err != nil {
		return nil, err
	}
	buf := make([]byte, 4096)
	n, err := unix.Read(int(t.file.Fd()), buf)
	if err != nil || n == 0 {
		return nil, io.EOF // hung up
	}
	if buf[n-1] == escape {
		// The key, or the beginning of a sequence on a slow line.
		if more, err := t.wait(50 * time.Millisecond); err == nil && more {
			m, _ := unix.Read(int(t.file.Fd()), buf[n:])
			n += max(m, 0)
		}
	}
	return buf[:n], nil
}

// Keys as they come from a terminal.
const (
	ctrlC     = 3
	ctrlD     = 4
	ctrlU     = 21
	escape    = 27
	backspace = 127
)

// Read is the input of a list to choose from: it passes on the keys that mean
// something there, Ctrl-C for each of the three that give up, and nothing else.
func (t *terminal) Read(p []byte) (int, error) {
	for {
		b, err := t.burst()
		if err != nil {
			return 0, err
		}
		if keys := choosing(b); len(keys) > 0 {
			return copy(p, keys), nil
		}
	}
}

// choosing returns the keys of a burst that may choose from a list. A burst of
// several is a paste and is dropped, unless it is arrows that end in at most one
// Enter: a slow line delivers those together. Ctrl-C counts wherever it stands.
func choosing(b []byte) []byte {
	if bytes.IndexByte(b, ctrlC) >= 0 {
		return []byte{ctrlC}
	}
	if len(b) == 1 {
		switch b[0] {
		case ctrlC, ctrlD, escape:
			return []byte{ctrlC}
		case '\r', '\n', '\t':
			return b
		}
		return nil
	}
	rest := b
	for len(rest) >= 3 && rest[0] == escape && (rest[1] == '[' || rest[1] == 'O') && (rest[2] == 'A' || rest[2] == 'B') {
		rest = rest[3:]
	}
	if len(rest) == 0 || len(rest) < len(b) && len(rest) == 1 && (rest[0] == '\r' || rest[0] == '\n') {
		return b
	}
	return nil
}

func (t *terminal) Write(p []byte) (int, error) { return t.file.Write(p) }

// Fd lets a library set the modes of the terminal.
func (t *terminal) Fd() uintptr { return t.file.Fd() }

// readLine asks for a line of free text, beginning with what is there already.
// ok is false when the person gives up.
func (t *terminal) readLine(label, text string) (line string, ok bool, err error) {
	if err := t.raw(); err != nil {
		return "", false, err
	}
	defer t.restore()
	show := func() { fmt.Fprintf(t, "\r\x1b[K%s %s", label, visible(text)) }
	t.flush()
	show()
	for {
		b, err := t.burst()
		if err != nil {
			return "", false, err
		}
		if b[0] == escape && len(b) > 1 {
			continue // an arrow: the line is edited from its end only
		}
		for len(b) > 0 {
			r, n := utf8.DecodeRune(b)
			b = b[n:]
			switch r {
			case '\r', '\n':
				fmt.Fprint(t, "\r\n")
				return text, true, nil
			case ctrlC, ctrlD, escape:
				fmt.Fprint(t, "\r\n")
				return "", false, nil
			case backspace, '\b':
				_, size := utf8.DecodeLastRuneInString(text)
				text = text[:len(text)-size]
			case ctrlU:
				text = ""
			default:
				if r >= ' ' && r != utf8.RuneError {
					text += string(r)
				}
			}
		}
		show()
	}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(f.Fd()), ioctlGetTermios)
	return err == nil
}
