package rules

import (
	"fmt"
	"strings"
	"testing"
)

// asked prints what a question raises: each request's text, of other
// permissions than bash with that, and what an always would store for it.
func asked(t *testing.T, w *world, question string) string {
	t.Helper()
	requests := w.requests(t, question)
	if len(requests) == 0 {
		return `""`
	}
	var parts []string
	for _, r := range Decide(requests, w.config, nil).Reasons {
		text, store := r.Request.String(), r.Request.Store
		if r.Request.Permission != "bash" {
			text = r.Request.Permission + " " + text
		}
		if store == "" || r.Final {
			store = `""`
		}
		parts = append(parts, text+" => "+store)
	}
	return strings.Join(parts, " | ")
}

// TestDiffers shows what is done here where the module that is followed does
// something else. Each difference has its reason.
func TestDiffers(t *testing.T) {
	asking := readWorld(t, &archive{files: []section{{"config.jsonc", `{"permission": "ask", "extends": []}`}}})
	var config, question, there, here string
	cases := 0
	dataLines(t, "testdata/differs.txt", func(where, line string) {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "?":
			config = value
		case ">":
			question = value
		case "there:":
			there = value
		case "here:":
			here = value
			w := asking
			have := ""
			if config == "" {
				have = asked(t, w, question)
			} else {
				w = readWorld(t, &archive{files: []section{{"config.jsonc", fmt.Sprintf(`{"permission": %s}`, config)}}})
				d := Nothing()
				if requests := w.requests(t, question); requests != nil {
					d = Decide(requests, w.config, nil)
				}
				have = d.Action.String()
			}
			if have != here {
				t.Errorf("%s: %s\nhave: %s\nwant: %s", where, question, have, here)
			}
		case "because:":
			if value == "" || there == "" || question == "" && config == "" {
				t.Errorf("%s: a difference has a question, what it gets there, and a reason", where)
			}
			if there == here {
				t.Errorf("%s: this is no difference", where)
			}
			config, question, there, here = "", "", "", ""
			cases++
		}
	})
	if cases < 30 {
		t.Errorf("only %d differences were read", cases)
	}
}
