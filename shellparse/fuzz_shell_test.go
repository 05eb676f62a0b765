package shellparse

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestFuzzShell mutates the sources of testdata, gives each to a real shell that
// finds no program, and compares what that tried to start with what Parse lists.
// scripts/fuzz-bash prepares the cage it needs, and starts it.
func TestFuzzShell(t *testing.T) {
	cage := os.Getenv("MAYI_CAGE")
	if cage == "" {
		t.Skip("scripts/fuzz-bash runs this")
	}
	f := &shellFuzz{t: t, cage: cage, shell: os.Getenv("MAYI_FUZZ_SHELL"), out: os.Stdout, found: map[string]*finding{}}
	seed, err := strconv.ParseUint(os.Getenv("MAYI_FUZZ_SEED"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	duration, err := time.ParseDuration(os.Getenv("MAYI_FUZZ_TIME"))
	if err != nil {
		t.Fatal(err)
	}
	f.probe()
	for _, c := range readCases(t) {
		if c.shell() == f.options().Shell || f.shell != "bash" && c.shell() == Bash {
			f.seeds = append(f.seeds, c.source)
		}
	}
	f.random = rand.New(rand.NewPCG(seed, 0))
	for end := time.Now().Add(duration); time.Now().Before(end); {
		f.try(f.mutant())
	}
	f.report()
}

// A shellFuzz compares Parse with one shell.
type shellFuzz struct {
	t      *testing.T
	cage   string // a directory that the shell takes for the root, with nothing in it but the shell
	shell  string
	random *rand.Rand
	seeds  []string
	out    *os.File

	ran, refused, unread, unseen int
	found                        map[string]*finding // by the kind and shape of the smallest source
}

// A finding is a source on which Parse and the shell do not agree.
type finding struct {
	kind, source, detail string
	count                int
}

func (f *shellFuzz) options() Options {
	shell, err := ParseShell(f.shell)
	if err != nil {
		f.t.Fatal(err)
	}
	return Options{Shell: shell, Home: home}
}

// A trial is what a shell did with a source.
type trial struct {
	started [][]string
	syntax  bool // it found an error in the source
	hung    bool
}

// syntaxErrors are how shells say that they cannot read a source.
var syntaxErrors = regexp.MustCompile(`(?i)syntax error|unexpected|parse error|unterminated|unmatched|bad substitution|not a valid identifier|missing`)

// shellRunner is the number of the user that runs what is tried.
const shellRunner = 64123

// run gives a source to the shell in the cage, in a process namespace of its
// own, so that whatever it leaves behind ends with it.
func (f *shellFuzz) run(source string, status int) (r trial, output string) {
	for _, dir := range []string{"/w", "/l"} {
		if err := os.RemoveAll(f.cage + dir); err != nil {
			f.t.Fatal(err)
		}
		if err := os.MkdirAll(f.cage+dir, 0o777); err != nil {
			f.t.Fatal(err)
		}
		if err := os.Chown(f.cage+dir, shellRunner, shellRunner); err != nil {
			f.t.Fatal(err)
		}
	}
	if err := os.WriteFile(f.cage+"/w/a.txt", []byte("one\n"), 0o644); err != nil {
		f.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/"+f.shell, "-c", source)
	if f.shell == "dash" {
		f.stubs(source)
		cmd.Args[2] = "ulimit -t 1; ulimit -f 100; ulimit -p 60; ulimit -v 400000\n" + source
	}
	cmd.Path = "/bin/" + f.shell
	cmd.Err = nil
	cmd.Dir = "/w"
	cmd.Env = []string{"PATH=/nonexistent", "HOME=" + home, "LC_ALL=C.UTF-8", "BASH_ENV=/rc", "ZDOTDIR=/", "STATUS=" + strconv.Itoa(status)}
	if f.shell == "dash" {
		cmd.Env[0] = "PATH=/l/bin"
	}
	cmd.WaitDelay = 100 * time.Millisecond
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Chroot: f.cage, Cloneflags: syscall.CLONE_NEWPID, Setsid: true,
		Credential: &syscall.Credential{Uid: shellRunner, Gid: shellRunner},
	}
	said := filepath.Join(filepath.Dir(f.cage), "said")
	file, err := os.Create(said)
	if err != nil {
		f.t.Fatal(err)
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		f.t.Fatalf("%q: %v", source, err)
	}
	err = cmd.Wait()
	r.hung = ctx.Err() != nil
	out, _ := os.ReadFile(said)
	r.syntax = err != nil && syntaxErrors.Match(out)
	r.started = f.started()
	return r, string(out)
}

// stubs makes the programs that dash finds, which has no other way to tell what
// it did not find.
func (f *shellFuzz) stubs(source string) {
	bin := f.cage + "/l/bin"
	if err := os.Mkdir(bin, 0o755); err != nil {
		f.t.Fatal(err)
	}
	for _, name := range stubNames.FindAllString(source, -1) {
		if name != "." && name != ".." && len(name) < 50 {
			if err := os.Symlink("/recorder", filepath.Join(bin, name)); err != nil && !os.IsExist(err) {
				f.t.Fatal(err)
			}
		}
	}
}

var stubNames = regexp.MustCompile(`[^\s/'"$;&|<>(){}\\` + "`" + `]+`)

func (f *shellFuzz) started() (argvs [][]string) {
	data, err := os.ReadFile(f.cage + "/l/log")
	if err != nil {
		return nil
	}
	fields := strings.Split(string(data), "\x00")
	for len(fields) > 1 {
		n, err := strconv.Atoi(fields[0])
		if err != nil || n >= len(fields) {
			return argvs // two wrote at once
		}
		argvs = append(argvs, fields[1:n+1])
		fields = fields[n+1:]
	}
	return argvs
}

// probe refuses to begin where a source could reach anything but the shell.
func (f *shellFuzz) probe() {
	sources := map[string]string{
		"bash": `echo /* /bin/*; echo $EUID; echo x >/bin/y; echo x >/dev/tcp/127.0.0.1/1; probe-me it`,
		"zsh":  `echo /* /bin/*; echo $EUID; echo x >/bin/y; echo; probe-me it`,
		"dash": `echo /* /bin/*; echo 64123; echo x >/bin/y; echo; probe-me it`,
	}
	r, out := f.run(sources[f.shell], 0)
	want := regexp.MustCompile(`^/bin /dev( /etc)? /l /lib( /lib64)? /nonexistent /rc /recorder( /usr)? /w( /bin/bash)? /bin/dash( /bin/zsh)?\n64123\n`)
	if !want.MatchString(out) || len(r.started) != 1 || !slices.Equal(r.started[0], []string{"probe-me", "it"}) || !strings.Contains(out, "denied") {
		f.t.Fatalf("the cage does not hold: %q\n%s", r.started, out)
	}
}

// verdict compares what a shell did with what Parse says. kind is "" when they
// agree.
func (f *shellFuzz) verdict(source string, status int) (kind, detail string, r trial) {
	s := Parse(source, f.options())
	r, out := f.run(source, status)
	if slices.ContainsFunc(s.Commands, func(c Command) bool { return len(c.Words) > 0 && len(c.Words[0]) > 0 && c.Words[0][0].Hole != Known }) {
		return "", "", r // it may be eval: anything may run
	}
	for _, argv := range r.started {
		if f.shell == "dash" && strings.HasPrefix(argv[0], "-") {
			continue // its eval and exec take no options: the rest is listed as what they run
		}
		if argv[0] == "COPROC" {
			continue // bash writes $(coproc a) anew, as coproc COPROC a, and reads that
		}
		listed := func(argv []string) bool {
			return slices.ContainsFunc(s.Commands, func(c Command) bool { return c.couldBe(argv) })
		}
		if f.shell == "zsh" && strings.HasPrefix(argv[0], "-") && listed(append([]string{argv[0][1:]}, argv[1:]...)) {
			continue // - a runs a by the name -a
		}
		if !listed(argv) {
			if len(s.Unread) > 0 {
				return "unseen in unread", fmt.Sprintf("%q, unread: %s", argv, s.Unread[0].Msg), r
			}
			return "missed", fmt.Sprintf("%q\nsaid: %.300s\nhave:\n%s", argv, out, describe(s)), r
		}
	}
	if len(s.Unread) > 0 && !r.syntax && !r.hung {
		return "unread", s.Unread[0].Msg, r
	}
	return "", "", r
}

func (f *shellFuzz) try(source string) {
	if len(source) > 600 || strings.IndexByte(source, 0) >= 0 {
		return
	}
	status := f.random.IntN(2)
	kind, detail, r := f.verdict(source, status)
	f.ran++
	if r.syntax {
		f.refused++
	}
	switch kind {
	case "":
		return
	case "unread":
		f.unread++
	case "unseen in unread":
		f.unseen++
	}
	if kind != "missed" {
		// One sample for each reason, the shortest.
		reason := regexp.MustCompile("`[^`]*`|\"[^\"]*\"").ReplaceAllString(detail[strings.LastIndex(detail, "unread: ")+1:], "…")
		f.note(kind+" "+reason, kind, source, detail)
		return
	}
	if again, _, _ := f.verdict(source, status); again != kind {
		return // something that depends on the moment
	}
	source = f.minimise(source, status)
	_, detail, _ = f.verdict(source, status)
	if f.note(kind+" "+shape(source), kind, source, detail) {
		fmt.Fprintf(f.out, "%s: %q\nhave not: %s\n", kind, source, detail)
	}
}

// note keeps a finding, and reports whether it is the first of its shape.
func (f *shellFuzz) note(key, kind, source, detail string) (first bool) {
	old := f.found[key]
	if old == nil {
		f.found[key] = &finding{kind, source, detail, 1}
		return true
	}
	if old.count++; len(source) < len(old.source) {
		old.source, old.detail = source, detail
	}
	return false
}

// minimise drops pieces of a source as long as the same kind of finding stays.
func (f *shellFuzz) minimise(source string, status int) string {
	for size := len(source) / 2; size > 0; size /= 2 {
		for at := 0; at < len(source); {
			shorter := source[:at] + source[min(at+size, len(source)):]
			if kind, _, _ := f.verdict(shorter, status); kind == "missed" {
				source = shorter
			} else {
				at += size
			}
		}
	}
	return source
}

// shape is what sources have in common that differ in names only.
func shape(source string) string {
	return regexp.MustCompile(`[ \t]+`).ReplaceAllString(regexp.MustCompile(`[A-Za-z0-9_.é/]+`).ReplaceAllString(source, "a"), " ")
}

func (f *shellFuzz) report() {
	fmt.Fprintf(f.out, "\n%d sources; %s refused %d; it ran %d that cannot be read, in %d of which something started is not listed\n",
		f.ran, f.shell, f.refused, f.unread, f.unseen)
	var b bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(f.found)) {
		n := f.found[key]
		fmt.Fprintf(&b, "%6d %s: %q: %.200s\n", n.count, n.kind, n.source, strings.SplitN(n.detail, "\n", 2)[0])
		if n.kind == "missed" {
			f.t.Errorf("input: %q\nhave not: %s", n.source, n.detail)
		}
	}
	f.out.Write(b.Bytes())
}
