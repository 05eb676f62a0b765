package scripts

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// beside are tools that hook into the same places, as they do it: a timer in PS0
// as starship has it, a hook in PROMPT_COMMAND as direnv's, a DEBUG trap that
// reports each command as the integrations of terminals do.
var beside = map[string]map[string]string{
	"bash": {
		"timer":   `PS0='${TIMER:$((T=SECONDS,0)):0}'"${PS0-}"; TIMER=x; PROMPT_COMMAND="true timer;${PROMPT_COMMAND-}"`,
		"hook":    `_hook() { local s=$?; true; return $s; }; if [[ ";${PROMPT_COMMAND[*]:-};" != *";_hook;"* ]]; then PROMPT_COMMAND="_hook${PROMPT_COMMAND:+;$PROMPT_COMMAND}"; fi`,
		"array":   `PROMPT_COMMAND=(true ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"} true)`,
		"trap":    `_report() { [[ $COMP_LINE || $BASH_COMMAND == __mayi* ]] || echo "E;$BASH_COMMAND" >>~/reported; }; trap _report DEBUG`,
		"trailer": `PROMPT_COMMAND='true; '`,
		"direnv":  `eval "$(direnv hook bash)"`,
	},
	"zsh": {
		"timer":        `autoload -Uz add-zsh-hook; _t() { T=$SECONDS }; add-zsh-hook preexec _t; add-zsh-hook precmd _t`,
		"hook":         `_hook() { : }; typeset -ag precmd_functions; precmd_functions=(_hook $precmd_functions); chpwd_functions=(_hook)`,
		"report":       `preexec() { print -r -- "E;$1" >>~/reported }`,
		"suggestions":  "source /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh",
		"highlighting": "source /usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh",
		"both":         "source /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh; source /usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh",
		"vi":           "bindkey -v; zle-keymap-select() { zle -R }; zle -N zle-keymap-select",
		"direnv":       `eval "$(direnv hook zsh)"`,
	},
	"fish": {
		"event":  "function _hook --on-event fish_preexec; true; end; function _hook2 --on-event fish_prompt; true; end",
		"keys":   `function fish_user_key_bindings; bind \cg 'commandline -f repaint'; end`,
		"vi":     "fish_vi_key_bindings",
		"direnv": "direnv hook fish | source",
	},
}

func TestItWorksBesideOthers(t *testing.T) {
	each(t, func(t *testing.T, shell string) {
		for name, code := range beside[shell] {
			t.Run(name, func(t *testing.T) {
				if _, file, ok := strings.Cut(code, "source /"); ok {
					if _, err := os.Stat("/" + strings.Split(file, ";")[0]); err != nil {
						t.Skipf("not installed: %v", err)
					}
				}
				if _, err := exec.LookPath("direnv"); name == "direnv" && err != nil {
					t.Skip("direnv is not installed")
				}
				for _, after := range []bool{false, true} {
					before, behind := code, ""
					if after {
						before, behind = "", code
					}
					term := newWorld(t).guarded(shell, before, behind)
					seen := term.run("touch refused1") + term.run("touch allowed1") + term.run("true; touch refused2") + term.run("echo on''e >>count")
					for marker, want := range map[string]bool{"refused1": false, "refused2": false, "allowed1": true} {
						if term.exists(marker) != want {
							t.Errorf("set after it %v: %s ran: %v\n%q", after, marker, !want, seen)
						}
					}
					if have := strings.TrimSpace(term.content("project/count")); have != "one" {
						t.Errorf("set after it %v: it ran more or less than once: %q", after, have)
					}
					// In zsh the function called preexec runs ahead of every hook.
					if reported := term.content("reported"); name == "trap" && (!strings.Contains(reported, "E;touch allowed1\n") || strings.Contains(reported, "touch refused")) {
						t.Errorf("set after it %v: reported %q", after, reported)
					}
				}
			})
		}
	})
}

// content is what a file holds, "" if it is not there.
func (w *world) content(name string) string {
	data, _ := os.ReadFile(w.path(name))
	return string(data)
}

// TestOtherKeysThatRunALine tries what else a line can be run by.
func TestOtherKeysThatRunALine(t *testing.T) {
	keys := map[string][]struct{ name, rc, keys string }{
		"bash": {
			{"Ctrl-J", "", "touch MARK\n"},
			{"Ctrl-O", "", "touch MARK\x0f"},
			{"vi insert", "set -o vi", "touch MARK\r"},
			{"vi command", "set -o vi", "touch MARK\x1bA\x1b\r"},
			{"an editor", "export EDITOR=~/editor", "touch nothing\x18\x05\r"},
			{"an editor of vi", "set -o vi; export EDITOR=~/editor", "touch nothing\x1bv\r"},
			{"a paste", "", "\x1b[200~touch MARK\x1b[201~\r"},
		},
		"zsh": {
			{"Ctrl-J", "", "touch MARK\n"},
			{"accept and hold", "bindkey '^[a' accept-and-hold", "touch MARK\x1ba\x15"},
			{"vi command", "bindkey -v", "touch MARK\x1b\r"},
			{"a paste", "", "\x1b[200~touch MARK\x1b[201~\r"},
			{"a paste of two lines", "", "\x1b[200~true\ntouch MARK\x1b[201~\r"},
			{"an editor", "export EDITOR=~/editor; autoload -Uz edit-command-line; zle -N edit-command-line; bindkey '^X^E' edit-command-line", "touch nothing\x18\x05\r"},
		},
		"fish": {
			{"Ctrl-J", "", "touch MARK\n"},
			{"Ctrl-Enter", "", "touch MARK\x1b[13;5u"},
			{"Shift-Enter", "", "touch MARK\x1b[27;2;13~"},
			{"vi insert", "fish_vi_key_bindings", "touch MARK\r"},
			{"an editor", "set -gx EDITOR ~/editor", "touch nothing\x1be\r"},
		},
	}
	each(t, func(t *testing.T, shell string) {
		for _, k := range keys[shell] {
			t.Run(k.name, func(t *testing.T) {
				for _, marker := range []string{"refused", "allowed"} {
					w := newWorld(t)
					w.write("editor", "#!/bin/sh\necho touch "+marker+" >\"$1\"\n")
					term := w.guarded(shell, k.rc, "")
					keys := strings.ReplaceAll(k.keys, "MARK", marker)
					// An editor takes the terminal: Enter is pressed once it is back.
					if edit, ok := strings.CutSuffix(keys, "\r"); ok && strings.Contains(k.name, "editor") {
						term.send(edit)
						term.expect(marker)
						keys = "\r"
					}
					term.send(keys)
					if marker == "refused" {
						term.expect("not run")
					}
					term.expect("ready> ")
					seen := term.sync()
					if have, want := w.exists(marker), marker == "allowed"; have != want {
						t.Errorf("%s ran: %v, judged %q\n%q", marker, have, w.judged(), seen)
					}
				}
			})
		}
	})
}
