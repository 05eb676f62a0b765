package completions

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	commands    = "approve ask check completion config doctor guard help hook init list log parse-bash revoke run session trust untrust version watch"
	agents      = "amp antigravity claude cline codex copilot crush cursor droid gemini goose kimi kiro opencode qwen vscode windsurf"
	permissions = "bash doom_loop edit external_directory glob grep read webfetch"
)

// What bash is told to do itself is what the other shells offer: files stand for
// `aback adir`, directories for `adir`.
const (
	files       = "<files>"
	directories = "<directories>"
	nothing     = "<nothing>"
)

func TestEveryShellOffersWhatFits(t *testing.T) {
	cases := []struct{ line, want string }{
		{"mayi ", commands},
		{"mayi ap", "approve"},
		{"mayi --json ap", "approve"},
		{"mayi --db check ap", "approve"},
		{"mayi --db=check ap", "approve"},
		{"mayi -- ap", "approve"},
		{"mayi unknown ", nothing},

		{"mayi config ", "check path show"},
		{"mayi --config aback config s", "show"},
		{"mayi config --json s", "show"},
		{"mayi config show ", nothing},
		{"mayi config check a", files},
		{"mayi config check aback a", files},
		{"mayi hook ", agents},
		{"mayi hook --install co", "codex copilot"},
		{"mayi hook --project cl", "claude cline"},
		{"mayi hook claude ", nothing},
		{"mayi hook claude --ask ", "deny native wait"},
		{"mayi hook claude --ask=w", "wait"},
		{"mayi doctor ", nothing},
		{"mayi init ", "alias bash bash-env fish shims zsh zshenv"},
		{"mayi init z", "zsh zshenv"},
		{"mayi init bash ", nothing},
		{"mayi init alias --shell ", "bash fish zsh"},
		{"mayi init alias --shell=z", "zsh"},
		{"mayi init shims --re", "--remove"},
		{"mayi init shims a", directories},
		{"mayi guard ", nothing},
		{"mayi guard --shell z", "zsh"},
		{"mayi --agent ", "plan shell"},
		{"mayi check --agent=pl", "plan"},
		{"mayi completion ", "bash fish zsh"},
		{"mayi completion z", "zsh"},
		{"mayi completion zsh ", nothing},
		{"mayi help ", commands},
		{"mayi help l", "list log"},
		{"mayi help log ", nothing},
		{"mayi version ", nothing},
		{"mayi watch ", nothing},
		{"mayi parse-bash ", nothing},
		{"mayi list ", permissions},
		{"mayi list --config g", "glob grep"},

		{"mayi approve --scope ", "global project session"},
		{"mayi approve --scope=", "global project session"},
		{"mayi approve --scope=s", "session"},
		{"mayi approve --once --scope s", "session"},
		{"mayi approve 7 --scope s", "session"},
		{"mayi check --shell ", "bash bats fish mksh posix zsh"},
		{"mayi parse-bash --shell=p", "posix"},
		{"mayi check -p ", permissions},
		{"mayi ask --permission e", "edit external_directory"},
		{"mayi run --permission=w", "webfetch"},
		{"mayi approve --message ", nothing},
		{"mayi log ", "show verify"},
		{"mayi log -n 3 v", "verify"},
		{"mayi log verify ", nothing},
		{"mayi log --action re", "refused rejected"},
		{"mayi log --action=al", "allow always"},
		{"mayi log --since ", nothing},
		{"mayi log verify --he", "--head"},
		{"mayi doctor --re", "--repair"},
		{"mayi log -n ", nothing},
		{"mayi --rule bash:x=allow log -n ", nothing},

		{"mayi --config a", files},
		{"mayi --config=a", files},
		{"mayi watch --db a", files},
		{"mayi check -f a", files},
		{"mayi check --file a", files},
		{"mayi parse-bash --file=a", files},
		{"mayi --project a", directories},
		{"mayi revoke --project=a", directories},
		{"mayi trust a", directories},
		{"mayi trust adir ", nothing},
		{"mayi untrust a", directories},
		{"mayi list --tr", "--trusted"},

		{"mayi check mayi-p", "mayi-probe"},
		{"mayi ask mayi-p", "mayi-probe"},
		{"mayi run mayi-p", "mayi-probe"},
		{"mayi run -- mayi-p", "mayi-probe"},
		{"mayi run -p bash --timeout 3s mayi-p", "mayi-probe"},
		{"mayi run --timeout=3s mayi-p", "mayi-probe"},
		{"mayi run --rule bash:x=allow mayi-p", "mayi-probe"},
		{"mayi run mayi-probe a", files},
		{"mayi run mayi-probe -x a", files},
		{"mayi run mayi-probe a:b=c a", files},
		{"mayi check -p edit a", files},
		{"mayi --json check --permission=read a", files},
	}
	var lines []string
	for _, c := range cases {
		lines = append(lines, c.line)
	}
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t)
			replies, left := s.complete(w, lines)
			for i, c := range cases {
				have, want := strings.Join(texts(replies[i]), " "), c.want
				if s.name != "bash" {
					want = strings.NewReplacer(files, "aback adir", directories, "adir", nothing, "").Replace(want)
				}
				if s.name == "zsh" && c.want == nothing && strings.HasPrefix(have, "--") {
					continue // where nothing else may stand, zsh offers the flags
				}
				if have != want {
					t.Errorf("%s\nhave %q\nwant %q", c.line, have, want)
				}
			}
			for _, name := range left {
				if !strings.HasPrefix(name, "_mayi") {
					t.Errorf("it leaves %s behind", name)
				}
			}
			w.wantOnlyLists()
		})
	}
}

// hostile is a line that would set the title of a terminal, and that is full of
// characters that a terminal obeys or does not show, and of what looks like JSON.
const hostile = "a \"quoted\" \\ é,\"id\":77,\"line\":\"x\" \x1b]0;pwned\a\r\n\x7f\u009b31m\u200b\u202e\u2066\ufeff\U000e0041."

// shown is what of it is to be seen.
const shown = `a "quoted" \ é,"id":77,"line":"x" \u001b]0;pwned\u0007\r\n\u007f\u009b31m\u200b\u202e\u2066\ufeff\udb40\udc41.`

// obeyed matches what no terminal may be sent of it.
var obeyed = regexp.MustCompile("\x1b\\]|pwned\a|[\x7f\u0080-\u009f\u200b\u202e\u2066\ufeff\U000e0041]")

func TestIDsAreOffered(t *testing.T) {
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			find(t, s.name)
			w := newWorld(t)
			w.ask("git push origin main", "make install", hostile)
			w.approve("--always", "1")
			db := w.path("mayi.db")
			cases := []struct{ line, want string }{
				{"mayi approve ", "2 3"},
				{"mayi approve 3 ", "2"},
				{"mayi approve --once 3 --message 2 ", "2"},
				{"mayi approve 2 3 ", nothing},
				{"mayi --json approve ", "2 3"},
				{"mayi --db " + db + " approve ", "2 3"},
				{"mayi approve --db=" + db + " ", "2 3"},
				{"mayi --db ~/mayi.db revoke ", "1"},
				{"mayi --db '" + db + "' approve ", "2 3"},
				{"mayi --db /nonexistent/mayi.db approve ", nothing},
				{"mayi --db $(mayi-probe) approve ", nothing},
				{"mayi --session another approve ", nothing},
				{"mayi revoke ", "1"},
				{"mayi revoke --quiet ", "1"},
				{"mayi revoke 1 ", nothing},
				{"mayi --project " + w.path("project/adir") + " revoke ", nothing},
			}
			var lines []string
			for _, c := range cases {
				lines = append(lines, c.line)
			}
			replies, _ := s.complete(w, lines)
			for i, c := range cases {
				have, want := strings.Join(texts(replies[i]), " "), c.want
				if s.name != "bash" && want == nothing {
					want = ""
				}
				if s.name == "zsh" && want == "" && strings.HasPrefix(have, "--") {
					continue
				}
				if have != want {
					t.Errorf("%s\nhave %q\nwant %q", c.line, have, want)
				}
			}
			w.wantOnlyLists()
		})
	}
}

func TestFishDescribesIDsVisibly(t *testing.T) {
	find(t, "fish")
	w := newWorld(t)
	w.ask("git push origin main", "make install", hostile)
	w.approve("--always", "1")
	replies, _ := w.fish([]string{"mayi approve ", "mayi revoke "})
	if want := []reply{{"2", "make install"}, {"3", shown}}; !slices.Equal(replies[0], want) {
		t.Errorf("requests\nhave %q\nwant %q", replies[0], want)
	}
	if want := []reply{{"1", "bash: git push *"}}; !slices.Equal(replies[1], want) {
		t.Errorf("approvals\nhave %q\nwant %q", replies[1], want)
	}
}

// shownInC is what of it is to be seen where the locale is not UTF-8: a question
// mark for each byte that is no ASCII.
const shownInC = `a "quoted" \ ??,"id":77,"line":"x" \u001b]0;pwned\u0007\r\n\u007f\u009b31m\u200b\u202e\u2066\ufeff\udb40\udc41.`

func TestZshDescribesIDsVisibly(t *testing.T) {
	find(t, "zsh")
	for locale, want := range map[string]string{"C.UTF-8": shown, "C": shownInC} {
		t.Run(locale, func(t *testing.T) {
			w := newWorld(t)
			w.ask("git push origin main", "make install", hostile, "npm install")
			w.approve("--always", "1", "4")
			term := w.interactiveZsh("LC_ALL="+locale, "LOAD=source")
			term.send("mayi approve \t")
			seen := term.expect("2  -- make install") + term.expect("3  -- "+want)
			term.send("\x10mayi revoke \t")
			seen += term.expect("1  -- bash: git push *") + term.expect("2  -- bash: npm install *")
			if have := obeyed.FindAllString(seen, -1); have != nil {
				t.Errorf("the terminal was sent %q in %q", have, seen)
			}
		})
	}
}

// bashCompletion is where the package bash-completion keeps its functions.
const bashCompletion = "/usr/share/bash-completion/bash_completion"

func TestJudgedCommandsCompleteAsByThemselves(t *testing.T) {
	cases := []struct{ line, want string }{
		{"mayi run mayi-sh", "mayi-shiny"},
		{"mayi run mayi-shiny --s", "--shiny"},
		{"mayi check -p bash -- mayi-shiny --s", "--shiny"},
		{"mayi --json ask --timeout=3s mayi-shiny a --s", "--shiny"},
		{"mayi run mayi run mayi-shiny --s", "--shiny"},
		{"mayi run mayi appr", "approve"},
	}
	var lines []string
	for _, c := range cases {
		lines = append(lines, c.line)
	}
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			if _, err := os.Stat(bashCompletion); s.name == "bash" && err != nil {
				t.Skip("bash-completion is not installed")
			}
			w := newWorld(t)
			w.env = append(w.env, "BASH_COMPLETION="+bashCompletion)
			replies, _ := s.complete(w, lines)
			for i, c := range cases {
				if have := strings.Join(texts(replies[i]), " "); have != c.want {
					t.Errorf("%s\nhave %q\nwant %q", c.line, have, c.want)
				}
			}
		})
	}
}

// As a file in $fpath the script is the body of the function that it defines, so
// that its first call is not like the others.
func TestZshLoadsItAsAFunctionToo(t *testing.T) {
	w := newWorld(t)
	replies, _ := w.zshLoading("fpath", []string{"mayi ap", "mayi ap", "mayi approve --scope s"})
	for i, want := range []string{"approve", "approve", "session"} {
		if have := texts(replies[i]); !slices.Equal(have, []string{want}) {
			t.Errorf("completion %d\nhave %q\nwant %q", i, have, want)
		}
	}
}

// A flag is one that mayi prints.
type flag struct {
	names []string
	value bool // it takes one
}

var placeholder = regexp.MustCompile(` +\[ -.*| {2,}.*`)

// flagsOf reads the flags of a command, or those of mayi itself.
func (w *world) flagsOf(command ...string) (list []flag) {
	_, text, _ := strings.Cut(w.help(command...), "\nflags")
	_, text, _ = strings.Cut(text, ":\n")
	text, _, _ = strings.Cut(text, "\n\n")
	for line := range strings.Lines(text) {
		var f flag
		for name := range strings.SplitSeq(placeholder.ReplaceAllString(strings.TrimSpace(line), ""), ", ") {
			name, _, value := strings.Cut(name, " ")
			f.names = append(f.names, name)
			f.value = value
		}
		list = append(list, f)
	}
	return list
}

// commandsOf reads the commands of mayi, or those of a command.
func (w *world) commandsOf(command ...string) (list []string) {
	pattern := regexp.MustCompile(`(?m)^  ([a-z][a-z-]+) .*$`)
	if len(command) > 0 {
		pattern = regexp.MustCompile(`(?m)^  mayi ` + command[0] + ` ([a-z-]+) .*$`)
	}
	for _, m := range pattern.FindAllStringSubmatch(w.help(command...), -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return list
}

// operands begin an operand of a command that is no value of a flag: it is offered
// behind a flag unless the flag takes it for a value.
var operands = map[string]string{
	"": "ap", "check": "mayi-p", "ask": "mayi-p", "run": "mayi-p", "list": "g", "config": "pat", "init": "zs", "completion": "f", "help": "par", "hook": "am",
}

func TestWhatHelpPrintsIsOffered(t *testing.T) {
	w := newWorld(t)
	all := w.commandsOf()
	if !slices.Contains(all, "check") || !slices.Contains(all, "version") {
		t.Fatalf("mayi help is not read well: %q", all)
	}

	var lines []string
	var check []func(t *testing.T, have []string)
	add := func(line string, f func(t *testing.T, have []string)) {
		lines = append(lines, line)
		check = append(check, f)
	}
	same := func(want []string) func(*testing.T, []string) {
		return func(t *testing.T, have []string) {
			if !slices.Equal(have, want) {
				t.Errorf("have %q\nwant %q", have, want)
			}
		}
	}

	add("mayi ", same(all))
	add("mayi help ", same(all))
	for _, command := range append([]string{""}, all...) {
		line := "mayi " + command
		flags := w.flagsOf()
		if command != "" {
			line += " "
			flags = w.flagsOf(command)
			if sub := w.commandsOf(command); len(sub) > 0 {
				add(line, same(sub))
			}
		}
		var names []string
		for _, f := range flags {
			names = append(names, f.names...)
		}
		slices.Sort(names)
		if len(names) < 9 {
			t.Fatalf("mayi help %s is not read well: %q", command, names)
		}
		add(line+"-", same(names))
		word, ok := operands[command]
		if !ok {
			continue
		}
		for _, f := range flags {
			for _, name := range f.names {
				add(line+name+" "+word, func(t *testing.T, have []string) {
					if offered := len(have) > 0 && have[0] != nothing && have[0] != files && have[0] != directories; offered == f.value {
						t.Errorf("%s takes a value: %v\nhave %q", name, f.value, have)
					}
				})
			}
		}
	}
	for _, s := range shells {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld(t)
			replies, _ := s.complete(w, lines)
			for i, line := range lines {
				t.Run(line, func(t *testing.T) { check[i](t, texts(replies[i])) })
			}
			w.wantOnlyLists()
		})
	}
}

// At a Tab the rest of a word appears, as far as it is known.
var atTab = []struct{ keys, bash, zsh string }{
	{"mayi appr\t", "mayi approve ", "mayi approve "},
	{"mayi appr --once" + strings.Repeat("\x02", len(" --once")) + "\t", "mayi approve --once", "mayi approve  --once"},
	{"mayi approve --al\t", "mayi approve --al", "mayi approve --al"}, // --all or --always
	{"mayi approve --alw\t", "mayi approve --always ", "mayi approve --always "},
	{"mayi approve --sc\t", "mayi approve --scope ", "mayi approve --scope="},
	{"mayi approve --scope=g\t", "mayi approve --scope=global ", "mayi approve --scope=global "},
	{"mayi approve \t", "mayi approve 2 ", "mayi approve 2 "},
	{"mayi revoke \t", "mayi revoke 1 ", "mayi revoke 1 "},
	{"mayi --config a\t", "mayi --config a", "mayi --config a"}, // aback or adir
	{"mayi --config=ab\t", "mayi --config=aback ", "mayi --config=aback "},
	{"mayi check --file \"ab\t", "mayi check --file \"aback\" ", "mayi check --file \"aback\" "},
	{"mayi --project a\t", "mayi --project adir/", "mayi --project adir/"},
	{"mayi run mayi-p\t", "mayi run mayi-probe ", "mayi run mayi-probe "},
	{"mayi run mayi-probe ab\t", "mayi run mayi-probe aback ", "mayi run mayi-probe aback "},
	{"mayi --rule bash:x=allow log --js\t", "mayi --rule bash:x=allow log --json ", "mayi --rule bash:x=allow log --json "},
	{"mayi log ab\t", "mayi log ab", "mayi log ab"},
}

// tab presses keys at a shell in which control-P prints the line.
func (w *world) tab(term *terminal, name string) {
	w.t.Helper()
	w.ask("git push origin main", hostile)
	w.approve("--always", "1")
	for _, c := range atTab {
		term.send(c.keys + "\x10")
		seen := term.expect(">>\r\n")
		_, have, _ := strings.Cut(seen, "<<")
		have = strings.TrimSuffix(have, ">>\r\n")
		if want := map[string]string{"bash": c.bash, "zsh": c.zsh}[name]; have != want {
			w.t.Errorf("%q\nhave %q\nwant %q", c.keys, have, want)
		}
		if obeyed.MatchString(seen) || strings.Contains(seen, name+": ") || strings.Contains(seen, "_mayi") {
			w.t.Errorf("%q prints %q", c.keys, seen)
		}
	}
	w.wantOnlyLists()
}

func TestBashCompletesAtTab(t *testing.T) {
	path := find(t, "bash")
	w := newWorld(t)
	if major, err := w.command(path, "-c", "echo $BASH_VERSINFO").Output(); err != nil || string(major) < "4" {
		t.Skipf("bash is older than 4.0: its bind -x does not tell the line (%s%v)", major, err)
	}
	w.write("inputrc", "set bell-style none\nset enable-bracketed-paste off\n")
	term := newTerminal(t, w.command(path, "--norc", "--noprofile", "-i"))
	term.expect("ready> ")
	term.send(`set -u; source <(mayi completion bash); bind -x '"\C-p": echo "<<$READLINE_LINE>>"; READLINE_LINE='` + "\r")
	term.expect("READLINE_LINE='")
	term.expect("ready> ")
	w.tab(term, "bash")
}

func TestZshCompletesAtTab(t *testing.T) {
	for _, how := range []string{"source", "fpath"} {
		t.Run(how, func(t *testing.T) {
			w := newWorld(t)
			w.tab(w.interactiveZsh("LOAD="+how), "zsh")
		})
	}
}
