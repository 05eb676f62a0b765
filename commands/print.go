package commands

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"mayi/rules"
)

// visible makes text from outside safe to show: control characters, bidi and
// zero-width characters, and bytes that are not UTF-8, are spelled out. It is
// the only way foreign text reaches a terminal.
func visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// hidden reports whether a character would not show as itself. What Unicode
// calls a mark, a letter, a number or a symbol does, as does a plain space.
func hidden(r rune) bool {
	return r == utf8.RuneError || !unicode.IsPrint(r) || isFiller(r)
}

// isFiller reports characters that count as letters and show as nothing.
func isFiller(r rune) bool {
	return r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0 || r == 0x2800 || r == 0x034f ||
		r >= 0x180b && r <= 0x180f || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef || r == 0x17b4 || r == 0x17b5
}

// A printer writes what a command has to say, as text or as JSON.
type printer struct {
	out, err io.Writer
	json     bool
	quiet    bool
	color    bool
}

// printf prints a line for a person. The arguments are foreign text and made
// visible; the format is ours.
func (p *printer) printf(format string, args ...any) {
	if p.quiet || p.json {
		return
	}
	for i, a := range args {
		switch s := a.(type) {
		case string:
			args[i] = visible(s)
		case fmt.Stringer:
			args[i] = visible(s.String())
		}
	}
	fmt.Fprintf(p.out, format, args...)
}

// table returns a printer whose tabs align columns where a person looks at them,
// and what prints them. Programs that read the output get the tabs.
func (p *printer) table() (t *printer, flush func()) {
	if !isTerminal(p.out) {
		return p, func() {}
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	q := *p
	q.out = w
	return &q, func() { w.Flush() }
}

// emit prints a value as one line of JSON.
func (p *printer) emit(v any) error {
	var line strings.Builder
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(p.out, escapeHidden(line.String()))
	return err
}

// escapeHidden spells out what is hidden in a line of JSON, where it can only
// stand in strings, as JSON does.
func escapeHidden(line string) string {
	var b strings.Builder
	for _, r := range line {
		switch {
		case r == '\n' || !hidden(r):
			b.WriteRune(r)
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		}
	}
	return b.String()
}

func (p *printer) warn(format string, args ...any) {
	if !p.quiet {
		fmt.Fprintf(p.err, "mayi: warning: %s\n", visible(fmt.Sprintf(format, args...)))
	}
}

// notice tells a person something that is no result, on standard error.
func (p *printer) notice(format string, args ...any) {
	q := *p
	q.out, q.json = p.err, false
	q.printf(format+"\n", args...)
}

// action prints an action, in colour where the terminal shows it.
func (p *printer) action(a rules.Action) {
	if !p.color {
		p.printf("%s", a)
		return
	}
	colors := [...]int{rules.Deny: 31, rules.Ask: 33, rules.Allow: 32}
	p.printf("\x1b[%dm%s\x1b[0m", colors[a], a)
}

// why is what a rule and its reading say of a decision, to be put behind the rule.
func why(r rules.Reason) (text string) {
	if r.Rule.Reason != "" {
		text = "  " + r.Rule.Reason
	}
	if r.Note != "" {
		text += "  (" + r.Note + ")"
	}
	return text
}

// reason prints one request of a decision and the rule that decided it.
func (p *printer) reason(r rules.Reason, verbose bool) {
	q := r.Request
	p.printf("  ")
	p.action(r.Action)
	p.printf("%s %s: %s", strings.Repeat(" ", len("allow")-len(r.Action.String())), q.Permission, shortened(q.String()))
	p.printf("  [%s %s: %s]%s\n", r.Rule.Permission, r.Rule.Pattern, r.Rule.Origin, why(r))
	if !verbose {
		return
	}
	if q.Line > 0 {
		p.printf("         at line %d, column %d\n", q.Line, q.Col)
	}
	if len(q.Via) > 0 {
		p.printf("         found through %s\n", strings.Join(q.Via, " > "))
	}
	for _, a := range r.Also {
		p.printf("         could also match %s at %s\n", a, a.Origin)
	}
	switch {
	case r.Storable():
		p.printf("         an always would store %s\n", q.Store)
	case r.Final:
		p.printf("         only a person can answer this, for this once\n")
	case r.Action == rules.Ask:
		p.printf("         an always cannot be stored: the same line may mean something else next time\n")
	}
}

// shortened is the beginning of a text that would fill the screen, and how much
// is left out.
func shortened(s string) string {
	const most = 400
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return fmt.Sprintf("%s… (and %d characters more)", string(runes[:most]), len(runes)-most)
}

// decision prints a verdict: its word first, then each request. It is written at
// once.
func (p *printer) decision(d rules.Decision, verbose bool) {
	all := bufio.NewWriter(p.out)
	defer all.Flush()
	q := *p
	q.out = all
	q.action(d.Action)
	q.printf("\n")
	for _, r := range d.Reasons {
		q.reason(r, verbose)
	}
}
