package shellparse

import "strings"

// What anyCode returns at most.
const (
	maxGuesses = 200
	maxGuess   = 4 << 10 // bytes
	maxRun     = 16      // literals side by side
	maxTries   = 400     // looks at as much as a guess may hold
)

// runners are words of many languages behind which a command may stand.
var runners = map[string]bool{
	"call": true, "callCommand": true, "check_call": true, "check_output": true, "cmd": true, "Command": true, "exec": true,
	"execFile": true, "execFileSync": true, "execSync": true, "execl": true, "execlp": true, "execute": true, "execv": true, "execvp": true,
	"fork": true, "getoutput": true, "open": true, "passthru": true, "popen": true, "Popen": true, "popen2": true, "popen3": true,
	"proc_open": true, "process": true, "qx": true, "run": true, "script": true, "sh": true, "shell": true, "shell_exec": true, "spawn": true,
	"spawnSync": true, "spawnl": true, "spawnlp": true, "spawnv": true, "spawnvp": true, "start": true, "system": true, "x": true,
}

// anyCode guesses which texts code of some language may give to a shell. It is
// not read as that language, so it is only said what could be: the string
// literals, those that stand side by side in a list, and what follows words such
// as exec without quotes.
func anyCode(code string) effects {
	g := guesser{seen: map[string]bool{}}
	g.scan(code, 0)
	if strings.Contains(code, " ") && !strings.ContainsAny(code, "\"'`()=") {
		g.guess(code, false)
	}
	return effects{maybe: g.guesses}
}

type guesser struct {
	guesses []string
	seen    map[string]bool
	tries   int
}

// A literal is a string of some language.
type literal struct {
	text    string
	at, end int  // in the code, with its quotes
	run     bool // behind one of the runners
}

// guess adds a text unless it can be no command that anybody would make a rule
// about: a single word that nothing says is run.
func (g *guesser) guess(text string, run bool) {
	text = strings.Trim(text, " \t\r\n|") // perl opens "|command"
	text = text[:min(len(text), maxGuess)]
	isWord := !strings.ContainsAny(text, " \t\n")
	switch {
	case len(g.guesses) == maxGuesses || g.seen[text]:
	case strings.IndexFunc(text, isLetter) < 0 || text[0] == '-':
	case isWord && !run && (!strings.Contains(text, "/") || strings.Contains(text, "://")):
	default:
		g.seen[text] = true
		g.guesses = append(g.guesses, text)
	}
}

func isLetter(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }

// scan guesses from the literals of code, and from code inside of these.
func (g *guesser) scan(code string, depth int) {
	literals := g.literals(code)
	for i, l := range literals {
		text := l.text
		for j := i + 1; j < len(literals) && j-i < maxRun && len(text) < maxGuess; j++ {
			joint, ok := jointOf(code[literals[j-1].end:literals[j].at])
			if !ok {
				break
			}
			text += joint + literals[j].text
		}
		g.guess(text, l.run)
		g.guess(l.text, l.run)
		if depth < 3 && strings.ContainsAny(l.text, "\"'`") {
			g.scan(l.text, depth+1)
		}
	}
}

// jointOf returns what a text between two literals makes of these: one text, or
// two words. ok is false where it is neither.
func jointOf(between string) (joint string, ok bool) {
	between = strings.TrimSpace(between)
	switch between {
	case "+", ".", "..", "++", "<>", "&", "||":
		return "", true
	}
	if len(between) > 40 {
		return "", false
	}
	c := cursor{code: between}
	for c.run(" \t\r\n,()[]{}"); c.more(); c.run(" \t\r\n,()[]{}") {
		if c.take("=>") || c.take(".args") || c.take(".arg") {
			continue
		}
		c.run(":&")
		switch word := c.word(); word {
		case "":
			return "", false
		case "nil", "null", "None", "undefined", "t", "true", "false", "0":
			continue
		}
		// It has to be a key.
		if c.run(" "); !c.take("=>") && !c.take(":") && !c.take("=") {
			return "", false
		}
	}
	return " ", true
}

// literals finds the strings of code, and guesses at what follows runners bare.
func (g *guesser) literals(code string) (found []literal) {
	c := cursor{code: code}
	failed := 0
	run := false // a runner has just been passed
	for c.more() && len(found) < 10*maxGuesses {
		at, b := c.at, c.peek()
		switch {
		case b == '\'' || b == '"' || b == '`':
			text, ok := "", false
			if failed < 100 {
				text, ok = quotedText(&c)
			}
			if !ok {
				failed++
				c.at = at + 1
				continue
			}
			found = append(found, literal{text, at, c.at, run || b == '`'})
		case isNameByte(b) || b == '%':
			c.take("%")
			word := c.word()
			if text, ok := g.perlQuoted(&c, code[at:c.at]); ok {
				found = append(found, literal{text, at, c.at, run || strings.HasSuffix(word, "x")})
				continue
			}
			run = runners[word]
			if run && strings.IndexByte(" \t", c.peek()) >= 0 && c.more() {
				g.bare(c.rest())
			} else if c.peek() == '\'' && len(word) > 2 {
				c.at++ // don't
			}
		case strings.HasPrefix(c.rest(), "[["):
			c.at += 2
			if n := strings.Index(c.rest()[:min(len(c.rest()), maxGuess)], "]]"); n >= 0 {
				g.guess(c.rest()[:n], run)
			}
		default:
			run = run && strings.IndexByte(" \t\n([{,", b) >= 0
			c.at++
		}
	}
	return found
}

// quotedText reads a string from its first quote.
func quotedText(c *cursor) (text string, ok bool) {
	quote := c.code[c.at : c.at+1]
	if triple := quote + quote + quote; strings.HasPrefix(c.rest(), triple) {
		c.at += 3
		n := strings.Index(c.rest(), triple)
		if n < 0 {
			return "", false
		}
		c.at += n + 3
		return c.code[c.at-n-3 : c.at-3], true
	}
	start := c.at + 1
	for c.at++; c.more(); c.at++ {
		switch c.peek() {
		case '\\':
			c.at++
		case quote[0]:
			c.at++
			return decoded(c.code[start : c.at-1]), true
		}
	}
	return "", false
}

// decoded resolves the escapes that most languages share.
func decoded(s string) string {
	if text, ok := ansiC(strings.ReplaceAll(s, "\\`", "`")); ok {
		return text
	}
	return s
}

// perlQuoted reads what follows q, qq, qw and qx of perl and %q, %w and %x of
// ruby, up to the other one of a pair of brackets or to the same character.
func (g *guesser) perlQuoted(c *cursor, mark string) (text string, ok bool) {
	switch mark {
	case "q", "qq", "qw", "qx", "%q", "%Q", "%w", "%W", "%x", "%":
	default:
		return "", false
	}
	if g.tries++; g.tries > maxTries {
		return "", false
	}
	start := c.at
	if mark[0] == 'q' {
		c.run(" ")
	}
	open := c.peek()
	if !c.more() || isNameByte(open) || strings.IndexByte(" \t\n\r=,;)]}>", open) >= 0 || mark == "%" && open != '(' {
		c.at = start
		return "", false
	}
	shut := open
	if i := strings.IndexByte("([{<", open); i >= 0 {
		shut = ")]}>"[i]
	}
	depth := 1
	for i := c.at + 1; i < len(c.code) && i < c.at+maxGuess; i++ {
		switch c.code[i] {
		case '\\':
			i++
			continue
		case shut:
			depth--
		case open:
			depth++
		}
		if depth == 0 {
			text = c.code[c.at+1 : i]
			c.at = i + 1
			return decoded(text), true
		}
	}
	c.at = start
	return "", false
}

// bare guesses at the rest of a statement behind a runner.
func (g *guesser) bare(rest string) {
	if g.tries++; g.tries > maxTries {
		return
	}
	rest = strings.TrimLeft(rest[:min(len(rest), maxGuess)], " \t")
	if rest == "" || strings.IndexByte("\"'`(=,.;:)%", rest[0]) >= 0 || rest[0] == 'q' && strings.ContainsAny(rest[:min(3, len(rest))], "({[</|") {
		return
	}
	depth, end := 0, len(rest)
scan:
	for i := range len(rest) {
		switch rest[i] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			if depth--; depth < 0 {
				end = i
				break scan
			}
		case ';', '\n':
			if depth == 0 {
				end = i
				break scan
			}
		}
	}
	g.guess(rest[:end], true)
	for _, part := range strings.Split(rest[:end], "{")[1:] {
		text, _, _ := strings.Cut(part, "}")
		g.guess(text, false)
	}
}
