// Package agents speaks the pre-tool hooks of AI coding agents: what an agent
// says it is about to do becomes a [Call] of permissions and patterns, and a
// verdict becomes the answer that this agent understands.
//
// Its promise is that an answer lets a tool run only when it is given an Allow,
// that a payload it does not understand is an error and never a call without
// wants, and that [Agent.Refuse] is a deny to that agent whatever went wrong. Its
// blindness is that it knows an agent by what the agent's contract says: a tool
// the agent runs without calling the hook is not seen.
package agents

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mayi/rules"
)

// An Agent is one coding agent and its dialect.
type Agent struct {
	Name  string // as `mayi hook` takes it
	Title string // as people call it

	// Ask is set when the agent can ask its own person on behalf of a hook.
	Ask bool

	// Timeout is how long the agent waits for a hook unless its settings say
	// otherwise; most run the tool when it is over, so that a hook has to be done
	// well before. Most is the longest its settings can say.
	Timeout, Most time.Duration

	// Misses says what the agent runs all the same.
	Misses string

	// runBy are the agents that read this one's settings and run its hooks with a
	// payload of their own.
	runBy []string

	// joint stands between the names of an MCP server and its tool in the name of a
	// tool that is no other; "" where a mark in front tells.
	joint string

	read   func(p *payload) (*Call, error)
	answer func(c *Call, action rules.Action, reason string) Reply
	refuse func(reason string) Reply // nil is the exit code 2 and a line on standard error
	files  func(l Line, at Places) ([]File, error)
}

// A World is what a dialect has to know beside the payload.
type World struct {
	Lookup   func(variable string) string // in the environment
	Terminal bool                         // a person may be there
}

// A Call is what an agent is about to do. Exactly one of Wants and Passed is set.
type Call struct {
	*Agent         // whose dialect the payload is in: not always the one that was named
	Event   string // the agent's name for what happens
	Tool    string // the agent's name for the tool
	Session string // "" when the agent does not say
	Sub     string // the agent below the agent, "" for none
	Cwd     string // "" when the agent does not say

	Wants []Want
	// Passed is set for an event that is no tool about to run. Nothing is judged
	// and nothing allowed.
	Passed bool

	// Unasked is set where the agent does not put an ask before a person.
	Unasked bool
}

// CanAsk reports whether an ask reaches a person through the agent.
func (c *Call) CanAsk() bool { return c.Ask && !c.Unasked }

// Who names the agent for people, and the one below it that asks.
func (c *Call) Who() string {
	if c.Sub == "" || c.Sub == c.Name {
		return c.Name
	}
	return c.Name + "/" + c.Sub
}

// A Want is one thing a call needs: a line or an argv of shell when the
// permission is bash, else the arguments of a permission.
type Want struct {
	Permission string
	Line       string
	Args       []string
	Dir        string // where a shell starts, when not in the call's directory

	// Unknown is set when the tool does not say what it wants: no rule but one
	// for all of the permission covers it.
	Unknown bool
}

// A Reply is what a hook's process says to the agent.
type Reply struct {
	Stdout, Stderr string
	Code           int
}

// MaxPayload is the largest payload that is read, in bytes. It holds the whole
// content of a file that is written; what is larger is refused.
const MaxPayload = 8 << 20

// Find returns an agent by its name.
func Find(name string) (*Agent, bool) {
	i := slices.IndexFunc(table, func(a *Agent) bool { return a.Name == name })
	if i < 0 {
		return nil, false
	}
	return table[i], true
}

// Names lists the agents in order.
func Names() (names []string) {
	for _, a := range table {
		names = append(names, a.Name)
	}
	return names
}

// All lists the agents in order.
func All() []*Agent { return slices.Clone(table) }

// Read understands a payload that the hook of an agent was given. Some agents run
// the hooks of others: then the call is theirs, and so is its dialect. A payload
// of any other agent, and whatever is not exactly one JSON object without
// duplicate keys, is an error.
func (a *Agent) Read(data []byte, w World) (*Call, error) {
	fields, err := parse(data)
	if err != nil {
		return nil, err
	}
	p := &payload{object: fields, world: w}
	speaks := a
	if name := p.marked(); name != "" && name != a.Name {
		if !slices.Contains(a.runBy, name) {
			return nil, fmt.Errorf("this is a payload of %s, and the hook is one for %s", name, a.Name)
		}
		speaks, _ = Find(name)
	}
	p.joint = speaks.joint
	c, err := speaks.read(p)
	if err == nil {
		err = p.err
	}
	if err != nil {
		return nil, err
	}
	c.Agent = speaks
	if !c.Passed && len(c.Wants) == 0 {
		return nil, fmt.Errorf("the payload names no tool that %s is about to use", a.Name)
	}
	return c, nil
}

// Answer says a verdict in the dialect of the call. An ask that the agent cannot
// put before a person is a deny.
func (c *Call) Answer(action rules.Action, reason string) Reply {
	if action == rules.Ask && !c.CanAsk() {
		action = rules.Deny
	}
	return c.answer(c, action, plain(reason))
}

// Pass answers an event that is no tool about to run.
func (c *Call) Pass() Reply {
	if c.Name == "cursor" || c.Name == "cline" {
		return Reply{Stdout: "{}\n"} // they want an object
	}
	return Reply{}
}

// Refuse is the answer where there is no verdict: the agent's own form of a deny.
func (a *Agent) Refuse(reason string) Reply {
	reason = plain(reason)
	if a.refuse != nil {
		return a.refuse(reason)
	}
	return block(reason)
}

// block is a deny as most agents understand it: the exit code 2 and one line of
// plain text on standard error.
func block(reason string) Reply { return Reply{Stderr: reason + "\n", Code: 2} }

// MaxReason is the longest reason an agent is told, in bytes.
const MaxReason = 500

// plain makes one line of plain text of a reason. Some agents take what begins
// with a brace for JSON, so it begins with our name.
func plain(reason string) string {
	reason = "mayi: " + strings.Join(strings.Fields(reason), " ")
	if len(reason) > MaxReason {
		cut := MaxReason - len("…")
		for cut > 0 && reason[cut]&0xc0 == 0x80 {
			cut--
		}
		reason = reason[:cut] + "…"
	}
	return reason
}
