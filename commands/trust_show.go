package commands

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"mayi/db"
	"mayi/rules"
)

// trusting is what a person is asked to trust: a file, approvals to revive, or
// both.
type trusting struct {
	path      string
	file      *rules.File // nil for none
	read      *document
	revivable []db.Approval
}

// codeTries is how often a code may be typed wrong.
const codeTries = 3

// confirmTrust shows a person at this process's terminal what is to be trusted, all
// of it, and returns nil once they have typed the code that stands below. It goes
// to the terminal and not to standard output, which may be anything.
func (e *env) confirmTrust(ctx context.Context, store *db.DB, what trusting) error {
	p, done, err := e.promptAt(ctx, func() {})
	if err != nil {
		return fmt.Errorf("terminal: %w", rootCause(err))
	}
	defer done()
	show := &printer{out: p.terminal, err: p.terminal}
	if what.file != nil {
		if err := e.showFile(ctx, store, show, what); err != nil {
			return err
		}
	}
	if len(what.revivable) > 0 {
		show.printf("\nThese approvals were given to another directory that was at this path; they would count again:\n")
	}
	for _, a := range what.revivable {
		show.printf("  #%s %s: %s\n", strconv.FormatInt(a.ID, 10), a.Permission, a.Pattern)
	}
	show.printf("\n")
	for range codeTries {
		code := newCode()
		typed, ok, err := p.readLine("To trust this, type "+code+" (Esc trusts nothing):", "")
		switch {
		case err != nil:
			return err
		case !ok:
			return &signalError{2} // as Ctrl-C does elsewhere
		case strings.EqualFold(strings.TrimSpace(typed), code):
			return nil
		}
		show.printf("That is not the code.\n")
	}
	return &notHumanError{"trust", fmt.Sprintf("the code was typed wrong %d times", codeTries)}
}

// codeLetters look like no other letter or digit. They are 16, so that each of
// the low four bits of a random byte is one.
const codeLetters = "acdefhjkmnprtwxy"

// newCode returns four letters that nothing but this terminal shows.
func newCode() string {
	var code [4]byte
	_, _ = rand.Read(code[:]) // never fails: crypto/rand
	for i, b := range code {
		code[i] = codeLetters[b%16]
	}
	return string(code[:])
}

// showFile prints a file, or what changed in it since it was trusted last, and what
// it would allow.
func (e *env) showFile(ctx context.Context, store *db.DB, show *printer, what trusting) error {
	last, err := store.TrustIn(ctx, what.path)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) && !errors.Is(err, db.ErrCorrupt) {
		return err
	}
	info := what.read.info
	show.printf("%s\n  belongs to %s%s, %s bytes, changed %s\n", what.path, ownerName(uidOf(info)), modeOf(info),
		strconv.FormatInt(info.Size(), 10), info.ModTime().Local().Format(time.DateTime))
	switch {
	case !known:
		show.printf("\nNobody has trusted it before. It says:\n")
		for n, line := range textLines(what.read.data) {
			show.printf("%5d  %s\n", n+1, line)
		}
	case string(last.Bytes) == string(what.read.data):
		show.printf("\nIt says what it said when %s trusted it at %s.\n", last.By, last.At.Local().Format(time.DateTime))
	default:
		show.printf("\nIt changed since %s trusted it at %s:\n", last.By, last.At.Local().Format(time.DateTime))
		for _, line := range textLines(diff.Diff("trusted", last.Bytes, "now", what.read.data)) {
			show.printf("  %s\n", line)
		}
	}
	e.showAllows(show, "Once trusted, it allows what you do not deny:", what.file.Rules)
	for _, a := range what.file.Agents {
		e.showAllows(show, "and to the agent "+a.Name+":", a.Rules)
	}
	if e.widens(filepath.Dir(what.path)) {
		show.printf("\nOnce trusted, it makes this directory one project, in which nothing is outside.\n")
	}
	if unheard := what.file.Unheard(); len(unheard) > 0 {
		show.printf("\nNever heard, as a project has no say in it: %s\n", strings.Join(unheard, ", "))
	}
	for _, found := range rules.Lint(what.file.Rules) {
		show.warn("%s: %s %s", found.Rule.Origin, found.Rule, found.Msg)
	}
	return nil
}

// showAllows prints the rules that allow, and how many restrict.
func (e *env) showAllows(show *printer, title string, list []rules.Rule) {
	show.printf("\n%s\n", title)
	restricts := 0
	for _, r := range list {
		if r.Action < rules.Allow {
			restricts++
			continue
		}
		show.printf("  %s: %s  [%s]\n", r.Permission, r.Pattern, r.Origin)
	}
	if restricts == len(list) {
		show.printf("  nothing\n")
	}
	if restricts > 0 {
		show.printf("  (and denies or asks in %s rules)\n", strconv.Itoa(restricts))
	}
}

// textLines are the lines of a text without their ends.
func textLines(data []byte) []string {
	return slices.Collect(strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n"))
}

func ownerName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return "user " + strconv.Itoa(uid)
}
