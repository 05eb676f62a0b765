package shellparse

import (
	"errors"
	"slices"
	"strings"
)

// errLong stands for the error of a piece that is not worth the parser's time.
var errLong = errors.New("it is too long for a piece")

// maxFragments is how many pieces of an unreadable text are looked at.
const maxFragments = 1000

// separators are what an unreadable text is taken apart at, step by step, until
// its pieces can be read.
var separators = []string{"\n", ";&|", "(){}`", `"'`}

// fragments lists what pieces of a text would run that cannot be read whole. A
// shell may read it, and rules that restrict are to see what stands in it; the
// line cannot be allowed, so that more may be listed here than would run.
func (w *walker) fragments(r reading) {
	text := r.text
	if r.file != nil && len(r.file.Stmts) > 0 {
		if end := int(r.file.Stmts[len(r.file.Stmts)-1].End().Offset()); end < len(text) {
			text = text[end:]
		}
	}
	left, start := maxFragments, len(w.script.Commands)
	w.apartAt(text, 0, &left)
	found := w.script.Commands[start:]
	w.script.Commands = w.script.Commands[:start]
	for _, c := range found {
		if !slices.ContainsFunc(w.script.Commands[start:], c.equal) {
			w.script.Commands = append(w.script.Commands, c)
		}
	}
}

func (w *walker) apartAt(text string, step int, left *int) {
	pieces := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(separators[step], c) })
	if len(pieces) == 1 && step+1 < len(separators) && step != 1 {
		w.apartAt(pieces[0], step+1, left) // it is known not to parse
		return
	}
	for _, piece := range pieces {
		piece = strings.Trim(piece, " \t\n;&|")
		for _, word := range leading {
			if rest, ok := strings.CutPrefix(piece, word+" "); ok {
				piece = strings.TrimLeft(rest, " \t")
			}
		}
		if piece == "" || *left == 0 {
			continue
		}
		*left--
		r := reading{err: errLong}
		if len(piece) <= MaxSource/8 {
			r = w.parse(piece, nil)
		}
		switch {
		case r.err == nil:
			w.fragment(r)
			if m := body().FindStringSubmatch(piece); m != nil {
				w.bare(m[1]) // of a loop that only some shells know
			}
		case step+1 < len(separators):
			if step == 1 && looseAssignment().MatchString(piece) {
				w.bare(piece)
			}
			w.apartAt(piece, step+1, left)
		default:
			w.bare(piece)
		}
	}
}

// bare lists a piece without quotes as the words that it shows.
func (w *walker) bare(piece string) {
	var words []Word
	for _, f := range strings.Fields(strings.NewReplacer(`\`, "", "[[", " ", "]]", " ").Replace(piece)) {
		if f[0] == '#' {
			break
		}
		if len(words) > 0 || !looseAssignment().MatchString(f) {
			words = append(words, Lit(f))
		}
	}
	if len(words) > 0 {
		w.list(Command{Words: words}, w.pos)
	}
}

// looseAssignment is what a shell may take for the setting of a variable.
var looseAssignment = lazily(`^\w+(\[.*)?\+?=`)

// body finds what stands behind a word that a command may follow.
var body = lazily(`(?s)\s(?:do|then|else|always|\{)\s+(\S.*)`)

// leading are the words that may stand in front of a command, in the order in
// which they do.
var leading = []string{"}", "in", "if", "then", "elif", "else", "while", "until", "do", "time", "!"}

// fragment walks a piece. Where it stands in the text is not kept, and what it
// says of itself is not told: the text as a whole is unread.
func (w *walker) fragment(r reading) {
	unread := w.script.Unread
	defer w.within(r.text, nil)()
	w.survey(r.file)
	w.stmts(r.file.Stmts, state{}.forget())
	w.script.Unread = unread
}
