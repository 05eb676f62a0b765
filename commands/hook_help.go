package commands

import (
	"fmt"
	"strings"

	"mayi/commands/agents"
)

// hookHelp explains hooks to who has never installed one.
func hookHelp() string {
	var list strings.Builder
	for _, agent := range agents.All() {
		asks := "deny"
		if agent.Ask {
			asks = "native"
		}
		fmt.Fprintf(&list, "  %-12s %-7s %s\n", agent.Name, asks, agent.Misses)
	}
	return `An AI agent that has a hook installed runs it before each use of a tool, and does
what it answers: run the tool, or not. So install one first, at a terminal:

    $ mayi hook claude --print          what would be written, and where
    $ mayi hook claude --install        for all projects; with --project for this one
    $ mayi hook claude --uninstall      take it out again
    $ mayi doctor                       does it work?

Your rules decide (mayi config path says where they are). What they ask about is,
with --ask=HOW given to --install:

  native    asked by the agent, in its own window
  deny      refused, and the agent is told why
  wait      put into mayi's queue: answer with mayi approve at any terminal

Without an install flag it reads what an agent is about to do from standard input,
and ends with 0 or 2 (amp also 1), whatever happens. Agents, what an ask is for
each when you do not say, and what no hook of theirs can stop:

` + strings.TrimSuffix(list.String(), "\n")
}
