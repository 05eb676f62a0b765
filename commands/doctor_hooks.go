package commands

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
		own, project := a.checkHook(e, agent, false, self), a.checkHook(e, agent, true, self)
		if own != nil {
			list = append(list, *own)
		}
		if project != nil {
			if own != nil && own.What != project.What {
				project.Note = "the settings of the user hold one too, so that each call is judged, logged and perhaps asked about twice; " + project.Note
			}
			list = append(list, *project)
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
		if f.Fault = e.changed(agent, project, line); f.Fault == "" {
			f.Fault = a.tryHook(agent, line.Args, e.cwd)
		}
	}
	for _, at := range []agents.Places{e.places(false), e.places(true)} {
		if path, says := agent.TurnedOff(at, readSettings); path != "" && f.Fault == "" {
			f.Fault = "it does not run: " + e.short(path) + " says " + says
			f.Hint = "take that out, if the hook is to run"
		}
	}
	if f.Fault == "" {
		f.Hint = ""
		if agent.Name == "codex" {
			f.Note = "whether Codex trusts it, only its /hooks shows; " + f.Note
		}
	}
	return f
}

// changed says where the files of a hook differ from what an install of its line
// writes, "" where they do not.
func (e *env) changed(agent *agents.Agent, project bool, line agents.Line) string {
	line.Seconds = max(line.Seconds, secondsFor(line.Args))
	files, err := agent.Files(line, e.places(project))
	if err != nil {
		return err.Error()
	}
	for _, f := range files {
		ch, err := load(f)
		if err != nil {
			return err.Error()
		}
		after, err := agent.Put(f, ch.before)
		switch {
		case err != nil:
			return err.Error()
		case !ch.exists || !bytes.Equal(after, ch.before):
			return e.short(f.Path) + " is not as an install writes it: `mayi hook " + agent.Name + " --print` shows that"
		case f.Mode&0o100 != 0 && ch.had&0o100 == 0:
			return e.short(f.Path) + " may not be executed"
		case ch.had&0o002 != 0:
			return e.short(f.Path) + " may be written by every user of this machine"
		}
	}
	return ""
}

// secondsFor is how long an agent has to wait for a hook with these flags.
func secondsFor(args []string) int {
	for _, arg := range args {
		if s, ok := strings.CutPrefix(arg, "--timeout="); ok {
			if d, err := time.ParseDuration(s); err == nil {
				return int((d + agents.Grace + time.Second - 1) / time.Second)
			}
		}
	}
	return 10
}

// readSettings is what a file of settings holds, nothing where it cannot be read.
func readSettings(path string) []byte {
	ch, err := load(agents.File{Path: path})
	if err != nil {
		return nil
	}
	return ch.before
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
