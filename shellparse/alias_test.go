package shellparse

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// names are the commands of a script, spelled out.
func (s *Script) spelled() (list []string) {
	for _, c := range s.Commands {
		list = append(list, Join(c.Words).String())
	}
	return list
}

var aliasCases = []struct {
	shell   Shell
	aliases string // NAME=VALUE, separated by |
	source  string
	want    string // what is listed besides the line as it is written
}{
	{Bash, "ll=rm -rf", "ll x", "rm -rf x"},
	{Bash, "ll=rm -rf", "true && ll x", "rm -rf x"},
	{Bash, "ll=rm -rf", "echo $(ll x)", "rm -rf x|echo $(rm -rf x)"},
	{Bash, "ll=rm -rf", "( ll x; ) | cat", "rm -rf x"},
	{Bash, "ll=rm -rf", "A=1 ll x", "rm -rf x"},
	{Bash, "ll=rm -rf", "if true; then ll x; fi", "rm -rf x"},
	{Bash, "ll=rm -rf", "time ll x", "rm -rf x"},
	{Bash, "ll=rm -rf", "f() { ll x; }; f", "rm -rf x|rm -rf x"},
	{Bash, "ll=rm -rf", `\ll x`, ""},
	{Bash, "ll=rm -rf", `"ll" x`, ""},
	{Bash, "ll=rm -rf", `l''l x`, ""},
	{Bash, "ll=rm -rf", "echo ll x", ""},
	{Bash, "ll=rm -rf", "command ll x", ""},
	{Bash, "ll=rm -rf", "./ll x", ""},
	{Bash, "ls=ls -F", "ls x", "ls -F x"},
	{Bash, "a=b 1|b=a 2", "a x", "a 2 1 x"},
	{Bash, "a=b|b=c|c=rm -r", "a x", "rm -r x"},
	{Bash, "n=nice |ll=rm -rf", "n ll x", "nice rm -rf x|rm -rf x"},
	{Bash, "n=nice|ll=rm -rf", "n ll x", "nice ll x|ll x"},
	{Bash, "n=nice |m=env |ll=rm -rf", "n m ll x", "nice env rm -rf x|env rm -rf x|rm -rf x"},
	{Bash, "two=true; rm -rf", "two x", "true|rm -rf x"},
	{Bash, "begin={", "begin rm x; }", "rm x"},
	{Bash, "out=true >", "out f", "true"},
	{Bash, "export=rm -r", "export x", "rm -r x"},
	{Bash, "loop=loop x", "loop", "loop x"},
	{Zsh, "ll=rm -rf", "ll x", "rm -rf x"},
	{Fish, "ll=rm -rf", "ll x", "rm -rf x"},
	{Fish, "ll=rm -rf", "true; and ll x", "rm -rf x"},
	{Fish, "ll=rm -rf", "echo (ll x)", "rm -rf x|echo (rm -rf x)"},
	{Fish, "ll=rm -rf", "echo ll", ""},
	{Fish, "ll=rm -rf", "command ll x", ""},
}

func readAliases(text string) map[string]string {
	aliases := map[string]string{}
	for a := range strings.SplitSeq(text, "|") {
		name, value, _ := strings.Cut(a, "=")
		aliases[name] = value
	}
	return aliases
}

func TestAliasesAreSeenThrough(t *testing.T) {
	for _, c := range aliasCases {
		plain := Parse(c.source, Options{Shell: c.shell}).spelled()
		have := Parse(c.source, Options{Shell: c.shell, Aliases: readAliases(c.aliases)}).spelled()
		if !slices.Equal(have[:min(len(plain), len(have))], plain) {
			t.Errorf("alias %s, %s\nhave %q\nwant all of %q", c.aliases, c.source, have, plain)
			continue
		}
		added := strings.Join(have[len(plain):], "|")
		if added != c.want {
			t.Errorf("alias %s, %s\nhave %q\nwant %q", c.aliases, c.source, added, c.want)
		}
	}
}

// TestAskBashAboutAliases puts the cases to a real bash: what it starts must be
// among what is listed.
func TestAskBashAboutAliases(t *testing.T) {
	bash := lookShell(t, "bash")
	for _, c := range aliasCases {
		if c.shell != Bash {
			continue
		}
		dir := t.TempDir()
		var script strings.Builder
		script.WriteString("shopt -s expand_aliases; command_not_found_handle() { printf '%s\\n' \"$*\" >>ran; }; PATH=/nonexistent\n")
		for name, value := range readAliases(c.aliases) {
			fmt.Fprintf(&script, "alias %s='%s'\n", name, value)
		}
		fmt.Fprintln(&script, c.source)
		cmd := exec.Command(bash, "--norc", "-c", script.String())
		cmd.Dir = dir
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run()
		ran, err := os.ReadFile(filepath.Join(dir, "ran"))
		if err != nil && c.want != "" && c.want != "true" {
			t.Errorf("alias %s, %s: nothing ran\n%s", c.aliases, c.source, out.String())
		}
		listed := Parse(c.source, Options{Aliases: readAliases(c.aliases)}).spelled()
		for line := range strings.Lines(string(ran)) {
			if line = strings.TrimSuffix(line, "\n"); !slices.Contains(listed, line) {
				t.Errorf("alias %s, %s\nbash runs %q\nhave %q", c.aliases, c.source, line, listed)
			}
		}
	}
}

func TestAliasesThatDoNotOccurChangeNothing(t *testing.T) {
	aliases := map[string]string{"no-such-word": "rm -rf /", "nor-this": "sudo "}
	for _, c := range readCases(t) {
		o := Options{Shell: c.shell(), Home: "/home/u"}
		want := Parse(c.source, o)
		o.Aliases = aliases
		if have := Parse(c.source, o); !reflect.DeepEqual(have, want) {
			t.Errorf("%s\nhave %#v\nwant %#v", c.source, have, want)
		}
	}
}

func TestAliasesThatGrowEnd(t *testing.T) {
	s := Parse("a", Options{Aliases: readAliases("a=b;b|b=c;c|c=d;d|d=e;e|e=f;f|f=g;g|g=h;h|h=i;i|i=rm x")})
	if len(s.Unread) == 0 {
		t.Errorf("have %d commands, all of them read", len(s.Commands))
	}
}
