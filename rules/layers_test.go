package rules

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestLayersThatOnlyTighten puts every config of testdata/decide as a guest, and
// its rules as denies, on top of every other one, and asks all its questions
// again.
func TestLayersThatOnlyTighten(t *testing.T) {
	names, err := filepath.Glob("testdata/decide/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no files in testdata/decide", err)
	}
	var archives []*archive
	var guests []*File
	for _, name := range names {
		a := readArchive(t, name)
		archives = append(archives, a)
		for _, f := range a.files {
			if strings.HasSuffix(f.name, ".jsonc") {
				guests = append(guests, layer(t, Guest, f.data).File)
			}
		}
	}
	asked, compared, tightened := 0, 0, 0
	for i, a := range archives {
		w := readWorld(t, a)
		for line := range strings.Lines(a.files[len(a.files)-1].data) {
			question, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
			requests := w.requests(t, question)
			if !ok || requests == nil {
				continue
			}
			before := Decide(requests, w.config, w.approvals)
			asked++
			for j, guest := range guests {
				if (asked+j)%5 != 0 {
					continue // every guest meets every config, if not every question
				}
				with := *w.config
				with.Alone = append(with.Alone[:len(with.Alone):len(with.Alone)], Alone{Rules: guest.Rules})
				denied := *w.config
				denied.Rules = append([]Rule(nil), denied.Rules...)
				for _, r := range guest.Rules {
					r.Action = Deny
					denied.Rules = append(denied.Rules, r)
				}
				for what, c := range map[string]*Config{"a guest": &with, "a deny": &denied} {
					after := Decide(requests, c, w.approvals)
					if after.Action > before.Action {
						t.Fatalf("%s: %s makes %q more lenient\nguest %v\nbefore %s\nafter %s", names[i], what, question, guest.Rules, before.print(), after.print())
					}
					checkDecision(t, question, requests, c, Decide(requests, c, nil))
					if compared++; after.Action < before.Action {
						tightened++
					}
				}
			}
		}
	}
	if tightened < 300 || tightened == compared {
		t.Errorf("of %d decisions %d became stricter: too little was compared", compared, tightened)
	}
}
