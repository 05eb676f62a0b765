package commands

import (
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"mayi/rules"
)

// env is the world as a command sees it: where it runs, for whom, and what its
// flags and its environment say. It is read once.
type env struct {
	stdin    io.Reader
	out      *printer
	now      func() time.Time
	home     string // "" when unknown
	cwd      string
	project  string
	tree     string // the worktree of the project that cwd is in, "" if none
	narrow   string // what would be the project without a file that nobody trusts, "" for no other
	session  string
	explicit bool // the session was named, or is an agent's
	agent    string
	guard    bool // judges what a person types: broken config asks, and says so
	path     string
	db       string
	machine  string // the directory of the machine's files
	shell    string
	aliases  map[string]string // those of the shell a line is for
	told     told              // what else that shell tells of itself
	configs  []string          // --config
	rules    []string          // --rule

	// In a hook and in a session mayi's own variables can only tighten, for the project that an
	// agent works in may set them: MAYI_PERMISSION stands alone, the agent that
	// MAYI_AGENT names is held against a call too, and no others are heard.
	tightens bool
	tighter  string
	account  bool   // what is pinned: no variable moves the files
	strayed  string // the config that the environment leads to, which can only tighten
	wanders  bool   // $HOME is not the home directory of the account

	blind string // what could not be looked at, "" for nothing: nothing is allowed then
}

// newEnv reads the world for a command.
func newEnv(c *cli.Context, stdin io.Reader, stdout, stderr io.Writer) (*env, error) {
	e := &env{stdin: stdin, now: time.Now, machine: machineDir, out: &printer{
		out: stdout, err: stderr, json: boolFlag(c, "json"), quiet: boolFlag(c, "quiet"),
	}}
	e.out.color = !boolFlag(c, "no-color") && os.Getenv("NO_COLOR") == "" && isTerminal(stdout)
	if e.home = filepath.Clean(os.Getenv("HOME")); !filepath.IsAbs(e.home) {
		e.home = ""
		if u, err := user.Current(); err == nil {
			e.home = u.HomeDir
		}
	}
	cwd, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	e.locate(cwd)
	if p := textFlag(c, "project"); p != "" {
		if e.project, err = namedProject(p); err != nil {
			return nil, err
		}
		e.tree = ""
	}
	own := os.Getenv
	inSession := insideSession()
	e.tightens = c.Command.Name == "hook" || c.Command.Name == "session" || inSession
	if e.tightens {
		own = func(string) string { return "" }
		e.tighter = os.Getenv("MAYI_AGENT")
	}
	if e.guard = c.Command.Name == "guard"; e.guard {
		e.agent = first(textFlag(c, "agent"), rules.ShellAgent)
	} else {
		e.agent = first(textFlag(c, "agent"), own("MAYI_AGENT"))
	}
	e.session = first(textFlag(c, "session"), own("MAYI_SESSION"))
	if e.session == "" && inSession {
		e.session = os.Getenv("MAYI_SESSION")
	}
	e.explicit = !e.guard && (e.session != "" || e.agent != "" && e.agent != rules.ShellAgent)
	if e.session == "" {
		e.session = terminalSession()
	}
	e.shell = textFlag(c, "shell")
	e.path = os.Getenv("PATH")
	e.db = first(textFlag(c, "db"), own("MAYI_DB"))
	if e.db == "" {
		dir, err := e.xdg("XDG_STATE_HOME", ".local/state")
		if err != nil {
			return nil, err
		}
		e.db = filepath.Join(dir, "mayi", "mayi.db")
	}
	if e.db, err = filepath.Abs(e.db); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	e.configs, e.rules = listFlag(c, "config"), listFlag(c, "rule")
	return e, nil
}

// insideSession reports whether `mayi session` led here. The marker is soon taken
// away, so where a variable of mayi's is set who led here is looked at as well.
func insideSession() bool {
	if os.Getenv(guardedMarker) != "" {
		return true
	}
	for _, name := range []string{"MAYI_AGENT", "MAYI_DB", "MAYI_PERMISSION"} {
		if os.Getenv(name) != "" {
			line, err := ownLineage()
			return err != nil || slices.ContainsFunc(line, func(p process) bool { return p.Wrapper })
		}
	}
	return false
}

// homeOf is the home directory of a user that passwd(5) lists, "" for others:
// they may be known elsewhere.
func homeOf(name string) string {
	u, err := user.Lookup(name)
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return u.HomeDir
}

// variable is what another program's variable says.
func variable(name string) string { return os.Getenv(name) }

// namedProject is the directory that --project names.
func namedProject(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", usagef("--project %s: %v", dir, err)
	}
	info, err := os.Stat(abs)
	if err != nil || !info.IsDir() {
		return "", usagef("--project %s is not a directory", dir)
	}
	return canonical(abs), nil
}

// xdg is a base directory (XDG Base Directory Specification: a relative value is
// to be ignored).
func (e *env) xdg(name, fallback string) (string, error) {
	if dir := os.Getenv(name); filepath.IsAbs(dir) && !e.account {
		return dir, nil
	}
	if e.home == "" {
		return "", &rules.ConfigError{Msg: "neither $HOME nor $" + name + " says where files live", Hint: "set one of them"}
	}
	return filepath.Join(e.home, fallback), nil
}

func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// short spells a path below the home directory with a tilde.
func (e *env) short(path string) string {
	if rest, ok := strings.CutPrefix(path, e.home+"/"); ok && e.home != "" && e.home != "/" {
		return "~/" + rest
	}
	return path
}

func (e *env) expansion() rules.Env {
	env := rules.Env{Home: e.home, Lookup: os.LookupEnv}
	if real := canonical(e.home); real != e.home {
		env.Real = real
	}
	return env
}

// machineDir is where the files of the machine are.
const machineDir = "/etc/mayi"

// projectFile is the name of a project's own config.
const projectFile = ".mayi.jsonc"

// userFile is where the user's own config lives.
func (e *env) userFile() (string, error) {
	dir, err := e.xdg("XDG_CONFIG_HOME", ".config")
	return filepath.Join(dir, "mayi", "config.jsonc"), err
}

// sources lists where config may stand, in order.
func (e *env) sources() ([]configSource, error) {
	user, err := e.userFile()
	if err != nil {
		return nil, err
	}
	policy, system := filepath.Join(e.machine, "policy.jsonc"), filepath.Join(e.machine, "config.jsonc")
	list := []configSource{
		{kind: rules.Guest, path: policy, name: policy, owner: ownerRoot, plain: true},
		{kind: rules.General, path: system, name: system, owner: ownerRoot},
		{kind: rules.General, path: user, name: e.short(user), owner: ownerUser},
	}
	if stray, ok := e.straySource(user); ok {
		list = append(list, stray)
	}
	for _, dir := range ancestors(e.cwd, e.project) {
		path := filepath.Join(dir, projectFile)
		list = append(list, configSource{kind: rules.Guest, path: path, name: e.short(path), project: true, plain: true})
	}
	for _, path := range e.configs {
		list = append(list, configSource{kind: rules.Override, path: path, name: path, required: true})
	}
	return list, nil
}

// config reads every layer. A broken file of the machine or the user is an
// error of type *rules.ConfigError; a project's broken file makes everything at
// least ask. So does every other at the guard on a person's own Enter, or nobody
// could repair it.
func (e *env) config() (*rules.Config, error) {
	sources, err := e.sources()
	if err != nil {
		return nil, err
	}
	var layers []rules.Layer
	var broken string
	asks := func(err error) {
		broken = err.Error()
		e.out.warn("%v: everything asks until it is repaired", err)
	}
	for _, s := range sources {
		f, read, err := e.readConfig(s)
		switch {
		case err != nil && (s.project || e.guard):
			asks(err)
			continue
		case err != nil:
			return nil, err
		case f == nil:
			continue
		case s.project:
			s.kind = e.standing(s, f, read)
			e.narrow = e.narrowed(s)
		}
		layers = append(layers, rules.Layer{Kind: s.kind, File: f})
	}
	if inline := os.Getenv("MAYI_PERMISSION"); inline != "" {
		f, err := rules.ParsePermission("$MAYI_PERMISSION", []byte(inline), e.expansion())
		switch {
		case err != nil && e.guard:
			asks(err)
		case err != nil:
			return nil, err
		default:
			kind := rules.Override
			if e.tightens {
				kind = rules.Guest
			}
			layers = append(layers, rules.Layer{Kind: kind, File: f})
		}
	}
	flags := &rules.File{}
	for _, r := range e.rules {
		rule, err := rules.ParseRule(r, e.expansion())
		if err != nil {
			return nil, &usageError{msg: err.Error()}
		}
		flags.Rules = append(flags.Rules, rule)
	}
	layers = append(layers, rules.Layer{Kind: rules.Override, File: flags})
	config, err := rules.NewConfig(layers, e.agent, e.expansion())
	if err != nil {
		return nil, err
	}
	config.Broken = broken
	return config, nil
}
