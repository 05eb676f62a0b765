package shellparse

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// nests are what a hostile line may repeat until it is as long as Parse reads;
// in front of the colon stands what it begins with.
var nests = []string{
	"(", "{ ", "$(", "<(", ">(", "${x:-", "${x/", "${x:", "${x[", "${#", "$[", "$((", "((", "[[ ( ", "[[ ! ", "a[", "((a[", "x=(", "x=([", "@(", "!(", "{a,", "{", "[",
	"if ", "! ", "while ", "until ", "for x in a; do ", "for ((", "select x in a; do ", "case x in x) ", "case $(", "time ", "coproc ", "function f ", "f() ", "f() { ", "if a; then b; el",
	"`", "\\`", "`\\", "\"$(", "\"${x:-", "\"`", "$'", "'", "\"", "\\", "\\\n", "<<a ", "<<<", "a|", "a&&", "a||", "a;", "a&", "a\n", "#\n", "x=", "x=1 ", ">a ", "{a,b}", "{1..9}", "*", "~", "$x", "\xff",
	`( ")" `, `( ")" ( ")"`, `(')'`, `"(`, `{ \} `, `$( "`, "(#)\n", `$(( ")" `, "[[ x = ( ", "((", "((:1+", "((:-", "((:!", "((:~", "((:a=", "((:x**", "((:1?2:", "((:a,",
	"eval ", "eval '", "sudo ", "env -S ", "bash -c ", "sh -c ", "xargs ", "find . -exec ", "command ", "sh <<a\n", "trap ", "PAGER=", "newtool -- ", "newtool exec ", "newtool -e 'a b' ",
}

// TestHostileNests gives each nest to Parse in a process of its own, for a stack
// that overflows cannot be recovered.
func TestHostileNests(t *testing.T) {
	t.Parallel()
	if os.Getenv("MAYI_HOSTILE") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestHostileNests$", "-test.v")
		cmd.Env = append(os.Environ(), "MAYI_HOSTILE=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the process did not survive: %v\n%s", err, out)
		}
		return
	}
	const most = 200 << 20
	debug.SetMaxStack(most)
	for _, nest := range nests {
		before, unit, ok := strings.Cut(nest, ":")
		if !ok || unit == "" || !strings.HasPrefix(nest, "((:") {
			before, unit = "", nest
		}
		brackets := strings.Count(unit, "(") + strings.Count(unit, "[") + strings.Count(unit, "{")
		for _, n := range []int{MaxSource / len(unit), maxOpeners / max(1, brackets)} {
			source := before + strings.Repeat(unit, n)
			source = source[:min(len(source), MaxSource)]
			var a, b runtime.MemStats
			runtime.ReadMemStats(&a)
			Parse(source, Options{})
			runtime.ReadMemStats(&b)
			if used := b.TotalAlloc - a.TotalAlloc; used > most && !raceDetector {
				t.Errorf("input: %q repeated, %d bytes\nhave: %d MiB allocated\nwant: at most %d", nest, len(source), used>>20, most>>20)
			}
		}
	}
}

// TestBombs are small sources that stand for much.
func TestBombs(t *testing.T) {
	quoted := "mark"
	for range 14 {
		quoted = "eval " + `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(quoted) + `"`
	}
	here := ""
	for i := range 60 {
		here += "sh <<E" + strings.Repeat("x", i) + "\n"
	}
	for name, source := range map[string]string{
		"nested eval":          quoted,
		"options":              "git rebase" + strings.Repeat(" -xa", MaxSource/4-10),
		"addresses":            "socat" + strings.Repeat(" exec:a", MaxSource/7-10),
		"settings":             "make" + strings.Repeat(" cc=a", MaxSource/5-10),
		"nested here-document": here + "mark\n",
		"nested sh":            strings.Repeat("sh -c ", 1000) + "mark",
		"braces":               "mark " + strings.Repeat("{a,b}", 100),
		"nested braces":        "mark " + strings.Repeat("{a,", 500) + strings.Repeat("}", 500),
		"sequence":             "mark {1..99999999999999999999} {1..9999999} {9223372036854775807..-9223372036854775808}",
		"sequences":            "mark " + strings.Repeat("{1..999}", 50),
		"commands":             strings.Repeat("mark\n", 13000),
		"doubling constant":    "x=mark" + strings.Repeat("; x=$x$x", 100) + "; $x",
		"long name":            "mapfile -C" + strings.Repeat("x", 60000) + "; mark",
		"functions":            strings.Repeat("f() { g; }; ", 600) + "f",
		"loops":                strings.Repeat("for i in a; do ", 90) + "mark" + strings.Repeat("; done", 90),
		"chain":                strings.Repeat("mark && ", 5000) + "mark",
		"pipeline":             strings.Repeat("mark | ", 5000) + "mark",
		"redirections":         strings.Repeat("<a >b ", 9000) + "mark",
		"eval in a row":        strings.Repeat("eval 'a;b;c'\n", 4000) + "mark",
		"eval in eval":         strings.Repeat("eval ", 12000) + "mark",
		"sudo in sudo":         strings.Repeat("sudo ", 13000) + "mark",
		"env in env":           strings.Repeat("env ", 16000) + "mark",
		"xargs in xargs":       strings.Repeat("xargs ", 10000) + "mark",
		"find in find":         strings.Repeat("find . -exec ", 5000) + "mark",
		"repeated option":      "rm -" + strings.Repeat("r", 60000) + " mark",
		"pieces of braces":     "mark " + strings.Repeat("{a,b}{c,d} ", 5000),
		"globs":                "mark " + strings.Repeat("*a?[b] ", 9000),
		"holes in a word":      "mark " + strings.Repeat("a$x", 20000),
		"regular expression":   strings.Repeat("[[ x =~ ( ", 6000) + "mark",
		"unclosed":             "(" + strings.Repeat("a\n", 30000) + "mark",
		"unclosed quote":       "mark;" + strings.Repeat("(a;", 600) + `"`,
		"continued lines":      strings.Repeat("a \\\n", 15000) + "mark",
		"changes of directory": strings.Repeat("cd a || cd b; > c; ", 2000),
	} {
		t.Run(name, func(t *testing.T) {
			var a, b runtime.MemStats
			runtime.ReadMemStats(&a)
			s := Parse(source, Options{Home: home})
			runtime.ReadMemStats(&b)
			if used := b.TotalAlloc - a.TotalAlloc; used > 200<<20 {
				t.Errorf("have: %d MiB allocated\nwant: at most 200", used>>20)
			}
			if !lists(s, "mark") && len(s.Unread) == 0 && name != "functions" && name != "changes of directory" {
				t.Errorf("have:\n%.2000s\nwant: mark, or that it was not read", describe(s))
			}
		})
	}
}
