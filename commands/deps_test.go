package commands

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says which packages each package may import, beyond the standard
// library: a total order, so that no circle can be drawn.
const arrows = `
	mayi: mayi/commands
	mayi/commands: mayi/commands/agents mayi/db mayi/rules mayi/shellparse mayi/completions mayi/scripts github.com/urfave/cli/v2 github.com/AlecAivazis/survey/v2 github.com/AlecAivazis/survey/v2/terminal github.com/rogpeppe/go-internal/diff golang.org/x/sys/unix
	mayi/commands/agents: mayi/rules github.com/tidwall/jsonc github.com/BurntSushi/toml
	mayi/db: mayi/rules mayi/shellparse github.com/mattn/go-sqlite3 golang.org/x/sys/unix
	mayi/rules: mayi/shellparse github.com/tidwall/jsonc github.com/xrash/smetrics
	mayi/shellparse: mvdan.cc/sh/v3/syntax
	mayi/completions:
	mayi/scripts:
`

// places says in which files some things may be used, and in no others.
var places = map[string][]string{
	"os.Exit":      {"main.go"},
	"os.Getenv":    {"commands/env.go"},
	"os.LookupEnv": {"commands/env.go"},
	"os.Environ":   {"commands/run.go", "commands/session.go"},
	"time.Now":     {"commands/env.go", "db/db.go"},
	"log.Fatal":    {},
	"fmt.Print":    {},
	"fmt.Printf":   {},
	"fmt.Println":  {},
}

// packagesIn says in which files a package may be imported.
var packagesIn = map[string][]string{
	"os/exec":                                   {"commands/await.go", "commands/lookup.go"},
	"github.com/AlecAivazis/survey/v2":          {"commands/prompt.go"},
	"github.com/AlecAivazis/survey/v2/terminal": {"commands/prompt.go"},
}

func TestArrows(t *testing.T) {
	allowed := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(arrows), "\n") {
		pkg, list, _ := strings.Cut(strings.TrimSpace(line), ":")
		allowed[pkg] = strings.Fields(list)
	}
	eachSource(t, func(path string, file *ast.File) {
		pkg := strings.TrimSuffix("mayi/"+filepath.ToSlash(filepath.Dir(path)), "/.")
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if in, ok := packagesIn[name]; ok && !slices.Contains(in, path) {
				t.Errorf("%s imports %s, which belongs into %v", path, name, in)
			}
			first, _, _ := strings.Cut(name, "/")
			if (first == "mayi" || strings.Contains(first, ".")) && !slices.Contains(allowed[pkg], name) {
				t.Errorf("%s imports %s: no arrow leads there", path, name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					name := x.Name + "." + s.Sel.Name
					if in, ok := places[name]; ok && !slices.Contains(in, path) {
						t.Errorf("%s uses %s, which belongs into %v", path, name, in)
					}
				}
			}
			if f, ok := n.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init", path)
			}
			return true
		})
	})
}

// TestOneAllow demands that no command makes an Allow of its own: the only place
// where the action stands is the one that turns it into an exit code, and those
// that print.
func TestOneAllow(t *testing.T) {
	eachSource(t, func(path string, file *ast.File) {
		if filepath.Dir(path) != "commands" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.AssignStmt); ok {
				for _, right := range s.Rhs {
					if sel, ok := right.(*ast.SelectorExpr); ok && sel.Sel.Name == "Allow" {
						t.Errorf("%s assigns an Allow", path)
					}
				}
			}
			if r, ok := n.(*ast.ReturnStmt); ok {
				for _, result := range r.Results {
					if sel, ok := result.(*ast.SelectorExpr); ok && sel.Sel.Name == "Allow" {
						t.Errorf("%s returns an Allow", path)
					}
				}
			}
			return true
		})
	})
}

// eachSource calls f with every source file that is no test.
func eachSource(t *testing.T, f func(path string, file *ast.File)) {
	t.Helper()
	count := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		count++
		f(filepath.ToSlash(strings.TrimPrefix(path, "../")), file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 20 {
		t.Fatalf("only %d source files were found", count)
	}
}
