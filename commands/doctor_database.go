package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mayi/db"
)

// checkDatabase opens the database for reading and looks at all of it.
func checkDatabase(ctx context.Context, e *env) []finding {
	what, cure := "database "+e.short(e.db), e.rebuild()
	store, err := db.OpenRead(ctx, e.db)
	if err == nil {
		defer store.Close()
		h, err := store.Inspect(ctx)
		if err != nil {
			return []finding{e.sick(what, err, cure)}
		}
		return append([]finding{e.opened(what, h, cure)}, e.inspected(h, cure)...)
	}
	var schema *db.SchemaError
	switch {
	case errors.As(err, &schema) && schema.Have < schema.Want:
		return []finding{{What: what, Note: "it is of an older mayi; the next command that writes brings it up to date"}}
	case errors.As(err, &schema):
		return []finding{{What: what, Fault: err.Error(), Hint: hintFor(err)}}
	case errors.Is(err, fs.ErrNotExist):
		return []finding{{What: what + ": there is none yet", Note: "the first command that writes makes it"}}
	}
	return []finding{e.sick(what, err, cure)}
}

// opened is the finding for the file as such.
func (e *env) opened(what string, h db.Health, cure *cure) finding {
	f := finding{What: fmt.Sprintf("%s: schema %d, journal %s", what, h.Schema, h.Journal)}
	fsys := db.FileSystemOf(filepath.Dir(e.db))
	f.What += ", on " + fsys.Name
	if fsys.Network {
		f.Note = "it is on a network file system: it has no WAL there, and who waits looks by the clock instead of being woken"
		f.Hint = "--db or $MAYI_DB may name a file on a local disk"
	}
	if len(h.Integrity) > 0 {
		f.Fault, f.Hint, f.cure = "it is damaged: "+strings.Join(h.Integrity, "; "), rebuildHint, cure
	}
	return f
}

const rebuildHint = "`mayi doctor --repair` sets the file aside and keeps what its log proves"

// inspected are the findings for what is in it.
func (e *env) inspected(h db.Health, rebuild *cure) []finding {
	log := finding{What: fmt.Sprintf("log: %d entries, all as they were written", h.Chain.Count)}
	if h.Chain.Head != "" {
		log.What += ", head " + h.Chain.Head
	}
	if h.Broken != nil {
		log = finding{What: "log", Fault: rootChain(h.Broken), Hint: rebuildHint, cure: rebuild}
	}
	approvals := finding{What: fmt.Sprintf("approvals: %d", h.Approvals)}
	for _, id := range h.Damaged {
		approvals.Fault = strings.TrimPrefix(fmt.Sprintf("%s, #%d", approvals.Fault, id), ", ")
	}
	if approvals.Fault != "" {
		approvals.Fault += " is not what was stored, and answers nothing"
		approvals.Hint = fmt.Sprintf("`mayi revoke %d` takes it back", h.Damaged[0])
	}
	requests := finding{What: fmt.Sprintf("requests: %d wait", h.Waiting)}
	if n := len(h.Ghosts); n > 0 {
		requests.Note = fmt.Sprintf("%d more have nobody left who waits; the next command that looks withdraws them", n)
		requests.cure = &cure{does("withdraw %d requests whose askers are gone", n), func(ctx context.Context) error {
			store, err := db.Open(ctx, e.db)
			if err != nil {
				return err
			}
			_, err = store.Sweep(ctx)
			return errors.Join(err, store.Close())
		}}
	}
	return []finding{log, approvals, requests}
}

func rootChain(err error) string {
	var broken *db.ChainError
	if errors.As(err, &broken) {
		return broken.Error()
	}
	return err.Error()
}

// sick is the finding for a database that does not open, or cannot be read.
func (e *env) sick(what string, err error, cure *cure) finding {
	f := finding{What: what, Fault: err.Error(), Hint: hintFor(err)}
	for _, kind := range []error{db.ErrCorrupt, db.ErrEmpty, db.ErrGarbage} {
		if errors.Is(err, kind) {
			f.Hint, f.cure = rebuildHint, cure
		}
	}
	if errors.Is(err, db.ErrUnsafe) {
		f.Hint = e.unsafeHint(err)
		if db.CutShort(e.db) {
			f.Fault += "; a repair was cut short"
			f.Hint, f.cure = rebuildHint, cure
		}
	}
	return f
}

// unsafeHint is what a person can do about a file that nobody should trust.
func (e *env) unsafeHint(err error) string {
	info, statErr := os.Lstat(e.db)
	switch {
	case statErr == nil && info.Mode()&fs.ModeSymlink != 0:
		return "put the file itself there, or name it with --db or $MAYI_DB"
	case statErr == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o022 == 0:
		return "if you know who did that: make it yours alone (chown, remove its other name); else move it away, and approve again what you need"
	}
	return hintFor(err)
}

// rebuild is the cure of a damaged database.
func (e *env) rebuild() *cure {
	at := e.now()
	aside := db.Aside(e.db, at)
	plan := func(ctx context.Context) ([]string, error) {
		s, err := db.Salvageable(ctx, e.db)
		if err != nil {
			return nil, err
		}
		steps := []string{fmt.Sprintf("move %s and what belongs to it into %s, and make a new one", e.db, aside)}
		return append(steps, salvaged(s)...), nil
	}
	return &cure{plan, func(ctx context.Context) error {
		s, err := db.Rebuild(ctx, e.db, aside, personAt(terminalName()), at)
		if err != nil {
			return err
		}
		e.out.notice("mayi: what was there is in %s", aside)
		for _, line := range salvaged(s) {
			e.out.notice("mayi: %s", line)
		}
		return nil
	}}
}

// salvaged says what a rebuild keeps and what not.
func salvaged(s db.Salvage) []string {
	log := fmt.Sprintf("kept: the whole log, %d entries", s.Entries)
	if s.Broken != nil {
		log = fmt.Sprintf("kept: the first %d entries of the log; what is behind them is not: %v", s.Entries, s.Broken)
	}
	lines := []string{log}
	for _, a := range s.Kept {
		lines = append(lines, fmt.Sprintf("kept: approval #%d, %s %s", a.ID, a.Permission, a.Pattern))
	}
	for _, a := range s.Dropped {
		lines = append(lines, fmt.Sprintf("dropped: approval #%d, %s %s: %s", a.ID, a.Permission, a.Pattern, a.Why))
	}
	for _, l := range s.Lost {
		lines = append(lines, "dropped: "+l)
	}
	return lines
}
