package commands

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"mayi/db"
	"mayi/rules"
)

// exitCode is what the process says to its caller. Only a judged allow, and a
// command that judges nothing and is done, say 0.
type exitCode int

const (
	exitAsk         exitCode = 1 // check: a person would be asked
	exitUnwell      exitCode = 1 // doctor: something is not as it should be
	exitNotFound    exitCode = 1 // approve, revoke: no such request, or answered already
	exitDeny        exitCode = 2
	exitRejected    exitCode = 3
	exitCorrected   exitCode = 4
	exitUsage       exitCode = 64
	exitInput       exitCode = 65
	exitInternal    exitCode = 70
	exitIO          exitCode = 74
	exitTimeout     exitCode = 75
	exitNotHuman    exitCode = 77
	exitConfig      exitCode = 78
	exitRunFailed   exitCode = 125
	exitRunRefused  exitCode = 126
	exitRunNotFound exitCode = 127
	exitSignal      exitCode = 128 // and the number of the signal
)

// A verdict ends a command that judges. It is an error, so that no path through
// such a command can end in nil and be taken for an allow.
type verdict struct{ action rules.Action }

func (v *verdict) Error() string { return "the verdict is " + v.action.String() }

// The outcomes of asking that are not a verdict of the rules.
type (
	rejectedError  struct{ by string }
	correctedError struct{ feedback string }
	timeoutError   struct{ waited time.Duration }
	signalError    struct{ number int }
)

func (e *rejectedError) Error() string {
	if e.by == "" {
		return "rejected"
	}
	return "rejected by " + e.by
}
func (e *correctedError) Error() string { return "rejected: " + e.feedback }
func (e *timeoutError) Error() string {
	if e.waited == 0 {
		return "nobody answered: there was no time to wait for an answer"
	}
	return "nobody answered within " + e.waited.String()
}
func (e *signalError) Error() string { return "interrupted" }

// usageError is a call that makes no sense.
type usageError struct{ msg, hint string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error {
	return &usageError{msg: fmt.Sprintf(format, args...)}
}

// hintedError is an error whose next step depends on where it came up.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Unwrap() error { return e.error }

// inputError is a line or an argument that cannot be judged at all.
type inputError struct{ msg string }

func (e *inputError) Error() string { return e.msg }

// refusedError is a run that is not permitted.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// runError is a run that was permitted and could not be started.
type runError struct {
	code exitCode
	err  error
}

func (e *runError) Error() string { return e.err.Error() }
func (e *runError) Unwrap() error { return e.err }

// answered is a hook that has said what it had to say, and ends with a code that
// its agent understands.
type answered struct{ code exitCode }

func (e *answered) Error() string { return "the hook has answered" }

// hookError is a call of a hook that makes no sense. Its agent reads one line,
// and takes any other code than 2 for leave to go on.
type hookError struct{ err error }

func (e *hookError) Error() string { return e.err.Error() }
func (e *hookError) Unwrap() error { return e.err }

// codeFor turns the way a command ended into the exit code of the process.
func codeFor(err error) exitCode {
	var (
		v         *verdict
		rejected  *rejectedError
		corrected *correctedError
		timeout   *timeoutError
		signal    *signalError
		usage     *usageError
		input     *inputError
		refused   *refusedError
		run       *runError
		config    *rules.ConfigError
		hook      *hookError
		answer    *answered
		nobody    *notHumanError
		ended     *endedError
	)
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return ended.code
	case errors.As(err, &answer):
		return answer.code
	case errors.As(err, &hook):
		return exitDeny
	case errors.As(err, &refused):
		return exitRunRefused
	case errors.As(err, &run):
		return run.code
	case errors.As(err, &v):
		switch v.action {
		case rules.Allow:
			return 0
		case rules.Ask:
			return exitAsk
		}
		return exitDeny
	case errors.As(err, &rejected):
		return exitRejected
	case errors.As(err, &corrected):
		return exitCorrected
	case errors.As(err, &timeout):
		return exitTimeout
	case errors.As(err, &signal):
		return exitSignal + exitCode(signal.number)
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &input):
		return exitInput
	case errors.As(err, &nobody):
		return exitNotHuman
	case errors.As(err, &config):
		return exitConfig
	case errors.Is(err, db.ErrNotFound), errors.Is(err, db.ErrSettled):
		return exitNotFound
	case errors.Is(err, db.ErrNotStorable), errors.Is(err, db.ErrNotCovered), errors.Is(err, db.ErrInvalid):
		return exitUsage
	case isUnwell(err):
		return exitUnwell
	case isInternal(err):
		return exitInternal
	}
	return exitIO
}

// errNoVerdict is a command that judges and came to no verdict.
var errNoVerdict = errors.New("internal error: no verdict was reached")

func isInternal(err error) bool { return errors.Is(err, errNoVerdict) }

// printError is the only place where errors are printed.
func printError(w io.Writer, err error) {
	var v *verdict
	var corrected *correctedError
	var signal *signalError
	var answer *answered
	var hook *hookError
	var ended *endedError
	switch {
	case err == nil, errors.As(err, &v), errors.As(err, &corrected), errors.As(err, &signal), errors.As(err, &answer), errors.As(err, &ended):
		return // said already, or known to who pressed the key
	case errors.As(err, &hook):
		fmt.Fprintf(w, "mayi: %s\n", visible(hook.Error()))
		return
	}
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range list.Unwrap() {
			printError(w, e)
		}
		return
	}
	fmt.Fprintf(w, "mayi: %s\n", visible(err.Error()))
	var config *rules.ConfigError
	if errors.As(err, &config) && config.Line > 0 {
		fmt.Fprintf(w, "  %s\n  %s^\n", visible(config.Text), caretIndent(config.Text, config.Col))
	}
	if hint := hintFor(err); hint != "" {
		fmt.Fprintf(w, "mayi: hint: %s\n", visible(hint))
	}
}

// caretIndent is as wide as what is printed of a line in front of a column.
func caretIndent(line string, col int) string {
	before := []rune(line)
	before = before[:min(max(col-1, 0), len(before))]
	return strings.Repeat(" ", len([]rune(visible(string(before)))))
}

// hintFor is the next step after an error, "" where there is none to name.
func hintFor(err error) string {
	var (
		hinted *hintedError
		usage  *usageError
		config *rules.ConfigError
		schema *db.SchemaError
		nobody *notHumanError
	)
	switch {
	case errors.As(err, &hinted):
		return hinted.hint
	case errors.As(err, &usage) && usage.hint != "":
		return usage.hint
	case errors.As(err, &usage):
		return "`mayi help` lists the commands, `mayi help COMMAND` its flags"
	case errors.As(err, &config):
		return config.Hint
	case errors.As(err, &nobody):
		return "run `mayi " + nobody.verb + "` in a terminal of your own: another tab, pane or login, not one that an editor or what asks has opened"
	case errors.As(err, &schema) && schema.Have < schema.Want:
		return "`mayi list --pending` brings it up to date"
	case errors.As(err, &schema):
		return "a newer mayi made it: run that one, or choose another file with --db"
	case errors.Is(err, db.ErrForeign):
		return "choose another file with --db or $MAYI_DB"
	case errors.Is(err, db.ErrCorrupt), errors.Is(err, db.ErrEmpty), errors.Is(err, db.ErrGarbage):
		return "`mayi doctor` says what is wrong, `mayi doctor --repair` keeps what the log proves"
	case errors.Is(err, db.ErrNotFound):
		return "`mayi list --pending` shows the requests that wait"
	case errors.Is(err, fs.ErrPermission):
		return "look at the owner and the mode of the file and its directory"
	}
	return ""
}
