package commands

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityNamesTestsThatExist demands that every test and script that
// SECURITY.md names is there, and that no promise is kept by nothing.
func TestSecurityNamesTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				tests[f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(string(text), -1)
	if len(named) < 20 {
		t.Errorf("SECURITY.md names only %d tests", len(named))
	}
	for _, m := range named {
		if !tests[m[1]] {
			t.Errorf("SECURITY.md names %s, and there is no such test", m[1])
		}
	}
	for _, m := range regexp.MustCompile("`(scripts/[a-z-]+)").FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Errorf("SECURITY.md names %s: %v", m[1], err)
		}
	}
	_, promises, found := strings.Cut(string(text), "\n## What holds\n")
	promises, _, _ = strings.Cut(promises, "\n## Figures\n")
	if !found {
		t.Fatal("SECURITY.md does not say what holds")
	}
	for _, row := range regexp.MustCompile(`(?m)^\| [^-].*$`).FindAllString(promises, -1) {
		if !strings.HasPrefix(row, "| promise |") && !strings.Contains(row, "`Test") && !strings.Contains(row, "`scripts/") {
			t.Errorf("no test keeps the promise %s", row)
		}
	}
}
