package commands

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"mayi/commands/agents"
)

var update = flag.Bool("update", false, "rewrite the answers in agents/testdata/*.txt")

// hookConfig is what the payloads in agents/testdata are judged by.
const hookConfig = `{"permission": {
	"bash": {"echo *": "allow", "rm *": "deny"},
	"edit": {"*": "deny", "src/*": "allow"},
	"glob": "allow", "grep": "allow", "list": "allow", "websearch": "deny",
	"webfetch": {"https://good.example/*": "allow", "https://bad.example/*": "deny"},
	"github_*": "allow", "*.delete_repo": "deny"
}}`

func newHookHome(t *testing.T) home {
	h := newHome(t)
	h.write(".config/mayi/config.jsonc", hookConfig)
	return h
}

func (h home) write(name, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		h.t.Fatal(err)
	}
}

func (h home) project() string { return filepath.Join(h.dir, "project") }

// hook puts a payload to a hook that has no terminal.
func (h home) hook(payload string, env []string, args ...string) (code int, stdout, stderr string) {
	h.t.Helper()
	cmd := h.command(append([]string{"hook"}, args...)...)
	cmd.Env = append(cmd.Env, env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(payload, "$P", h.project()))
	var out, err strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &err
	if e := cmd.Run(); cmd.ProcessState == nil {
		h.t.Fatal(e)
	}
	tidy := strings.NewReplacer(h.project(), "$P", h.dir, "$H")
	return cmd.ProcessState.ExitCode(), tidy.Replace(out.String()), tidy.Replace(err.String())
}

// effect is what an agent does after a hook has ended so, by its contract: run
// the tool without a question of its own about it, deny it, or ask its person.
// Where a hook says nothing, the agent goes its own way, which is pass.
func effect(agent string, code int, stdout, stderr string) string {
	var said struct {
		Decision, Permission string
		PermissionDecision   string
		Cancel               bool
		Specific             struct{ HookEventName, PermissionDecision, PermissionDecisionReason string } `json:"hookSpecificOutput"`
	}
	isJSON := json.Unmarshal([]byte(stdout), &said) == nil
	words := map[string]string{"allow": "run", "deny": "deny", "block": "deny", "ask": "ask", "force_ask": "ask"}
	switch agent {
	case "amp":
		return map[int]string{0: "run", 1: "ask"}[code] + strings.Repeat("deny", min(code/2, 1))
	case "cline":
		switch {
		case !isJSON:
			return "the tool runs: no JSON"
		case said.Cancel:
			return "deny"
		}
		return "run"
	case "antigravity":
		if code != 0 || !isJSON {
			return "not documented"
		}
		return words[said.Decision]
	case "cursor":
		switch {
		case code == 2:
			return "deny"
		case code != 0 || !isJSON:
			return "the tool runs, but for failClosed"
		case said.Permission == "":
			return "pass"
		}
		return words[said.Permission]
	}
	switch {
	case code == 2 && strings.TrimSpace(stderr) != "" && !strings.HasPrefix(stderr, "{") && stdout == "":
		return "deny"
	case code != 0:
		return fmt.Sprintf("the tool runs: exit status %d", code)
	case stdout == "":
		return "pass"
	}
	switch agent {
	case "codex", "opencode", "windsurf", "kiro", "kimi":
		return "the tool runs: nothing may be said on standard output"
	case "gemini", "goose", "crush":
		return words[said.Decision]
	case "copilot":
		if said.PermissionDecision != "" {
			return words[said.PermissionDecision]
		}
	}
	if said.Specific.HookEventName == "" || said.Specific.PermissionDecisionReason == "" {
		return "the tool runs: not the form of an answer"
	}
	return words[said.Specific.PermissionDecision]
}

// saysNothing are the agents to which an allow is nothing said, and those that ask
// by themselves then.
var saysNothing = map[string]string{"codex": "run", "opencode": "run", "windsurf": "run", "kiro": "run", "kimi": "run", "crush": "ask"}

// TestPayloads puts every payload of agents/testdata to the hook of its agent.
// There a case is
//
//	> EFFECT [as AGENT]: what it is
//	$ VARIABLE=VALUE …
//	the payload in one line, $P for the project, or (nothing)
//	< the exit code
//	out: a line of standard output
//	err: a line of standard error
//
// The effect is written by hand; the answer, which -update writes, has to have it.
func TestPayloads(t *testing.T) {
	files, err := filepath.Glob("agents/testdata/*.txt")
	if err != nil || len(files) != len(agents.Names()) {
		t.Fatalf("%d files for %d agents (%v)", len(files), len(agents.Names()), err)
	}
	for _, file := range files {
		agent := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			blocks := strings.Split(string(text), "\n\n")
			for i, block := range blocks[1:] {
				block = strings.TrimSuffix(block, "\n")
				blocks[i+1] = testPayload(t, agent, block)
				if blocks[i+1] != block && !*update {
					t.Errorf("%s\nhave\n%s\nwant\n%s", strings.SplitN(block, "\n", 2)[0], blocks[i+1], block)
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// testPayload runs a case and returns it with the answer it got.
func testPayload(t *testing.T, agent, block string) string {
	lines := strings.Split(block, "\n")
	title, rest := lines[0], lines[1:]
	var env []string
	if strings.HasPrefix(rest[0], "$ ") {
		env, rest = strings.Fields(rest[0][2:]), rest[1:]
	}
	payload := rest[0]
	if payload == "(nothing)" {
		payload = ""
	}
	want, _, _ := strings.Cut(strings.TrimPrefix(title, "> "), ":")
	want, as, _ := strings.Cut(want, " as ")
	if as == "" {
		as = agent
	}
	h := newHookHome(t) // each is a session of its own
	code, stdout, stderr := h.hook(payload, env, agent)
	have := effect(as, code, stdout, stderr)
	if have == "pass" && want != "pass" && saysNothing[as] != "" {
		have = saysNothing[as]
	}
	if as == "gemini" || as == "cline" {
		// What is passed is passed by an allow.
		have = strings.Replace(have, "run", want, strings.Count(want, "pass"))
	}
	if have != want {
		t.Errorf("%s\nhas the effect %q: exit status %d, %q, %q", title, have, code, stdout, stderr)
	}
	out := lines[:len(lines)-len(rest)+1]
	out = append(append([]string{}, out...), fmt.Sprintf("< %d", code))
	for _, s := range [][2]string{{"out: ", stdout}, {"err: ", stderr}} {
		for line := range strings.Lines(s[1]) {
			out = append(out, s[0]+strings.TrimSuffix(line, "\n"))
		}
	}
	return strings.Join(out, "\n")
}
