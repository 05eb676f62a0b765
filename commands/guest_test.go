package commands

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"mayi/db"
	"mayi/rules"
)

const guestSays = `{"permission": {"bash": {"make *": "allow", "git push *": "deny"}}}`

// hostileFiles are states of a project's file. Where it cannot be read, everything
// asks, and the message says why; otherwise it may deny, and whether it may allow
// is the question.
var hostileFiles = []struct {
	name   string
	make   func(path string) error
	broken string // what the message says
	trusts bool   // it is trusted where a person trusted these bytes here
	why    string // what the message says where it is not
}{
	{name: "as it should be", make: func(path string) error { return os.WriteFile(path, []byte(guestSays), 0o644) }, trusts: true},
	{name: "another name besides", make: func(path string) error {
		return errors.Join(os.WriteFile(path+".other", []byte(guestSays), 0o644), os.Link(path+".other", path))
	}, trusts: true},
	{name: "a byte order mark", make: says("\ufeff" + guestSays), trusts: true},
	{name: "everybody may write", make: mode(0o646), why: "others may write to it (mode 0646)"},
	{name: "the group may write", make: mode(0o664), why: "others may write to it (mode 0664)"},
	{name: "another user's", make: func(path string) error {
		return errors.Join(os.WriteFile(path, []byte(guestSays), 0o644), os.Chown(path, 12345, -1))
	}, why: "it belongs to user 12345"},

	{name: "a link", make: func(path string) error {
		return errors.Join(os.WriteFile(path+".real", []byte(guestSays), 0o644), os.Symlink(path+".real", path))
	}, broken: "it is a symbolic link"},
	{name: "a link to nothing", make: func(path string) error { return os.Symlink("nowhere", path) }, broken: "it is a symbolic link"},
	{name: "a link to itself", make: func(path string) error { return os.Symlink(path, path) }, broken: "it is a symbolic link"},
	{name: "a fifo", make: func(path string) error { return unix.Mkfifo(path, 0o644) }, broken: "it is not a regular file"},
	{name: "a directory", make: func(path string) error { return os.Mkdir(path, 0o755) }, broken: "it is not a regular file"},
	{name: "a socket", make: func(path string) error {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Base(path), Net: "unix"})
		if err == nil {
			l.SetUnlinkOnClose(false)
			err = errors.Join(l.Close(), os.Rename(filepath.Base(path), path))
		}
		return err
	}, broken: "it is not a regular file"},
	{name: "a device", make: func(path string) error { return unix.Mknod(path, unix.S_IFCHR|0o644, int(unix.Mkdev(1, 5))) }, broken: "it is not a regular file"},
	{name: "closed to all", make: mode(0), broken: "permission denied"},
	{name: "2 MiB", make: says(guestSays + strings.Repeat(" ", 2<<20)), broken: "the file is larger than 1024 KiB"},
	{name: "one byte too many", make: says(guestSays + strings.Repeat(" ", rules.MaxFile+1-len(guestSays))), broken: "the file is larger than 1024 KiB"},
	{name: "nothing", make: says(""), broken: ":1:1: "},
	{name: "a NUL", make: says(guestSays + "\x00"), broken: ":1:68: "},
	{name: "a NUL in a string", make: says("{\"permission\": {\"bash\": {\"make\x00 *\": \"allow\"}}}"), broken: `\x00`},
	{name: "not UTF-8", make: says("{\"permission\": \"allow\"} // \xff"), broken: "this byte (0xff) is not UTF-8"},
	{name: "UTF-16", make: says("\xff\xfe{\x00}\x00"), broken: "this byte (0xff) is not UTF-8"},
	{name: "a key twice", make: says(`{"permission": {"bash": "deny"}, "permission": "allow"}`), broken: `"permission" stands here a second time`},
	{name: "100,000 brackets", make: says(strings.Repeat("[", 100_000)), broken: ":1:"},
	{name: "100,000 brackets that close", make: says(`{"permission": ` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}"), broken: ":1:"},
	{name: "100,000 objects", make: says(strings.Repeat(`{"a":`, 100_000)), broken: ":1:"},
	{name: "a key that would move the cursor", make: says("{\"\\u001b[2J\": 1}"), broken: `unknown key`},
	{name: "two values", make: says(guestSays + guestSays), broken: ":1:68: "},
}

func says(text string) func(string) error {
	return func(path string) error { return os.WriteFile(path, []byte(text), 0o644) }
}

func mode(m os.FileMode) func(string) error {
	return func(path string) error {
		return errors.Join(os.WriteFile(path, []byte(guestSays), 0o644), os.Chmod(path, m))
	}
}

// TestHostileProjectFiles puts each of them into a project whose very bytes are
// trusted, and whose name would colour a terminal.
func TestHostileProjectFiles(t *testing.T) {
	for _, f := range hostileFiles {
		t.Run(f.name, func(t *testing.T) {
			if strings.Contains(f.name, "socket") {
				t.Chdir(t.TempDir()) // its path would be too long
			}
			h := newHome(t)
			project := filepath.Join(h.dir, "p\x1b[31m")
			path := filepath.Join(project, projectFile)
			if err := os.MkdirAll(filepath.Join(project, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := f.make(path); errors.Is(err, os.ErrPermission) {
				t.Skip("only root can make it: ", err)
			} else if err != nil {
				t.Fatal(err)
			}
			store, err := db.Open(t.Context(), h.db())
			if err != nil {
				t.Fatal(err)
			}
			data := []byte(guestSays)
			if read, err := readSmall(path, true); err == nil {
				data = read.data
			}
			if err := store.Trust(t.Context(), path, data, "ann"); err != nil {
				t.Fatal(err)
			}
			store.Close()
			for line, want := range map[string]int{"git status": 0, "make x": 1, "git push": 2, "rm -rf /": 2} {
				switch {
				case f.broken != "" && want < 2, f.broken != "" && line == "git push":
					want = 1
				case f.trusts && line == "make x":
					want = 0
				}
				cmd := closedOut(h.command("check", line))
				cmd.Dir = project
				var message bytes.Buffer
				cmd.Stderr = &message
				_ = cmd.Run()
				if have := cmd.ProcessState.ExitCode(); have != want {
					t.Errorf("%s: exit status %d, want %d\n%s", line, have, want, message.String())
				}
				said := message.String()
				if strings.Contains(said, "\x1b") || len(said) > 4000 {
					t.Errorf("%s: not fit for a terminal: %.200q", line, said)
				}
				if f.broken != "" && !(strings.Contains(said, f.broken) && strings.Contains(said, `p\x1b[31m/.mayi.jsonc`) && strings.Contains(said, "everything asks until it is repaired")) {
					t.Errorf("%s: %q does not say %q", line, said, f.broken)
				}
				if f.why != "" && !strings.Contains(said, "can only deny and ask here: "+f.why) {
					t.Errorf("%s: %q does not say %q", line, said, f.why)
				}
			}
		})
	}
}

// closedOut takes from root what lets it read what is closed to it.
func closedOut(cmd *exec.Cmd) *exec.Cmd {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Geteuid() != 0 {
		return cmd
	}
	cmd.Args = append([]string{setpriv, "--bounding-set", "-dac_override,-dac_read_search", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = setpriv
	return cmd
}

// TestTrustedIsWhatWasRead rewrites a file while it is read again and again: what is
// found trusted says what was trusted.
func TestTrustedIsWhatWasRead(t *testing.T) {
	h := newHome(t)
	project := filepath.Join(h.dir, "project")
	path := filepath.Join(project, projectFile)
	evil := `{"permission": {"bash": {"evil *": "allow", "rm -rf *": "deny"}}}`
	store, err := db.Open(t.Context(), h.db())
	if err == nil {
		err = store.Trust(t.Context(), path, []byte(guestSays), "ann")
		store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for n := 0; ctx.Err() == nil; n++ {
			switch n % 3 {
			case 0:
				_ = os.WriteFile(path, []byte(guestSays), 0o600)
			case 1:
				_ = os.WriteFile(path, []byte(evil), 0o600)
			default:
				_ = os.WriteFile(path+".new", []byte([]string{guestSays, evil}[n/3%2]), 0o600)
				_ = os.Rename(path+".new", path)
			}
			time.Sleep(50 * time.Microsecond)
		}
	}()
	e := &env{home: h.dir, project: project, cwd: project, db: h.db(), out: &printer{out: io.Discard, err: io.Discard}}
	source := configSource{path: path, name: path, project: true, plain: true}
	trusted, guests := 0, 0
	for end := time.Now().Add(patience); time.Now().Before(end) && (trusted < 50 || guests < 50); {
		f, read, err := e.readConfig(source)
		if err != nil || f == nil {
			continue // caught while it was written
		}
		kind := e.standing(source, f, read)
		if kind == rules.Guest {
			guests++
			continue
		}
		trusted++
		if len(f.Rules) != 2 || f.Rules[0].Pattern != "make *" {
			t.Fatalf("trusted: %v", f.Rules)
		}
	}
	stop()
	<-stopped
	if trusted < 50 || guests < 50 {
		t.Errorf("it was trusted %d times, and %d times not", trusted, guests)
	}
}
