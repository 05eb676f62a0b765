package rules

import (
	"os"
	"strings"
	"testing"

	"mayi/shellparse"
)

// TestLooking decides the lines of allowed.txt and asks.txt with nothing
// configured.
func TestLooking(t *testing.T) {
	config, err := NewConfig(nil, "", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]bool{"allowed.txt": true, "asks.txt": false} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			if line == "" || line[0] == '#' {
				continue
			}
			if seen[line] {
				t.Errorf("%s: %s stands here twice", file, line)
			}
			seen[line] = true
			s := shellparse.Parse(line, shellparse.Options{Home: testEnv.Home})
			d := Decide(LineRequests(line, s, Place{Project: "/srv/proj", Cwd: "/srv/proj"}), config, nil)
			if (d.Action == Allow) != want {
				t.Errorf("%s: %s\nhave: %s", file, line, d.print())
			}
		}
	}
}
