package commands

import (
	"context"
	"errors"
	"slices"
)

// notHumanError is a verb of a person's that something else than a person at a
// terminal tried.
type notHumanError struct{ verb, why string }

func (e *notHumanError) Error() string {
	return e.verb + " is for a person at a terminal, and was refused: " + e.why
}

// requireHuman returns nil when a person at a terminal of their own runs this
// process, and a *notHumanError otherwise, what cannot be found out included.
// The verb names what the person wants, for the messages and the log.
func (e *env) requireHuman(ctx context.Context, verb string) error {
	for _, check := range []func(context.Context) error{noAgentMarker, ownTerminal} {
		if err := check(ctx); err != nil {
			return &notHumanError{verb, err.Error()}
		}
	}
	return nil
}

// agentMarkers are variables that agents set for the commands they run. Taking
// one away is easy: they give the careless a good message, nothing more.
var agentMarkers = []string{
	"AGENT", "AI_AGENT", "CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "MAYI_GUARDED", "OPENCODE", "QWEN_CODE",
}

func noAgentMarker(context.Context) error {
	if i := slices.IndexFunc(agentMarkers, func(name string) bool { return variable(name) != "" }); i >= 0 {
		return errors.New("$" + agentMarkers[i] + " says that an agent runs it")
	}
	return nil
}

// ownTerminal demands a controlling terminal that listens to this process.
func ownTerminal(ctx context.Context) error {
	if controllingTerminal() == 0 {
		return errors.New("it has no terminal")
	}
	t, err := openTerminal(ctx)
	if err != nil {
		return errors.New("its terminal does not open: " + rootCause(err).Error())
	}
	defer t.close()
	if !t.foreground() {
		return errors.New("it runs in the background of its terminal")
	}
	return nil
}
