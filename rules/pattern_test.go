package rules

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"mayi/shellparse"
)

// reference is the specification of Match, as short as it can be written.
func reference(pattern, text string) bool {
	pattern, text = strings.ReplaceAll(pattern, `\`, "/"), strings.ReplaceAll(text, `\`, "/")
	if bare, ok := strings.CutSuffix(pattern, " *"); ok && simply(bare, text) {
		return true
	}
	return simply(pattern, text)
}

func simply(p, t string) bool {
	switch {
	case p == "":
		return t == ""
	case p[0] == '*':
		_, k := utf8.DecodeRuneInString(t)
		return simply(p[1:], t) || t != "" && simply(p, t[k:])
	case strings.HasPrefix(p, "[*]"), strings.HasPrefix(p, "[?]"):
		return t != "" && t[0] == p[1] && simply(p[3:], t[1:])
	case t == "":
		return false
	}
	_, n := utf8.DecodeRuneInString(p)
	_, k := utf8.DecodeRuneInString(t)
	return (p[0] == '?' || p[:n] == t[:k]) && simply(p[n:], t[k:])
}

// pick strings letters of an alphabet together.
func pick(r *rand.Rand, alphabet []string, most int) string {
	var b strings.Builder
	for range r.IntN(most + 1) {
		b.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

var (
	patternAlphabet = []string{"*", "?", "[", "]", "[*]", "[?]", `\`, "/", " ", " *", "a", "é", "\xff", "\xc3"}
	textAlphabet    = []string{"*", "?", "[", "]", `\`, "/", " ", "a", "é", "\xff", "\xc3", "\xa9"}
)

func TestMatchAgreesWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for range 100_000 {
		pattern, text := pick(r, patternAlphabet, 6), pick(r, textAlphabet, 6)
		want := reference(pattern, text)
		if have := Match(pattern, text); have != want {
			t.Fatalf("pattern %q, text %q: have %v, want %v", pattern, text, have, want)
		}
		if want {
			matched++
		}
	}
	if matched < 3_000 {
		t.Fatalf("only %d of the pairs match, so little was compared", matched)
	}
}

func TestUnlikeIsOnlyAShortcut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		pattern, text := pick(r, patternAlphabet, 4), shellparse.Lit(pick(r, textAlphabet, 4))
		if unlike(pattern, text) && parsePattern(pattern).run(text, false) {
			t.Fatalf("pattern %q, text %q: unlike, yet it matches", pattern, text)
		}
	}
}

func TestQuoteMatchesOnlyItself(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50_000 {
		text, other := pick(r, textAlphabet, 5), pick(r, textAlphabet, 5)
		if !Match(Quote(text), text) {
			t.Fatalf("Quote(%q) = %q does not match it", text, Quote(text))
		}
		same := slashed(text) == slashed(other)
		if Match(Quote(text), other) != same {
			t.Fatalf("Quote(%q) = %q, and text %q: have %v, want %v", text, Quote(text), other, !same, same)
		}
	}
}

// values are what a hole may turn out to be: every text of at most n letters.
func values(alphabet []string, n int) []string {
	all := []string{""}
	for last := all; n > 0; n-- {
		var next []string
		for _, v := range last {
			for _, a := range alphabet {
				next = append(next, v+a)
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

// fillings are the texts that a word with holes may become. Globs of which the
// bit is set in spelled stand for themselves only.
func fillings(w shellparse.Word, some []string, spelled uint) []string {
	texts := []string{""}
	for i, p := range w {
		var can []string
		switch {
		case p.Hole == shellparse.Known, (p.Hole == shellparse.Glob || p.Hole == shellparse.Name) && spelled&(1<<i) != 0:
			can = []string{p.Text}
		case p.Hole == shellparse.Words:
			can = []string{""}
			for _, v := range some {
				can = append(can, " "+v)
			}
		case p.Hole == shellparse.Glob:
			can = append([]string{p.Text}, some...)
		case p.Hole == shellparse.Name:
			can = []string{p.Text}
			for _, v := range some {
				if !strings.Contains(v, "/") {
					can = append(can, v)
				}
			}
		default:
			can = some
		}
		var next []string
		for _, t := range texts {
			for _, c := range can {
				next = append(next, t+c)
			}
		}
		texts = next
	}
	return texts
}

func randomWord(r *rand.Rand) shellparse.Word {
	var w shellparse.Word
	for range 1 + r.IntN(4) {
		p := shellparse.Piece{Text: pick(r, []string{"a", "b", " ", "*"}, 3)}
		switch r.IntN(6) {
		case 0:
			p = shellparse.Piece{Text: "$x", Hole: shellparse.Value}
		case 1:
			p = shellparse.Piece{Text: " $x", Hole: shellparse.Words}
		case 2:
			p = shellparse.Piece{Text: []string{"*", "?", "[ab]"}[r.IntN(3)], Hole: shellparse.Glob}
		case 3:
			p = shellparse.Piece{Text: []string{"*", "?", "[ab]"}[r.IntN(3)], Hole: shellparse.Name}
		}
		w = append(w, p)
	}
	return w
}

func TestHolesAgreeWithEveryValue(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	letters := []string{"a", "b", " ", "*", "/"}
	long, short := values(letters, 3), values(letters, 2)
	counts := map[string]int{}
	for range 4_000 {
		w := randomWord(r)
		holes := 0
		for _, p := range w {
			if p.Hole != shellparse.Known {
				holes++
			}
		}
		some := long
		if holes > 2 {
			continue
		} else if holes == 2 {
			some = short
		}
		pattern := pick(r, []string{"a", "b", " ", "*", "?", " *", "[*]", "/"}, 5)
		certain, possible := matchText(pattern, w)
		if certain && !possible {
			t.Fatalf("pattern %q, text %#v: certain yet impossible", pattern, w)
		}
		any := false
		for _, text := range fillings(w, some, 0) {
			any = any || Match(pattern, text)
		}
		// A hole of at most three letters may be too short for a pattern of
		// more, so some is complete only for these.
		if any && !possible {
			t.Fatalf("pattern %q, text %#v: some value matches, yet it is impossible", pattern, w)
		}
		if possible && !any && holes == 1 && len(pattern) <= 3 {
			t.Fatalf("pattern %q, text %#v: no value matches, yet it is possible", pattern, w)
		}
		if certain && !everyValueMatches(pattern, w, some) {
			t.Fatalf("pattern %q, text %#v: certain, yet some value does not match", pattern, w)
		}
		switch {
		case certain:
			counts["certain"]++
		case possible:
			counts["possible"]++
		}
	}
	if counts["certain"] < 100 || counts["possible"] < 100 {
		t.Fatalf("too little was compared: %v", counts)
	}
}

// everyValueMatches reports whether the pattern matches for every value of the
// holes, some of the globs perhaps taken as they are spelled.
func everyValueMatches(pattern string, w shellparse.Word, some []string) bool {
	for spelled := range uint(1) << len(w) {
		all := true
		for _, text := range fillings(w, some, spelled) {
			if !Match(pattern, text) {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

func TestWithinMeansEveryTextOfIt(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	texts := values([]string{"a", "b", " ", "/"}, 4)
	found := 0
	for range 1_500 {
		narrow, wide := pick(r, []string{"a", "b", "?", "*", " *"}, 3), pick(r, []string{"a", "b", "?", "*", " *", "/"}, 3)
		if !within(narrow, wide) {
			continue
		}
		found++
		for _, text := range texts {
			if Match(narrow, text) && !Match(wide, text) {
				t.Fatalf("%q is within %q, yet only the first matches %q", narrow, wide, text)
			}
		}
	}
	if found < 50 {
		t.Fatalf("only %d pairs were within each other", found)
	}
}

func TestGlobIsNotOneCharacter(t *testing.T) {
	w := shellparse.Word{{Text: "cat "}, {Text: "*", Hole: shellparse.Glob}}
	for pattern, want := range map[string]bool{"cat [*]": true, "cat *": true, "cat ?": false, "cat ??": false} {
		if certain, possible := matchText(pattern, w); certain != want || !possible {
			t.Errorf("pattern %q, text %q: have %v %v, want %v true", pattern, w, certain, possible, want)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, s := range [][2]string{{"git *", "git"}, {"git **", "git"}, {"[*]", "*"}, {"a?c", "aéc"}, {`a\*`, "a/b"}, {" *", ""}, {"[", "["}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern)+len(text) > 60 || strings.Count(pattern, "*") > 5 {
			return
		}
		have := Match(pattern, text)
		if want := reference(pattern, text); have != want {
			t.Fatalf("pattern %q, text %q: have %v, want %v", pattern, text, have, want)
		}
		if !Match(Quote(text), text) {
			t.Fatalf("Quote(%q) does not match it", text)
		}
		if Match(Quote(text), pattern) && slashed(text) != slashed(pattern) {
			t.Fatalf("Quote(%q) matches %q", text, pattern)
		}
		if !within(Quote(text), "*") || !Match("*", text) {
			t.Fatalf("%q is not within *", text)
		}
		w := shellparse.Word{{Text: text}, {Text: "$x", Hole: shellparse.Value}}
		certain, possible := matchText(pattern, w)
		if have && !possible {
			t.Fatalf("pattern %q matches %q, yet with a hole behind it not even possibly", pattern, text)
		}
		if certain && !have {
			t.Fatalf("pattern %q certainly matches %q and a hole, yet not with nothing in it", pattern, text)
		}
	})
}
