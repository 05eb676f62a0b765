package commands

import (
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/urfave/cli/v2"

	"mayi/rules"
)

// accountHome is the home directory that passwd(5) names for who runs this, ""
// where the account is kept elsewhere (macOS, a directory service). No variable
// moves it.
func accountHome() string {
	u, err := user.LookupId(strconv.Itoa(syscall.Getuid()))
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return filepath.Clean(u.HomeDir)
}

// pinned puts the files of mayi where the account has them. What an agent runs a
// hook with may come from the project it works in: $HOME and the XDG variables
// say nothing there about config, approvals and the log. A config that they lead
// to can only tighten. It does nothing where the account is not known here: then
// the line of an installed hook names the files.
func (e *env) pinned(c *cli.Context, account string) {
	if account = first(textFlag(c, "home"), account); account == "" {
		return
	}
	if file, err := e.userFile(); err == nil {
		e.strayed = file
	}
	// Where the shell of the agent takes ~ for another directory, it is none that
	// is known here.
	e.wanders = canonical(e.home) != canonical(account)
	e.home, e.account = account, true
	if textFlag(c, "db") == "" {
		e.db = accountDB(account)
	}
	if textFlag(c, "project") == "" {
		e.locate(e.cwd)
	}
}

// whereabouts are the flags by which an installed hook finds the files that this
// person's own mayi uses, where the account alone does not lead it there.
func (e *env) whereabouts(c *cli.Context, account string) (flags []string, err error) {
	home := account
	if canonical(e.home) != canonical(account) {
		home = e.home
		flags = append(flags, "--home="+home)
	}
	configs := e.configs
	if file, err := e.userFile(); err == nil && exists(file) && canonical(file) != canonical(accountConfig(home)) {
		configs = append([]string{file}, configs...)
	}
	db := first(textFlag(c, "db"), variable("MAYI_DB"), e.db)
	if db, err = filepath.Abs(db); err != nil {
		return nil, err
	}
	if canonical(db) != canonical(accountDB(home)) {
		flags = append(flags, "--db="+db)
	}
	for _, path := range configs {
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		flags = append(flags, "--config="+path)
	}
	return flags, nil
}

// accountDB is the database of an account without variables.
func accountDB(home string) string { return filepath.Join(home, ".local/state/mayi/mayi.db") }

// accountConfig is the config of an account without variables.
func accountConfig(home string) string { return filepath.Join(home, ".config/mayi/config.jsonc") }

// straySource is the config that the environment leads to, if that is another
// than the account's and no flag names it.
func (e *env) straySource(user string) (configSource, bool) {
	if e.strayed == "" || canonical(e.strayed) == canonical(user) {
		return configSource{}, false
	}
	for _, path := range e.configs {
		if canonical(path) == canonical(e.strayed) {
			return configSource{}, false
		}
	}
	return configSource{kind: rules.Guest, path: e.strayed, name: e.short(e.strayed)}, true
}

// tilde is what ~ and $HOME of a line stand for, "" where that is not known.
func (e *env) tilde() string {
	if e.wanders {
		return ""
	}
	return e.home
}
