package rules

import (
	"os"
	"strings"
	"testing"
)

// An archive is a testdata file: a comment, then files, each behind a line
// `-- name --`.
type archive struct {
	comment string
	files   []section
}

type section struct{ name, data string }

func readArchive(t *testing.T, name string) *archive {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{}
	for line := range strings.Lines(string(data)) {
		title, ok := strings.CutPrefix(line, "-- ")
		if title, closed := strings.CutSuffix(title, " --\n"); ok && closed {
			a.files = append(a.files, section{name: title})
		} else if n := len(a.files); n > 0 {
			a.files[n-1].data += line
		} else {
			a.comment += line
		}
	}
	return a
}

func (a *archive) write(t *testing.T, name string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(a.comment)
	for _, f := range a.files {
		b.WriteString("-- " + f.name + " --\n" + f.data)
	}
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
