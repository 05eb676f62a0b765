package shellparse

import (
	"regexp"
	"strings"
)

// tokens takes a source apart: names, blanks, and single characters.
var tokens = regexp.MustCompile(`[A-Za-z0-9_./-]+|[ \t]+|\\\n|\$\(\(|\$[({'"]|<<-?|>>|&&|\|\||;;|[<>]\(|[<>]&|\[\[|\]\]|(?s:.)`)

// insertions are what a mutation puts between two tokens, or into one.
var insertions = strings.Split(strings.NewReplacer("␤", "\n", "␍", "\r", "␉", "\t").Replace(
	`\␤|\␤|\␤|\␤|'|"|'|"|\|#| #|# c␤|# '␤|$(zz)|`+"`zz`|`|\\`"+`|<(zz)|>(zz)|${x:-zz}|${x:-|${x/|${x#|${x%|${x[|${!x}|${x@P}|}|${|$|$$|$[|$((|))|((|(|)|{|{ |; }|;}|[[ | ]]|[|]|`+
		`<<E␤zz␤E␤|<<'E'␤$(zz)␤E␤|<<E␤$(zz)␤E␤|<<-E␤␉zz␤␉E␤|<<E |␤E␤|<<<zz|>o|>>o|<a.txt|2>&1|>&-|<&-|&>o|>&o|{fd}>o|<>o|;|;|&& |¦¦ |&|¦|¦&|;;|;&|;;&|!|! |!(|@(a¦b)|+(|?(zz)|`+
		`if |then |elif |else |fi|while |until |do |done|for x in a; do |for x do |for((;;)) |case x in x) |case x in (x) |esac|in |select x in a; do |function f |f() |f() { |() |time |time -p |time -- |coproc |coproc A |coproc A { |`+
		`eval |exec |command |builtin |declare |local |export |readonly |typeset -i |let |test |trap |alias x=|unset |set -- |shopt -s extglob␤|`+
		`a=(1 2)|a=(|a[1]=|a[|x=|x=1 |x=1|x+=|$x|"$x"|$1|"$@"|$*|$'|$"|$'\x27'|$'\n'|{a,b}|{1..3}|{,|~|~/|*|?|=~ |== |-|--|-n |\\|␍|␤|␤|␤␤| |␉|`+"\v|\f|é|\u00a0|\xff|\x01|\x7f"+`|:|:-|:=|,|%|^|+|=|@|zz|zz;|0|1`,
), "|")

// wrappings are what a mutation puts around some tokens.
var wrappings = [][2]string{
	{"$(", ")"}, {"`", "`"}, {`"`, `"`}, {"'", "'"}, {"$'", "'"}, {`$"`, `"`}, {"( ", " )"}, {"{ ", ";}"}, {`"$(`, `)"`}, {"<(", ")"}, {"((", "))"}, {"$((", "))"}, {"[[ ", " ]]"},
	{"${x:-", "}"}, {`"${x:-`, `}"`}, {"${x/a/", "}"}, {"${x:", "}"}, {"a[", "]=1"}, {"a=(", ")"}, {"a=([", "]=1)"}, {"@(", ")"}, {"!(", ")"}, {"if ", "; then zz; fi"}, {"while ", "; do zz; break; done"},
	{"case x in ", ") zz;; esac"}, {"case x in x) ", ";; esac"}, {"for x in ", "; do zz; done"}, {"f() { ", "; }; f"}, {"eval '", "'"}, {`eval "`, `"`}, {"<<E\n", "\nE\n"}, {"cat <<E\n", "\nE\n"}, {"cat <<'E'\n", "\nE\n"},
	{"time ", ""}, {"! ", ""}, {"coproc ", ""}, {"declare ", ""}, {"x=", ""}, {"trap '", "' EXIT"}, {"{a,", "}"}, {"[[ x =~ ", " ]]"}, {"[[ x == ", " ]]"}, {"$[", "]"}, {"let ", ""}, {"# ", "\n"},
}

// mutant makes a new source of those in testdata.
func (f *shellFuzz) mutant() string {
	pick := func(list []string) string { return list[f.random.IntN(len(list))] }
	short := func() []string {
		for {
			if s := pick(f.seeds); len(s) < 250 {
				return tokens.FindAllString(s, -1)
			}
		}
	}
	list := short()
	for range 1 + f.random.IntN(3) {
		if len(list) == 0 {
			break
		}
		a := f.random.IntN(len(list) + 1)
		b := min(a+f.random.IntN(6), len(list))
		var middle []string
		switch f.random.IntN(12) {
		case 0: // drop
		case 1: // repeat
			middle = append(append(middle, list[a:b]...), list[a:b]...)
		case 2: // splice
			other := short()
			c := f.random.IntN(len(other) + 1)
			list = append(append([]string{}, list[:a]...), other[c:]...)
			continue
		case 3: // a piece of another
			other := short()
			c := f.random.IntN(len(other) + 1)
			middle = append(middle, other[c:min(c+f.random.IntN(8), len(other))]...)
		case 4, 5: // wrap
			around := wrappings[f.random.IntN(len(wrappings))]
			middle = append(append(append(middle, around[0]), list[a:b]...), around[1])
		case 6: // split a token
			if a == len(list) || len(list[a]) < 2 {
				continue
			}
			c := 1 + f.random.IntN(len(list[a])-1)
			b = a + 1
			middle = append(middle, list[a][:c], f.insertion(), list[a][c:])
		default:
			b = a
			middle = append(middle, f.insertion())
		}
		list = append(append(append([]string{}, list[:a]...), middle...), list[b:]...)
	}
	return strings.Join(list, "")
}

func (f *shellFuzz) insertion() string {
	return strings.ReplaceAll(insertions[f.random.IntN(len(insertions))], "¦", "|")
}
