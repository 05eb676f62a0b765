package commands

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/AlecAivazis/survey/v2"
	surveyterm "github.com/AlecAivazis/survey/v2/terminal"

	"mayi/db"
	"mayi/rules"
)

// A prompt asks a person at this process's own terminal. This file is the only
// one that knows the library behind it.
type prompt struct {
	*terminal
	*env
	escape string // what it means to give up
}

const goesBack = "Esc goes back"

// errGivenUp is a person who left the question with Ctrl-C, Ctrl-D or Esc.
var errGivenUp = errors.New("given up")

// promptAt opens the terminal and waits for its turn there; busy is called when
// that is not at once. close must follow.
func (e *env) promptAt(ctx context.Context, busy func()) (p *prompt, close func(), err error) {
	t, err := openTerminal(ctx)
	if err != nil {
		return nil, nil, err
	}
	unlock, err := t.lock(filepath.Dir(e.db), busy)
	if err != nil {
		t.close()
		return nil, nil, err
	}
	return &prompt{t, e, "Esc rejects"}, func() { t.close(); unlock() }, nil
}

// The answers to choose from. Reject comes first: it is what Enter alone means.
const (
	choiceReject  = "reject"
	choiceCorrect = "reject, and say why"
	choiceOnce    = "allow once"
	choiceAlways  = "allow always …"
	choiceSkip    = "leave it for later"
)

// reply shows a request and asks for an answer to it.
func (p *prompt) reply(r db.Request, choices ...string) (db.Answer, error) {
	p.describe(r)
	for {
		choice, err := p.choose("May this run?", p.escape, choices)
		if err != nil {
			return db.Answer{}, err
		}
		switch choice {
		case choiceOnce:
			return db.Answer{Reply: db.Once}, nil
		case choiceReject:
			return db.Answer{Reply: db.Reject}, nil
		case choiceCorrect:
			text, ok, err := p.readLine("what should be done instead? [Enter sends it, Esc goes back]", "")
			if err != nil {
				return db.Answer{}, err
			}
			if ok {
				return db.Answer{Reply: db.Reject, Feedback: text}, nil
			}
		case choiceAlways:
			answer, ok, err := p.always(r)
			if err != nil || ok {
				return answer, err
			}
		default:
			return db.Answer{}, errGivenUp
		}
	}
}

// choices are the answers a request can be given.
func choices(r db.Request) []string {
	list := []string{choiceReject, choiceCorrect, choiceOnce}
	if storable(r) {
		list = append(list, choiceAlways)
	}
	return list
}

// from says who asks.
func from(r db.Request) string {
	return fmt.Sprintf("%s (waiting as pid %d)", first(r.Agent, r.Program, "a program"), r.Asker.PID)
}

// storable reports whether an always can answer a request: every part of it that
// asks can be stored.
func storable(r db.Request) bool {
	return !slices.ContainsFunc(r.Reasons, func(part rules.Reason) bool { return part.Action == rules.Ask && !part.Storable() })
}

// choose asks for one of the options; Enter alone is the first. escape says what
// it means to give up.
func (p *prompt) choose(message, escape string, options []string) (string, error) {
	// The library's own text promises a filter, which is off here.
	survey.SelectQuestionTemplate = strings.Replace(selectTemplate, "ESCAPE", escape, 1)
	// The library prints the question first and sets the modes afterwards; a key
	// pressed in between would be a signal, or wait for the end of a line.
	if err := p.raw(); err != nil {
		return "", err
	}
	defer p.restore()
	p.flush()
	var choice string
	err := survey.AskOne(
		&survey.Select{Message: message, Options: options, Default: options[0], PageSize: 10},
		&choice, survey.WithStdio(p, p, p),
	)
	switch {
	case errors.Is(err, surveyterm.InterruptErr):
		return "", errGivenUp
	case err != nil:
		return "", err
	}
	return choice, nil
}

const selectTemplate = `
{{- define "option"}}
    {{- if eq .SelectedIndex .CurrentIndex }}{{"> "}}{{else}}{{"  "}}{{end}}
    {{- .CurrentOpt.Value}}
{{end}}
{{- .Message}}
{{- if .ShowAnswer}}{{" "}}{{.Answer}}{{"\n"}}
{{- else}}{{"  [arrows and Enter; ESCAPE]\n"}}
  {{- range $ix, $option := .PageEntries}}
    {{- template "option" $.IterateOption $ix $option}}
  {{- end}}
{{- end}}`

// describe prints who asks for what, above the question, so that no frame of the
// question is taller than the screen. Nothing is cut.
func (p *prompt) describe(r db.Request) {
	say := func(format string, args ...any) {
		for i, a := range args {
			args[i] = visible(fmt.Sprint(a))
		}
		fmt.Fprintf(p.terminal, format+"\r\n", args...)
	}
	say("")
	say("mayi: request %s, from %s", r.ID, from(r))
	say("  in       %s", p.short(r.Cwd))
	if r.Project != r.Cwd {
		say("  project  %s", p.short(r.Project))
	}
	say("  session  %s", r.Session)
	say("  asks     %s", r.Line)
	for _, part := range r.Reasons {
		via := ""
		if len(part.Request.Via) > 0 {
			via = "  through " + strings.Join(part.Request.Via, " > ")
		}
		say("  %s  %s: %s%s", fmt.Sprintf("%-5s", part.Action), part.Request.Permission, part.Request, via)
		if part.Action != rules.Allow {
			say("           by %s at %s%s", part.Rule, part.Rule.Origin, why(part))
		}
		if part.Storable() {
			say("           always would store  %s", part.Request.Store)
		}
	}
}

// always lets the person choose what is stored, part by part if need be, and
// for whom. ok is false when the person goes back.
func (p *prompt) always(r db.Request) (answer db.Answer, ok bool, err error) {
	const (
		asShown = "store the patterns as shown"
		byPart  = "choose or edit them"
		back    = "back"
	)
	answer = db.Answer{Reply: db.Always, Scope: db.ScopeProject}
	choice, err := p.choose("What should be stored?", goesBack, []string{back, asShown, byPart})
	if err != nil || choice == back {
		return answer, false, ignoreGivenUp(err)
	}
	if choice == byPart {
		answer.Patterns = map[int][]string{}
		for i, part := range r.Reasons {
			if part.Action != rules.Ask {
				continue
			}
			pattern, ok, err := p.pattern(part)
			if err != nil || !ok {
				return answer, false, ignoreGivenUp(err)
			}
			answer.Patterns[i] = []string{pattern}
		}
	}
	scopes := map[string]db.Scope{
		"this project, " + visible(p.short(r.Project)): db.ScopeProject,
		"this session only":                            db.ScopeSession,
		"everywhere":                                   db.ScopeGlobal,
	}
	choice, err = p.choose("For whom?", goesBack, []string{"this project, " + visible(p.short(r.Project)), "this session only", "everywhere", back})
	if err != nil || choice == back {
		return answer, false, ignoreGivenUp(err)
	}
	answer.Scope = scopes[choice]
	return answer, true, nil
}

// pattern lets the person edit the pattern of one part until it covers the part.
func (p *prompt) pattern(part rules.Reason) (string, bool, error) {
	text := part.Request.Store
	fmt.Fprintf(p.terminal, "the pattern for %s [Enter takes it, Ctrl-U clears it, Esc goes back]\r\n", visible(part.Request.String()))
	for {
		line, ok, err := p.readLine(visible(part.Request.Permission)+":", text)
		if err != nil || !ok {
			return "", false, err
		}
		if rules.Covers(line, part) {
			return line, true, nil
		}
		fmt.Fprintf(p.terminal, "%s does not match %s\r\n", visible(line), visible(part.Request.String()))
		text = line
	}
}

// ignoreGivenUp makes giving up a step back.
func ignoreGivenUp(err error) error {
	if errors.Is(err, errGivenUp) {
		return nil
	}
	return err
}
