package commands

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"mayi/rules"
)

const policySays = `{"permission": {"bash": {"make *": "allow", "npm *": "ask", "git push *": "deny"}}}`

// TestThePolicyIsRoots puts a policy into every state in which somebody else than
// root could have written it: each is an error, and so is a config of the machine's.
func TestThePolicyIsRoots(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, whose the files of the machine are")
	}
	for _, tt := range []struct {
		name string
		make func(dir, path string) error
		want string // of the error, "" for none
		link bool   // fine for config.jsonc
	}{
		{"as it should be", nil, "", false},
		{"closed to others", func(dir, path string) error { return errors.Join(os.Chmod(path, 0o600), os.Chmod(dir, 0o700)) }, "", false},
		{"no directory", func(dir, path string) error { return os.RemoveAll(dir) }, "", false},
		{"another user's", func(dir, path string) error { return os.Chown(path, 12345, 0) }, "it belongs to user 12345", false},
		{"the group may write", func(dir, path string) error { return os.Chmod(path, 0o664) }, "others may write to it (mode 0664)", false},
		{"everybody may write", func(dir, path string) error { return os.Chmod(path, 0o646) }, "others may write to it (mode 0646)", false},
		{"another user's directory", func(dir, path string) error { return os.Chown(dir, 12345, 0) }, "its directory: it belongs to user 12345", false},
		{"an open directory", func(dir, path string) error { return os.Chmod(dir, os.ModeSticky|0o777) }, "its directory: others may write to it", false},
		{"a directory elsewhere", func(dir, path string) error {
			return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir))
		}, "its directory is a symbolic link", false},
		{"a link", func(dir, path string) error {
			return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path))
		}, "it is a symbolic link", true},
		{"a link to another user's", func(dir, path string) error {
			return errors.Join(os.Rename(path, path+".real"), os.Symlink(path+".real", path), os.Chown(path+".real", 12345, 0))
		}, "", false},
		{"a fifo", func(dir, path string) error { return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o644)) }, "it is not a regular file", false},
		{"a directory itself", func(dir, path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) }, "it is not a regular file", false},
		{"broken", func(dir, path string) error { return os.WriteFile(path, []byte("{"), 0o644) }, ":1:2: ", false},
	} {
		for _, file := range []string{"policy.jsonc", "config.jsonc"} {
			t.Run(tt.name+" "+file, func(t *testing.T) {
				h := newHome(t)
				dir := filepath.Join(h.dir, "etc")
				path := filepath.Join(dir, file)
				put := func() error { return os.WriteFile(path, []byte(policySays), 0o644) }
				if err := errors.Join(os.Mkdir(dir, 0o755), put(), os.Chmod(path, 0o644), os.Chmod(dir, 0o755)); err != nil {
					t.Fatal(err)
				}
				if tt.make != nil {
					if err := tt.make(dir, path); err != nil {
						t.Fatal(err)
					}
				}
				want := tt.want
				if tt.link && file == "config.jsonc" {
					want = ""
				}
				e := &env{home: h.dir, machine: dir, project: h.dir, cwd: h.dir, db: h.db(), out: &printer{out: io.Discard, err: io.Discard}}
				config, err := e.config()
				var wrong *rules.ConfigError
				switch {
				case strings.Contains(tt.name, "link to another"):
					if !errors.As(err, &wrong) {
						t.Errorf("have %v, want an error", err)
					}
				case want == "" && (err != nil || config == nil):
					t.Errorf("have %v", err)
				case want != "" && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path)):
					t.Errorf("have %v, want %s: %s", err, path, want)
				}
				// At a person's own Enter it is said, and everything asks.
				e.guard, e.agent = true, rules.ShellAgent
				if config, err = e.config(); err != nil || (config.Broken != "") != (wrong != nil) {
					t.Errorf("at Enter: have %v, %+v", err, config)
				}
			})
		}
	}
}

// machine runs commands where a policy, and nothing else of the machine's, is in
// /etc/mayi: in a mount namespace of their own, so that nobody else sees it.
func (h home) machine(t *testing.T, script string) string {
	t.Helper()
	etc := filepath.Join(h.dir, "etc")
	if err := errors.Join(os.MkdirAll(filepath.Join(etc, "mayi"), 0o755), os.WriteFile(filepath.Join(etc, "mayi/policy.jsonc"), []byte(policySays), 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(filepath.Join(etc, "mayi"), 0o755), os.Chmod(filepath.Join(etc, "mayi/policy.jsonc"), 0o644)); err != nil {
		t.Fatal(err)
	}
	unshare := []string{"unshare", "--mount", "--user", "--map-root-user"}
	if os.Geteuid() == 0 {
		unshare = unshare[:2]
	}
	if out, err := exec.Command(unshare[0], append(unshare[1:], "mount", "--bind", etc, "/etc")...).CombinedOutput(); err != nil {
		t.Skipf("no mount namespace to be had: %v %s", err, out)
	}
	cmd := h.command()
	cmd.Path, cmd.Err = "/bin/sh", nil
	cmd.Args = []string{"sh", "-c", `exec "$@"`, "sh"}
	cmd.Args = append(cmd.Args, unshare...)
	cmd.Args = append(cmd.Args, "sh", "-c", "mount --bind "+etc+" /etc || exit 99\n"+script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// TestPolicyIsFinal holds a policy against everything that comes behind it.
func TestPolicyIsFinal(t *testing.T) {
	h := newHome(t)
	if err := os.WriteFile(filepath.Join(h.dir, "project/more.jsonc"), []byte(`{"permission": "allow", "agents": {"free": {"inherit": "none", "permission": "allow"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	have := h.machine(t, `
code() { want=$1; shift; out=$("$@" 2>&1 </dev/null); have=$?; [ $have = $want ] || echo "$*: exit status $have, want $want: $out"; }
code 1 mayi check 'make x'
code 2 mayi check 'git push'
code 2 mayi check --rule 'bash:*=allow' 'git push'
code 1 mayi check --rule 'bash:*=allow' 'npm x'
code 0 mayi check --rule 'bash:*=allow' 'make x'
code 2 mayi check --config more.jsonc --agent free 'git push'
code 1 mayi check --config more.jsonc --agent free 'npm x'
code 2 mayi guard 'git push'
MAYI_PERMISSION='"allow"' code 2 mayi check 'git push'
MAYI_PERMISSION='"allow"' code 1 mayi check 'npm x'
chmod 666 /etc/mayi/policy.jsonc
code 78 mayi check 'git status'
code 78 mayi ask --timeout 0 'git status'
echo '{"tool_name":"Bash","tool_input":{"command":"git status"},"hook_event_name":"PreToolUse","session_id":"s"}' >call
code 2 sh -c 'mayi hook claude <call'
chmod 644 /etc/mayi/policy.jsonc
code 0 sh -c 'mayi hook claude <call'
chmod 777 /etc/mayi
code 78 mayi check 'git status'
`)
	if have != "" {
		t.Error(have)
	}
}
