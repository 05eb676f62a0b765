package scripts

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// by picks what is for a shell.
func by(shell, bash, zsh, fish string) string {
	return map[string]string{"bash": bash, "zsh": zsh, "fish": fish}[shell]
}

func TestAnAllowedLineIsSilentAndJudgedOnce(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		term := newWorld(t).guarded(shell, "", "")
		seen := term.run("echo on''ce >>log; cat log")
		if strings.Count(seen, "once\r\n") != 1 || strings.Contains(seen, "mayi") {
			t.Errorf("shows %q", seen)
		}
		if have := term.judged(); len(have) != 1 {
			t.Errorf("judged %q", have)
		}
		if have := term.run("touch 'a\rb' 2>/dev/null; echo li''nes"); !strings.Contains(have, "lines") {
			t.Errorf("shows %q", have)
		}
		if have := term.judged(); len(have) != 1 || !strings.Contains(have[0], "a\nb") {
			t.Errorf("of a line in two parts %q was judged", have)
		}
	})
}

func TestStatusIsKept(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		term := newWorld(t).guarded(shell, "", "")
		status := by(shell, "$?", "$?", "$status")
		term.run("true")
		term.send("sh -c 'exit 7'\r")
		if seen := term.run("echo st''atus=" + status); !strings.Contains(seen, "status=7") {
			t.Errorf("shows %q", seen)
		}
		if shell != "fish" {
			array := by(shell, "${PIPESTATUS[*]}", "$pipestatus", "")
			term.send("sh -c 'exit 3' | sh -c 'exit 4'\r")
			if seen := term.run("echo pi''pe=" + array); !strings.Contains(seen, "pipe=3 4") {
				t.Errorf("shows %q", seen)
			}
			term.send("true a la''st\r")
			if seen := term.run("echo un''der=$_"); !strings.Contains(seen, "under=last") {
				t.Errorf("shows %q", seen)
			}
		}
		term.send("sh -c 'exit 5'\rtouch refused\r")
		if seen, want := term.run("echo st''atus="+status), by(shell, "status=130", "status=5", "status=5"); !strings.Contains(seen, want) {
			t.Errorf("after a veto shows %q, want %s", seen, want)
		}
		term.wantRun("refused", false)
	})
}

func TestHistoryIsAsWithoutTheGuard(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		term := newWorld(t).guarded(shell, by(shell, "HISTCONTROL=ignoreboth; HISTIGNORE='true hid*:x'", "setopt hist_ignore_space; HISTSIZE=100", ""), "")
		term.run("touch refused")
		term.run(" touch refused2")
		term.run("true hidden")
		term.wantRun("refused", false)
		term.wantRun("refused2", false)
		judged := term.judged()
		if !slices.ContainsFunc(judged, func(l string) bool { return strings.Contains(l, "touch refused2") }) {
			t.Errorf("judged %q", judged)
		}
		if shell == "fish" {
			return // before 4.0 a refused line cannot be kept
		}
		seen := term.run(by(shell, "history", "history 1", ""))
		for text, want := range map[string]bool{"touch refused\r": true, "touch refused2\r": false, "true hidden\r": shell == "zsh"} {
			if strings.Contains(seen, text) != want {
				t.Errorf("%q in the history: want %v\n%q", text, want, seen)
			}
		}
	})
}

func TestExpandedHistoryIsJudged(t *testing.T) {
	for _, shell := range []string{"bash", "zsh"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			term := newWorld(t).guarded(shell, "", "")
			// What is typed ahead would stand between the lines.
			step := func(line string) {
				term.send(line + "\r")
				term.expect("ready> ")
			}
			step("echo refused3")
			step("touch !$")
			step("true refused4")
			step("^true^touch")
			step("touch refused5 # up")
			step("\x1b[A")
			term.sync()
			for _, name := range []string{"refused3", "refused4", "refused5"} {
				term.wantRun(name, false)
			}
			judged := strings.Join(term.judged(), "|")
			for _, want := range []string{"touch refused3", "touch refused4"} {
				if !strings.Contains(judged, want) {
					t.Errorf("%s was not judged: %q", want, judged)
				}
			}
			if strings.Count(judged, "touch refused5") != 2 {
				t.Errorf("the line that Up fetched was not judged: %q", judged)
			}
		})
	}
}

func TestAliasesAreJudgedByWhatTheyStandFor(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		aliases := by(shell,
			"alias t='touch' tt='t ' nothing='ls'\nalias x=refused8",
			"alias t='touch' tt='t ' nothing='ls'\nalias x=refused8; alias -g G=refused9",
			"alias t 'touch'; alias tt 't'; alias nothing 'ls'; function own; touch $argv; end\nabbr -a ab touch")
		term := newWorld(t).guarded(shell, aliases, "")
		var seen string
		term.run("t refused1")
		term.run("tt refused2")
		term.run("true; t refused3")
		term.run(`t allowed1; tt allowed2`)
		switch shell {
		case "fish":
			term.run("own refused4")
			if seen = term.run("own allowed4"); !term.exists("allowed4") {
				t.Errorf("shows %q", seen)
			}
			term.run("ab refused5")
			term.run("ab allowed5")
			term.wantRun("allowed5", true)
		case "bash":
			term.run("tt x")
		case "zsh":
			term.run("tt x")
			term.run("touch G")
		}
		for i := range 9 {
			term.wantRun(fmt.Sprintf("refused%d", i+1), false)
		}
		term.wantRun("allowed1", true)
		term.wantRun("allowed2", true)
		if seen = term.run("nothing"); strings.Contains(seen, "mayi") {
			t.Errorf("shows %q", seen)
		}
	})
}

func TestInstallingAgainChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		w := newWorld(t)
		w.write("again", install[shell]+"\n")
		term := w.guarded(shell, "", install[shell]+"\n"+install[shell])
		show := by(shell, `echo "${#PROMPT_COMMAND[@]}:${#PROMPT_COMMAND}:${#PS0}:"`, `echo "$#preexec_functions:$#precmd_functions:"`, "bind | count")
		before := term.run(show)
		term.run("source ~/again")
		term.run("source ~/again")
		after := term.run(show)
		counts := regexp.MustCompile(`[\r\n]+[0-9:]+\r`)
		count := func(shown string) string { return strings.Trim(counts.FindString(shown), "\r\n") }
		if have, want := count(after), count(before); have != want || have == "" {
			t.Errorf("have %q\nwant %q", after, before)
		}
		term.judged()
		term.run("touch refused1")
		term.run("touch allowed1")
		if have := term.judged(); len(have) != 2 {
			t.Errorf("judged %q", have)
		}
		term.wantRun("refused1", false)
		term.wantRun("allowed1", true)
	})
}

// TestNothingOfTheUsersDisarmsIt sets what a user may have set, for good reasons
// or to get by.
func TestNothingOfTheUsersDisarmsIt(t *testing.T) {
	settings := map[string][]string{
		"bash": {
			"set -e", "set -u", "set -o posix", "set -eu -o pipefail", "trap '' INT", "trap 'true' INT", "trap : DEBUG", "shopt -s extdebug", "set -f",
			"shopt -u promptvars cmdhist", "set +o emacs", "set -o vi", "shopt -s nocasematch", "IFS=0123456789",
			`alias command=: builtin=: printf='echo 0' history=: local=: kill=: '['=: unset=: mayi=true if=if`,
			`command() { return 0; }; builtin() { echo 0; }; printf() { echo 0; }; history() { :; }; kill() { :; }; unset() { :; }; mayi() { :; }`,
			"enable -n kill printf", "PROMPT_COMMAND=", "PS0=", "PROMPT_COMMAND=(true true)", "readonly PROMPT_COMMAND", "PATH=$PATH:/nowhere; hash -r",
		},
		"zsh": {
			"setopt err_exit", "setopt err_return", "setopt no_unset", "setopt ksh_arrays", "setopt sh_word_split", "setopt posix_builtins", "emulate sh",
			"emulate ksh", "trap '' INT", "TRAPINT() { : }", "TRAPZERR() { : }", "setopt xtrace", "bindkey -v", "setopt rc_quotes", "setopt no_multi_os", "setopt null_glob extended_glob",
			"alias command=: builtin=: print=: mayi=true; alias -g local=: emulate=:", "builtin() { }; command() { }; print() { }; mayi() { }",
			"preexec_functions=()", "preexec() { : }", "setopt no_interactive_comments",
		},
		"fish": {
			"fish_vi_key_bindings", "bind \\r execute", "function mayi; true; end", "function test; true; end", "alias commandline true", "set fish_trace 0",
		},
	}
	each(t, func(t *testing.T, shell string) {
		for i, setting := range settings[shell] {
			if testing.Short() && i%3 != 0 {
				continue
			}
			t.Run(setting, func(t *testing.T) {
				for _, after := range []bool{false, true} {
					before, behind := setting, ""
					if after {
						before, behind = "", setting
					}
					term := newWorld(t).guarded(shell, before, behind)
					seen := term.run("touch refused1")
					seen += term.run("touch refused2; touch refused3")
					seen += term.run("touch allowed1")
					for _, name := range []string{"refused1", "refused2", "refused3"} {
						if term.exists(name) {
							t.Errorf("set after it %v: %s ran\n%q", after, name, seen)
						}
					}
					if !term.exists("allowed1") {
						t.Errorf("set after it %v: nothing runs\n%q", after, seen)
					}
				}
			})
		}
	})
}

func TestWhatIsTypedIntoAProgramIsNotJudged(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		term := newWorld(t).guarded(shell, "", "")
		term.send("echo be''gin; read x\r")
		term.expect(by(shell, "begin", "begin", "read> "))
		term.send("touch refused1\r")
		term.run("echo go''t:$x")
		term.send("echo st''art; cat\r")
		term.expect("start")
		term.send("touch refused2\r\x04")
		seen := term.sync()
		if strings.Contains(seen, "not run") {
			t.Errorf("shows %q", seen)
		}
	})
}

func TestARemovedHookIsPutBackAndToldOf(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		term := newWorld(t).guarded(shell, "", by(shell, "", "", "function rebind\nbind \\r execute\nbind \\n execute\nend"))
		seen := term.run(by(shell, "PS0=", "preexec_functions=()", "rebind"))
		if !strings.Contains(seen, "it is back") {
			t.Errorf("shows %q", seen)
		}
		if seen := term.run("touch refused"); strings.Contains(seen, "it is back") {
			t.Errorf("shows %q", seen)
		}
		term.wantRun("refused", false)
		if shell == "zsh" {
			if seen := term.run("unset preexec_functions"); !strings.Contains(seen, "it is back") || strings.Contains(seen, "bad math") {
				t.Errorf("shows %q", seen)
			}
		}
		if shell == "bash" {
			if seen := term.run("PROMPT_COMMAND=true") + term.run("true"); !strings.Contains(seen, "no longer in PROMPT_COMMAND") {
				t.Errorf("shows %q", seen)
			}
			term.run("touch refused")
			term.wantRun("refused", false)
			// Now nothing keeps this from hiding a line.
			term.send("HISTCONTROL=ignorespace\r")
			term.expect("ready> ")
			term.send(" touch refused\r")
			term.expect("may have hidden the command")
			term.wantRun("refused", false)
			term.run("touch allowed")
			term.wantRun("allowed", true)
		}
	})
}

// TestAFunctionOfFishThatIsGone comes back, for Enter is bound to it.
func TestAFunctionOfFishThatIsGone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"__mayi_enter", "__mayi_aliases", "__mayi_bind"} {
		term := newWorld(t).guarded("fish", "", "")
		term.run("functions -e " + name)
		term.run("touch refused")
		term.wantRun("refused", false)
		term.run("touch allowed")
		term.wantRun("allowed", true)
	}
}

// TestARefusedLineOfFishCanBeUndone brings it back and makes another of it.
func TestARefusedLineOfFishCanBeUndone(t *testing.T) {
	t.Parallel()
	term := newWorld(t).guarded("fish", "", "")
	term.send("touch refused\r")
	term.expect("not run")
	term.expect("ready> ")
	term.send("\x1a\x7f\x7f\x7f\x7f\x7f\x7f\x7fallowed\r")
	term.expect("ready> ")
	term.sync()
	term.wantRun("refused", false)
	term.wantRun("allowed", true)
}

func TestAFailingCheckerRefuses(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		w := newWorld(t)
		code := strings.ReplaceAll(string(w.output(t, "init", shell)), mayi, w.path("copy/mayi"))
		w.write("code", code)
		for _, c := range []struct{ program, says string }{
			{"#!/bin/sh\nexit 77\n", "the guard failed"},
			{"#!/bin/sh\necho 0; kill -SEGV $$\n", "the guard failed"},
			{"#!/nonexistent\n", "the guard failed"},
			{"#!/bin/sh\necho 0\nexit 1\n", ""},
		} {
			w.write("copy/mayi", "#!/bin/sh\nexit 0\n")
			term := w.interactive(shell, "source ~/code")
			// The last line that is allowed.
			term.run("true")
			w.write("copy/mayi", c.program)
			term.send("touch allowed\r")
			seen := term.expect("ready> ")
			if c.says != "" && !strings.Contains(seen, c.says) {
				seen += term.expect(c.says)
			}
			w.write("copy/mayi", "#!/bin/sh\nexit 0\n")
			term.sync()
			if w.exists("allowed") {
				t.Errorf("%q lets it run", c.program)
			}
		}
	})
}

// TestAHangingCheckerRefuses demands that a checker which hangs can be left, and
// that nothing runs then.
func TestAHangingCheckerRefuses(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		w := newWorld(t)
		w.write("code", strings.ReplaceAll(string(w.output(t, "init", shell)), mayi, w.path("copy/mayi")))
		for _, keys := range []string{"\x03", "\x1a\x03"} {
			w.write("copy/mayi", "#!/bin/sh\nexit 0\n")
			term := w.interactive(shell, "source ~/code")
			term.run("true")
			w.write("copy/mayi", "#!/bin/sh\necho hangs >/dev/tty\nexec sleep 1000\n")
			term.send("touch allowed\r")
			term.expect("hangs")
			term.send(keys)
			if shell == "fish" {
				// fish 3.6 gives up the whole binding and leaves the line to be edited.
				term.expect("touch allowed")
				term.send("\x15")
			} else {
				term.expect("ready> ")
			}
			w.write("copy/mayi", "#!/bin/sh\nexit 0\n")
			term.sync()
			if w.exists("allowed") {
				t.Errorf("%q lets it run", keys)
			}
			term.run("touch after")
			term.wantRun("after", true)
		}
	})
}

// output is what mayi prints, whatever its status.
func (w *world) output(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := w.command(mayi, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestInstallingIsSilentAndNeverEndsAScript(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		shell string
		args  []string
	}{
		{"bash", []string{"--norc", "-eu", "-o", "pipefail", "-c", install["bash"] + "; true"}},
		{"bash", []string{"--norc", "-ieu", "-o", "pipefail", "-c", install["bash"] + "; true"}},
		{"bash", []string{"--norc", "--posix", "-c", install["bash"]}},
		{"zsh", []string{"-f", "-eu", "-o", "pipefail", "-c", install["zsh"] + "; true"}},
		{"zsh", []string{"-fi", "-eu", "-c", install["zsh"] + "; true"}},
		{"fish", []string{"--no-config", "-c", install["fish"]}},
		{"fish", []string{"--no-config", "-i", "-c", install["fish"]}},
	} {
		path, err := exec.LookPath(c.shell)
		if err != nil {
			continue
		}
		out, err := w.command(path, c.args...).CombinedOutput()
		// What an interactive bash says of having no terminal.
		out = regexp.MustCompile(`bash: (cannot set terminal process group|no job control).*\n`).ReplaceAll(out, nil)
		if err != nil || len(out) > 0 {
			t.Errorf("%s %q: %v\n%s", c.shell, c.args, err, out)
		}
	}
}

func TestOldBashIsTold(t *testing.T) {
	w := newWorld(t)
	code := strings.Replace(string(w.output(t, "init", "bash")), "BASH_VERSINFO[0] * 100", "302 - 400 + 0", 1)
	w.write("code", code)
	out, err := w.command(find(t, "bash"), "--norc", "-i", "-c", ". ~/code; echo ${PS0-none}").CombinedOutput()
	if err != nil || strings.Count(string(out), "\n") < 2 || !strings.Contains(string(out), "needs bash 4.4") || !strings.Contains(string(out), "none") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestHistoryThatIsOff turns off where bash finds the command.
func TestHistoryThatIsOff(t *testing.T) {
	t.Run("a line that would", func(t *testing.T) {
		t.Parallel()
		term := newWorld(t).guarded("bash", "", "")
		for _, line := range []string{"set +o history", "true; set +o history; true"} {
			if seen := term.run(line); !strings.Contains(seen, "ignorespace") {
				t.Errorf("%s shows %q", line, seen)
			}
		}
		term.run("touch allowed")
		term.wantRun("allowed", true)
	})
	t.Run("its size", func(t *testing.T) {
		t.Parallel()
		term := newWorld(t).guarded("bash", "", "")
		if seen := term.run("HISTSIZE=0"); !strings.Contains(seen, "HISTSIZE is 500") {
			t.Errorf("shows %q", seen)
		}
		term.run("touch refused")
		term.wantRun("refused", false)
		term.run("touch allowed")
		term.wantRun("allowed", true)
	})
	// What a prompt hook turns on again records nothing, and says that it is on.
	for _, hook := range []string{"", "PROMPT_COMMAND+='; set -o history'"} {
		t.Run("behind its back "+hook, func(t *testing.T) {
			t.Parallel()
			term := newWorld(t).guarded("bash", "off() { set +o history; }", hook)
			for _, line := range []string{"off", "touch allowed", "touch refused"} {
				term.send(line + "\r")
				if seen := term.expect("ready> "); line != "off" && !strings.Contains(seen, "the history is off") {
					t.Errorf("%s shows %q", line, seen)
				}
			}
			term.wantRun("allowed", false)
			term.wantRun("refused", false)
		})
	}
}

// TestALineOfMany has bash keep each line of a command by itself.
func TestALineOfMany(t *testing.T) {
	term := newWorld(t).guarded("bash", "readonly PROMPT_COMMAND=:", "")
	term.send("shopt -u cmdhist\r")
	term.expect("ready> ")
	term.send("{ touch refused\rtrue; }\r")
	if seen := term.expect("ready> "); !strings.Contains(seen, "cmdhist is off") {
		t.Errorf("shows %q", seen)
	}
	term.wantRun("refused", false)
}

// TestRerunsAreAsked runs lines of the history without typing them.
func TestRerunsAreAsked(t *testing.T) {
	lines := map[string][]string{
		"bash": {"fc", "fc -s", "fc -s touch", "fc -e true", "command fc", "builtin fc -s"},
		"zsh":  {"fc", "r", "r touch", "fc -e -", "fc -e true", "builtin r", "- r"},
	}
	for shell, lines := range lines {
		for _, line := range lines {
			t.Run(shell+" "+line, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.write("editor", "#!/bin/sh\nexit 0\n")
				w.write("config/mayi/config.jsonc", `{}`)
				term := w.guarded(shell, "FCEDIT=~/editor", "")
				term.run("fc -l >/dev/null; touch count; echo x >>count")
				term.send("echo x >>count\r")
				term.expect("ready> ")
				term.asked(line)
				term.send("\x1b")
				term.expect("not run")
				term.sync()
				if have := term.content("project/count"); have != "x\nx\n" {
					t.Errorf("it ran again: %q", have)
				}
			})
		}
	}
}
