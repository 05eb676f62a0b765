package commands

import (
	"github.com/urfave/cli/v2"

	"mayi/commands/agents"
)

func (a *app) installHook(c *cli.Context, agent *agents.Agent) error { return nil }
