package commands

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The agents that are run for real, where $MAYI_TEST_AGENTS is set and their
// programs are in $PATH. None needs an account: the model is a stub on this
// machine, which has them run one command that is denied and then one that is
// allowed.
var realAgents = []struct {
	name string
	args []string
	env  []string
	// files are what it needs below its home directory; $STUB stands for the stub's
	// address.
	files map[string]string
}{
	{
		name: "codex",
		// An installed hook has to be trusted by a person; the test is none.
		args: []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "go"},
		env:  []string{"STUB_KEY=x"},
		files: map[string]string{".codex/config.toml": `model = "m"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = "$STUB/v1"
wire_api = "responses"
env_key = "STUB_KEY"
request_max_retries = 0
stream_max_retries = 0
`},
	},
	{
		name: "gemini",
		args: []string{"--yolo", "--skip-trust", "-m", "gemini-2.5-flash", "-p", "go"},
		env:  []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL=$STUB", "GEMINI_CLI_TRUST_WORKSPACE=true"},
		files: map[string]string{
			".gemini/settings.json": "{\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}},\n  \"telemetry\": {\"enabled\": false}\n}\n",
		},
	},
	{
		name: "opencode",
		args: []string{"run", "go"},
		env:  []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1"},
		files: map[string]string{".config/opencode/opencode.json": `{
  "model": "stub/m", "small_model": "stub/m", "permission": "allow",
  "provider": {"stub": {
    "npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "$STUB/v1", "apiKey": "x"}, "models": {"m": {"tool_call": true}}
  }}
}`},
	},
	{
		name: "qwen",
		args: []string{"--yolo", "-p", "go"},
		env:  []string{"OPENAI_API_KEY=x", "OPENAI_BASE_URL=$STUB/v1", "OPENAI_MODEL=m"},
		files: map[string]string{
			".qwen/settings.json": "{\n  \"security\": {\"auth\": {\"selectedType\": \"openai\"}},\n  \"privacy\": {\"usageStatisticsEnabled\": false}\n}\n",
		},
	},
}

// commandsToRun are what the stub has an agent do, one after the other.
var commandsToRun = []string{"touch denied", "touch allowed"}

// TestRealAgents demands that a real agent does not run what is denied, and runs
// what is allowed. Files that the commands make tell.
func TestRealAgents(t *testing.T) {
	if os.Getenv("MAYI_TEST_AGENTS") == "" {
		t.Skip("MAYI_TEST_AGENTS is not set")
	}
	for _, a := range realAgents {
		t.Run(a.name, func(t *testing.T) {
			program, err := exec.LookPath(a.name)
			if err != nil {
				t.Skip(err)
			}
			h := newHome(t)
			h.write(".config/mayi/config.jsonc", `{"permission": {"*": "allow", "bash": {"touch *": "deny", "touch allowed": "allow"}}}`)
			model := &stub{t: t}
			server := httptest.NewServer(model)
			defer server.Close()
			fill := strings.NewReplacer("$STUB", server.URL)
			for name, text := range a.files {
				h.write(name, fill.Replace(text))
			}
			h.at(h.command("hook", a.name, "--install")).ends(0)
			h.mayi(0, "doctor")

			cmd := exec.Command(program, a.args...)
			cmd.Dir = h.project()
			cmd.Env = h.command().Env
			for _, v := range a.env {
				cmd.Env = append(cmd.Env, fill.Replace(v))
			}
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			out, err := os.Create(filepath.Join(h.dir, "out"))
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd.Stdout, cmd.Stderr = out, out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(4*time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
			err = cmd.Wait()
			timer.Stop()
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)

			text, _ := os.ReadFile(out.Name())
			if have := model.told(); !strings.Contains(have, "mayi: denied: bash: touch denied") {
				t.Errorf("the model was not told why\n%s (%v)", text, err)
			}
			if exists(filepath.Join(h.project(), "denied")) {
				t.Error("what is denied was run")
			}
			if !exists(filepath.Join(h.project(), "allowed")) {
				t.Error("what is allowed was not run")
			}
			if log := h.mayi(0, "log"); !strings.Contains(log, "hook") || !strings.Contains(log, "touch denied") {
				t.Errorf("the log does not tell: %s", log)
			}
		})
	}
}

// A stub speaks for a model, in the ways of three makers.
type stub struct {
	t    *testing.T
	mu   sync.Mutex
	step int
	last string
}

// told is the last that an agent told the model.
func (s *stub) told() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost {
		fmt.Fprint(w, `{"data":[],"models":[]}`)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	command := ""
	// A question without tools is one for a title.
	if strings.Contains(string(body), `"tools"`) {
		s.last += string(body)
		if s.step < len(commandsToRun) {
			command = commandsToRun[s.step]
		}
		s.step++
	}
	id := fmt.Sprintf("call_%d", s.step)
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(v map[string]any) {
		data, err := json.Marshal(v)
		if err != nil {
			s.t.Error(err)
		}
		if kind, ok := v["type"]; ok {
			fmt.Fprintf(w, "event: %s\n", kind)
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	type object = map[string]any
	args := func(v object) string { data, _ := json.Marshal(v); return string(data) }
	switch {
	case strings.HasSuffix(r.URL.Path, "/responses"): // of OpenAI
		item := object{"type": "message", "role": "assistant", "id": "m", "content": []object{{"type": "output_text", "text": "done"}}}
		if command != "" {
			item = object{"type": "function_call", "id": "f" + id, "call_id": id, "name": "exec_command", "arguments": args(object{"cmd": command})}
		}
		event(object{"type": "response.created", "response": object{"id": "r"}})
		event(object{"type": "response.output_item.done", "output_index": 0, "item": item})
		event(object{"type": "response.completed", "response": object{"id": "r", "usage": object{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}})
	case strings.HasSuffix(r.URL.Path, "/chat/completions"): // of OpenAI, as others speak it
		delta, reason := object{"role": "assistant", "content": "done"}, "stop"
		if command != "" {
			name := "bash"
			if strings.Contains(string(body), "run_shell_command") {
				name = "run_shell_command"
			}
			in := args(object{"command": command, "description": "x", "is_background": false})
			delta, reason = object{"role": "assistant", "tool_calls": []object{{"index": 0, "id": id, "type": "function", "function": object{"name": name, "arguments": in}}}}, "tool_calls"
		}
		chunk := object{"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
		chunk["choices"] = []object{{"index": 0, "delta": delta, "finish_reason": nil}}
		event(chunk)
		chunk["choices"] = []object{{"index": 0, "delta": object{}, "finish_reason": reason}}
		chunk["usage"] = object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
		event(chunk)
		fmt.Fprint(w, "data: [DONE]\n\n")
	default: // of Google
		part := object{"text": "done"}
		if command != "" {
			part = object{"functionCall": object{"name": "run_shell_command", "args": object{"command": command, "description": "x"}}}
		}
		answer := object{
			"candidates":    []object{{"index": 0, "content": object{"role": "model", "parts": []object{part}}, "finishReason": "STOP"}},
			"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		}
		if strings.Contains(r.URL.Path, "stream") {
			event(answer)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, args(answer))
	}
}
