package rules

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPresetTable demands that preset_table.go says what the files in presets do;
// with -update it writes it.
func TestPresetTable(t *testing.T) {
	files, err := filepath.Glob("presets/*.jsonc")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	var b bytes.Buffer
	b.WriteString("package rules\n\nimport \"mayi/shellparse\"\n\n")
	b.WriteString("// Code generated from presets/*.jsonc by go test ./rules -run TestPresetTable -update. DO NOT EDIT.\n\n")
	b.WriteString("// shippedRules returns a rule list that comes with mayi.\nfunc shippedRules(name string) (list shipped, ok bool) {\n\tswitch name {\n")
	var tables bytes.Buffer
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonc")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := newDecoder(file, data, Env{asIs: true})
		if err != nil {
			t.Fatal(err)
		}
		f := &File{}
		if err := d.object(func(key string, at int) error { return d.topLevel(f, key, at, false) }); err != nil {
			t.Fatal(err)
		}
		ignore := "nil"
		if len(d.ignore) > 0 {
			ignore = "&" + name + "Ignore"
			fmt.Fprintf(&tables, "\nvar %sIgnore = shellparse.Lead{\n", name)
			for _, program := range slices.Sorted(maps.Keys(d.ignore)) {
				fmt.Fprintf(&tables, "\t%q: {", program)
				for i, option := range slices.Sorted(maps.Keys(d.ignore[program])) {
					if i > 0 {
						tables.WriteString(", ")
					}
					fmt.Fprintf(&tables, "%q: %d", option, d.ignore[program][option])
				}
				tables.WriteString("},\n")
			}
			tables.WriteString("}\n")
		}
		fmt.Fprintf(&b, "\tcase %q:\n\t\treturn shipped{%sRules[:], %s}, true\n", name, name, ignore)
		origin := "preset " + name
		if name == "default" {
			origin = originDefault.Name
		}
		fmt.Fprintf(&tables, "\nvar %sRules = [...]Rule{\n", name)
		for _, r := range f.Rules {
			fmt.Fprintf(&tables, "\t{Permission: %q, Pattern: %q, Action: %s, ", r.Permission, r.Pattern, [...]string{Deny: "Deny", Ask: "Ask", Allow: "Allow"}[r.Action])
			if r.Reason != "" {
				fmt.Fprintf(&tables, "Reason: %q, ", r.Reason)
			}
			fmt.Fprintf(&tables, "Origin: Origin{Name: %q}", origin)
			if strings.ContainsAny(r.Pattern, "~$") {
				tables.WriteString(", raw: true")
			}
			tables.WriteString("},\n")
		}
		tables.WriteString("}\n")
	}
	b.WriteString("\t}\n\treturn shipped{}, false\n}\n")
	b.Write(tables.Bytes())
	want, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("preset_table.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile("preset_table.go")
	if err != nil || !bytes.Equal(have, want) {
		t.Fatalf("preset_table.go does not say what presets/*.jsonc do: run go test ./rules -run TestPresetTable -update (%v)", err)
	}
}
