package shellparse

import (
	"strings"
	"testing"
)

// TestValuesOfTheShell demands that what the shell tells of its variables is known
// until something may have changed it.
func TestValuesOfTheShell(t *testing.T) {
	values := map[string]string{"x": "rm", "f": "a b", "PWD": "/stale", "RANDOM": "7", "HOME": "/other"}
	for _, c := range []struct {
		shell        Shell
		source, want string // one of the commands
	}{
		{Bash, `$x y`, "rm y"},
		{Bash, `cp $f`, "cp a b"},
		{Bash, `cp "${f}c"`, "cp a bc"},
		{Bash, `echo ${x^^}`, "echo RM"},
		{Bash, `echo $PWD`, "echo {$PWD}"},
		{Bash, `echo $RANDOM`, "echo {$RANDOM}"},
		{Bash, `echo $HOME`, "echo /home/u"},
		{Bash, `x=ls; $x`, "ls"},
		{Bash, `read x; $x`, "{$x}"},
		{Bash, `. file; $x`, "{$x}"},
		{Bash, `mine; $x`, "{$x}"},
		{Bash, `(mine); $x`, "rm"},
		{Bash, `$x y && mine`, "rm y"},
		{Bash, `bash -c '$x y'`, "{$x} y"},
		{Zsh, `$x y`, "rm y"},
		{Zsh, `cp $f`, "cp {$f}"},
		{Zsh, `cp "$f"`, "cp a b"},
		{Zsh, `mine; $x`, "{$x}"},
		{Fish, `$x y`, "rm y"},
		{Fish, `cp $f`, "cp a b"},
		{Fish, `cp "$f"c`, "cp a bc"},
		{Fish, `cp $f[1]`, "cp {$f[1]}"},
		{Fish, `cp $$f`, "cp {$$f}"},
		{Fish, `set x ls; $x`, "{$x}"},
		{Fish, `set HOME /; ls ~`, "ls {~}"},
		{Fish, `echo (set x ls); $x`, "{$x}"},
		{Fish, `source file; $x`, "{$x}"},
		{Fish, `$unknown; $x`, "{$x}"},
		{Fish, `mine; $x`, "{$x}"},
	} {
		s := Parse(c.source, Options{Shell: c.shell, Home: "/home/u", Values: values, Functions: []string{"mine"}})
		var have []string
		found := false
		for _, cmd := range s.Commands {
			words := make([]string, len(cmd.Words))
			for i, word := range cmd.Words {
				for _, p := range word {
					if p.Hole != Known {
						p.Text = "{" + p.Text + "}"
					}
					words[i] += p.Text
				}
			}
			text := strings.Join(words, " ")
			have = append(have, text)
			found = found || text == c.want
		}
		if !found {
			t.Errorf("%s: %q lists %q, without %q", c.shell, c.source, strings.Join(have, "; "), c.want)
		}
	}
}
