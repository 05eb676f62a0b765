package shellparse

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAskWhere gives the lines of files.txt that change the directory to a real
// bash. Where it would start cat or rm, that file must be listed.
func TestAskWhere(t *testing.T) {
	bash := lookShell(t, "bash")
	data, err := os.ReadFile("testdata/files.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, found := strings.Cut(string(data), "# Directories.\n")
	if !found {
		t.Fatal("files.txt has no directories")
	}
	lines, _, _ = strings.Cut(lines, "\n#")
	asked := 0
	for source := range strings.Lines(lines) {
		source, _, ok := strings.Cut(source, " => ")
		if !ok {
			continue
		}
		for status := range 2 {
			a := newAsker(t, tableCase{source: source}, status)
			for _, dir := range []string{"a/b/c", "b", "y", "../x/y"} {
				if err := os.MkdirAll(filepath.Join(a.dir, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write(t, a.log+".env", `command_not_found_handle() {
builtin printf '%s\0' 3 "$(builtin pwd -P)" "$1" "${!#}" >>'`+a.log+`'
return `+[]string{"0", "1"}[status]+`
}
x=sub d=a
`)
			cmd := exec.CommandContext(t.Context(), bash, "-c", source)
			cmd.Dir = a.dir
			cmd.Env = append(a.env, "PATH=/nonexistent", "BASH_ENV="+a.log+".env")
			out, err := cmd.CombinedOutput()
			if _, failed := err.(*exec.ExitError); err != nil && !failed {
				t.Fatal(err)
			}
			for _, argv := range a.started(t) {
				if argv[1] != "cat" && argv[1] != "rm" {
					continue
				}
				asked++
				file, err := filepath.Rel(a.dir, filepath.Join(argv[0], argv[2]))
				if err != nil {
					t.Fatal(err)
				}
				if !slices.ContainsFunc(a.script.Operands, func(o Operand) bool { return o.couldBe(file, a.dir) }) {
					t.Errorf("input: %s\nhave: %s\nwant: %s, which bash opens\nit said: %s", source, line{source: source}.files(), file, out)
				}
			}
		}
	}
	if asked < 50 {
		t.Errorf("only %d files were opened", asked)
	}
}
