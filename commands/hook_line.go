package commands

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"mayi/commands/agents"
)

// places is where agents keep their settings.
func (e *env) places(project bool) agents.Places {
	at := agents.Places{Home: e.home, Lookup: variable}
	if project {
		at.Project = e.project
	}
	return at
}

// hookLine is the line to install: this program, by a name that stays, with the
// flags that were given.
func (e *env) hookLine(c *cli.Context, agent *agents.Agent, account string) (agents.Line, error) {
	l := agents.Line{Args: []string{"hook", agent.Name}, Seconds: 10}
	var err error
	if l.Program, err = e.ownProgram(); err != nil {
		return l, err
	}
	if textFlag(c, "ask") != "" {
		l.Args = append(l.Args, "--ask="+textFlag(c, "ask"))
	}
	ask, err := hookPolicy(c, agent)
	if err != nil {
		return l, usagef("%v", err)
	}
	if ask.timeout != nil && *ask.timeout > 0 {
		l.Args = append(l.Args, "--timeout="+ask.timeout.String())
		needs := *ask.timeout + agents.Grace
		l.Seconds = secondsFor(l.Args)
		if most := max(agent.Timeout, agent.Most); needs > most {
			return l, usagef("%s waits for a hook for %s at most, so --timeout can be %s", agent.Title, most, most-agents.Grace)
		}
	}
	if v := textFlag(c, "agent"); v != "" {
		l.Args = append(l.Args, "--agent="+v)
	}
	files, err := e.whereabouts(c, account)
	if err != nil {
		return l, err
	}
	l.Args = append(l.Args, files...)
	for _, rule := range e.rules {
		l.Args = append(l.Args, "--rule="+rule)
	}
	// What cannot be judged by is not installed.
	_, err = newGate(e)
	return l, err
}

// ownProgram is the file of this program: as $PATH finds it, if that is the same
// file, for that name outlives an update.
func (e *env) ownProgram() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if found := e.find("mayi"); found != "" && sameFile(found, self) {
		self = found
	}
	if !strings.Contains(filepath.Base(self), "mayi") {
		return "", usagef("this program is called %s: a hook is found again by the name mayi", filepath.Base(self))
	}
	return self, nil
}

func sameFile(a, b string) bool {
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}
