package shellparse

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A carrier says where in its arguments a command holds another one.
type carrier struct {
	as          string // the row that this one is like; nothing else counts then
	inner       inner
	lang        Shell // what the shell it starts reads; "" is bash or a POSIX shell
	foreign     bool  // that is no shell known here, only one alike
	transparent bool  // matters only through what it runs
	here        bool  // a builtin: what runs inside changes this shell
	assigns     bool  // NAME=value operands come before the inner command
	appends     bool  // adds words to the inner command that are not in the line
	numeric     bool  // -5 is an option
	dash        bool  // so is a lone -
	long        bool  // -name is --name
	permutes    bool  // options may stand behind operands too
	again       bool  // options may stand behind the skipped operands
	arch        bool  // an operand may stand in front of all options
	dashed      bool  // behind -- nothing is skipped
	reads       bool  // without an inner command it runs a shell, which reads stdin
	shortened   bool  // innerSub: subcommands may be abbreviated, and ; starts another
	skip        int   // operands before the inner command

	// options are the known ones. An unknown one in front of the inner command
	// makes that a hole.
	options optionSpec

	nothing   string // options with which nothing is run
	join      string // options that hand the operands, joined, to a shell
	split     string // options whose value is split into the words that are run
	replace   string // options whose value stands for what appends adds; innerExec, and without appends: such marks
	text      string // options whose value is a text to parse
	expands   string // options whose value the shell expands
	rest      string // options whose value, and all words behind it, are the inner command
	program   string // options whose value is the program, the operands its arguments
	direct    string // options that make the operands an inner command, none of them skipped
	verbs     string // operands that may stand before the inner command, and options behind them
	mark      string // operands before the inner command that make it a text
	elsewhere string // options that change the directory, or what HOME is
	exec      string // innerExec: the words that start a command
	own       string // words and options with which it does more than run the inner command
}

// inner says what the operands of a carrier are.
type inner uint8

const (
	innerNone   inner = iota // there are only options that hold one
	innerArgv                // the words of a command
	innerJoin                // a text to parse, once joined by blanks
	innerEither              // the same if it is one, else the words of a command
	innerTexts               // each a text to parse
	innerShell               // with -c a text to parse, else a script's file, else stdin is the script
	innerArgs                // the arguments of a shell
	innerExec                // commands among the arguments, each up to ; or +
	innerSub                 // the first names a subcommand, which may have a row
	innerEach                // a text to parse for each word behind :::, or for each line of stdin
)

// command lists a command and what it runs, to any depth, and returns what is
// known after it.
func (w *walker) command(words []Word, assigns []Assign, in stdin, st *state) outcome {
	if !w.enter(w.pos) {
		return same(st.forget())
	}
	defer w.leave()
	pos := w.pos
	moving := slices.DeleteFunc(slices.Clone(assigns), func(a Assign) bool { return !a.Moves })
	for _, a := range assigns {
		// In front of a special builtin they stay, in some shells.
		st.unset(baseName(a.Name))
	}
	name, known := words[0].Literal()
	at := len(w.script.Commands)
	w.list(Command{Words: words, Assigns: moving}, pos)
	w.fileOperands(words, st)
	if !known {
		return same(st.forget())
	}
	out := same(*st)
	base := path.Base(name)
	c, args, isCarrier := carrierOf(base, words[1:])
	_, isBuiltin := builtins[name]
	switch {
	case isCarrier:
		var seen bool
		w.through(base, func() { out, seen = w.inside(c, args, assigns, in, st) })
		seen = seen && !c.does(args)
		w.pos = pos
		if at < len(w.script.Commands) {
			outer := &w.script.Commands[at]
			outer.Carrier = true
			outer.Transparent = c.transparent && seen && len(moving) == 0
		}
		if !c.here || base != name {
			out = same(*st)
		}
		if isBuiltin && !(seen && c.here) {
			out = w.builtin(name, words[1:], in, st)
			w.pos = pos
		}
	case base == name:
		out = w.builtin(name, words[1:], in, st)
		w.pos = pos
	}
	if _, ok := w.functions[name]; ok {
		return same(w.called(name, out.either()))
	}
	return out
}

// carrierOf finds the row of a command, or that of its subcommand, and the
// arguments that row is about. ok is false when the command runs no other.
func carrierOf(name string, args []Word) (c carrier, rest []Word, ok bool) {
	for {
		if c, ok = carriers[name]; !ok {
			return c, args, false
		}
		switch {
		case c.as != "":
			name = c.as
		case c.inner == innerNone && !c.reads:
			o := c.scan(args)
			return c, args, o.unknown || o.any(c.text) || o.any(c.rest) || o.any(c.expands)
		case c.inner != innerSub:
			return c, args, true
		default:
			var hidden bool
			if name, rest, hidden = c.subcommand(name, args); hidden {
				return c, args, true
			}
			args = rest
		}
	}
}

// subcommand returns the name of a subcommand's row and what follows it. The
// command is hidden if it may be one that has a row, and cannot be told.
func (c carrier) subcommand(name string, args []Word) (row string, rest []Word, hidden bool) {
	find := func(word Word) (row string, ok bool) {
		text, literal := word.Literal()
		if !literal || text == "" {
			return "", false
		}
		begin := name + " " + text
		if _, ok = carriers[begin]; ok || !c.shortened {
			return begin, ok
		}
		for full := range carriers {
			if rest, found := strings.CutPrefix(full, begin); found && !strings.Contains(rest, " ") && (!ok || full < row) {
				row, ok = full, true
			}
		}
		return row, ok
	}
	if len(args) > 0 {
		if row, ok := find(args[0]); ok {
			return row, args[1:], c.chained(args)
		}
	}
	o := c.scan(args)
	switch {
	case o.unknown:
		return "", nil, c.chained(args) || slices.ContainsFunc(args, func(a Word) bool {
			_, ok := find(a)
			return ok || uncertain(a)
		})
	case len(o.operands) == 0:
		return "", nil, false
	}
	if _, literal := o.operands[0].Literal(); !literal {
		return "", nil, true
	}
	if row, ok := find(o.operands[0]); ok {
		return row, o.operands[1:], c.chained(args)
	}
	return "", nil, c.chained(args)
}

// chained reports whether another subcommand may stand among the arguments.
func (c carrier) chained(args []Word) bool {
	return c.shortened && slices.ContainsFunc(args, func(a Word) bool { return strings.HasSuffix(a.String(), ";") })
}

// inside lists what a carrier runs. seen is false when it runs nothing that is
// listed, or something that cannot be known.
func (w *walker) inside(c carrier, args []Word, assigns []Assign, in stdin, outer *state) (out outcome, seen bool) {
	fork := outer.fork()
	st := &fork
	if c.inner == innerExec {
		return same(*outer), w.execArgs(c, args, st)
	}
	if c.arch && len(args) > 0 && !strings.HasPrefix(args[0].literalPrefix(), "-") {
		if uncertain(args[0]) {
			return w.hidden(args, st), false
		}
		args = args[1:]
	}
	o := c.scan(args)
	switch {
	case o.unknown || c.inner == innerSub:
		return w.hidden(args, st), false
	case o.any(c.nothing):
		return same(*outer), false
	}
	if !c.transparent || o.any(c.elsewhere) {
		st.dirs = []Word{unknownDir}
		st.unset("HOME")
	}
	if o.any(c.split) {
		return w.splitString(o, c, assigns, in, st)
	}
	rest := o.operands
	if c.inner == innerShell && !o.any(c.text) {
		return w.shell(c, o, rest, in, st)
	}
	if c.assigns {
		assigns = slices.Clone(assigns)
		for len(rest) > 0 {
			a, ok := operandAssign(rest[0])
			if !ok {
				break
			}
			assigns = append(assigns, a)
			rest = rest[1:]
		}
		w.runValues(assigns, st)
	}
	for _, value := range o.values(c.expands) {
		if text, ok := value.Literal(); ok {
			w.document(text, st)
		}
	}
	if o.any(c.text) && c.inner != innerArgs {
		seen = w.texts(c, c.given(o), in, st)
		if c.inner == innerShell || len(rest) == 0 {
			return same(*outer), seen
		}
	}
	rest, ok := c.strip(&o, rest)
	switch {
	case !ok:
		return w.hidden(rest, st), false
	case o.any(c.nothing), c.inner == innerNone && !o.whole && (!c.reads || o.any(c.text)):
		return same(*outer), seen
	case c.inner == innerArgs && !o.any(c.direct):
		return w.shellArgs(c, o, rest, in, st)
	case c.reads && (len(rest) == 0 || c.inner == innerNone && !o.whole) && !o.any(c.text) && !o.any(c.program):
		return w.shell(c, scanned{}, nil, in, st)
	}
	return w.carried(c, o, rest, assigns, in, st)
}

// given returns the texts that options hold.
func (c carrier) given(o scanned) []Word {
	texts := o.values(c.text)
	for i, text := range texts {
		if literal, ok := text.Literal(); ok && c.appends {
			texts[i] = Lit(literal + ` "$@"`)
		}
	}
	return texts
}

// strip drops the operands that stand in front of the inner command. ok is false
// if one of them may be something else.
func (c carrier) strip(o *scanned, rest []Word) (left []Word, ok bool) {
	skip := c.skip
	switch {
	case o.whole || o.any(c.direct) || c.inner == innerArgs && len(rest) == 0:
		skip = 0
	case c.dashed && o.dashed:
		rest, skip = o.behind, 0
	}
	for range skip {
		if len(rest) == 0 || uncertain(rest[0]) {
			return rest, false
		}
		rest = rest[1:]
	}
	for again := c.again; again || startsWith(rest, c.verbs); again = false {
		if !again {
			rest = rest[1:]
		}
		more := c.scan(rest)
		if more.unknown {
			return rest, false
		}
		o.options = append(o.options, more.options...)
		o.dashed = o.dashed || more.dashed
		rest = more.operands
	}
	if c.inner == innerArgs && c.dashed && !o.dashed {
		return nil, false // nothing is for the shell
	}
	return rest, true
}

// carried lists what the operands of a carrier run.
func (w *walker) carried(c carrier, o scanned, rest []Word, assigns []Assign, in stdin, st *state) (out outcome, seen bool) {
	programs := o.values(c.program)
	switch {
	case c.inner == innerEach:
		if len(o.behind) > 0 && o.behind[0].String() != ":::" {
			w.texts(c, o.behind, in, st) // so the parallel of moreutils takes them
		}
		return same(*st), w.each(c, rest, in, st)
	case len(rest) == 0 && o.any(c.join):
		return w.hidden([]Word{{{"what it reads", Value}}}, st), false
	case len(rest) == 0 && len(programs) == 0:
		return same(*st), false // if it appends, it runs echo
	case o.any(c.join) || c.inner == innerJoin && !o.any(c.direct) || c.inner == innerEither && len(rest) == 1:
		return w.joined(c, rest, in, st)
	case startsWith(rest, c.mark):
		return same(*st), w.texts(c, rest[1:], in, st)
	case c.inner == innerTexts:
		return same(*st), w.texts(c, rest, in, st)
	case c.assigns && (uncertain(rest[0]) || len(rest) < len(o.operands) && strings.HasPrefix(rest[0].String(), "-")):
		return w.hidden(rest, st), false // it may be an assignment; sudo takes options behind those
	}
	for _, program := range programs {
		w.command(append([]Word{program}, rest...), assigns, in, st)
	}
	if len(programs) > 0 {
		return same(*st), false
	}
	if c.appends {
		rest = o.append(c, rest)
		in = stdin{}
	} else if c.replace != "" {
		rest = slices.Clone(rest)
		fillAll(rest, c.replace, Value)
	}
	_, seen = rest[0].Literal()
	return w.command(rest, assigns, in, st), seen
}

// fillAll makes a hole of each occurrence of any of the marks.
func fillAll(words []Word, marks string, hole Hole) {
	for _, mark := range strings.Fields(marks) {
		for i := range words {
			words[i] = fill(words[i], mark, hole)
		}
	}
}

// startsWith reports whether the first word is one of a list.
func startsWith(words []Word, list string) bool {
	if len(words) == 0 {
		return false
	}
	text, ok := words[0].Literal()
	return ok && slices.Contains(strings.Fields(list), text)
}

// shellArgs lists what a carrier runs that hands its operands to a shell, which
// it may name: su -s /bin/sh -c TEXT USER ARG.
func (w *walker) shellArgs(c carrier, o scanned, rest []Word, in stdin, st *state) (outcome, bool) {
	args := rest
	for _, text := range o.values(c.text) {
		args = append([]Word{Lit("-c"), text}, rest...)
	}
	for _, shell := range o.values(c.program) {
		w.command(append([]Word{shell}, args...), nil, in, st)
	}
	return w.inside(carriers["sh"], args, nil, in, st)
}

// texts parses words as a shell that is started would, each by itself.
func (w *walker) texts(c carrier, words []Word, in stdin, st *state) (seen bool) {
	seen = true
	for _, word := range words {
		_, ok := w.shell(c, scanned{options: []option{{name: "c"}}}, []Word{word}, in, st)
		seen = seen && ok
	}
	return seen
}

// each lists what parallel runs: the words in front of ::: (of --, in moreutils)
// joined, once for each of those behind it, quoted. Where these cannot be known,
// a hole stands for them.
func (w *walker) each(c carrier, words []Word, in stdin, st *state) (seen bool) {
	at := slices.IndexFunc(words, isSeparator)
	template, args := words, []Word(nil)
	if at >= 0 {
		template, args = words[:at], words[at+1:]
	}
	known := at >= 0 && len(words[at].String()) <= len(":::") && len(args) <= maxEach && !slices.ContainsFunc(args, func(word Word) bool {
		_, ok := word.Literal()
		return !ok || isSeparator(word)
	})
	text, ok := Join(template).Literal()
	filled := strings.Contains(text, "{")
	switch {
	case len(template) == 0 && known:
		return w.texts(c, args, in, st)
	case at < 0 && len(template) == 0 && in.literal:
		return w.texts(c, []Word{Lit(in.text)}, stdin{}, st)
	case len(template) == 0:
		w.hidden([]Word{{{"what it reads", Value}}}, st)
		return false
	case !ok, filled && (strings.ContainsAny(text, "\"'`$\\") || strings.Contains(strings.ReplaceAll(text, "{}", ""), "{")):
		w.hidden(template, st)
		return false
	case !known:
		args = []Word{{{"…", Words}}}
	}
	for _, arg := range args {
		quoted := `"$@"`
		if literal, ok := arg.Literal(); ok {
			quoted = "'" + strings.ReplaceAll(literal, "'", `'\''`) + "'"
		}
		line := text + " " + quoted
		if filled {
			line = strings.ReplaceAll(text, "{}", quoted)
		}
		w.texts(c, []Word{Lit(line)}, in, st)
	}
	return true
}

// isSeparator reports whether a word separates what parallel runs from what it
// runs that for.
func isSeparator(word Word) bool {
	return word.String() == "--" || strings.HasPrefix(word.String(), ":::")
}

// maxEach is how many words behind ::: are taken one by one.
const maxEach = 20

// does reports whether the carrier does, or may do, something of its own besides
// running another command.
func (c carrier) does(args []Word) bool {
	own := strings.Fields(c.own)
	if len(own) == 0 {
		return false
	}
	if c.inner != innerExec {
		return c.scan(args).any(c.own)
	}
	return slices.ContainsFunc(args, func(a Word) bool {
		text, _ := a.Literal()
		return uncertain(a) || slices.Contains(own, text)
	})
}

// hidden lists a command of which nothing is known but that it may run.
func (w *walker) hidden(words []Word, st *state) outcome {
	if len(words) == 0 {
		return same(*st)
	}
	w.list(Command{Words: []Word{anything(words)}}, w.pos)
	return same(st.forget())
}

// anything is a hole that stands for a command of which only a spelling is known.
func anything(words []Word) Word {
	return Word{{cmp.Or(Join(words).String(), "…"), Value}}
}

// joined parses words, joined by blanks, as this shell or one that is started
// would.
func (w *walker) joined(c carrier, words []Word, in stdin, st *state) (outcome, bool) {
	text, ok := Join(words).Literal()
	switch {
	case !ok:
		return w.hidden(words, st), false
	case c.here:
		return w.source(text, *st), true
	}
	return same(*st), w.texts(c, []Word{Lit(text)}, in, st)
}

// execArgs lists the commands that find's primaries start.
func (w *walker) execArgs(c carrier, args []Word, st *state) (seen bool) {
	starts := strings.Fields(c.exec)
	for i := 0; i < len(args); i++ {
		text, ok := args[i].Literal()
		if !ok && args[i].maySplit() {
			w.hidden(args[i:i+1], st) // it may be -exec and more
			continue
		}
		if c.attaches(text) {
			w.hidden(args[i:], st)
			return false
		}
		if !slices.Contains(starts, text) {
			continue
		}
		inner := st.fork()
		if strings.HasSuffix(text, "dir") {
			inner.dirs = []Word{unknownDir}
		}
		hole := Value
		var words []Word
		for i++; i < len(args); i++ {
			text, ok := args[i].Literal()
			if ok && text == ";" {
				break
			}
			if ok && text == "+" && len(words) > 0 && words[len(words)-1].String() == "{}" {
				hole = Words
				break
			}
			words = append(words, args[i])
		}
		if len(words) == 0 {
			continue
		}
		if c.appends && !slices.ContainsFunc(words, func(word Word) bool { return strings.Contains(word.String(), "{") }) {
			words = append(words, Word{{"…", Words}})
		}
		fillAll(words, cmp.Or(c.replace, "{}"), hole)
		_, known := words[0].Literal()
		seen = seen || known
		w.command(words, nil, stdin{}, &inner)
	}
	return seen
}

// attaches reports whether an argument holds an option that starts a command
// together with others, or with the command attached: -Hx, --exec=rm. Only fd
// has options like that.
func (c carrier) attaches(text string) bool {
	for _, word := range strings.Fields(c.exec) {
		switch {
		case strings.HasPrefix(word, "--"):
			if name, _, ok := strings.Cut(text, "="); len(text) > 3 && (text != word && strings.HasPrefix(word, name) && ok) {
				return true
			}
		case len(word) == 2 && len(text) > 2 && text[0] == '-' && text[1] != '-' && strings.Contains(text, word[1:]):
			return true
		}
	}
	return false
}

// fill makes a hole of each occurrence of mark in a word.
func fill(word Word, mark string, hole Hole) Word {
	if mark == "" || !strings.Contains(word.String(), mark) {
		return word
	}
	var b wordBuilder
	for _, p := range word {
		for p.Hole == Known {
			before, after, found := strings.Cut(p.Text, mark)
			if !found {
				break
			}
			b.literal(before)
			b.hole(mark, hole)
			p.Text = after
		}
		if p.Hole != Known || p.Text != "" {
			b.piece(p)
		}
	}
	return b.word()
}

// splitString is env -S: the value is split like a line, and takes the place of
// the option.
func (w *walker) splitString(o scanned, c carrier, assigns []Assign, in stdin, st *state) (outcome, bool) {
	value := o.options[len(o.options)-1].value
	text, ok := value.Literal()
	if !ok || strings.ContainsAny(text, `\$'"#`) {
		return w.hidden(append([]Word{value}, o.operands...), st), false
	}
	var words []Word
	for _, f := range strings.Fields(text) {
		words = append(words, Lit(f))
	}
	words = append(words, o.operands...)
	if len(words) == 0 {
		return same(*st), false
	}
	return w.inside(c, words, assigns, in, st)
}

// operandAssign reads a NAME=value operand. Only the name has to be literal.
func operandAssign(word Word) (Assign, bool) {
	name, _, ok := strings.Cut(word.literalPrefix(), "=")
	if !ok {
		return Assign{}, false
	}
	return Assign{Name: name, Value: cut(word, len(name)+1), Moves: isMoving(name)}, true
}
