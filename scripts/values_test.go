package scripts

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// setting is how each shell sets a variable, and defines a function that does.
var setting = map[string]struct{ variable, function string }{
	"bash": {"NAME=VALUE", "change() { NAME=VALUE; }"},
	"zsh":  {"NAME=VALUE", "change() { NAME=VALUE }"},
	"fish": {"set -g NAME VALUE", "function change; set -g NAME VALUE; end"},
}

func sets(shell, name, value string) string {
	return strings.NewReplacer("NAME", name, "VALUE", value).Replace(setting[shell].variable)
}

// TestValuesAnswerWhatTheyCan demands that nobody is asked what a variable might
// be where the shell knows what it is, and that a value that may have changed, or
// is not plain, answers nothing.
func TestValuesAnswerWhatTheyCan(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		change := strings.NewReplacer("NAME", "f", "VALUE", "refused2").Replace(setting[shell].function)
		term := newWorld(t).guarded(shell, change, "")
		// quiet runs a line that must not ask, asks one that must; it is rejected.
		quiet := func(line, marker string) {
			t.Helper()
			if seen := term.run(line); strings.Contains(seen, "mayi") || !term.exists(marker) {
				t.Errorf("%q: it ran: %v\nshows %q", line, term.exists(marker), seen)
			}
		}
		asks := func(line, marker string) {
			t.Helper()
			if seen := term.run(line); !strings.Contains(seen, question) || term.exists(marker) {
				t.Errorf("%q: it ran: %v\nshows %q", line, term.exists(marker), seen)
			}
		}
		stops := func(line, marker string) {
			t.Helper()
			if seen := term.run(line); !strings.Contains(seen, "mayi") || term.exists(marker) {
				t.Errorf("%q: it ran: %v\nshows %q", line, term.exists(marker), seen)
			}
		}
		term.run(sets(shell, "f", "fine1"))
		quiet(`touch "$f"`, "fine1")
		term.run(sets(shell, "f", "fine2"))
		quiet("touch $f", "fine2")
		term.run(sets(shell, "tool", "touch"))
		quiet("$tool fine3", "fine3")
		term.run(sets(shell, "f", "asked1"))
		asks("touch $f", "asked1")
		term.run(sets(shell, "f", "refused1"))
		asks("touch $f", "refused1")
		asks("touch $unknown", "none")

		// A function may have set it.
		term.run(sets(shell, "f", "fine4"))
		asks("change; touch $f", "refused2")
		quiet("touch $f; change", "fine4")
		// So may the line.
		term.run(sets(shell, "f", "fine5"))
		stops(sets(shell, "f", "refused3")+"; touch $f$f", "refused3refused3")
		term.run(sets(shell, "f", "fine6"))
		stops("eval '"+sets(shell, "f", "refused4")+"'; touch $f", "refused4")

		switch shell {
		case "bash":
			term.run("n=fine7; declare -n r=n")
			stops("n=refused5; touch $r", "refused5")
			term.run("declare -u u; u=refused6")
			asks("touch $u", "REFUSED6")
			term.run("IFS=x; f=-pxrefused7")
			asks("touch $f", "refused7")
			term.run("unset IFS; set -f; f=fine8")
			asks("touch $f", "fine8")
			term.run("set +f")
			quiet("touch $f", "fine8")
		case "zsh":
			term.run("setopt sh_word_split; f='fine9 fine10'")
			asks("touch $f", "fine10")
			quiet(`touch "$f"`, "fine9 fine10")
			term.run("typeset -u u; u=refused6")
			asks("touch $u", "REFUSED6")
		case "fish":
			term.run("set -g f fine7 refused5")
			asks("touch $f", "refused5")
		}
	})
}

// TestValuesAreKeptToThemselves demands that what a variable holds is neither in
// the arguments of a process nor in what is stored, and reaches nobody else.
func TestValuesAreKeptToThemselves(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		w := newWorld(t)
		w.write("notify", "#!/bin/sh\nexec env >'"+w.path("told")+"'\n")
		if err := syscall.Mkfifo(w.path("told"), 0o600); err != nil {
			t.Fatal(err)
		}
		told := make(chan []byte, 1)
		go func() { // it may run on when the question is answered
			data, _ := os.ReadFile(w.path("told"))
			told <- data
		}()
		w.write("config/mayi/config.jsonc", `{"on_ask": ["`+w.path("notify")+`"], "agents": {"shell": {"permission": {"bash": {"touch *asked*": "ask"}}}}}`)
		term := w.guarded(shell, "", "")
		term.run(sets(shell, "secret", "hunter2"))
		w.write("calls", "")
		term.asked("touch asked1 $secret")
		term.send("\x1b[B\x1b[B\r")
		term.expect(question + " allow once")
		term.sync()
		term.wantRun("hunter2", true)
		files, _ := filepath.Glob(w.path("state/*"))
		for _, name := range append(files, w.path("calls")) {
			if data, _ := os.ReadFile(name); bytes.Contains(data, []byte("hunter2")) {
				t.Errorf("%s tells it", name)
			}
		}
		select {
		case data := <-told:
			if !bytes.Contains(data, []byte("MAYI_")) || bytes.Contains(data, []byte("hunter2")) {
				t.Errorf("on_ask is told %q", data)
			}
		case <-time.After(time.Minute):
			t.Error("on_ask did not run")
		}
	})
}
