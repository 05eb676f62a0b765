package shellparse

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraced is how many words the braces of one word may make; more stay a hole.
const maxBraced = 1000

// braces returns the parts of each word that brace expansion makes of a word. ok
// is false when these are not known; then the parts are for walking alone.
// Shells that know no braces keep the word as it is.
func (w *walker) braces(word *syntax.Word, st *state) (words [][]syntax.WordPart, ok bool) {
	whole := [][]syntax.WordPart{word.Parts}
	if w.lang == syntax.LangPOSIX || !strings.Contains(w.spelling(word), "{") {
		return whole, true
	}
	openers := 0
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			openers += strings.Count(lit.Value, "{")
			if strayBrace(lit.Value) {
				return whole, false
			}
		}
	}
	if openers > MaxDepth {
		return whole, false
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), word.Parts...)}
	if !syntax.SplitBraces(split) {
		return whole, true
	}
	words, ok = expandBraces(split.Parts)
	if !ok || st.odd || slices.ContainsFunc(word.Parts, w.unevenBraces) {
		return whole, false
	}
	for i, parts := range words {
		words[i] = melt(parts)
		if !apart(words[i]) {
			return whole, false
		}
	}
	return words, true
}

// strayBrace reports whether bash may pair a brace with a later one than the next
// that closes: {a},b} is a} and b, for a comma stands in between.
func strayBrace(text string) bool {
	if strings.Contains(text, "{..") {
		return true
	}
	depth, comma, stray := 0, false, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '{':
			if depth++; depth == 1 {
				comma = false
			}
		case c == '}' && depth > 0:
			if depth--; depth == 0 && !comma {
				stray = true
			}
		case c == '}' && stray:
			return strings.Contains(text[:i], ",")
		case c == ',' && depth == 1:
			comma = true
		}
	}
	return false
}

// unevenBraces reports whether a part of a word holds braces that do not pair up.
// The shell counts them before it knows that they are none: ${x/{}{,2} is one
// word.
func (w *walker) unevenBraces(part syntax.WordPart) bool {
	if _, ok := part.(*syntax.Lit); ok {
		return false
	}
	text := w.spelling(part)
	return strings.Count(text, "{") != strings.Count(text, "}")
}

// apart reports whether the parts of a word mean what they did before brace
// expansion, which the shell does first: $x{1,2} is $x1 $x2.
func apart(parts []syntax.WordPart) bool {
	for i := range len(parts) - 1 {
		next, _ := parts[i+1].(*syntax.Lit)
		switch p := parts[i].(type) {
		case *syntax.ParamExp:
			if p.Short && next != nil && (syntax.ValidName(next.Value[:1]) || next.Value[0] >= '0' && next.Value[0] <= '9' || next.Value[0] == '[') {
				return false
			}
		case *syntax.Lit:
			if strings.HasSuffix(p.Value, "$") {
				return false
			}
		}
	}
	return true
}

// expandBraces lists every choice of the brace expressions among the parts, the
// last one varying fastest. ok is false when there are more than maxBraced.
func expandBraces(parts []syntax.WordPart) (all [][]syntax.WordPart, ok bool) {
	all = [][]syntax.WordPart{nil}
	for _, part := range parts {
		choices := [][]syntax.WordPart{{part}}
		if b, isBrace := part.(*syntax.BraceExp); isBrace {
			if choices, ok = braceChoices(b); !ok {
				return nil, false
			}
		}
		if len(all)*len(choices) > maxBraced {
			return nil, false
		}
		next := make([][]syntax.WordPart, 0, len(all)*len(choices))
		for _, head := range all {
			for _, tail := range choices {
				next = append(next, append(head[:len(head):len(head)], tail...))
			}
		}
		all = next
	}
	return all, true
}

func braceChoices(b *syntax.BraceExp) (choices [][]syntax.WordPart, ok bool) {
	if b.Sequence {
		texts, ok := sequence(b)
		for _, t := range texts {
			if t == `\` {
				choices = append(choices, []syntax.WordPart{&syntax.SglQuoted{}}) // it quotes nothing, and goes
				continue
			}
			choices = append(choices, []syntax.WordPart{&syntax.Lit{Value: t}})
		}
		return choices, ok
	}
	for _, e := range b.Elems {
		c, ok := expandBraces(e.Parts)
		if !ok {
			return nil, false
		}
		choices = append(choices, c...)
		if len(choices) > maxBraced {
			return nil, false
		}
	}
	return choices, true
}

// sequence expands {x..y..step} of numbers or of single letters.
func sequence(b *syntax.BraceExp) (texts []string, ok bool) {
	lits := make([]string, len(b.Elems))
	for i, e := range b.Elems {
		lits[i] = e.Lit()
	}
	from, err1 := strconv.Atoi(lits[0])
	to, err2 := strconv.Atoi(lits[1])
	spell := strconv.Itoa
	if err1 != nil || err2 != nil {
		if len(lits[0]) != 1 || len(lits[1]) != 1 {
			return nil, false
		}
		from, to = int(lits[0][0]), int(lits[1][0])
		spell = func(n int) string { return string(rune(n)) }
	} else if padded(lits[0]) || padded(lits[1]) {
		width := max(len(lits[0]), len(lits[1]))
		spell = func(n int) string {
			s := strconv.Itoa(max(n, -n))
			sign := ""
			if n < 0 {
				sign = "-"
			}
			return sign + strings.Repeat("0", max(0, width-len(sign)-len(s))) + s
		}
	}
	step := 1
	if len(lits) > 2 {
		n, err := strconv.Atoi(lits[2])
		if err != nil || n < -maxBraced || n > maxBraced {
			return nil, false
		}
		if n != 0 {
			step = max(n, -n)
		}
	}
	distance := uint(max(from, to)) - uint(min(from, to)) // no overflow
	if distance/uint(step) >= maxBraced {
		return nil, false
	}
	for i := range int(distance/uint(step)) + 1 {
		if from <= to {
			texts = append(texts, spell(from+i*step))
		} else {
			texts = append(texts, spell(from-i*step))
		}
	}
	return texts, true
}

func padded(number string) bool {
	digits := strings.TrimPrefix(number, "-")
	return len(digits) > 1 && digits[0] == '0'
}

// melt joins neighbouring literals, so that a tilde is seen together with what
// follows it, and drops empty ones.
func melt(parts []syntax.WordPart) []syntax.WordPart {
	var out []syntax.WordPart
	for _, p := range parts {
		lit, ok := p.(*syntax.Lit)
		if ok && lit.Value == "" {
			continue
		}
		if ok && len(out) > 0 {
			if last, ok := out[len(out)-1].(*syntax.Lit); ok {
				out[len(out)-1] = &syntax.Lit{ValuePos: last.ValuePos, ValueEnd: lit.ValueEnd, Value: last.Value + lit.Value}
				continue
			}
		}
		out = append(out, p)
	}
	return out
}
