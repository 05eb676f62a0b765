package shellparse

import (
	"slices"
	"strings"
)

// hooks are the ways in which a program that is there for something else is made
// to run another one: what options and operands hold. Each list of options says
// what their values are.
type hooks struct {
	as string // the row that this one is like; nothing else counts then
	loose
	subs     bool       // the first operand names a subcommand, which may have a row
	anywhere bool       // subs: the options may stand behind it too
	options  optionSpec // other options: those with a value, and flags that begin like one below

	text    optionSpec // a text for a shell
	phased  optionSpec // the same, or WHEN:TEXT
	path    optionSpec // the same if it begins with a slash
	program optionSpec // a program, whose arguments are not in the line
	listed  optionSpec // a program and its arguments, joined by commas
	remote  optionSpec // a program that is used like ssh, with its arguments
	set     optionSpec // KEY=VALUE, or KEY VALUE: a setting
	setFrom optionSpec // KEY=VARIABLE: a setting whose value the variable holds
	alias   optionSpec // the arguments of the program itself, as one text
	args    optionSpec // arguments of another program, as one text
	address optionSpec // an address of git
	unknown optionSpec // a file or directory with which something runs that the line does not tell
	libexec optionSpec // where the programs of subcommands are

	argsOf string     // the program of args
	argv   string     // inner: the program whose arguments the operands are
	behind string     // the program that is given what stands behind --
	tool   string     // whose settings these are, see [settings]
	joint  string     // the settings whose values, joined, are a command
	pair   bool       // the operands are the key of a setting and its value
	begin  string     // pair: what the key begins with
	sets   bool       // operands may be KEY=VALUE
	when   optionSpec // text counts only if this is not given, or
	is     string     // is one of these
	inner  inner      // what the operands are: innerArgv, innerEither, innerTexts
	skip   int        // operands in front of those
	ext    bool       // operands may be addresses of git, and ext:: runs a program
	dir    bool       // operands are directories, whose programs run
}

// spec is every option of the row.
func (h hooks) spec() optionSpec {
	return optionSpec(strings.Join([]string{string(h.text), string(h.phased), string(h.path), string(h.program), string(h.listed), string(h.remote),
		string(h.set), string(h.setFrom), string(h.alias), string(h.until), string(h.args), string(h.address), string(h.unknown), string(h.libexec), string(h.when), string(h.options)}, " "))
}

// hooked lists what a program runs because of its options. listed is false when
// there is nothing.
func (w *walker) hooked(name string, args []Word, st *state) (listed bool) {
	before := len(w.script.Commands)
	inner := st.fork()
	inner.dirs = []Word{unknownDir} // many change the directory first
	w.through(name, func() { w.hook(name, args, &inner) })
	return len(w.script.Commands) > before
}

func (w *walker) hook(name string, args []Word, st *state) {
	h, ok := hookTable[name]
	if sub, isGit := strings.CutPrefix(name, "git-"); isGit && !ok {
		name = "git " + sub
		h, ok = hookTable[name]
	}
	for ok && h.as != "" {
		name = h.as
		h, ok = hookTable[name]
	}
	if !ok {
		return
	}
	if h.subs && !h.anywhere {
		h.stops = 1
	}
	pos := w.pos
	defer func() { w.pos = pos }()
	spec := h.spec() + " " + carriers[name].options
	o := h.apart(spec, args)
	if o.whole && len(o.behind) > 0 {
		w.command(o.behind, nil, stream{}, st)
	}
	if h.runsText(o) {
		for _, text := range o.given(h.text) {
			w.run(text, st)
		}
	}
	for _, text := range o.given(h.phased) {
		if literal, ok := text.Literal(); ok && phase().MatchString(literal) {
			text = Lit(phase().ReplaceAllString(literal, ""))
		}
		w.run(text, st)
	}
	for _, text := range o.given(h.path) {
		if strings.HasPrefix(text.literalPrefix(), "/") {
			w.run(text, st)
		}
	}
	for _, program := range o.given(h.program) {
		w.runProgram([]Word{program}, st)
	}
	for _, list := range o.given(h.listed) {
		if text, ok := list.Literal(); ok {
			w.runProgram(literals(strings.Split(text, ",")), st)
		} else {
			w.hidden([]Word{list}, st)
		}
	}
	for _, text := range o.given(h.remote) {
		w.runRemote(text, st)
	}
	w.hookSettings(h, o, st)
	for _, text := range o.given(h.alias) {
		program, _, _ := strings.Cut(name, " ")
		w.alias(program, text, st)
	}
	for _, text := range o.given(h.args) {
		if literal, ok := text.Literal(); ok {
			if words, ok := quotedWords(literal); ok {
				w.hook(h.argsOf, words, st)
			}
		}
	}
	if h.behind != "" && o.dashed {
		w.hook(h.behind, o.behind, st)
	}
	for _, value := range o.given(h.unknown) {
		w.hidden([]Word{value}, st)
	}
	if h.subs && h.anywhere {
		once := h.loose
		once.stops = 1
		o = once.apart(spec, args)
	}
	w.hookOperands(name, h, o, st)
}

// hookSettings lists what the settings among the options make a program run.
func (w *walker) hookSettings(h hooks, o scanned, st *state) {
	set := o.given(h.set)
	for _, operand := range o.operands {
		if h.sets && strings.Contains(operand.literalPrefix(), "=") {
			set = append(set, operand)
		}
	}
	for _, word := range set {
		w.settingText(h.tool, word, st)
	}
	for _, word := range o.given(h.setFrom) {
		key, _, _ := strings.Cut(word.literalPrefix(), "=")
		w.setting(h.tool, key, Word{{"…", Value}}, st)
	}
	joint := Word{}
	for i, key := range strings.Fields(h.joint) {
		for _, word := range set {
			if value, ok := strings.CutPrefix(word.literalPrefix(), key+"="); ok && (i == 0 || len(joint) > 0) {
				joint = Join([]Word{joint, cut(word, len(word.literalPrefix())-len(value))})
			}
		}
	}
	if text := strings.TrimSpace(joint.String()); text != "" {
		w.run(joint, st)
	}
}

// phase is the WHEN in front of a text.
var phase = lazily(`^[a-z_]+:`)

// runsText reports whether what the option text of a row holds is for a shell.
func (h hooks) runsText(o scanned) bool {
	for _, value := range o.given(h.when) {
		text, ok := value.Literal()
		return !ok || slices.Contains(strings.Fields(h.is), text)
	}
	return true
}

// hookOperands lists what the operands of a program make it run.
func (w *walker) hookOperands(name string, h hooks, o scanned, st *state) {
	operands := o.operands
	if h.subs && len(operands) > 0 {
		sub, literal := operands[len(operands)-1].Literal()
		if literal {
			for _, dir := range o.given(h.libexec) {
				w.command(append([]Word{append(slices.Clone(dir), Piece{Text: "/" + name + "-" + sub})}, o.behind...), nil, stream{}, st)
			}
			w.hook(name+" "+sub, o.behind, st)
		}
		return
	}
	if h.pair && len(operands) > 0 {
		if text, _ := operands[0].Literal(); text == "set" {
			operands = operands[1:]
		}
		if len(operands) > 1 {
			if key, ok := operands[0].Literal(); ok {
				w.setting(h.tool, h.begin+key, operands[1], st)
			}
		}
	}
	addresses := o.given(h.address)
	if h.ext {
		addresses = append(addresses, operands...)
	}
	for _, address := range addresses {
		if text, isExt := strings.CutPrefix(address.literalPrefix(), "ext::"); isExt {
			w.runExt(address, text, st)
		}
	}
	for _, operand := range operands {
		if h.dir {
			w.list(Command{Words: []Word{append(slices.Clone(operand), Piece{Text: "/"}, Piece{"…", Value})}}, w.pos)
		}
	}
	if len(o.behind) > 0 && h.stops > 0 && !o.dashed { // behind -- they are operands already
		operands = append(slices.Clone(operands), o.behind...)
	}
	if operands = operands[min(h.skip, len(operands)):]; len(operands) == 0 {
		return
	}
	if h.argv != "" {
		operands = append([]Word{Lit(h.argv)}, operands...)
	}
	switch {
	case h.inner == innerEither && len(operands) == 1, h.inner == innerTexts:
		for _, text := range operands {
			w.run(text, st)
		}
	case h.inner == innerEither, h.inner == innerArgv:
		w.command(operands, nil, stream{}, st)
	}
}
