package scripts

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mayi is the program of this tree.
var mayi string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "mayi-scripts-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		mayi = filepath.Join(dir, "mayi")
		build := exec.Command("go", "build", "-tags", "sqlite_omit_load_extension osusergo netgo urfave_cli_no_docs", "-o", mayi, "mayi")
		if output, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build mayi: %v\n%s", err, output)
			return 1
		}
		return apart(m)
	}())
}

// patience is how long a program may take to say what is waited for. No test
// depends on it but one that fails.
const patience = time.Minute

// A world is a home with a project in it, a config in which whatever is called
// refused may be neither touched nor written, and a mayi that notes the lines it
// is asked about.
type world struct {
	t   *testing.T
	dir string
	env []string
}

// rules writes what the agent shell adds: whatever is called refused may not be
// touched nor, with files, written; and about what is called asked it asks.
func (w *world) rules(files bool) {
	w.t.Helper()
	edit := ""
	if files {
		edit = `, "edit": {"*refused*": "deny"}`
	}
	w.write("config/mayi/config.jsonc", `{"agents": {"shell": {"permission": {
		"bash": {"touch *refused*": "deny", "tee *refused*": "deny", "touch *asked*": "ask"}`+edit+`}}}}`)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, dir: dir}
	// It notes each call, and is what the code that is installed calls.
	w.write("bin/mayi", fmt.Sprintf(`#!/bin/sh
case $1 in
init) '%[1]s' "$@" | sed 's#%[1]s#%[2]s#g'; exit ;;
guard) printf '%%s\0' "$*" >>'%[3]s' ;;
esac
exec '%[1]s' "$@"
`, mayi, w.path("bin/mayi"), w.path("calls")))
	w.write("calls", "")
	w.rules(true)
	w.write("project/.git/HEAD", "")
	// Where it is not there a fish at a terminal reads every manual page of the
	// machine in the background, for each test anew.
	w.write("data/fish/generated_completions/none", "")
	w.env = []string{
		"PATH=" + w.path("bin") + ":/usr/bin:/bin", "HOME=" + dir, "ZDOTDIR=" + dir, "MAYI_DB=" + w.path("state/mayi.db"),
		"XDG_CONFIG_HOME=" + w.path("config"), "XDG_STATE_HOME=" + w.path("state"),
		"XDG_DATA_HOME=" + w.path("data"), "XDG_CACHE_HOME=" + w.path("cache"),
		"INPUTRC=/dev/null", "LC_ALL=C.UTF-8", "TERM=xterm", "EDITOR=false",
	}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// write makes a file that everybody may execute.
func (w *world) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// exists reports whether a file is in the project: what ran leaves one.
func (w *world) exists(name string) bool {
	_, err := os.Stat(w.path("project/" + name))
	return err == nil
}

// wantRun demands that something ran, or did not.
func (w *world) wantRun(marker string, want bool) {
	w.t.Helper()
	if have := w.exists(marker); have != want {
		w.t.Errorf("%s ran: %v, want %v", marker, have, want)
	}
}

// judged are the lines that mayi was asked about, since the last call.
func (w *world) judged() (lines []string) {
	w.t.Helper()
	data, err := os.ReadFile(w.path("calls"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.write("calls", "")
	for call := range strings.SplitSeq(string(data), "\x00") {
		if _, line, ok := strings.Cut(call, " -- "); ok && !isSync(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// command is a program that runs in the project.
func (w *world) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(w.t.Context(), name, args...)
	cmd.Dir = w.path("project")
	cmd.Env = append([]string{}, w.env...)
	return cmd
}

// find returns where a shell is, or skips the test. $MAYI_TEST_BASH and its like
// name another than the one in $PATH.
func find(t *testing.T, name string) string {
	t.Helper()
	name = cmp.Or(os.Getenv("MAYI_TEST_"+strings.ToUpper(name)), name)
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}
