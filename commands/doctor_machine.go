package commands

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"mayi/db"
	"mayi/rules"
)

func checkVersions(context.Context, *env) []finding {
	return []finding{{What: fmt.Sprintf("mayi %s, %s, %s/%s, SQLite %s", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, db.SQLiteVersion())}}
}

// checkProgram looks whether who types mayi gets this program.
func checkProgram(_ context.Context, e *env) []finding {
	self, err := os.Executable()
	if err != nil {
		return []finding{{What: "this program", Fault: err.Error()}}
	}
	f := finding{What: "this program: " + e.short(self)}
	switch found := e.find("mayi"); {
	case found == "":
		f.Fault, f.Hint = "no mayi is found in $PATH", "put its directory into $PATH, or a link to it into one that is there"
	case !sameFile(found, self):
		f.Fault, f.Hint = "the mayi in $PATH is another one, "+found, "remove the one that is not meant"
	default:
		if info, err := os.Stat(self); err == nil && info.Mode().Perm()&0o022 != 0 {
			f.Fault, f.Hint = fmt.Sprintf("others may write to it: it has mode %04o", info.Mode().Perm()), "chmod go-w "+self
		}
	}
	return []finding{f}
}

// checkConfig reads every layer, and then all of them together.
func checkConfig(_ context.Context, e *env) (list []finding) {
	sources, err := e.sources()
	if err != nil {
		return []finding{{What: "config", Fault: err.Error(), Hint: hintFor(err)}}
	}
	for _, s := range sources {
		f, _, err := e.readConfig(s)
		switch {
		case err != nil:
			list = append(list, finding{What: "config " + s.name, Fault: err.Error(), Hint: first(hintFor(err), "`mayi config check` shows the line")})
		case f != nil:
			found := finding{What: fmt.Sprintf("config %s: %d rules", s.name, len(f.Rules))}
			var lint []string
			for _, l := range rules.Lint(f.Rules) {
				lint = append(lint, fmt.Sprintf("%s: %s %s", l.Rule.Origin, l.Rule, l.Msg))
			}
			if found.Note = strings.Join(lint, "; "); lint != nil {
				found.Hint = "`mayi config check` shows what has no effect"
			}
			list = append(list, found)
		}
	}
	if len(list) == 0 {
		list = []finding{{What: "config: there is none, the defaults judge"}}
	}
	// What is said on the way was said above.
	quiet := *e
	quiet.out = &printer{out: e.out.out, err: e.out.err, quiet: true}
	if _, err := quiet.config(); err != nil && unwell(list) == nil {
		list = append(list, finding{What: "config, all of it together", Fault: err.Error(), Hint: hintFor(err)})
	}
	return list
}
