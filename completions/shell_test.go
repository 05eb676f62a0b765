package completions

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayi is the program of this tree.
var mayi string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "mayi-completions-")
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

// A world is a machine with a project and a mayi that is used for the first time.
type world struct {
	t       *testing.T
	dir     string
	project string
	env     []string
}

// newWorld makes a world in which $PATH finds nothing but mayi, which notes how
// it is called, and mayi-probe and mayi-shiny, which nobody may run. The drivers
// know how to complete mayi-shiny.
func newWorld(t *testing.T) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{t: t, dir: dir, project: filepath.Join(dir, "project")}
	w.write("bin/mayi", fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"$*\" >>'%s'\nexec '%s' \"$@\"\n", w.path("calls"), mayi))
	for _, name := range []string{"mayi-probe", "mayi-shiny"} {
		w.write("bin/"+name, fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"$0\" >>'%s'\n", w.path("calls")))
	}
	w.write("calls", "")
	w.write("left", "")
	w.write("config/mayi/config.jsonc", `{"agents": {"plan": {}, "odd one; x": {}}}`)
	w.write("project/aback", "")
	w.write("project/adir/inside", "")
	w.write("functions/_mayi", zsh)
	// Where it is not there a fish at a terminal reads every manual page.
	w.write("data/fish/generated_completions/none", "")
	w.env = []string{
		"PATH=" + w.path("bin"), "HOME=" + dir, "MAYI_DB=" + w.path("mayi.db"),
		"XDG_CONFIG_HOME=" + w.path("config"), "XDG_STATE_HOME=" + w.path("state"),
		"XDG_DATA_HOME=" + w.path("data"), "XDG_CACHE_HOME=" + w.path("cache"),
		"INPUTRC=" + w.path("inputrc"), "LC_ALL=C.UTF-8", "TERM=dumb", "PS1=ready> ",
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

func (w *world) read(name string) string {
	w.t.Helper()
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

// command is a program that runs in the project, as long as the test and its
// patience last.
func (w *world) command(name string, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	w.t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = w.project
	cmd.Env = slices.Clone(w.env)
	return cmd
}

// ask starts a mayi ask for each line. It returns when all of them wait; they
// wait until the test ends.
func (w *world) ask(lines ...string) {
	w.t.Helper()
	watch := w.command(mayi, "watch", "--json", "--since", "0")
	events, err := watch.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	w.start(watch)
	asked := map[string]bool{}
	scanner := bufio.NewScanner(events)
	for _, line := range lines {
		newTerminal(w.t, w.command(mayi, "ask", "--no-tty", line)) // another one than the person's
		for !asked[line] {
			var event struct {
				Kind    string
				Request struct{ Line string }
			}
			if !scanner.Scan() {
				w.t.Fatalf("mayi watch ended before it saw %q: %v", line, scanner.Err())
			}
			if err := json.Unmarshal(scanner.Bytes(), &event); err != nil {
				w.t.Fatal(err)
			}
			if event.Kind == "asked" {
				asked[event.Request.Line] = true
			}
		}
	}
}

func (w *world) start(cmd *exec.Cmd) {
	w.t.Helper()
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// approve answers a request at a terminal, as a person would.
func (w *world) approve(args ...string) {
	w.t.Helper()
	cmd := w.command(mayi, append([]string{"approve"}, args...)...)
	if output := newTerminal(w.t, cmd).drain(); cmd.Wait() != nil {
		w.t.Fatalf("mayi approve %q: %v\n%s", args, cmd.ProcessState, output)
	}
}

// help is what mayi prints about itself.
func (w *world) help(args ...string) string {
	w.t.Helper()
	output, err := w.command(mayi, append([]string{"help"}, args...)...).Output()
	if err != nil {
		w.t.Fatal(err)
	}
	return string(output)
}

// wantOnlyLists fails the test if anything but mayi list was run once the script
// was printed.
func (w *world) wantOnlyLists() {
	w.t.Helper()
	for call := range strings.Lines(w.read("calls")) {
		if !strings.HasPrefix(call, "list ") && !strings.HasPrefix(call, "completion ") {
			w.t.Errorf("completion ran %q", call)
		}
	}
}

// A reply is one thing that a shell offers.
type reply struct{ text, description string }

// A shell completes lines, and says what it offers for each. Its complete is
// given the names that loading left behind, too.
type shell struct {
	name     string
	complete func(w *world, lines []string) (replies [][]reply, left []string)
}

// shells are those that are tested.
var shells = []shell{
	{"bash", (*world).bash},
	{"zsh", (*world).zsh},
	{"fish", (*world).fish},
}

// find returns where a shell is, or skips the test.
func find(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

func driver(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// bash calls the function that the script defines, as readline would.
func (w *world) bash(lines []string) ([][]reply, []string) {
	w.t.Helper()
	cmd := w.command(find(w.t, "bash"), "--norc", "--noprofile", driver(w.t, "driver.bash"), w.path("left"))
	return w.driven(cmd, lines)
}

// fish completes with `complete -C`.
func (w *world) fish(lines []string) ([][]reply, []string) {
	w.t.Helper()
	cmd := w.command(find(w.t, "fish"), "--no-config", driver(w.t, "driver.fish"), w.path("left"))
	return w.driven(cmd, lines)
}

// driven gives lines to a driver. It must have nothing to complain about.
func (w *world) driven(cmd *exec.Cmd, lines []string) ([][]reply, []string) {
	w.t.Helper()
	var output, complaints bytes.Buffer
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	cmd.Stdout, cmd.Stderr = &output, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		w.t.Fatalf("%s: %v\n%s", cmd, err, complaints.String())
	}
	return w.replies(output.String(), lines), strings.Fields(w.read("left"))
}

// zsh completes in an interactive shell, for only there it does, with the script
// read behind compinit.
func (w *world) zsh(lines []string) ([][]reply, []string) {
	w.t.Helper()
	return w.zshLoading("source", lines)
}

// zshLoading completes with the script as a function in $fpath, or read from a
// pipe.
func (w *world) zshLoading(how string, lines []string) ([][]reply, []string) {
	w.t.Helper()
	w.write("cases", strings.Join(lines, "\n")+"\n")
	term := w.interactiveZsh("LOAD=" + how)
	term.send("\x14") // control-T
	seen := term.expect("tried them all")
	if strings.Contains(seen, "_mayi") || strings.Contains(seen, "not found") {
		w.t.Errorf("zsh complains: %q", seen)
	}
	return w.replies(w.read("replies"), lines), strings.Fields(w.read("left"))
}

// interactiveZsh is a zsh that has read its driver.
func (w *world) interactiveZsh(env ...string) *terminal {
	w.t.Helper()
	cmd := w.command(find(w.t, "zsh"), "-f", "-i")
	cmd.Env = append(cmd.Env, "FUNCTIONS="+w.path("functions"), "CASES="+w.path("cases"), "REPLIES="+w.path("replies"), "LEFT="+w.path("left"))
	cmd.Env = append(cmd.Env, env...)
	term := newTerminal(w.t, cmd)
	term.expect("ready> ")
	term.send("source " + driver(w.t, "driver.zsh") + "\r")
	term.expect("driver.zsh")
	if seen := term.expect("ready> "); strings.Contains(seen, ":") {
		w.t.Fatalf("zsh complains: %q", seen)
	}
	return term
}

// replies sorts what a driver printed by line.
func (w *world) replies(output string, lines []string) [][]reply {
	w.t.Helper()
	list := make([][]reply, len(lines))
	for row := range strings.Lines(output) {
		field := append(strings.SplitN(strings.TrimSuffix(row, "\n"), "\t", 3), "", "")
		number, err := strconv.Atoi(field[0])
		if err != nil || number >= len(lines) {
			w.t.Fatalf("the driver printed %q", row)
		}
		list[number] = append(list[number], reply{field[1], field[2]})
	}
	return list
}

// texts are the things that are offered, without the flag in front of a value,
// which fish repeats, and without the slash behind a directory, which zsh adds
// only later.
func texts(replies []reply) []string {
	var list []string
	for _, r := range replies {
		text := r.text
		if _, value, ok := strings.Cut(text, "="); ok && strings.HasPrefix(text, "-") {
			text = value
		}
		list = append(list, strings.TrimSuffix(text, "/"))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
