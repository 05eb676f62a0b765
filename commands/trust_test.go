package commands

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shownCode = regexp.MustCompile(`type ([a-z]{4}) `)

// codeOn is the code to type that a screen showed last.
func codeOn(shown string) string {
	found := shownCode.FindAllStringSubmatch(plain(shown), -1)
	if found == nil {
		return ""
	}
	return found[len(found)-1][1]
}

// trustingHome is a home with a project whose file allows make.
func trustingHome(t *testing.T) (h home, file string) {
	h = newHome(t)
	file = filepath.Join(h.dir, "project", projectFile)
	put(t, file, `{"permission": {"bash": {"make *": "allow"}}}`, 0o600)
	return h, file
}

func put(t *testing.T, name, data string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(data), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
}

// trust trusts the project of the home, as a person does.
func (h home) trust() {
	h.t.Helper()
	s := h.at(h.command("trust"))
	s.waitFor("type", "trusts nothing")
	s.press(codeOn(s.seen.String()) + enter)
	s.ends(0)
}

func TestTrustWantsTheCodeThatItShows(t *testing.T) {
	for _, tt := range []struct {
		name   string
		keys   []string
		status int
	}{
		{"the code", []string{"{code}" + enter}, 0},
		{"in capitals, with blanks", []string{" {CODE} " + enter}, 0},
		{"at the third try", []string{"x" + enter, enter, "{code}" + enter}, 0},
		{"the first code at the second try", []string{"{code}x" + enter, "{first}" + enter, "{first}" + enter}, 77},
		{"three wrong ones", []string{"yes" + enter, "y" + enter, enter}, 77},
		{"Esc", []string{"\x1b"}, 130},
		{"Ctrl-C", []string{"{code}\x03"}, 130},
		{"Ctrl-D", []string{"\x04"}, 130},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, _ := trustingHome(t)
			s := h.at(h.command("trust"))
			first := ""
			for _, keys := range tt.keys {
				s.waitFor("type", "trusts nothing")
				code := codeOn(s.seen.String())
				if first == "" {
					first = code
				}
				s.press(strings.NewReplacer("{code}", code, "{CODE}", strings.ToUpper(code), "{first}", first).Replace(keys))
			}
			s.ends(tt.status)
			want := 1
			if tt.status == 0 {
				want = 0
			}
			h.mayi(want, "check", "make x")
			outcome := map[int]string{0: "allow", 77: "refused"}[tt.status]
			if log := h.mayi(0, "log"); outcome != "" && !(strings.Contains(log, outcome) && strings.Contains(log, "trust")) {
				t.Errorf("the log does not say %s:\n%s", outcome, log)
			}
		})
	}
}

// TestTypedAheadTrustsNothing types before there is a question.
func TestTypedAheadTrustsNothing(t *testing.T) {
	h, _ := trustingHome(t)
	s := h.at(h.command("trust"))
	s.press("abcd\refgh\rijkl\r")
	s.waitFor("type", "trusts nothing")
	s.press("\x1b")
	s.ends(130)
	h.mayi(1, "check", "make x")
}

// TestWhatChangesWhileItIsShownIsNotTrusted changes the file behind the back of
// the person who reads it, and puts it back once they have typed the code.
func TestWhatChangesWhileItIsShownIsNotTrusted(t *testing.T) {
	h, file := trustingHome(t)
	s := h.at(h.command("trust"))
	s.waitFor("type", "trusts nothing")
	code := codeOn(s.seen.String())
	put(t, file, `{"permission": {"bash": "allow"}}`, 0o600)
	s.press(code + enter)
	s.waitFor("changed while it was shown")
	s.ends(74)
	h.mayi(1, "check", "make x")
	put(t, file, `{"permission": {"bash": {"make *": "allow"}}}`, 0o600)
	h.mayi(1, "check", "make x")
}

// TestTrustShowsAllThatItTrusts demands that what is hidden in a file, or far below,
// stands on the screen.
func TestTrustShowsAllThatItTrusts(t *testing.T) {
	h, file := trustingHome(t)
	var lines strings.Builder
	for range 500 {
		lines.WriteString("    // nothing to see here\n")
	}
	put(t, file, "{\n  // \u202e\x1b[2J\x1b[1;1H\u200b"+strings.Repeat(" ", 2000)+"far right\n"+
		"  \"permission\": {\"bash\": {\n"+lines.String()+"    \"curl *\": \"allow\"}},\n"+
		"  \"agents\": {\"plan\": {\"permission\": {\"edit\": \"allow\"}, \"inherit\": \"none\"}}, \"on_ask\": [\"evil\"]\n}\n", 0o600)
	s := h.at(h.command("trust"))
	s.waitFor(`\u202e\x1b[2J\x1b[1;1H\u200b`, "far right", "nothing to see here", "curl *", "Once trusted", "bash: curl *",
		"agent plan", "edit: *", "inherit, on_ask", "type", "trusts nothing")
	s.press("\x1b")
	s.ends(130)
}

// TestTrustShowsWhatChanged demands a difference to what was trusted last, and not
// to what was there last.
func TestTrustShowsWhatChanged(t *testing.T) {
	h, file := trustingHome(t)
	h.trust()
	h.mayi(0, "check", "make x")
	put(t, file, "{\"permission\": {\"bash\": {\"evil *\": \"allow\"}}}\n", 0o600)
	h.mayi(1, "check", "make x")
	put(t, file, "{\"permission\": {\"bash\": {\"make *\": \"allow\", \"npm *\": \"allow\"}}}\n", 0o600)
	s := h.at(h.command("trust"))
	s.waitFor("changed since", `-{"permission": {"bash": {"make *": "allow"}}}`, `+{"permission": {"bash": {"make *": "allow", "npm *": "allow"}}}`,
		"bash: make *", "bash: npm *", "trusts nothing")
	if strings.Contains(plain(s.seen.String()), "evil") {
		t.Error("what was never trusted is shown")
	}
	s.press(codeOn(s.seen.String()) + enter)
	s.ends(0)
	h.mayi(0, "check", "npm x")
	h.mayi(1, "check", "evil x")
}

// TestUntrustedFileMakesNoLargerProject puts a file above a directory that is a
// project of its own without it, and looks at what is outside of that.
func TestUntrustedFileMakesNoLargerProject(t *testing.T) {
	h := newHome(t)
	wide := filepath.Join(h.dir, "wide")
	if err := os.MkdirAll(filepath.Join(wide, "sub", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if newEnv := (&env{home: h.dir}); !newEnv.widens(wide) {
		t.Skip("the temporary directory is in a repository")
	}
	check := func(want int, args ...string) {
		t.Helper()
		cmd := h.command(append([]string{"check", "--rule", "edit:sub/*=allow"}, args...)...)
		cmd.Dir = filepath.Join(wide, "sub")
		out, _ := cmd.CombinedOutput()
		if have := cmd.ProcessState.ExitCode(); have != want {
			t.Errorf("%v: exit status %d, want %d\n%s", args, have, want, out)
		}
	}
	all := func(outside, relative int) {
		t.Helper()
		check(0, "cat deep/x")
		check(outside, "cat ../x")
		check(outside, "cd .. && ls")
		check(relative, "-p", "edit", "deep/x") // sub/deep/x in the larger project
		check(1, "cat "+filepath.Join(h.dir, "x"))
	}
	all(1, 1)
	for _, says := range []string{`{}`, `{"permission": {"bash": {"make *": "allow"}}}`} {
		put(t, filepath.Join(wide, projectFile), says, 0o600)
		all(1, 1)
		s := h.at(h.command("trust", "../wide"))
		s.waitFor("makes this directory one project", "type", "trusts nothing")
		s.press(codeOn(s.seen.String()) + enter)
		s.ends(0)
		all(0, 0)
	}
	put(t, filepath.Join(wide, projectFile), `{ }`, 0o600)
	all(1, 1)
}
