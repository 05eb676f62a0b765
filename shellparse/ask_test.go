package shellparse

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestAskBash gives each case to a real bash that finds no program at all. What
// it would have started, its command_not_found_handle notes: Parse must have
// listed it, word for word.
func TestAskBash(t *testing.T) {
	bash := lookShell(t, "bash")
	if out, err := exec.Command(bash, "-c", "echo $BASH_VERSINFO").Output(); err != nil || strings.TrimSpace(string(out)) < "5" {
		t.Skip("this bash is older than 5")
	}
	askAll(t, Bash, func(t *testing.T, c tableCase, status int) {
		a := newAsker(t, c, status)
		a.env = append(a.env, "PATH=/nonexistent", "BASH_ENV="+a.handler(t))
		a.run(t, bash)
	})
}

// TestAskCarriers gives each case to a bash that finds the real carriers, and
// for every other name in the case a program that notes its arguments.
func TestAskCarriers(t *testing.T) {
	bash := lookShell(t, "bash")
	askAll(t, Bash, func(t *testing.T, c tableCase, status int) {
		if !slices.ContainsFunc(realCarriers, func(name string) bool { return strings.Contains(c.source, name) }) {
			return // TestAskBash has seen all of it
		}
		if word, ok := reaches(c.source); ok {
			t.Skipf("it could reach this machine's own %s", word)
		}
		a := newAsker(t, c, status)
		a.programs(t, realCarriers...)
		a.env = append(a.env, "BASH_ENV="+a.handler(t))
		a.run(t, bash)
	})
}

var realCarriers = []string{"bash", "dash", "env", "find", "nice", "nohup", "sh", "timeout", "xargs"}

// TestAskDash does the same with dash, for the cases of posix.txt.
func TestAskDash(t *testing.T) {
	dash := lookShell(t, "dash")
	askAll(t, POSIX, func(t *testing.T, c tableCase, status int) {
		if word, ok := reaches(c.source); ok {
			t.Skipf("it could reach this machine's own %s", word)
		}
		a := newAsker(t, c, status)
		a.programs(t)
		a.run(t, dash)
	})
}

// TestAskFish does the same with fish, for the cases of fish.txt.
func TestAskFish(t *testing.T) {
	fish := lookShell(t, "fish")
	askAll(t, Fish, func(t *testing.T, c tableCase, status int) {
		if word, ok := reaches(c.source); ok {
			t.Skipf("it could reach this machine's own %s", word)
		}
		a := newAsker(t, c, status)
		a.programs(t)
		a.run(t, fish, "--no-config")
	})
}

func lookShell(t *testing.T, name string) string {
	t.Helper()
	shell := filepath.Join("/bin", name)
	if _, err := os.Stat(shell); err != nil {
		t.Skipf("no %s to ask: %v", name, err)
	}
	return shell
}

// askAll asks about each case twice if that makes a difference: once when all
// that is started succeeds, once when it fails.
func askAll(t *testing.T, shell Shell, ask func(t *testing.T, c tableCase, status int)) {
	for _, c := range readCases(t) {
		if c.shell() != shell {
			continue
		}
		for status := range 2 {
			if status == 1 && !branches.MatchString(c.source) {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", c.name(), status), func(t *testing.T) {
				t.Parallel()
				switch {
				case c.unsafe != "":
					t.Skip(c.unsafe)
				case dangerous.MatchString(c.source):
					t.Skipf("%s may leave the throwaway directory", dangerous.FindString(c.source))
				}
				ask(t, c, status)
			})
		}
	}
}

// branches finds what may look at the status of a command.
var branches = regexp.MustCompile(`&&|\|\||!|if|while|until|ERR|trap|set|shopt`)

// dangerous finds what could start a real program or touch a real file. Cases
// are curated; this is the second lock.
var dangerous = regexp.MustCompile(`/(bin|usr|sbin|proc|tmp|root|etc|dev/(tcp|udp|fd/\D|sd))\b|\bPATH|\bPS4|\bhash\b|\bkill\b|-p\b|[<>&]\s*["']?(~|/[^d]|\$\{?HOME)`)

// reaches reports whether a source names a program of this machine, or might
// make a carrier search for programs elsewhere than in the throwaway directory.
func reaches(source string) (word string, ok bool) {
	if m := regexp.MustCompile(`(^|\s)--?(i|u|l|login|ignore-env\w*|[a-z]*[iul][a-z]*)\b|sudo`).FindString(source); m != "" {
		return m, true
	}
	for _, word := range names.FindAllString(source, -1) {
		if _, err := exec.LookPath(word); err == nil && !strings.Contains(" bash dash echo env false find nice nohup printf sh test timeout true xargs ", " "+word+" ") {
			return word, true
		}
	}
	return "", false
}

var names = regexp.MustCompile(`[\w.+-]+`)

// An asker runs one case in a throwaway directory.
type asker struct {
	c      tableCase
	script *Script
	dir    string // where the case runs
	log    string // what was started: for each its number of words, then these, each ended by a NUL
	status int
	env    []string
}

func newAsker(t *testing.T, c tableCase, status int) *asker {
	root, err := os.MkdirTemp("", "mayi")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) }) // what runs in the background may still write
	a := &asker{c: c, script: c.parse(), dir: filepath.Join(root, "here"), log: filepath.Join(root, "log"), status: status,
		env: []string{"HOME=" + home, "LC_ALL=C.UTF-8"}}
	for _, dir := range []string{"sub/deep", "other"} {
		if err := os.MkdirAll(filepath.Join(a.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(a.dir, "a.txt"), []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return a
}

// handler writes the file that makes bash note what it does not find; a cat
// without arguments it is itself, for what cat prints is known. After some twenty
// times the status changes, so that loops end.
func (a *asker) handler(t *testing.T) string {
	file := a.log + ".env"
	write(t, file, `command_not_found_handle() { local n
builtin printf '%s\0' "$#" "$@" >>'`+a.log+`'
[[ "$#$1" == 1cat ]] && { builtin mapfile -t n; [ "${#n[@]}" = 0 ] || builtin printf '%s\n' "${n[@]}"; return; }
builtin printf . >>'`+a.log+`.n'
builtin read -r n <'`+a.log+`.n'
[ "${#n}" -gt 20 ] && return `+strconv.Itoa(1-a.status)+`
return `+strconv.Itoa(a.status)+`
}
`)
	return file
}

// programs makes the directory of programs that the case finds.
func (a *asker) programs(t *testing.T, real ...string) {
	bin := filepath.Join(filepath.Dir(a.dir), "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range real {
		if file, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(file, filepath.Join(bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	recorder := filepath.Join(filepath.Dir(a.dir), "recorder")
	write(t, recorder, `#!/bin/sh
printf '%s\0' "$(($# + 1))" "${0##*/}" "$@" >>'`+a.log+`'
printf . >>'`+a.log+`.n'
read -r n <'`+a.log+`.n'
[ "${#n}" -gt 20 ] && exit `+strconv.Itoa(1-a.status)+`
exit `+strconv.Itoa(a.status)+`
`)
	words := names.FindAllString(a.c.source, -1)
	for _, c := range a.script.Commands {
		if len(c.Words) > 0 {
			words = append(words, c.Words[0].String())
		}
	}
	for _, word := range words {
		if word == "." || word == ".." || word == "" || len(word) > 100 || strings.ContainsAny(word, "/\x00") || slices.Contains(real, word) {
			continue
		}
		if err := os.Symlink(recorder, filepath.Join(bin, word)); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
	}
	a.env = append(a.env, "PATH="+bin)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// run gives the source to a shell and compares what it started and wrote with
// what is listed.
func (a *asker) run(t *testing.T, shell string, flags ...string) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // a lock: no case takes this long
	defer cancel()
	said, err := os.Create(a.log + ".out")
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", `ulimit -t 5; ulimit -f 1000; exec "$@"`, "sh")
	cmd.Args = append(append(append(cmd.Args, shell), flags...), "-c", a.c.source)
	cmd.Dir, cmd.Env, cmd.WaitDelay = a.dir, a.env, time.Second
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Run(); ctx.Err() != nil || cmd.ProcessState == nil {
		t.Errorf("%s\ninput:\n%s\nhave: a shell that does not end: %v\nwant: a case marked with !", a.c.name(), a.c.source, err)
	}
	out, err := os.ReadFile(said.Name())
	if err != nil {
		t.Error(err)
	}
	if len(a.script.Unread) > 0 {
		return // whatever stands there may run
	}
	for _, argv := range a.started(t) {
		if !slices.ContainsFunc(a.script.Commands, func(c Command) bool { return c.couldBe(argv) }) {
			t.Errorf("%s\ninput:\n%s\nhave:\n%swant: %q, which %s started\nit said:\n%s", a.c.name(), a.c.source, describe(a.script), argv, shell, out)
		}
	}
	for _, file := range a.written(t) {
		if !slices.ContainsFunc(a.script.Redirects, func(r Redirect) bool { return r.Write && r.couldBe(file, a.dir) }) {
			t.Errorf("%s\ninput:\n%s\nhave:\n%swant: edit: %s, which %s wrote", a.c.name(), a.c.source, describe(a.script), file, shell)
		}
	}
}

func (a *asker) started(t *testing.T) (argvs [][]string) {
	data, err := os.ReadFile(a.log)
	if os.IsNotExist(err) {
		return nil
	}
	fields := strings.Split(string(data), "\x00")
	for len(fields) > 1 {
		n, err := strconv.Atoi(fields[0])
		if err != nil || n >= len(fields) {
			t.Fatalf("%s: cannot read what was started: %q", a.c.name(), data)
		}
		argvs = append(argvs, fields[1:n+1])
		fields = fields[n+1:]
	}
	return argvs
}

// written are the files that were created or changed, relative to where the
// case ran.
func (a *asker) written(t *testing.T) (files []string) {
	err := filepath.WalkDir(a.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(a.dir, file)
		if rel == "a.txt" {
			if data, err := os.ReadFile(file); err != nil || bytes.Equal(data, []byte("one\n")) {
				return err
			}
		}
		files = append(files, rel)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return files
}

// couldBe reports whether the words, each hole being something, are argv.
func (c Command) couldBe(argv []string) bool {
	var b strings.Builder
	for _, w := range c.Words {
		glob := slices.ContainsFunc(w, func(p Piece) bool { return p.Hole == Glob })
		switch {
		case len(c.Words) == 1 && len(w) == 1 && w[0].Hole == Value:
			b.WriteString(`(?s:.*)`) // a command of which nothing is known
		case w.mayVanish():
			b.WriteString(`(\x00(?s:.*))?`)
		case glob:
			b.WriteString(`(\x00` + pattern(w) + `)+`)
		default:
			b.WriteString(`\x00` + pattern(w))
		}
	}
	return regexp.MustCompile(`^` + b.String() + `$`).MatchString(latin("\x00" + strings.Join(argv, "\x00")))
}

func pattern(w Word) string {
	var b strings.Builder
	for _, p := range w {
		switch p.Hole {
		case Known:
			b.WriteString(regexp.QuoteMeta(latin(p.Text)))
		case Words:
			b.WriteString(`(?s:.*)`)
		default:
			b.WriteString(`[^\x00]*`)
		}
	}
	return b.String()
}

// latin makes a rune of each byte: names need not be UTF-8.
func latin(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// couldBe reports whether the redirection could open a file, given relative to
// the directory dir.
func (r Redirect) couldBe(file, dir string) bool {
	if text, ok := r.Path.Literal(); ok {
		if path.IsAbs(text) {
			return path.Clean(text) == path.Join(dir, file)
		}
		return path.Clean(text) == file
	}
	re := regexp.MustCompile(`^(\./)?` + pattern(r.Path) + `$`)
	file = latin(file)
	return re.MatchString(file) || re.MatchString(path.Join(dir, file))
}
