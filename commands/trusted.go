package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"mayi/db"
	"mayi/rules"
)

// trustPatience is how long a call may wait for the database to say whether a
// file is trusted. Readers wait for nobody, so that it is for a sick disk.
const trustPatience = 2 * time.Second

// standing says what a project's file may do. It may always deny and ask. Only the
// project's own file may allow, not that of a directory above, and only while a
// person trusts it as it is; one for which that changes nothing is not looked up.
func (e *env) standing(s configSource, f *rules.File, read *document) rules.LayerKind {
	dir := filepath.Dir(s.path)
	if dir != e.project || !f.Loosens() && !e.widens(dir) {
		return rules.Guest
	}
	trusted, err := e.trusts(s.path, read)
	switch unheard := f.Unheard(); {
	case !f.Loosens(): // all that it says is heard
	case err != nil:
		e.caution("%s can only deny and ask here: %v", s.name, err)
	case !trusted:
		e.caution("%s can only deny and ask here: `mayi trust` shows what else it says", s.name)
	case len(unheard) > 0:
		e.caution("%s is trusted, but what it says with %s is never heard", s.name, strings.Join(unheard, ", "))
	}
	if !trusted {
		return rules.Guest
	}
	return rules.Trusted
}

// widens reports whether a directory is a project only through its file. Where
// nothing keeps versions, the project would be the working directory alone, and all
// the rest of this one outside it.
func (e *env) widens(dir string) bool {
	home := canonical(e.home)
	for ; ; dir = filepath.Dir(dir) {
		if dir != home && dir != "/" && exists(filepath.Join(dir, ".git")) {
			return false
		}
		if dir == filepath.Dir(dir) {
			return true
		}
	}
}

// narrowed is the project as it would be without its file, where the file
// makes it larger and nobody trusts it; else what was found before.
func (e *env) narrowed(s configSource) string {
	dir := filepath.Dir(s.path)
	if dir != e.project || s.kind == rules.Trusted || !strings.HasPrefix(e.cwd, strings.TrimSuffix(dir, "/")+"/") || !e.widens(dir) {
		return e.narrow
	}
	return e.cwd
}

// requests are those of a line or a tool. A file that nobody trusts must not make
// the project larger: then what they are without it has to be allowed as well.
func (g *gate) requests(read func(rules.Place) []rules.Request) []rules.Request {
	place := g.place()
	list := read(place)
	if g.narrow == "" {
		return list
	}
	seen := map[string]bool{}
	for _, q := range list {
		seen[fmt.Sprintf("%+v", q)] = true
	}
	place.Project = g.narrow
	for _, q := range read(place) {
		if !seen[fmt.Sprintf("%+v", q)] {
			list = append(list, q)
		}
	}
	return list
}

// trusts reports whether a person trusts a file as it was read. The error says why
// that cannot be, or cannot be found out: then it is not.
func (e *env) trusts(path string, read *document) (bool, error) {
	if why := writers(read.info, os.Geteuid()); why != "" {
		return false, errors.New(why)
	}
	ctx, cancel := context.WithTimeout(context.Background(), trustPatience)
	defer cancel()
	store, err := db.OpenRead(ctx, e.db)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	defer store.Close()
	return store.Trusted(ctx, path, read.data)
}

// caution warns a person whose project says more than is heard. A program that
// reads JSON has `list --config`, and at a person's own Enter everything is allowed
// anyway but what restricts.
func (e *env) caution(format string, args ...any) {
	if !e.out.json && !e.guard {
		e.out.warn(format, args...)
	}
}

// listTrusted prints the files that were trusted, and which of them are as they
// were then.
func (e *env) listTrusted(c *cli.Context) error {
	store, err := e.read(c)
	if err != nil {
		return err
	}
	var list []db.Trust
	if store != nil {
		defer store.Close()
		if list, err = store.Trusts(c.Context); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		e.out.notice("mayi: no project is trusted")
	}
	t, flush := e.out.table()
	defer flush()
	for _, trust := range list {
		state := stateOf(trust)
		if e.out.json {
			j := jsonTrust{Path: trust.Path, Trusted: state == stateTrusted, State: state, At: stamp(trust.At), By: trust.By}
			if err := e.out.emit(j); err != nil {
				return err
			}
			continue
		}
		t.printf("%s\t%s\t%s\t%s\n", state, e.short(trust.Path), trust.By, trust.At.Local().Format(time.DateTime))
	}
	return nil
}

const stateTrusted = "trusted"

// stateOf says what became of a file since it was trusted.
func stateOf(t db.Trust) string {
	read, err := readSmall(t.Path, true)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "gone"
	case err != nil:
		return "unreadable"
	case t.Replaced:
		return "replaced"
	case !bytes.Equal(read.data, t.Bytes):
		return "changed"
	case writers(read.info, os.Geteuid()) != "":
		return "unsafe"
	}
	return stateTrusted
}
