package shellparse

import (
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
func (w *walker) command(words []Word, assigns []Assign, in stream, st *state) (after outcome) {
	if name, _ := words[0].Literal(); slices.Contains(w.shells, name) {
		defer func() {
			after.ok, after.fail = after.ok.fork(), after.fail.fork()
			after.ok.clear()
			after.fail.clear()
		}()
	}
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
	at := w.list(Command{Words: words, Assigns: moving}, pos)
	w.fileOperands(words, st)
	if !known {
		w.computes = true // it may be a builtin that does
		w.supposed(words, assigns, in, st)
		return same(st.forget())
	}
	// Where this shell has no such builtin, a program of that name may run.
	foreign := name == "command" && w.lang == variants[Zsh] ||
		w.lang == variants[POSIX] && strings.Contains(" builtin declare enable let mapfile readarray shopt typeset ", " "+name+" ")
	before := *st
	if foreign {
		before = st.fork()
	}
	out := same(*st)
	base := path.Base(name)
	in.typed = in.typed && len(assigns) == 0 // ENV names a file that a shell reads first
	listed := w.hooked(base, words[1:], st)
	listed = w.coded(base, words[1:], in, st) || listed
	w.pos = pos
	if listed && at >= 0 {
		w.script.Commands[at].Carrier = true
	}
	c, args, isCarrier := carrierOf(base, words[1:])
	_, isBuiltin := w.builtinKind(name)
	switch {
	case isCarrier:
		var seen bool
		w.through(base, func() { out, seen = w.inside(c, args, assigns, in, st) })
		seen = seen && !c.does(args)
		w.pos = pos
		if at >= 0 {
			outer := &w.script.Commands[at]
			outer.Carrier = true
			outer.Transparent = c.transparent && seen && !listed && len(moving) == 0
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
	if !isCarrier && !listed {
		w.unknown(base, words[1:], st)
		w.pos = pos
	}
	if base != name {
		w.through(name, func() { w.runsWritten(words[0], words[1:], false, st) })
	}
	prints := out.prints
	if base == "find" {
		prints = finds(words[1:])
	}
	if !isCarrier {
		prints = w.printed(base, args, in, st)
	}
	if foreign {
		out = same(before.join(out.either()))
		prints = stream{}
	}
	out.prints = prints
	if len(assigns) > 0 {
		// What a builtin sets then may be gone with them.
		out.ok, out.fail = out.ok.fork(), out.fail.fork()
		for _, a := range assigns {
			out.ok.unset(baseName(a.Name))
			out.fail.unset(baseName(a.Name))
		}
	}
	return out
}

// supposed walks a command whose name is not known as the carrier or builtin
// that it is if the holes in the name are empty: eval"$@" rm.
func (w *walker) supposed(words []Word, assigns []Assign, in stream, st *state) {
	var b strings.Builder
	first := words[0][0]
	for _, p := range words[0] {
		if p.Hole == Known {
			b.WriteString(p.Text)
		}
	}
	name := b.String()
	switch words = words[1:]; {
	case name != "":
		words = append([]Word{Lit(name)}, words...)
	case len(words) == 0:
		return
	default:
		name = words[0].String()
	}
	_, isCarrier := carriers[path.Base(name)]
	// In zsh =rm is the path of rm.
	located := len(words) > 0 && w.lang == variants[Zsh] && first.Hole != Known && first.Text == "="
	if _, isBuiltin := w.builtinKind(name); isCarrier || isBuiltin || located {
		fork := st.fork()
		w.command(words, assigns, in, &fork)
	}
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
