package shellparse

import "strings"

// awkCode finds the effects of a program of awk: what system and pipes give to a
// shell, and the files of redirections and getline (POSIX awk, and the manuals of
// gawk and mawk; measured with gawk 5.2 and mawk 1.3.4).
func awkCode(code string) effects {
	return either(code, func(code string, brackets bool) (effects, bool, bool) {
		tokens, differs, ok := awkTokens(code, brackets)
		if !ok {
			return effects{}, differs, false
		}
		p := awkProgram{code: code, tokens: tokens, closers: awkClosers(tokens)}
		p.walk()
		return p.found, differs, true
	})
}

type awkProgram struct {
	code    string
	tokens  []awkToken
	closers []int // for each bracket that opens where it is closed, else the end
	found   effects
}

func awkClosers(tokens []awkToken) []int {
	closers := make([]int, len(tokens))
	var open []int
	for i, t := range tokens {
		closers[i] = len(tokens)
		if t.kind != awkPunct {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 {
				closers[open[n-1]] = i
				open = open[:n-1]
			}
		}
	}
	return closers
}

// is reports whether the token at i is written like one of a list.
func (p *awkProgram) is(i int, texts string) bool {
	if i < 0 || i >= len(p.tokens) || p.tokens[i].kind == awkString || p.tokens[i].kind == awkRegex {
		return false
	}
	for text := ""; texts != ""; {
		if text, texts, _ = strings.Cut(texts, " "); text == p.tokens[i].text {
			return true
		}
	}
	return false
}

// walk looks at every token. In a print a > outside of brackets is a
// redirection; everywhere else it compares.
func (p *awkProgram) walk() {
	printing := []bool{false} // for each bracket that is open, and outside of any
	for i := range p.tokens {
		inPrint := &printing[len(printing)-1]
		switch {
		case p.is(i, "print printf"):
			*inPrint = true
		case p.is(i, "( [ {"):
			printing = append(printing, false)
		case p.is(i, ") ] }"):
			if len(printing) > 1 {
				printing = printing[:len(printing)-1]
			}
			if p.is(i, "}") {
				printing[len(printing)-1] = false
			}
		case p.is(i, ";") || p.tokens[i].kind == awkNewline && !p.is(i-1, ", && || ? :"):
			*inPrint = false
		case p.is(i, "system") && !p.is(i+1, "("):
			p.found.hide("$0") // so the awk of BSD and macOS reads it
		case p.is(i, "system"):
			for _, command := range p.values(i+1, min(p.closers[i+1]+1, len(p.tokens)), false) {
				p.found.run(command)
			}
		case p.is(i, "| |&") && p.is(i+1, "getline"):
			p.command(p.values(p.leftOf(i), i, true), p.is(i, "|&"))
		case *inPrint && p.is(i, "| |&"):
			p.command(p.values(i+1, p.rightOf(i+1, awkStatementEnds), false), p.is(i, "|&"))
			*inPrint = false
		case *inPrint && p.is(i, "> >>"):
			for _, file := range p.values(i+1, p.rightOf(i+1, awkStatementEnds), false) {
				p.found.write(awkFile(file))
			}
			*inPrint = false
		case p.is(i, "getline"):
			p.getline(i + 1)
		case p.is(i, "@") && !p.is(i+1, "namespace") && (i+1 == len(p.tokens) || p.tokens[i+1].kind != awkRegex):
			// @load, @include, or @f(), which may call system.
			p.found.hide(p.source(i, p.rightOf(i+1, awkEnds)))
		case p.is(i, "ARGV") && p.is(i+1, "["):
			if to := p.closers[i+1]; p.is(to+1, "=") && to+2 < len(p.tokens) && p.tokens[to+2].kind == awkString {
				p.found.read(Lit(p.tokens[to+2].text))
			}
		}
	}
}

// getline lists the file that follows: getline <file, getline var <file.
func (p *awkProgram) getline(i int) {
	if p.is(i, "$") {
		i++
	}
	if i < len(p.tokens) && (p.tokens[i].kind == awkName && !awkKeywords[p.tokens[i].text] || p.tokens[i].kind == awkNumber) {
		i++
	}
	for p.is(i, "( [") {
		i = p.closers[i] + 1
	}
	if !p.is(i, "<") {
		return
	}
	for _, file := range p.values(i+1, p.rightOf(i+1, awkEnds), false) {
		p.found.read(awkFile(file))
	}
}

// command lists the far end of a pipe. Of a two-way pipe that may be a socket.
func (p *awkProgram) command(commands []Word, both bool) {
	for _, command := range commands {
		if both && strings.HasPrefix(command.String(), "/inet") {
			p.found.read(awkFile(command))
		} else {
			p.found.run(command)
		}
	}
}

// awkFile is a file that awk opens. A socket of gawk is spelled like one of bash.
func awkFile(file Word) Word {
	parts := strings.Split(file.String(), "/")
	if _, ok := file.Literal(); ok && len(parts) == 6 && strings.HasPrefix(parts[1], "inet") {
		return Lit("/dev/" + parts[2] + "/" + parts[4] + "/" + parts[5])
	}
	return file
}

// awkEnds are the tokens that end an operand of a pipe or of a redirection.
const awkEnds = "; @ , { } | |& || && > >> < <= >= == != ~ !~ ! ? : = += -= *= /= %= ^= **= in print printf return if while else do getline"

// leftOf returns where the operand that ends before i starts.
func (p *awkProgram) leftOf(i int) int {
	depth := 0
	for i--; i >= 0; i-- {
		switch {
		case p.is(i, ") ]"):
			depth++
		case p.is(i, "( [") && depth == 0:
			return i + 1
		case p.is(i, "( ["):
			depth--
		case depth == 0 && (p.tokens[i].kind == awkNewline || p.is(i, awkEnds)):
			return i + 1
		}
	}
	return 0
}

// awkStatementEnds end what follows a redirection of print: mawk takes all of
// print >"a" ? "b" : "c" for a name.
const awkStatementEnds = "; } print printf"

// rightOf returns where the operand that starts at i ends.
func (p *awkProgram) rightOf(i int, ends string) int {
	for ; i < len(p.tokens); i++ {
		switch {
		case p.is(i, "( ["):
			i = p.closers[i]
		case p.is(i, ") ]") || p.tokens[i].kind == awkNewline || p.is(i, ends):
			return i
		}
	}
	return len(p.tokens)
}

// values returns what an operand may be. Awks do not agree on how much of several
// strings side by side belongs to it, unless brackets say so: it may be all of
// them, or the one next to the operator, which left says is the last.
func (p *awkProgram) values(from, to int, left bool) []Word {
	if p.is(from, "(") && p.closers[from] == to-1 {
		return []Word{p.concatenation(from+1, to-1)}
	}
	var strs []string
	for i := from; i < to; i++ {
		switch t := p.tokens[i]; {
		case t.kind == awkString && !t.computed:
			strs = append(strs, t.text)
		case !p.is(i, "( )"):
			return []Word{computed(p.source(from, to))}
		}
	}
	switch whole := Lit(strings.Join(strs, "")); {
	case len(strs) == 0:
		return []Word{computed(p.source(from, to))}
	case len(strs) == 1:
		return []Word{whole}
	case left:
		return []Word{whole, Lit(strs[len(strs)-1])}
	default:
		return []Word{whole, Lit(strs[0])}
	}
}

// concatenation returns the text that strings and variables side by side are,
// with a hole for anything else.
func (p *awkProgram) concatenation(from, to int) Word {
	var b wordBuilder
	for i := from; i < to; i++ {
		switch t := p.tokens[i]; {
		case t.kind == awkString && !t.computed:
			b.literal(t.text)
		case (t.kind == awkName && !awkKeywords[t.text] || t.kind == awkNumber) && !p.is(i+1, "( ["):
			b.hole(p.code[t.at:t.end], Value)
		case p.is(i, "$") && i+1 < to && (p.tokens[i+1].kind == awkNumber || p.is(i+1, "NF")):
			b.hole(p.source(i, i+2), Value)
			i++
		default:
			return computed(p.source(from, to))
		}
	}
	if word := b.word(); len(word) > 0 {
		return word
	}
	return Lit("")
}

// source is how tokens are written.
func (p *awkProgram) source(from, to int) string {
	if from >= to || from >= len(p.tokens) {
		return ""
	}
	return p.code[p.tokens[from].at:p.tokens[to-1].end]
}
