package shellparse

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// samples is how many random words each differential test gives to bash.
const samples = 2500

// TestWordsLikeBash compares what a word becomes with what bash makes of it.
func TestWordsLikeBash(t *testing.T) {
	bash := lookShell(t, "bash")
	for _, test := range []struct {
		name          string
		before, after string
		pieces        []string
	}{
		{"ANSI-C quotes", "$'", "'", strings.Split(`\ \\ \' \" \? \a \b \e \E \f \n \r \t \v \x \x4 \x41 \x{ } 41 0 1 7 \0 \1 \12 \101 \377 \400 \8 \u \u41 \u0041 \U \U00000042 \c \cA \c? \c\\ \z a b " g 4 { $ é`, " ")},
		{"double quotes", `"`, `"`, strings.Split(`\ \\ \" \$ \a \n ' a b { } , * ? [ ] ~ ! # ; & | ( ) é`, " ")},
		{"backslashes", "", "", strings.Split(`\\ \a \" \' \$ \* \? \[ \] \{ \} \, \~ \# \; \& \| \( \) \< \> a b = é`, " ")},
		{"braces", "", "", strings.Split(`{ } , .. 1 2 10 01 -1 a c z {a,b} {1..3} {3..1} {a..c} {1..7..3} {01..3} {a,} {,} \{ \} \, "," "{" 'a,b' x {x..x} {-2..02} + .`, " ")},
		{"brackets", "", "", strings.Split(`[ ] a b "[" "]" '[' \[ \] ! ^ - [a] {a,b} {[,]} x`, " ")},
		{"tildes", "", "", strings.Split(`~ / a : = x= ~/ "~" \~ {~,a} , : a=`, " ")},
	} {
		t.Run(test.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			var words []string
			for range samples {
				word := test.before
				for range 1 + random.IntN(8) {
					word += test.pieces[random.IntN(len(test.pieces))]
				}
				words = append(words, word+test.after)
			}
			compareWords(t, bash, words)
		})
	}
}

// compareWords gives words that Parse can read to one bash, which counts and
// prints what they become.
func compareWords(t *testing.T, bash string, words []string) {
	var asked [][]Word
	var sources []string
	var script bytes.Buffer
	script.WriteString("p() { printf '%s\\0' \"$#\" \"$@\"; }\n")
	for _, word := range words {
		if strings.HasSuffix(strings.ReplaceAll(word, `\\`, ""), `\`) {
			continue // it would quote the newline
		}
		s := Parse("p "+word, Options{Home: home})
		if len(s.Unread) > 0 || len(s.Commands) != 1 || len(s.Redirects) > 0 {
			continue
		}
		asked = append(asked, s.Commands[0].Words[1:])
		sources = append(sources, word)
		fmt.Fprintf(&script, "p %s\n", word)
	}
	cmd := exec.Command(bash)
	cmd.Dir, cmd.Stdin, cmd.Env = t.TempDir(), &script, []string{"PATH=/nonexistent", "HOME=" + home, "LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Split(string(out), "\x00")
	for i, have := range asked {
		var n int
		if _, err := fmt.Sscan(fields[0], &n); err != nil || n >= len(fields) {
			t.Fatalf("%s printed too little: at %q", filepath.Base(bash), sources[i])
		}
		want := fields[1 : n+1]
		fields = fields[n+1:]
		if !(Command{Words: append([]Word{Lit("p")}, have...)}).couldBe(append([]string{"p"}, want...)) {
			t.Errorf("input: p %s\nhave: %s\nwant: %q", sources[i], describe(&Script{Commands: []Command{{Words: have}}}), want)
		}
	}
	t.Logf("%d of %d words could be asked about", len(asked), len(words))
}
