package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mayi/rules"
)

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// readmeBlocks are the code blocks of the manual, by what stands in their fence.
func readmeBlocks(t *testing.T, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		if m[1] == language {
			blocks = append(blocks, m[2])
		}
	}
	if len(blocks) == 0 {
		t.Fatalf("README.md has no block of %q", language)
	}
	return blocks
}

// TestReadmeFirstCommand runs the first block of the manual and demands the
// output that stands below it.
func TestReadmeFirstCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	command := strings.TrimSpace(readmeBlocks(t, "sh")[0])
	h := newHome(t)
	command = strings.ReplaceAll(command, "-o mayi", "-o "+filepath.Join(h.dir, "mayi"))
	command = strings.ReplaceAll(command, "./mayi", filepath.Join(h.dir, "mayi"))
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "HOME="+h.dir, "XDG_STATE_HOME="+h.dir+"/state", "XDG_CONFIG_HOME="+h.dir+"/config",
		"GOMODCACHE="+goEnv(t, "GOMODCACHE"), "GOCACHE="+goEnv(t, "GOCACHE"), "GOPATH="+goEnv(t, "GOPATH"))
	out, _ := cmd.Output()
	if have := cmd.ProcessState.ExitCode(); have != 1 {
		t.Errorf("exit status %d, want 1", have)
	}
	if have, want := string(out), readmeBlocks(t, "")[0]; have != want {
		t.Errorf("have\n%swant\n%s", have, want)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestReadmeCommandsParse gives every line of mayi in the manual to the flag
// parser: none may be a usage error.
func TestReadmeCommandsParse(t *testing.T) {
	h := newHome(t)
	lines := 0
	for _, block := range readmeBlocks(t, "sh") {
		for _, line := range strings.Split(block, "\n") {
			line, _, _ = strings.Cut(line, " #")
			if !strings.HasPrefix(line, "mayi ") {
				continue
			}
			lines++
			if strings.HasPrefix(line, "mayi ask") {
				line = strings.Replace(line, "mayi ask", "mayi ask --timeout 0", 1)
			}
			line = strings.Replace(line, "-- claude", "-- true", 1)
			cmd := exec.Command("bash", "-c", line)
			cmd.Dir, cmd.Env = h.command().Dir, h.command().Env
			out, _ := cmd.CombinedOutput()
			// No terminal to choose at is the one usage error that is right here.
			if cmd.ProcessState.ExitCode() == 64 && strings.TrimSpace(line) != "mayi approve" {
				t.Errorf("%s\n%s", line, out)
			}
		}
	}
	if lines < 6 {
		t.Errorf("only %d lines of mayi were found", lines)
	}
}

func TestReadmeAlias(t *testing.T) {
	h := newHome(t)
	var alias string
	for _, block := range readmeBlocks(t, "sh") {
		if strings.HasPrefix(block, "alias ") {
			alias = block
		}
	}
	cmd := exec.Command("bash", "-c", "shopt -s expand_aliases\n"+alias+"touch f keep; rm f; echo $?; rm keep; echo $?; ls")
	cmd.Dir, cmd.Env = h.command().Dir, append(h.command().Env, `MAYI_PERMISSION={"bash":{"rm *":"allow","rm keep":"deny"}}`)
	out, err := cmd.Output()
	if err != nil || string(out) != "0\n126\nkeep\n" {
		t.Errorf("have %q (%v)", out, err)
	}
}

// TestReadmeConfig demands that the config to start from is one, and that each
// of its rules has an effect.
func TestReadmeConfig(t *testing.T) {
	for _, block := range readmeBlocks(t, "jsonc") {
		f, err := rules.ParseFile("README.md", []byte(block), rules.Env{Home: "/home/u", Lookup: os.LookupEnv})
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range rules.Lint(f.Rules) {
			t.Errorf("%v %s", found.Rule, found.Msg)
		}
	}
}

// TestReadmeNamesEverything demands that the manual knows every command and
// every exit code.
func TestReadmeNamesEverything(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range (&app{}).cli().Commands {
		if c.Name != "version" && !strings.Contains(string(text), "`mayi "+c.Name) {
			t.Errorf("README.md does not name mayi %s", c.Name)
		}
	}
	for _, code := range []string{"0", "1", "2", "3", "4", "64", "65", "70", "74", "75", "78", "130, 143"} {
		if !strings.Contains(string(text), "\n| "+code+" |") {
			t.Errorf("README.md does not explain exit code %s", code)
		}
	}
}
