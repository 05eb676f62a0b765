package rules

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// parseAs reads a piece of config as its name says.
func parseAs(name, data string) (*File, error) {
	switch name {
	case "$MAYI_PERMISSION":
		return ParsePermission(name, []byte(data), testEnv)
	case "--rule":
		r, err := ParseRule(strings.TrimSuffix(data, "\n"), testEnv)
		return &File{Rules: []Rule{r}}, err
	}
	return ParseFile(name, []byte(data), testEnv)
}

// printFile writes what was read, or the error with the line it shows.
func printFile(f *File, err error) string {
	var b strings.Builder
	var e *ConfigError
	if errors.As(err, &e) {
		fmt.Fprintf(&b, "%v\n", e)
		if e.Line > 0 {
			// A tab stays one, so that the caret stands below what it means.
			upTo := []rune(e.Text)[:e.Col-1]
			for i, r := range upTo {
				if r != '\t' {
					upTo[i] = ' '
				}
			}
			fmt.Fprintf(&b, "|%s\n|%s^\n", e.Text, string(upTo))
		}
		if e.Hint != "" {
			fmt.Fprintf(&b, "hint: %s\n", e.Hint)
		}
		return b.String()
	}
	if err != nil {
		return err.Error() + "\n"
	}
	list := func(rules []Rule) {
		for _, r := range rules {
			fmt.Fprintf(&b, "%s %q", r.Origin, r)
			if r.Reason != "" {
				fmt.Fprintf(&b, " because %q", r.Reason)
			}
			b.WriteString("\n")
		}
	}
	list(f.Rules)
	if f.Extends != nil {
		fmt.Fprintf(&b, "extends %q\n", f.Extends)
	}
	if f.OnAsk != nil {
		fmt.Fprintf(&b, "on_ask %q\n", f.OnAsk)
	}
	for _, a := range f.Agents {
		fmt.Fprintf(&b, "agent %s inherit %q\n", a.Name, a.Inherit)
		list(a.Rules)
	}
	return b.String()
}

func TestConfigs(t *testing.T) {
	files, err := filepath.Glob("testdata/config/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in testdata/config", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			a := readArchive(t, name)
			for i := 0; i+1 < len(a.files); i += 2 {
				source, want := a.files[i], &a.files[i+1]
				if want.name != "want" {
					t.Fatalf("behind %s %d stands %s, not want", source.name, i/2, want.name)
				}
				f, err := parseAs(source.name, source.data)
				have := printFile(f, err)
				if source.name != "--rule" {
					checkConfigError(t, []byte(source.data), err)
				}
				if *update {
					want.data = have
				}
				if have != want.data {
					t.Errorf("%s\n%s\nhave:\n%s\nwant:\n%s", name, source.data, have, want.data)
				}
			}
			if *update {
				a.write(t, name)
			}
		})
	}
}

// TestConfigBytes has what no text file can hold.
func TestConfigBytes(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"\ufeff{\"permission\": \"ask\"}", `f:1 "*:*=ask"`},
		{"\ufeff{\"permission\": \"aks\"}", `f:1:16: unknown action "aks"`},
		{"{\r\n\"permission\":\r\n\t\"aks\"}\r\n", `f:3:2: unknown action "aks"`},
		{"{\r\n\"permission\": \"deny\"}\r\n", `f:2 "*:*=deny"`},
		{"{\n\"é\xff\": 1}", "f:2:3: this byte (0xff) is not UTF-8"},
		{"{} // \xc3\x28", "f:1:7: this byte (0xc3) is not UTF-8"},
		{"{\x00}", `f:1:2: invalid character '\x00' looking for beginning of object key string`},
		{"{\"permission\": \"a\x00\"}", `f:1:18: invalid character '\x00' in string literal`},
		{"{\"permission\": \"ask\"}\x00", `f:1:22: invalid character '\x00' after top-level value`},
		{"\x00", `f:1:1: invalid character '\x00' looking for beginning of value`},
		{"{\u00a0}", `f:1:2: invalid character '\u00a0' looking for beginning of object key string`},
		{"{}\n\n\n", ""},
		{"{}" + strings.Repeat(" ", MaxFile-2), ""},
		{"{}" + strings.Repeat(" ", MaxFile-1), "f: the file is larger than 1024 KiB"},
		{strings.Repeat("[", 20_000), "f:1:10001: invalid character '[' exceeded max depth"},
		{`{"permission": ` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + "}", "f:1:17: an object is needed here, not an array"},
		{strings.Repeat(`{"permission":`, 5), "f:1:71: the file ends too early: a bracket, a brace or a quote is still open"},
	} {
		f, err := ParseFile("f", []byte(c.source), testEnv)
		have, _, _ := strings.Cut(printFile(f, err), "\n")
		if have != c.want {
			t.Errorf("%.60q\nhave %s\nwant %s", c.source, have, c.want)
		}
		if len(c.source) <= MaxFile {
			checkConfigError(t, []byte(c.source), err)
		}
	}
}

func TestHomeIsNotGuessed(t *testing.T) {
	for _, c := range []struct{ home, pattern, want string }{
		{"", "bash:cat ~/x=deny", "the home directory, and that is not known"},
		{"", "bash:cat a~=deny", "bash:cat a~=deny"},
		{"/", "read:~=deny", "read:/=deny"},
		{"/", "bash:cat ~/x ~=deny", "bash:cat /x /=deny"},
		{"/home/u/", "read:~/x=deny", "read:/home/u/x=deny"},
		{"/home/u/", "read:~=deny", "read:/home/u=deny"},
		{"/home/*", "read:~/*=deny", "read:/home/[*]/*=deny"},
		{"/h/${STAR}", "read:~/x=deny", "read:/h/${STAR}/x=deny"},
	} {
		r, err := ParseRule(c.pattern, Env{Home: c.home})
		have := r.String()
		if err != nil {
			have = err.Error()
		}
		if !strings.HasSuffix(have, c.want) {
			t.Errorf("home %q, rule %s: have %s, want %s", c.home, c.pattern, have, c.want)
		}
	}
}

func TestSuggest(t *testing.T) {
	actions := []string{"allow", "ask", "deny"}
	for got, want := range map[string]string{
		"alow": `did you mean "allow"?`, "ALLOW": `did you mean "allow"?`, "dany": `did you mean "deny"?`, "as": `did you mean "ask"?`,
		"permit": "it is one of allow, ask, deny", "": "it is one of allow, ask, deny",
		strings.Repeat("x", MaxFile): "it is one of allow, ask, deny",
	} {
		if have := Suggest(got, actions); have != want {
			t.Errorf("%.20q: have %s, want %s", got, have, want)
		}
	}
	if have := Suggest("x", nil); have != "" {
		t.Errorf("have %s where nothing is known", have)
	}
}

// layer reads a config that has to be one.
func layer(t *testing.T, kind LayerKind, source string) Layer {
	t.Helper()
	f, err := ParseFile("config.jsonc", []byte(source), testEnv)
	if err != nil {
		t.Fatal(err)
	}
	return Layer{kind, f}
}

func TestAgentsHaveToExist(t *testing.T) {
	layers := []Layer{
		layer(t, General, `{"agents": {"plan": {"permission": "deny"}}}`),
		layer(t, Guest, `{"agents": {"guest": {"permission": "allow"}}}`),
	}
	for agent, want := range map[string]string{
		"": "", "plan": "", "shell": "",
		"plam":  `no agent is called "plam"; did you mean "plan"?`,
		"guest": `no agent is called "guest"; it is one of shell, plan`,
	} {
		_, err := NewConfig(layers, agent, testEnv)
		have := ""
		var e *ConfigError
		if errors.As(err, &e) {
			have = e.Error() + "; " + e.Hint
		}
		if have != want {
			t.Errorf("agent %q: have %s, want %s", agent, have, want)
		}
	}
}

func TestExtendsIsTheLastOneSaid(t *testing.T) {
	has := func(c *Config, preset string) bool {
		for _, r := range c.Rules {
			if r.Origin.Name == "preset "+preset {
				return true
			}
		}
		return false
	}
	none, one := layer(t, General, `{"extends": []}`), layer(t, Override, `{"extends": ["readonly"]}`)
	silent, guest := layer(t, General, `{}`), layer(t, Guest, `{"extends": []}`)
	for _, c := range []struct {
		name                  string
		layers                []Layer
		readonly, destructive bool
	}{
		{"nothing said", nil, true, true},
		{"none", []Layer{none}, false, false},
		{"one later", []Layer{none, one}, true, false},
		{"none later", []Layer{one, none}, false, false},
		{"silence later", []Layer{none, silent}, false, false},
		{"a guest", []Layer{guest}, true, true},
	} {
		config, err := NewConfig(c.layers, "", testEnv)
		if err != nil {
			t.Fatal(err)
		}
		if has(config, "readonly") != c.readonly || has(config, "destructive") != c.destructive {
			t.Errorf("%s: readonly %v, destructive %v", c.name, has(config, "readonly"), has(config, "destructive"))
		}
	}
}

func TestOnAskIsNotAGuestsToSay(t *testing.T) {
	config, err := NewConfig([]Layer{
		layer(t, General, `{"on_ask": ["a", "b"]}`), layer(t, General, `{}`), layer(t, Guest, `{"on_ask": ["evil"]}`),
	}, "", testEnv)
	if err != nil || strings.Join(config.OnAsk, " ") != "a b" {
		t.Errorf("have %q, %v", config.OnAsk, err)
	}
}

func TestLoosens(t *testing.T) {
	for source, want := range map[string]bool{
		`{}`: false, `{"permission": "ask"}`: false, `{"permission": {"bash": {"a": "deny"}}}`: false,
		`{"permission": {"bash": {"a": "deny", "b": "allow"}}}`: true, `{"extends": []}`: true, `{"on_ask": []}`: true,
		`{"agents": {"a": {}}}`: true, `{"enforce": ["readonly"]}`: true,
	} {
		if have := layer(t, Guest, source).File.Loosens(); have != want {
			t.Errorf("%s: have %v, want %v", source, have, want)
		}
	}
}

func TestPresetsAreConfig(t *testing.T) {
	if have := strings.Join(Presets(), " "); have != "destructive readonly" {
		t.Errorf("have %s", have)
	}
	for _, name := range append(Presets(), "default") {
		if _, err := preset(nil, name, testEnv); err != nil {
			t.Error(err)
		}
	}
	if _, err := preset(nil, "none", testEnv); err == nil {
		t.Error("a preset that does not exist was read")
	}
}

func TestPatternsAreBounded(t *testing.T) {
	for size, wrong := range map[int]bool{MaxPattern: false, MaxPattern + 1: true} {
		source := `{"permission": {"bash": {"` + strings.Repeat("a", size) + `": "deny"}}}`
		if _, err := ParseFile("config.jsonc", []byte(source), Env{}); (err != nil) != wrong {
			t.Errorf("a pattern of %d bytes: %v", size, err)
		}
	}
}
