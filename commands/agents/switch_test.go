package agents

import (
	"strings"
	"testing"
)

// TestTurnedOff demands that every setting that turns hooks off is seen, and
// none where it says otherwise.
func TestTurnedOff(t *testing.T) {
	for _, project := range []string{"", "/p"} {
		at := Places{Home: "/home/u", Project: project, Lookup: func(string) string { return "" }}
		for _, s := range switches {
			a, ok := Find(s.agent)
			if !ok {
				t.Fatalf("no agent %s", s.agent)
			}
			for _, value := range []string{s.value, "[1, " + s.value + "]", map[string]string{"true": "false"}[s.value], "null", ""} {
				text := value
				if strings.HasSuffix(s.file, ".toml") {
					text = "[" + s.key[0] + "]\n" + s.key[1] + " = " + value + "\n"
				} else {
					for i := len(s.key) - 1; i >= 0; i-- {
						text = `{"` + s.key[i] + `": ` + text + "} // theirs"
						text = strings.Replace(text, "} // theirs}", "}}", 1)
					}
				}
				_, says := a.TurnedOff(at, func(path string) []byte {
					if path == s.path(at) {
						return []byte(text)
					}
					return nil
				})
				want := value == s.value || strings.HasPrefix(value, "[") && !strings.HasSuffix(s.file, ".toml")
				if (says != "") != want {
					t.Errorf("%s: %q says %q", s.path(at), text, says)
				}
			}
		}
	}
}
