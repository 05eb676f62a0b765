package rules

import (
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"mayi/shellparse"
)

var update = flag.Bool("update", false, "rewrite what the files in testdata want")

var testEnv = Env{Home: "/home/u", Lookup: func(name string) (string, bool) {
	value, set := map[string]string{"STAR": "a*b", "EMPTY": "", "TILDE": "x ~/y ${STAR}"}[name]
	return value, set
}}

// A world is a config, approvals and a place, as a file in testdata/decide gives
// them.
type world struct {
	config    *Config
	approvals []Rule
	place     Place
}

// readWorld reads what a testdata file says in front of what it wants. Files
// called guest… are guests, those called trusted… are a trusted project's, and
// those called override… stand behind the agent.
func readWorld(t *testing.T, a *archive) *world {
	t.Helper()
	links, programs, dirs := map[string]string{}, map[string]string{}, map[string]bool{}
	w := &world{place: Place{
		Project: "/srv/proj", Cwd: "/srv/proj", Home: testEnv.Home,
		Resolve: func(path string) string {
			for link, to := range links {
				if rest, ok := strings.CutPrefix(path+"/", link+"/"); ok {
					return filepath.Join(to, rest)
				}
			}
			return path
		},
		IsDir: func(path string) bool { return dirs[path] },
		Find:  func(name string) string { return programs[name] },
	}}
	var layers []Layer
	var agent, broken string
	for _, f := range a.files {
		switch {
		case f.name == "want":
		case f.name == "approvals":
			for line := range strings.Lines(f.data) {
				permission, pattern, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
				w.approvals = append(w.approvals, Rule{Permission: permission, Pattern: pattern, Action: Allow, Origin: Origin{Name: "approved"}})
			}
		case f.name == "place":
			for line := range strings.Lines(f.data) {
				switch words := strings.Fields(line); words[0] {
				case "agent":
					agent = words[1]
				case "cwd":
					w.place.Cwd = words[1]
				case "dir":
					dirs[words[1]] = true
				case "project":
					w.place.Project = words[1]
				case "tree":
					w.place.Tree = words[1]
				case "link":
					links[words[1]] = words[2]
				case "program":
					programs[filepath.Base(words[1])] = words[1]
				case "broken":
					broken = strings.Join(words[1:], " ")
				default:
					t.Fatalf("unknown line in place: %s", line)
				}
			}
		default:
			file, err := ParseFile(f.name, []byte(f.data), testEnv)
			if err != nil {
				t.Fatal(err)
			}
			kind := General
			if strings.HasPrefix(f.name, "guest") {
				kind = Guest
			} else if strings.HasPrefix(f.name, "trusted") {
				kind = Trusted
			} else if strings.HasPrefix(f.name, "override") {
				kind = Override
			}
			layers = append(layers, Layer{kind, file})
		}
	}
	var err error
	if w.config, err = NewConfig(layers, agent, testEnv); err != nil {
		t.Fatal(err)
	}
	w.config.Broken = broken
	return w
}

// requests reads a question: a line of shell, quoted as in Go where it starts
// with `> go:`, or, after -p, a permission and its argument. What follows ?? is a
// guess at what the line may run.
func (w *world) requests(t *testing.T, question string) []Request {
	t.Helper()
	if quoted, ok := strings.CutPrefix(question, "go:"); ok {
		var err error
		if question, err = strconv.Unquote(quoted); err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
	}
	if tool, ok := strings.CutPrefix(question, "-p "); ok {
		permission, arg, _ := strings.Cut(tool, " ")
		return ToolRequests(permission, arg, w.place)
	}
	question, guess, _ := strings.Cut(question, " ?? ")
	s := shellparse.Parse(question, shellparse.Options{Home: testEnv.Home})
	for _, c := range shellparse.Parse(guess, shellparse.Options{Home: testEnv.Home}).Commands {
		c.Guess = true
		s.Commands = append(s.Commands, c)
	}
	if s.Blank {
		return nil
	}
	return LineRequests(question, s, w.place)
}

// print writes a decision as testdata holds it: the verdict, and indented below
// each reason that is not a plain allow by default.
func (d Decision) print() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", d.Action)
	for _, r := range d.Reasons {
		fmt.Fprintf(&b, "  %s %s %q: %s", r.Action, r.Request.Permission, r.Request.String(), r.Rule.Origin)
		if r.Rule.Pattern != "*" || r.Rule.Permission != "*" {
			fmt.Fprintf(&b, " %s", r.Rule)
		}
		for _, also := range r.Also {
			fmt.Fprintf(&b, ", also %s %s", also.Origin, also)
		}
		switch {
		case r.Final:
			b.WriteString("; final")
		case r.Storable():
			fmt.Fprintf(&b, "; always %q", r.Request.Store)
		case r.Action == Ask:
			b.WriteString("; only once")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestDecide(t *testing.T) {
	files, err := filepath.Glob("testdata/decide/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata/decide", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a := readArchive(t, name)
			w := readWorld(t, a)
			want := &a.files[len(a.files)-1]
			if want.name != "want" {
				t.Fatalf("%s: the last file is called %s, not want", name, want.name)
			}
			var have strings.Builder
			for line := range strings.Lines(want.data) {
				if line[0] == '#' || line == "\n" {
					have.WriteString(line)
				}
				question, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
				if !ok {
					continue
				}
				requests := w.requests(t, question)
				d := Nothing()
				if requests != nil {
					d = Decide(requests, w.config, w.approvals)
				}
				fmt.Fprintf(&have, "> %s\n%s", question, d.print())
				checkDecision(t, question, requests, w.config, d)
			}
			if *update {
				want.data = have.String()
				a.write(t, name)
				return
			}
			if have.String() != want.data {
				t.Errorf("%s\nhave:\n%s\nwant:\n%s", name, have.String(), want.data)
			}
		})
	}
}

// checkDecision demands what holds for every decision, whatever the config.
func checkDecision(t *testing.T, question string, requests []Request, c *Config, d Decision) {
	t.Helper()
	strictest := Allow
	var approvals []Rule
	open := false
	for _, r := range d.Reasons {
		strictest = min(strictest, r.Action)
		if r.Action == Allow && r.Rule.Action != Allow {
			t.Fatalf("%s: allowed by a rule that says %s", question, r.Rule)
		}
		if r.Action == Ask && !r.Storable() {
			open = true
		}
		if r.Storable() {
			approvals = append(approvals, Rule{Permission: Quote(r.Request.Permission), Pattern: r.Request.Store, Action: Allow})
		}
		if r.Final || r.Action != Ask {
			everything := []Rule{{Permission: "*", Pattern: "*", Action: Allow}}
			if now := Answer(r, everything); now.Action != r.Action {
				t.Fatalf("%s: an approval made %s of %s", question, now.Action, r.Action)
			}
		}
	}
	if d.Action != strictest {
		t.Fatalf("%s: have %s, want the strictest of the reasons, %s", question, d.Action, strictest)
	}
	if d.Action == Ask && !open && len(requests) > 0 {
		if again := Decide(requests, c, approvals); again.Action != Allow {
			t.Fatalf("%s: after an always it is still %s", question, again.print())
		}
	}
}
