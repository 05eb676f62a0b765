package rules

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"mayi/shellparse"
)

// fuzzRules reads rules, one a line, and leaves out what is none.
func fuzzRules(policy string) (rules []Rule) {
	for line := range strings.Lines(policy) {
		if r, err := ParseRule(strings.TrimSuffix(line, "\n"), testEnv); err == nil && len(rules) < 8 {
			rules = append(rules, r)
		}
	}
	return rules
}

var fuzzPlace = Place{
	Project: "/srv/proj", Cwd: "/srv/proj/sub",
	Resolve: func(path string) string {
		if rest, ok := strings.CutPrefix(path, "/srv/proj/sub/link"); ok {
			return "/etc" + rest
		}
		return path
	},
	Find: func(name string) string { return "/usr/bin/" + name },
}

func FuzzDecide(f *testing.F) {
	for _, seed := range [][3]string{
		{"bash:git *=allow\nbash:git push *=deny", "bash:*=ask", "git $x; git status $x && git push $x"},
		{"*:*=allow\nbash:rm -rf *=deny", "bash:rm *=ask", "rm -r -f x; /bin/rm $y -r\"$z\" *.o"},
		{"bash:env *=deny\nbash:ls *=allow", "edit:src/*=deny", "env A=1 timeout 5 ls > src/x 2> link/../y"},
		{"bash:sudo *=ask\nbash:* -- *=deny", "", "sudo -u x env rm -- -rf; PATH=/tmp ls; x=1"},
		{"bash:cat ?=allow\nread:*.env=deny\nread:*=ask", "read:*=deny", "cat *; cat < *.env; cat < \"$f\""},
		{"bash:[*]=allow\nbash:\"a b\" *=allow", "*:*=deny", "'*' x; \"a b\" c; \"\" x; $x rm; a\"$@\"b"},
		{"bash:echo *=ask\nbash:echo x*=allow", "bash:echo [*]=deny", "echo *; echo x*; echo \"oops"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, policy, more, line string) {
		if len(policy)+len(more)+len(line) > 400 || !utf8.ValidString(line) {
			return
		}
		rules, extra := fuzzRules(policy), fuzzRules(more)
		s := shellparse.Parse(line, shellparse.Options{Home: testEnv.Home})
		if s.Blank || len(s.Commands)+len(s.Redirects) > 30 {
			return
		}
		requests := LineRequests(line, s, fuzzPlace)
		if len(requests) == 0 {
			t.Fatalf("%q raises no request", line)
		}
		c := &Config{Rules: rules}
		d := Decide(requests, c, nil)
		checkDecision(t, line, requests, c, d)

		stricter := func(what string, e Decision) {
			t.Helper()
			if e.Action > d.Action {
				t.Fatalf("%s makes %q more lenient\nrules %v\nmore %v\nbefore %s\nafter %s", what, line, rules, extra, d.print(), e.print())
			}
		}
		for _, r := range extra {
			deny := r
			deny.Action = Deny
			stricter("a deny", Decide(requests, &Config{Rules: append(rules[:len(rules):len(rules)], deny)}, nil))
		}
		guest := &Config{Rules: rules, Alone: []Alone{{Rules: extra}}}
		g := Decide(requests, guest, nil)
		stricter("a guest", g)
		checkDecision(t, line, requests, guest, g)
		stricter("a guest's denies", Decide(requests, &Config{Rules: rules, Alone: []Alone{{Rules: extra, DenyOnly: true}}}, nil))
		stricter("a broken file", Decide(requests, &Config{Rules: rules, Broken: "broken"}, nil))

		command := LineRequests("rm", shellparse.Parse("rm", shellparse.Options{}), fuzzPlace)
		for _, guess := range LineRequests(line, s, fuzzPlace) {
			if guess.Permission != "bash" || guess.Unread != "" {
				continue
			}
			guess.Guess, guess.Store = true, ""
			with := append(requests[:len(requests):len(requests)], guess)
			g := Decide(with, c, nil)
			stricter("a guess", g)
			checkDecision(t, line, with, c, g)
			if alone := Decide([]Request{guess}, c, nil); alone.Action != Ask {
				t.Fatalf("a guess alone at %q is %s", line, alone.print())
			}
		}
		stricter("one more command", Decide(append(requests[:len(requests):len(requests)], command...), c, nil))

		everything := []Rule{{Permission: "*", Pattern: "*", Action: Allow}}
		for i, r := range Decide(requests, c, everything).Reasons {
			if before := d.Reasons[i]; (before.Action == Deny || before.Final) && r.Action != before.Action {
				t.Fatalf("an approval made %s of %s in %q", r.Action, before.Action, line)
			}
		}
	})
}

func FuzzConfig(f *testing.F) {
	for _, pattern := range []string{"testdata/config/*", "testdata/decide/*", "presets/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal("no files", pattern, err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			for _, part := range strings.Split(string(data), "-- ") {
				if len(part) < 1000 {
					_, body, _ := strings.Cut(part, "\n")
					f.Add([]byte(body))
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"config.jsonc", "opencode.json"} {
			file, err := ParseFile(name, data, testEnv)
			if err == nil {
				if _, err := NewConfig([]Layer{{General, file}, {Guest, file}, {Override, file}}, "", testEnv); err != nil {
					t.Fatalf("%q was read, and yet: %v", data, err)
				}
			}
			checkConfigError(t, data, err)
		}
		_, err := ParsePermission("$MAYI_PERMISSION", data, testEnv)
		checkConfigError(t, data, err)
	})
}

// checkConfigError demands that an error names a place inside the file, and
// shows the line that it names.
func checkConfigError(t *testing.T, data []byte, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var e *ConfigError
	if !errors.As(err, &e) {
		t.Fatalf("%q: %v is no *ConfigError", data, err)
	}
	lines := strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	if e.Line < 1 || e.Line > len(lines) {
		t.Fatalf("%q: %v: there is no such line", data, e)
	}
	line := strings.TrimSuffix(lines[e.Line-1], "\r")
	if e.Text != line || e.Col < 1 || e.Col > utf8.RuneCountInString(lines[e.Line-1])+1 {
		t.Fatalf("%q: %v: the line is %q, shown is %q", data, e, line, e.Text)
	}
}
