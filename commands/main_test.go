package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mayi/db"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mayi":     func() { os.Exit(int((&app{os.Stdin, os.Stdout, os.Stderr, variable, testAccount}).main(os.Args))) },
		"terminal": terminalMain,
	})
}

// testAccount stands for passwd(5): the account of a test is one whose home
// directory is the test's own.
func testAccount() string {
	if home, ok := os.LookupEnv("TEST_ACCOUNT"); ok {
		return home
	}
	return os.Getenv("HOME")
}

// patience is how long a test waits for what is sure to come.
const patience = 60 * time.Second

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("DB", filepath.Join(home, ".local/state/mayi/mayi.db"))
			for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "MAYI_DB", "MAYI_AGENT", "MAYI_SESSION", "MAYI_PERMISSION"} {
				e.Setenv(name, "")
			}
			return errors.Join(os.MkdirAll(filepath.Join(home, ".config/mayi"), 0o700), os.MkdirAll(filepath.Join(e.WorkDir, ".git"), 0o700))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  scriptStatus,
			"pending": scriptPending,
			"person":  scriptPerson,
			"settled": scriptSettled,
		},
	})
}

// scriptStatus runs a program and demands its exit status: status 2 mayi check x.
func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	have := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		have = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if have != want {
		ts.Fatalf("%s: exit status %d, want %d", strings.Join(args[1:], " "), have, want)
	}
}

// scriptPerson runs a program as a person does, at a terminal that has nothing to
// do with what asks, and demands its exit status. What is typed, if anything, is a Go string that
// follows once the screen shows a text:
//
//	person 0 mayi trust
//	person 0 'type' '{code}\r' mayi trust
//
// where {code} is the one that mayi trust shows.
//
// What the screen showed is left in the file "screen".
func scriptPerson(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: person CODE [TEXT KEYS] PROGRAM ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	args = args[1:]
	var text, keys string
	if args[0] != "mayi" && args[0] != "sh" {
		if len(args) < 3 {
			ts.Fatalf("usage: person CODE [TEXT KEYS] mayi ARG…")
		}
		text = args[0]
		keys, err = strconv.Unquote(`"` + args[1] + `"`)
		ts.Check(err)
		args = args[2:]
	}
	cmd := emulated(exec.Command(args[0], args[1:]...))
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "PATH", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "MAYI_DB", "MAYI_SESSION"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	keyboard, err := cmd.StdinPipe()
	ts.Check(err)
	defer keyboard.Close()
	screen, err := cmd.StdoutPipe()
	ts.Check(err)
	cmd.Stderr = cmd.Stdout
	ts.Check(cmd.Start())
	var seen bytes.Buffer
	for buf := make([]byte, 4096); ; {
		n, err := screen.Read(buf)
		seen.Write(buf[:n])
		if keys != "" && strings.Contains(plain(seen.String()), text) {
			keys = strings.ReplaceAll(keys, "{code}", codeOn(seen.String()))
			_, err := io.WriteString(keyboard, keys)
			ts.Check(err)
			keys = ""
		}
		if err != nil {
			break
		}
	}
	_ = cmd.Wait()
	shown := strings.ReplaceAll(plain(seen.String()), "\r\n", "\n")
	ts.Check(os.WriteFile(ts.MkAbs("screen"), []byte(shown), 0o600))
	if have := cmd.ProcessState.ExitCode(); have != want {
		ts.Fatalf("%s: exit status %d, want %d\n%s", strings.Join(args, " "), have, want, shown)
	}
}

// scriptPending waits until so many requests are pending: pending 3.
func scriptPending(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(watchUntil(ts.Getenv("DB"), func(list []db.Request) bool { return len(list) == want }))
}

// scriptSettled waits until a request is not pending: settled 1.
func scriptSettled(ts *testscript.TestScript, neg bool, args []string) {
	id, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	ts.Check(watchUntil(ts.Getenv("DB"), func(list []db.Request) bool {
		for _, r := range list {
			if r.ID == id {
				return false
			}
		}
		return true
	}))
}

// watchUntil looks at the pending requests each time the watchers' bells ring,
// until they are as wanted.
func watchUntil(path string, done func([]db.Request) bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	store, err := db.Open(ctx, path)
	if err != nil {
		return err
	}
	defer store.Close()
	bell, err := db.Listen(store.Bells(), db.WatcherBell)
	if err != nil {
		return err
	}
	defer bell.Close()
	for {
		list, err := store.Pending(ctx, db.Filter{})
		if err != nil {
			return err
		}
		if done(list) {
			return nil
		}
		select {
		case <-bell.C():
		case <-time.After(200 * time.Millisecond): // a death rings no bell
		case <-ctx.Done():
			return fmt.Errorf("still %d pending requests", len(list))
		}
	}
}
