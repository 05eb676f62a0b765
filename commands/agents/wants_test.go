package agents

import (
	"fmt"
	"slices"
	"testing"
)

// TestWants demands that what a tool may do is among what it wants, however its
// arguments hide it; an empty want is that the payload is refused.
func TestWants(t *testing.T) {
	for _, c := range []struct{ tool, joint, args, want string }{
		{"apply_patch", "", `{"input":"*** Add File: src/ok\t/../../etc/x\n"}`, "edit src/ok\t/../../etc/x"},
		{"patch", "", `{"diff":"+++ \"b/\\056env\"\n"}`, "edit .env"},
		{"patch", "", `{"diff":"+++ \"b/\\9\"\n"}`, "edit ?"},
		{"patch", "", `{"diff":"+++ src/ok\t/../../etc/x\n"}`, "edit src/ok\t/../../etc/x"},
		{"patch", "", `{"diff":"diff --git a/x b/x\nnew file mode 100755\n"}`, "edit x"},
		{"apply_patch", "", `{"input":"*** Add File: x\n","workdir":"/srv"}`, "edit /srv/x"},
		{"exec_command", "", `{"cmd":"x","workdir":"","dir_path":"/srv"}`, "bash x in "},
		{"exec_command", "", `{"cmd":"x","workdir":"","dir_path":"/srv"}`, "bash x in /srv"},
		{"bash", "", `{"command":"x","cwd":"/srv"}`, "bash x in "},
		{"exec_command", "", `{"cmd":"x","workdir":5}`, ""},
		{"shell", "", `{"command":["apply_patch","*** Begin Patch\n*** Add File: x\n"]}`, "edit x"},
		{"shell", "", `{"command":"apply_patch <<'E'\n*** Begin Patch\n*** Add File: x\nE\n"}`, "edit x"},
		{"Grep", "", `{"pattern":"x"}`, "read ."},
		{"Grep", "", `{"pattern":"x","glob":".env"}`, "read .env"},
		{"Grep", "", `{"pattern":"x","glob":"{.env,a.go}"}`, "read .env"},
		{"Grep", "", `{"pattern":"x","glob":".e[n]v"}`, "read ?"},
		{"Grep", "", `{"pattern":"x","target_directories":["/etc"]}`, "read /etc/*"},
		{"Grep", "", `{"pattern":"x","cwd":"/etc"}`, "read /etc/*"},
		{"Glob", "", `{"pattern":"{a,../../secret}/*"}`, "glob ../../secret/*"},
		{"Glob", "", `{"pattern":"{a,b/../../../secret}/*"}`, "glob ../../secret/*"},
		{"Glob", "", `{"pattern":"**/../../x"}`, "glob ?"},
		{"Glob", "", `{"pattern":"/etc/*","path":"src"}`, "glob /etc/*"},
		{"WebFetch", "", `{"url":"https://a/","urls":["https://b/"]}`, "webfetch https://b/"},
		{"WebFetch", "", `{"url":"https://a/","prompt":"and https:/evil"}`, "webfetch https://evil"},
		{"WebFetch", "", `{"url":"https:\\\\evil\\x"}`, "webfetch https://evil/x"},
		{"github_delete_repo", "_", `{}`, "github.delete_repo {}"},
		{"github-delete_repo", "-", `{}`, "github.delete_repo {}"},
		{"github__delete_repo", "__", `{}`, "github.delete_repo {}"},
		{"use_mcp_tool", "", `{"server_name":"github","tool_name":"x"}`, `github.x {"server_name":"github","tool_name":"x"}`},
		{"run_commands", "", `{"commands":["a","b"]}`, "bash b in "},
		{"run_commands", "", `{"commands":[{"command":"b"}]}`, "bash b in "},
		{"run_commands", "", `{"command":"a","shell_commands":["b"]}`, "bash ?"},
		{"move_file", "", `{"source":"a","destination":"b"}`, "edit a"},
		{"fs_read", "", `{"operations":[{"image_paths":["a"]}]}`, "read a"},
		{"Read", "", `{"file_path":5}`, ""},
		{"Bash", "", `{"command":{"a":"b"}}`, ""},
	} {
		in, err := parse([]byte(c.args))
		if err != nil {
			t.Fatal(err)
		}
		p := &payload{joint: c.joint}
		var have []string
		for _, w := range p.wants(c.tool, in) {
			s := w.Permission + " "
			switch {
			case w.Unknown:
				s += "?"
			case w.Line != "":
				s += w.Line + " in " + w.Dir
			default:
				s += fmt.Sprint(w.Args[0])
			}
			have = append(have, s)
		}
		if c.want == "" && p.err == nil || c.want != "" && !slices.Contains(have, c.want) {
			t.Errorf("%s %s wants %q (%v), not %q", c.tool, c.args, have, p.err, c.want)
		}
	}
}
