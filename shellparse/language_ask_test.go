package shellparse

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// realTools are programs that read a language, and how they are given code: as an
// argument in place of CODE, once for each line in place of LINES, or else on
// standard input.
var realTools = []struct {
	language string
	argv     string
}{
	{"awk", "gawk CODE in.txt"},
	{"awk", "mawk CODE in.txt"},
	{"awk", "original-awk CODE in.txt"},
	{"dc", "dc"},
	{"ed", "ed -s in.txt"},
	{"ex", "vim -n -u NONE -i NONE -es -c LINES -c qa! in.txt"},
	{"ex", "vim -n -u NONE -i NONE -es in.txt"},
	{"gdb", "gdb -nx -batch -ex LINES"},
	{"m4", "m4"},
	{"make", "make -f -"},
	{"sed", "sed CODE in.txt"},
	{"sqlite", "sqlite3 -batch :memory:"},
}

// stubs are the programs that code may start; they only say that they ran.
const stubs = "cat date grep ls make rm sh sort test x"

// TestRealTools puts code to the programs that it is for: what they start must be
// listed, or a hole must say that something is started, and the files that they
// make must be listed.
func TestRealTools(t *testing.T) {
	for _, tool := range realTools {
		t.Run(tool.argv, func(t *testing.T) {
			argv := strings.Fields(tool.argv)
			program, err := exec.LookPath(argv[0])
			if err != nil {
				t.Skip(err)
			}
			if testing.Short() && (tool.language == "gdb" || tool.language == "ex") {
				t.Skip("slow")
			}
			bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
			for _, name := range strings.Fields(stubs) {
				stub := "#!/bin/sh\nprintf '%s\\n' \"${0##*/} $*\" >>" + log + "\n"
				if err := os.WriteFile(filepath.Join(bin, name), []byte(stub), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			ran := 0
			for _, c := range languageCases(t) {
				if c.language() != tool.language || c.unsafe != "" {
					continue
				}
				if slices.Contains(argv, "-c") && strings.Contains(c.source, "\n") {
					continue // each -c is code of its own
				}
				ran += askTool(t, c, program, argv[1:], bin, log)
			}
			if ran == 0 {
				t.Error("it ran nothing at all: the test is broken")
			}
		})
	}
}

// askTool runs a tool in a throwaway directory and returns how many programs it
// started.
func askTool(t *testing.T, c tableCase, program string, args []string, bin, log string) int {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"in.txt": "one two\nx y\na b\n", "in.csv": "1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(log)
	source := strings.ReplaceAll(c.source, "/tmp/o", dir+"/o")
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	argv := slices.Clone(args)
	given := false
	if i := slices.Index(argv, "CODE"); i >= 0 {
		argv[i], given = source, true
	}
	if i := slices.Index(argv, "LINES"); i >= 0 {
		var each []string
		for line := range strings.Lines(source) {
			each = append(each, argv[i-1], strings.TrimLeft(strings.TrimSuffix(line, "\n"), "+"))
		}
		argv, given = slices.Concat(argv[:i-1], each, argv[i+1:]), true
	}
	cmd := exec.CommandContext(ctx, program, argv...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = []string{"PATH=" + bin, "HOME=" + dir, "TERM=dumb", "SHELL=/bin/sh"}
	if !given {
		cmd.Stdin = strings.NewReader(source + "\n")
	}
	cmd.Run()
	found := languages[c.language()](source)
	data, _ := os.ReadFile(log)
	started := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(data) == 0 {
		started = nil
	}
	for _, line := range started {
		if !slices.ContainsFunc(found.commands, func(w Word) bool { return mayStart(w, line) }) {
			t.Errorf("%s\ninput:\n%s\nit starts %q; have:\n%s", c.name(), c.source, line, describeEffects(found))
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		named := func(w Word) bool {
			text, ok := w.Literal()
			return !ok || filepath.Base(text) == f.Name()
		}
		if f.Name() != "in.txt" && f.Name() != "in.csv" && !slices.ContainsFunc(found.writes, named) {
			t.Errorf("%s\ninput:\n%s\nit writes %q; have:\n%s", c.name(), c.source, f.Name(), describeEffects(found))
		}
	}
	return len(started)
}

// mayStart reports whether a command may start a program that said how it was
// called.
func mayStart(command Word, call string) bool {
	text, ok := command.Literal()
	if !ok {
		return true
	}
	plain := strings.NewReplacer("\\\n", "", `"`, "", "'", "", `\`, "", "\n", " ").Replace(text)
	fields := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return strings.Contains(fields(plain), fields(call))
}
