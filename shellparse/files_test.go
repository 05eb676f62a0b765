package shellparse

import (
	"os"
	"strings"
	"testing"
)

// TestFiles holds the files that commands are given against files.txt.
func TestFiles(t *testing.T) {
	if *update {
		data, err := os.ReadFile("testdata/files.txt")
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for _, l := range readLines(t, "files.txt") {
			text = strings.Replace(text, "\n"+l.source+" => "+l.want+"\n", "\n"+l.source+" => "+l.files()+"\n", 1)
		}
		write(t, "testdata/files.txt", text)
	}
	for _, l := range readLines(t, "files.txt") {
		if have := l.files(); have != l.want {
			t.Errorf("input: %s\nhave: %s\nwant: %s", l.source, have, l.want)
		}
	}
	everyRowMatters(t, "fileTools", fileTools, func(name string) bool {
		for _, l := range readLines(t, "files.txt") {
			if strings.HasPrefix(l.source, name+" ") && l.files() != l.want {
				return true
			}
		}
		return false
	})
}

func homeOf(name string) string { return map[string]string{"root": "/root"}[name] }

// files spells the files that the commands of a line are given.
func (l line) files() string {
	var files []string
	for _, o := range Parse(l.source, Options{Home: home, HomeOf: homeOf}).Operands {
		use := [...]string{Reads: "read ", Edits: "edit ", Looks: "look ", Enters: "enter ", Touches: "touch ", Removes: "remove "}[o.Use]
		if o.Away {
			use = "away " + use
		}
		files = append(files, use+describeWord(o.Path))
	}
	return strings.Join(files, ", ")
}
