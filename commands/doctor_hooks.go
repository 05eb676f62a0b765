package commands

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mayi/commands/agents"
)

// checkHooks looks at every hook that the settings of the user or of this project
// hold.
func (a *app) checkHooks(e *env) (list []finding) {
	self, err := e.ownProgram()
	if err != nil {
		return []finding{{What: "hooks", Fault: err.Error()}}
	}
	for _, agent := range agents.All() {
		for _, project := range []bool{false, true} {
			if f := a.checkHook(e, agent, project, self); f != nil {
				list = append(list, *f)
			}
		}
	}
	if list == nil {
		list = []finding{{What: "hooks of AI agents: none is installed", Hint: "`mayi hook AGENT --install` installs one"}}
	}
	return list
}

// checkHook looks at one agent's hook; nil where there is none.
func (a *app) checkHook(e *env, agent *agents.Agent, project bool, self string) *finding {
	files, err := agent.Files(agents.Line{Program: self, Args: []string{"hook", agent.Name}, Seconds: 10}, e.places(project))
	if err != nil {
		return nil // there are no such settings
	}
	var line agents.Line
	var present, missing []string
	for _, f := range files {
		ch, err := load(f)
		if err != nil {
			return &finding{What: "hook of " + agent.Title, Fault: err.Error()}
		}
		l, ok := agent.Installed(f, ch.before)
		switch {
		case ok:
			present = append(present, f.Path)
			if len(l.Args) > 0 {
				line = l
			}
		case slices.ContainsFunc(f.Entries, func(e agents.Entry) bool { return !e.Default }) || f.Entries == nil:
			missing = append(missing, f.Path)
			if agent.Mentioned(ch.before) {
				present = append(present, f.Path)
			}
		}
	}
	if present == nil {
		return nil
	}
	install := "`mayi hook " + agent.Name + " --install`"
	if project {
		install = "`mayi hook " + agent.Name + " --install --project`"
	}
	f := &finding{
		What: fmt.Sprintf("hook of %s in %s", agent.Title, e.short(present[0])),
		Hint: install + " puts it right", Note: "it cannot stop: " + agent.Misses,
	}
	info, err := os.Stat(line.Program)
	switch {
	case len(missing) > 0:
		f.Fault = e.short(missing[0]) + " does not hold all of it"
	case len(line.Args) < 2 || line.Args[0] != "hook" || line.Args[1] != agent.Name:
		f.Fault = "its line is not one that mayi has written"
	case err != nil:
		f.Fault = line.Program + ": " + rootCause(err).Error()
	case !filepath.IsAbs(line.Program) || info.Mode().Perm()&0o111 == 0:
		f.Fault = line.Program + " is not the absolute name of a program"
	case !sameFile(line.Program, self):
		f.Fault = line.Program + " is another program than this one, " + self
	default:
		f.Fault = a.tryHook(agent, line.Args, e.cwd)
	}
	if f.Fault == "" {
		f.Hint = ""
		if agent.Name == "codex" {
			f.Note = "whether Codex trusts it, only its /hooks shows; " + f.Note
		}
	}
	return f
}

// tryHook puts two calls to a hook with the flags of its line: one that a rule
// denies and one that asks. It returns what is wrong with the answers. Nothing of
// it gets into the queue or the log.
func (a *app) tryHook(agent *agents.Agent, args []string, cwd string) string {
	dir, err := os.MkdirTemp("", "mayi-doctor-")
	if err != nil {
		return err.Error()
	}
	defer os.RemoveAll(dir)
	for _, action := range []string{"deny", "ask"} {
		// The name is one that no rule allows.
		name := "mayi-doctor-" + filepath.Base(dir)
		payload, err := json.Marshal(agent.Sample(name, cwd))
		if err != nil {
			return err.Error()
		}
		call := append([]string{"mayi"}, args...)
		call = append(call, "--db", filepath.Join(dir, "mayi.db"), "--rule", "bash:"+name+"="+action)
		if slices.Contains(args, "--ask=wait") {
			call = append(call, "--ask", "deny")
			call = slices.DeleteFunc(call, func(s string) bool { return strings.HasPrefix(s, "--timeout=") })
		}
		var stdout, stderr strings.Builder
		try := &app{stdin: strings.NewReader(string(payload)), stdout: &stdout, stderr: &stderr, lookup: agents.SampleVariable, account: a.account}
		code := try.main(call)
		if !agent.Stops(int(code), stdout.String(), action == "ask") {
			return fmt.Sprintf("a call that a rule makes %s was answered with %d, %q and %q", action, code, stdout.String(), stderr.String())
		}
	}
	return ""
}
