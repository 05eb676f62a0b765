package agents

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mayi/rules"
)

// settings are files as people have them. What an install adds must leave every
// line of theirs.
var settings = []string{
	"",
	"\n",
	"{}",
	"{ }\n",
	"{\"a\": 1}",
	"{\"a\": [1, 2], \"b\": {\"c\": null}}\n",
	"{\n\t\"model\": \"x\",\n\t\"permissions\": {\n\t\t\"allow\": [\"Bash(ls)\"]\n\t}\n}\n",
	"{\r\n    \"model\": \"x\",\r\n    \"hooks\": {}\r\n}\r\n",
	"// mine\n{\n  // the model\n  \"model\": \"x\", // fast\n  /* and */ \"z\": \"// no comment\",\n}\n",
	"{\n  \"hooks\": {\n    // none yet\n  },\n}\n",
	"{\n  \"hooks\": {\n    \"Stop\": [],\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"other hook claude\"}]} // theirs\n    ]\n  }\n}\n",
	"{\n  \"hooks\": {\"PreToolUse\": [], \"BeforeTool\": [{\"hooks\": []}], \"preToolUse\": [\n  ]},\n  \"amp.permissions\": [\n    {\"tool\": \"Bash\", \"action\": \"allow\"}, // first\n    {\"tool\": \"*\", \"action\": \"ask\"},\n  ],\n  \"version\": 1\n}\n",
}

// emptied may go with what was in them.
var emptied = []string{`"hooks"`, `"PreToolUse"`, `"BeforeTool"`, `"preToolUse"`, `"amp.permissions"`}

var line = Line{Program: "/opt/my tools/mayi", Args: []string{"hook", "", "--ask=deny", "--rule=bash:it's *=ask"}, Seconds: 17}

func filesOf(t *testing.T, a *Agent) (Line, []File) {
	t.Helper()
	l := line
	l.Args = slices.Clone(l.Args)
	l.Args[1] = a.Name
	at := Places{Home: "/home/u", Lookup: func(string) string { return "" }}
	if a.Name == "kiro" {
		at.Project = "/p"
	}
	files, err := a.Files(l, at)
	if err != nil {
		t.Fatal(err)
	}
	return l, files
}

func TestInstallKeepsTheRest(t *testing.T) {
	for _, a := range All() {
		l, files := filesOf(t, a)
		for _, f := range files {
			for i, src := range settings {
				if f.Entries == nil {
					continue
				}
				name := fmt.Sprintf("%s %s %d", a.Name, f.Path, i)
				put, err := a.Put(f, []byte(src))
				if err != nil {
					if a.Name == "kiro" && strings.Contains(src, `"hooks": {`) {
						continue // there it is an array
					}
					t.Errorf("%s: %v", name, err)
					continue
				}
				again, err := a.Put(f, put)
				if err != nil || string(again) != string(put) {
					t.Errorf("%s: a second install changes it (%v)\n%s\nfirst\n%s", name, err, again, put)
				}
				// The launcher of Amp has the line, and settings name that.
				have, ok := a.Installed(f, put)
				if a.Name == "windsurf" {
					have.Seconds = l.Seconds // its settings have no place for it
				}
				if want := fmt.Sprint(l); f.Path != "/home/u/.agents/plugins/mayi/plugin.json" && a.Name != "amp" && (!ok || fmt.Sprint(have) != want) {
					t.Errorf("%s: found %v (%v), want %v in\n%s", name, have, ok, want, put)
				}
				cut, err := a.Cut(f, put)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if _, ok := a.Installed(f, cut); ok {
					t.Errorf("%s: it is still there:\n%s", name, cut)
				}
				for _, word := range strings.FieldsFunc(src, func(r rune) bool { return strings.ContainsRune(" \t\r\n,:{}[]", r) }) {
					if n := strings.Count(src, word); strings.Count(string(put), word) < n {
						t.Errorf("%s: the install loses %s:\n%s", name, word, put)
					} else if strings.Count(string(cut), word) < n && !slices.Contains(emptied, word) {
						t.Errorf("%s: the uninstall loses %s:\n%s", name, word, cut)
					}
				}
				if strings.Contains(src, "\r\n") && strings.Count(string(put), "\n") != strings.Count(string(put), "\r\n") {
					t.Errorf("%s: line ends are mixed:\n%q", name, put)
				}
			}
		}
	}
}

// TestInstallReplacesItsOwn demands that an install with other flags leaves one
// entry, in its place.
func TestInstallReplacesItsOwn(t *testing.T) {
	for _, a := range All() {
		l, files := filesOf(t, a)
		other := l
		other.Args, other.Seconds = []string{"hook", a.Name}, 10
		at := Places{Home: "/home/u", Lookup: func(string) string { return "" }}
		if a.Name == "kiro" {
			at.Project = "/p"
		}
		others, err := a.Files(other, at)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			put, err := a.Put(f, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := a.Put(others[i], nil)
			have, err := a.Put(others[i], put)
			if err != nil || string(have) != string(want) {
				t.Errorf("%s: (%v) have\n%s\nwant\n%s", f.Path, err, have, want)
			}
		}
	}
}

// neighbours puts a hook of somebody else's in front of and behind every one of
// ours, in the same array.
func neighbours(t *testing.T, a *Agent, name string, src []byte) []byte {
	t.Helper()
	e := &editor{agent: a, name: name, src: src}
	var arrays func(n *node) (list []int)
	arrays = func(n *node) (list []int) {
		direct := n.kind == '['
		for _, c := range n.children {
			inner := arrays(c.node)
			list = append(list, inner...)
			direct = direct && len(inner) == 0 && c.kind == '{'
		}
		if direct && len(e.ours(n)) > 0 {
			list = append(list, n.start)
		}
		return list
	}
	root, err := document(name, e.src)
	if err != nil {
		t.Fatal(err)
	}
	var at func(n *node, start int) *node
	at = func(n *node, start int) *node {
		for _, c := range n.children {
			if c.node.start == start {
				return c.node
			}
			if found := at(c.node, start); found != nil {
				return found
			}
		}
		return nil
	}
	for _, start := range slices.Backward(arrays(root)) {
		for _, front := range []bool{true, false} {
			if root, err = document(name, e.src); err != nil {
				t.Fatal(err)
			}
			e.insert(at(root, start), "", fields{{"type", "command"}, {"command", "their-hook.sh"}}, front)
		}
	}
	return e.src
}

// TestInstallKeepsNeighbours demands that a hook that somebody put beside ours, in
// a group that we wrote, is still there after an install with other flags, and
// after an uninstall.
func TestInstallKeepsNeighbours(t *testing.T) {
	for _, a := range All() {
		l, files := filesOf(t, a)
		other := l
		other.Args, other.Seconds = []string{"hook", a.Name}, 10
		at := Places{Home: "/home/u", Project: map[string]string{"kiro": "/p"}[a.Name], Lookup: func(string) string { return "" }}
		others, err := a.Files(other, at)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			if f.Entries == nil {
				continue
			}
			put, err := a.Put(f, nil)
			if err != nil {
				t.Fatal(err)
			}
			mixed := neighbours(t, a, f.Path, put)
			theirs := strings.Count(string(mixed), "their-hook.sh")
			if theirs == 0 && len(f.Entries) > 1 && !f.Entries[0].Default {
				t.Fatalf("%s: no neighbours in\n%s", f.Path, mixed)
			}
			count := func(what string, text []byte, ours int, err error) {
				t.Helper()
				_, e := document(f.Path, text)
				if err != nil || e != nil {
					t.Fatalf("%s: %s: %v, %v\n%s", f.Path, what, err, e, text)
				}
				have := 0
				for _, mark := range []string{"hook " + a.Name, `"hook", "` + a.Name + `"`, "mayi-hook-" + a.Name} {
					have += strings.Count(string(text), mark)
				}
				if n := strings.Count(string(text), "their-hook.sh"); n != theirs || have != ours {
					t.Errorf("%s: %s has %d of their hooks and %d of ours, want %d and %d\n%s", f.Path, what, n, have, theirs, ours, text)
				}
			}
			ours := 0
			for _, e := range f.Entries {
				if !e.Member && !e.Default {
					ours++
				}
			}
			// That ours is not the first any more counts where the first one counts.
			again, err := a.Put(f, mixed)
			if count("a second install", again, ours, err); string(again) != string(mixed) && a.Name != "amp" {
				t.Errorf("%s: a second install changes\n%s\nto\n%s", f.Path, mixed, again)
			}
			now, err := a.Put(others[i], mixed)
			count("an install with other flags", now, ours, err)
			if l, ok := a.Installed(f, now); theirs > 0 && a.Name != "amp" && (!ok || fmt.Sprint(l.Args) != fmt.Sprint(other.Args)) {
				t.Errorf("%s: found %v (%v)\n%s", f.Path, l, ok, now)
			}
			cut, err := a.Cut(f, mixed)
			count("an uninstall", cut, 0, err)
			// A group that fires for other tools is no place for ours.
			if narrow := strings.NewReplacer(`"matcher": "*"`, `"matcher": "Bash"`, `"matcher": ".*"`, `"matcher": "Bash"`).Replace(string(mixed)); narrow != string(mixed) && a.Name != "kiro" {
				wide, err := a.Put(f, []byte(narrow))
				if count("an install into a narrower group", wide, ours, err); !strings.Contains(string(wide), `*"`) {
					t.Errorf("%s: it stays in the narrower group\n%s", f.Path, wide)
				}
			}
			// What stands there twice would run twice.
			double, err := a.Put(f, []byte(strings.Replace(string(mixed), `"their-hook.sh"`, compact(l.Shell()), 1)))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(double), "their-hook.sh"); theirs > 0 && a.Name != "claude" && n != theirs-1 {
				t.Errorf("%s: %d of their hooks of %d are left\n%s", f.Path, n, theirs-1, double)
			}
		}
	}
}

func TestInstallIsFirstWhereTheFirstCounts(t *testing.T) {
	a, _ := Find("amp")
	_, files := filesOf(t, a)
	src := `{"amp.permissions": [{"tool": "Bash", "action": "allow"}, {"tool": "*", "action": "delegate", "to": "/x/mayi-hook-amp"}]}`
	put, err := a.Put(files[1], []byte(src))
	if want := `{"amp.permissions": [{"tool": "*", "action": "delegate", "to": "/home/u/.config/amp/mayi-hook-amp"}, {"tool": "Bash", "action": "allow"}]}`; err != nil || string(put) != want {
		t.Errorf("(%v) have\n%s\nwant\n%s", err, put, want)
	}
}

func TestBrokenSettingsAreLeft(t *testing.T) {
	for _, c := range []struct {
		agent, src string
		line, col  int
	}{
		{"claude", "{\n  \"a\": 1\n  \"b\": 2\n}\n", 3, 3},
		{"claude", "{\n  \"a\": [1, 2\n", 3, 1},
		{"claude", "[]", 1, 1},
		{"claude", "{\"hooks\": [], \"x\": 1}", 1, 11},
		{"claude", "{\"hooks\": {\"PreToolUse\": {}}}", 1, 26},
		{"claude", "{\"hooks\": {},\n \"hooks\": {}}", 2, 2},
		{"kimi", "a = 1\nb = \n", 2, 5},
		{"kimi", "hooks = [{event = \"Stop\", command = \"x\"}]\n", 1, 1},
	} {
		a, _ := Find(c.agent)
		_, files := filesOf(t, a)
		_, err := a.Put(files[0], []byte(c.src))
		var config *rules.ConfigError
		if !errors.As(err, &config) || config.Line != c.line || config.File == "" {
			t.Errorf("%q: %v, want line %d", c.src, err, c.line)
			continue
		}
		if config.Col != c.col {
			t.Errorf("%q: column %d, want %d (%v)", c.src, config.Col, c.col, err)
		}
	}
}

func TestTOML(t *testing.T) {
	a, _ := Find("kimi")
	l, files := filesOf(t, a)
	for _, src := range []string{
		"", "a = 1", "a = 1\n", "# mine\n\n[x]\ny = \"\"\"\n[[hooks]]\n\"\"\"\n", "[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n\n[z]\na = 1\n\n",
	} {
		put, err := a.Put(files[0], []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := a.Put(files[0], put); err != nil || string(again) != string(put) {
			t.Errorf("%q: a second install changes it (%v): %q", src, err, again)
		}
		if have, ok := a.Installed(files[0], put); !ok || fmt.Sprint(have) != fmt.Sprint(l) {
			t.Errorf("%q: found %v, want %v in\n%s", src, have, l, put)
		}
		cut, err := a.Cut(files[0], put)
		if want := strings.TrimSuffix(src, "\n"); err != nil || strings.TrimSuffix(string(cut), "\n") != want {
			t.Errorf("%q: (%v) is %q afterwards", src, err, cut)
		}
	}
}

func TestOthersFilesAreLeft(t *testing.T) {
	for _, name := range []string{"cline", "opencode", "amp"} {
		a, _ := Find(name)
		_, files := filesOf(t, a)
		if _, err := a.Put(files[0], []byte("#!/bin/sh\nexit 0\n")); err == nil {
			t.Errorf("%s overwrites a file of somebody else", name)
		}
		if cut, err := a.Cut(files[0], []byte("#!/bin/sh\nexit 0\n")); err != nil || cut == nil {
			t.Errorf("%s removes a file of somebody else (%v)", name, err)
		}
	}
}

// TestTables demands order, and that tools are known by one kind.
func TestTables(t *testing.T) {
	if names := Names(); !slices.IsSorted(names) {
		t.Errorf("the agents are not in order: %v", names)
	}
	in, err := parse([]byte(`{"command":"*** Add File: f","path":"p","pattern":"x","url":"https://u/","query":"q","subagent_type":"s"}`))
	if err != nil {
		t.Fatal(err)
	}
	permissions := map[kind]string{
		shellTool: "bash", readTool: "read", manyTool: "read", editTool: "edit", patchTool: "edit", globTool: "glob", grepTool: "grep",
		listTool: "list", fetchTool: "webfetch", searchTool: "websearch", taskTool: "task",
	}
	for name, tool := range toolTable {
		want := first(tool.permission, permissions[tool.kind], name)
		if have := (&payload{}).wants(name, in)[0]; have.Permission != want || have.Unknown {
			t.Errorf("%s wants %+v, not %s", name, have, want)
		}
		// Without what counts, nothing is known of what it does.
		bare := (&payload{}).wants(name, &object{raw: "{}"})
		if last := bare[len(bare)-1]; permissions[tool.kind] != "" && tool.kind != listTool && !last.Unknown {
			t.Errorf("%s without arguments wants %+v", name, bare)
		}
	}
	for _, a := range All() {
		if a.Title == "" || a.Misses == "" || a.Timeout == 0 || a.read == nil || a.answer == nil || a.files == nil {
			t.Errorf("%s is not complete", a.Name)
		}
		if a.Wait() >= a.Timeout {
			t.Errorf("%s would be waited for longer than it waits", a.Name)
		}
	}
}
