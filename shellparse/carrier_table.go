package shellparse

// carriers are the commands that run another one given in their arguments, by
// the name of the program. Facts are from the manual page of each (GNU
// coreutils, findutils, bash, sudo 1.9); see [carrier] for the columns.
var carriers = map[string]carrier{
	"bash":    {inner: innerShell, lang: Bash, transparent: true, own: "-rcfile -init-file", options: "c a b e f h i k l m n p r s t u v x B C D E H P T o: O: -rcfile: -init-file: -debugger -dump-po-strings -dump-strings -help -login -noediting -noprofile -norc -posix -pretty-print -restricted -verbose -version"},
	"builtin": {inner: innerArgv, transparent: true, here: true},
	"command": {inner: innerArgv, transparent: true, here: true, options: "p v V", nothing: "v V"},
	"dash":    {inner: innerShell, lang: POSIX, transparent: true, options: "c a b e f i m n q s u v x C E I V o:"},
	"env":     {inner: innerArgv, transparent: true, assigns: true, split: "S -split-string", options: "0 i v a: u: C: S: -argv0: -null -ignore-environment -debug -unset: -chdir: -split-string: -block-signal? -default-signal? -ignore-signal? -list-signal-handling -help -version", nothing: "-help -version", dash: true, elsewhere: "C i u -chdir -ignore-environment -unset"},
	"eval":    {inner: innerJoin, transparent: true, here: true},
	"exec":    {inner: innerArgv, transparent: true, here: true, options: "c l a:", elsewhere: "c"},
	"find":    {inner: innerExec, transparent: true, exec: "-exec -execdir -ok -okdir", own: "-delete -fls -fprint -fprint0 -fprintf"},
	"ksh":     {inner: innerShell, lang: Mksh, transparent: true, options: "c a b e f h i k m n p r s t u v x C D E G P R: o:"},
	"mksh":    {inner: innerShell, lang: Mksh, transparent: true, options: "c a b e f h i k l m n p r s t u v x C U X o: T:"},
	"nice":    {inner: innerArgv, transparent: true, numeric: true, options: "n: -adjustment: -help -version", nothing: "-help -version"},
	"nohup":   {inner: innerArgv, transparent: true, options: "-help -version", nothing: "-help -version"},
	"sh":      {inner: innerShell, transparent: true, options: "c a b e f h i k l m n p q r s t u v x B C D E H I P T V o: O: -posix -login -norc -noprofile"},
	"sudo":    {inner: innerArgv, assigns: true, join: "s i -shell -login", options: "A b B E e H i K k l n N P S s V v C: D: g: h: p: R: r: T: t: U: u: -askpass -background -bell -chdir: -chroot: -close-from: -edit -group: -help -host: -list -login -no-update -non-interactive -other-user: -preserve-env? -preserve-groups -prompt: -remove-timestamp -reset-timestamp -role: -set-home -shell -stdin -type: -command-timeout: -user: -validate -version", nothing: "e l v V K -edit -list -validate -version -remove-timestamp -help"},
	"time":    {inner: innerArgv, transparent: true, own: "o -output", options: "a p q v f: o: -append -format: -output: -portability -quiet -verbose -help -version", nothing: "-help -version"},
	"timeout": {inner: innerArgv, transparent: true, skip: 1, options: "f p v k: s: -foreground -kill-after: -preserve-status -signal: -verbose -help -version", nothing: "-help -version"},
	"xargs":   {inner: innerArgv, transparent: true, appends: true, options: "0 o p r t x a: d: E: I: L: n: P: s: e? i? l? -null -open-tty -interactive -no-run-if-empty -verbose -exit -arg-file: -delimiter: -eof? -replace? -max-lines? -max-args: -max-procs: -max-chars: -process-slot-var: -show-limits -help -version", replace: "I i -replace", nothing: "-help -version"},
	"zsh":     {inner: innerShell, lang: Zsh, transparent: true, options: "c d e f g h i k l m n p r s t u v w x y B C D E F G H I J K L M N O P R S T U V W X Y Z o:"},
}
