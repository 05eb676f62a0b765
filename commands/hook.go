package commands

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"mayi/commands/agents"
	"mayi/rules"
	"mayi/shellparse"
)

func (a *app) hook() *cli.Command {
	return &cli.Command{
		Name:        "hook",
		Usage:       "judge what an AI agent is about to do, told on standard input, in its own way; or install that",
		ArgsUsage:   strings.Join(agents.Names(), "|"),
		Description: hookHelp(),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "ask", Usage: "who is asked: native (the agent asks), deny (nobody), wait (whoever approves first); `HOW` is native unless the agent cannot"},
			&cli.StringFlag{Name: "timeout", Usage: "with --ask=wait: how long to wait for an answer, such as `30s`"},
			&cli.BoolFlag{Name: "install", Usage: "put this hook into the settings of the agent"},
			&cli.BoolFlag{Name: "uninstall", Usage: "take it out again"},
			&cli.BoolFlag{Name: "print", Usage: "show what an install would write, and where"},
			&cli.StringFlag{Name: "home", Usage: "the home `DIR` below which config and database are; an install writes it where it is not the account's"},
			&cli.BoolFlag{Name: "project", Usage: "with these: the settings of this project, not the user's own"},
		},
		Action: func(c *cli.Context) error {
			agent, ok := agents.Find(c.Args().First())
			switch {
			case !ok:
				return &hookError{fmt.Errorf("no hook is known for agent %q: it is one of %s", c.Args().First(), strings.Join(agents.Names(), ", "))}
			case c.NArg() == 1 && (c.Bool("install") || c.Bool("uninstall") || c.Bool("print")):
				return a.installHook(c, agent)
			}
			return a.answerHook(c, agent)
		},
	}
}

// judging is how long a hook may take to come to a verdict. It is well below what
// any agent grants: most of them run the tool when that is over.
const judging = 5 * time.Second

// answerHook answers the agent, whatever happens, in its own dialect. The work is
// done apart, so that nothing it waits for, and no panic of it, is in the way.
func (a *app) answerHook(c *cli.Context, agent *agents.Agent) error {
	// A reader that went away is an error to see, and no reason to die of.
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	how, err := hookPolicy(c, agent)
	switch {
	case c.NArg() != 1:
		err = fmt.Errorf("a hook takes the name of one agent, not %q", c.Args().Slice())
	case boolFlag(c, "project"):
		err = errors.New("--project goes with --install")
	}
	limit := judging
	if how.timeout != nil && *how.timeout > 0 {
		limit = *how.timeout + agents.Grace/2
	}
	done := make(chan agents.Reply, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- agent.Refuse(fmt.Sprintf("internal error, so not allowed: %v", p))
			}
		}()
		if err != nil {
			done <- agent.Refuse(refusal(err))
			return
		}
		reply, err := a.judgeHook(c, agent, how)
		if err != nil {
			reply = agent.Refuse(refusal(err))
		}
		done <- reply
	}()
	expired := time.After(limit)
	for {
		select {
		case reply := <-done:
			return a.reply(reply)
		case <-expired:
			return a.reply(agent.Refuse(fmt.Sprintf("no verdict within %s, so not allowed", limit)))
		case sig := <-signals:
			// A request that waits is withdrawn by who waits, which also knows what
			// a lost terminal means.
			if sig != syscall.SIGHUP {
				expired = time.After(time.Second)
			}
		}
	}
}

// refusal says what was wrong, and that nothing is allowed because of it.
func refusal(err error) string { return visible(err.Error()) + "; so not allowed" }

// reply writes an answer. One that cannot be written is a deny.
func (a *app) reply(r agents.Reply) error {
	_, err := io.WriteString(a.stdout, r.Stdout)
	if err == nil && r.Stdout != "" && isNull(a.stdout) {
		err = errors.New("closed, or the null device, and an answer would be lost")
	}
	if err != nil {
		return &hookError{fmt.Errorf("standard output: %w", err)}
	}
	if _, err := io.WriteString(a.stderr, r.Stderr); err != nil {
		return &hookError{fmt.Errorf("standard error: %w", err)}
	}
	return &answered{exitCode(r.Code)}
}

// isNull reports whether what is written comes to nothing. The runtime of Go opens
// the null device in the place of a descriptor that was closed.
func isNull(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return false
	}
	info, err := file.Stat()
	return err != nil || os.SameFile(info, null)
}

// hookPolicy says what becomes of an ask.
func hookPolicy(c *cli.Context, agent *agents.Agent) (waiting, error) {
	how := waiting{verb: "hook"}
	policy := textFlag(c, "ask")
	if policy == "" {
		policy = "deny"
		if agent.Ask {
			policy = "native"
		}
	}
	none := time.Duration(0)
	switch {
	case policy == "wait":
		wait := agent.Wait()
		if s := textFlag(c, "timeout"); s != "" {
			d, err := time.ParseDuration(s)
			if err != nil || d < time.Second || d > 24*time.Hour {
				return how, fmt.Errorf("--timeout %q is no length of time to wait: write 30s or 5m", s)
			}
			wait = d
		}
		how.timeout = &wait
		return how, nil
	case c.IsSet("timeout"):
		return how, errors.New("--timeout goes with --ask=wait")
	case policy == "native" && !agent.Ask:
		return how, fmt.Errorf("%s cannot ask on behalf of a hook: --ask is deny or wait", agent.Title)
	case policy == "native":
		how.left = true
	case policy != "deny":
		return how, fmt.Errorf("--ask is native, deny or wait, not %q", policy)
	}
	how.timeout = &none
	return how, nil
}

// judgeHook reads what the agent is about to do, judges it as `ask` does and
// turns the outcome into an answer. The answer is in the log before it is given.
func (a *app) judgeHook(c *cli.Context, agent *agents.Agent, how waiting) (agents.Reply, error) {
	data, err := io.ReadAll(io.LimitReader(a.stdin, agents.MaxPayload+1))
	if err != nil {
		return agents.Reply{}, fmt.Errorf("standard input: %w", err)
	}
	call, err := agent.Read(data, agents.World{Lookup: a.lookup, Terminal: atTerminal()})
	if err != nil {
		return agents.Reply{}, err
	}
	if call.Passed {
		return call.Pass(), nil
	}
	// What would be warned of is no part of an answer.
	e, err := newEnv(c, a.stdin, io.Discard, io.Discard)
	if err != nil {
		return agents.Reply{}, err
	}
	e.pinned(c, a.account())
	if err := e.standIn(c, call); err != nil {
		return agents.Reply{}, err
	}
	g, err := newGate(e)
	if err != nil {
		return agents.Reply{}, err
	}
	g.agent = call.Who() // whose rules hold was said by a flag
	q, err := g.call(call)
	if err != nil {
		return agents.Reply{}, err
	}
	how.left = how.left && call.CanAsk()
	o, err := g.ask(c.Context, q, how)
	if err != nil {
		return agents.Reply{}, err
	}
	return call.Answer(o.action(), g.reasonFor(o)), nil
}

// standIn puts the world where the agent works, and names its session.
func (e *env) standIn(c *cli.Context, call *agents.Call) error {
	if call.Cwd != "" {
		if !filepath.IsAbs(call.Cwd) {
			return fmt.Errorf("the payload names a working directory that is not absolute: %q", call.Cwd)
		}
		project, tree := e.project, e.tree
		e.locate(call.Cwd)
		if textFlag(c, "project") != "" {
			e.project, e.tree = project, tree
		}
	}
	e.explicit = true
	if textFlag(c, "session") == "" {
		e.session = first(call.Session, call.Name+" at "+e.session)
	}
	return nil
}

// call makes one question of all that a call wants.
func (g *gate) call(c *agents.Call) (*question, error) {
	q := &question{permission: c.Wants[0].Permission, blank: true}
	var lines []string
	for _, w := range c.Wants {
		part, err := g.want(w)
		if err != nil {
			return nil, err
		}
		q.permission = rules.Canonical(q.permission)
		q.blank = q.blank && part.blank
		q.requests = append(q.requests, part.requests...)
		if !slices.Contains(lines, part.line) {
			lines = append(lines, part.line)
		}
	}
	q.line = strings.Join(lines, " ")
	return q, nil
}

func (g *gate) want(w agents.Want) (*question, error) {
	switch {
	case w.Unknown:
		text := shellparse.Word{{Text: "(not said)", Hole: shellparse.Value}}
		return &question{permission: w.Permission, line: text.String(), requests: []rules.Request{{Permission: w.Permission, Text: text}}}, nil
	case w.Permission != "bash":
		return g.tools(w.Permission, w.Args)
	case w.Dir != "" && g.elsewhere(w.Dir):
		line := w.Line
		if w.Args != nil {
			line = quoted(w.Args...)
		}
		if q, err := g.line(line); err != nil || q.blank {
			return q, err
		}
		// The tool starts it there, or not at all.
		return g.line("cd " + quoted(g.absolute(w.Dir)) + " && {\n" + line + "\n}")
	case w.Args != nil:
		return g.words(w.Args)
	}
	return g.line(w.Line)
}

func (g *gate) absolute(dir string) string {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(g.cwd, dir)
	}
	return dir
}

// elsewhere reports whether a directory is not the one the agent works in.
func (g *gate) elsewhere(dir string) bool { return g.canonical(g.absolute(dir)) != g.cwd }

// quoted spells words so that a shell takes them for what they are.
func quoted(words ...string) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(list, " ")
}

// atTerminal reports whether this process has a terminal at which a person may
// be.
func atTerminal() bool {
	file, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY|nonblock, 0)
	if err != nil {
		return false
	}
	return file.Close() == nil
}
