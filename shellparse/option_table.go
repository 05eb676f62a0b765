package shellparse

// optionTable lists the options of the programs that rules are often written
// about, by program or by program and subcommand, as an [optionSpec]. Facts are
// from the manual page of each.
var optionTable = map[string]optionSpec{
	"chgrp":        "c f v h H L P R -recursive=R -changes=c -silent=f -quiet=f -verbose=v -no-dereference=h -dereference -preserve-root -no-preserve-root -reference:",
	"chmod":        "c f v R -recursive=R -changes=c -silent=f -quiet=f -verbose=v -preserve-root -no-preserve-root -reference:",
	"chown":        "c f v h H L P R -recursive=R -changes=c -silent=f -quiet=f -verbose=v -no-dereference=h -dereference -preserve-root -no-preserve-root -from: -reference:",
	"cp":           "a b d f i H l L n p P r=R R s S: t: T u v x Z -archive=a -force=f -interactive=i -link=l -no-clobber=n -recursive=R -symbolic-link=s -suffix:=S -target-directory:=t -update=u -verbose=v -parents -remove-destination -one-file-system=x",
	"curl":         "a A: b: B c: C: d: D: e: E: f F: g G h H: i I j J k K: l L m: M n N o: O p P: q Q: r: R s S t: T: u: U: v V w: x: X: y: Y: z: Z -data:=d -data-binary: -data-raw: -data-urlencode: -form:=F -output:=o -remote-name=O -request:=X -upload-file:=T -header:=H -user:=u -config:=K -location=L -silent=s -head=I -insecure=k -proxy:=x",
	"docker":       "c: D H: l: v -context:=c -debug=D -host:=H -log-level:=l -config: -tls -tlscacert: -tlscert: -tlskey: -tlsverify -version=v",
	"docker rm":    "f l v -force=f -link=l -volumes=v",
	"docker rmi":   "f -force=f -no-prune",
	"docker run":   "a: c: d e: h: i l: m: p: P q t u: v: w: -detach=d -interactive=i -tty=t -volume:=v -privileged -rm -env:=e -user:=u -workdir:=w -publish:=p -publish-all=P -name: -network: -entrypoint: -mount: -pid: -cap-add: -security-opt:",
	"git":          "C: c: p P h v -bare -exec-path? -git-dir: -work-tree: -namespace: -config-env: -no-pager=P -paginate=p -no-replace-objects -literal-pathspecs -no-optional-locks -version=v -help=h",
	"git branch":   "a d D f i l m M c C q r t u: v -all=a -delete=d -force=f -list=l -move=m -copy=c -quiet=q -remotes=r -track=t -set-upstream-to:=u -unset-upstream -verbose=v -show-current -contains: -merged -no-merged -sort: -format: -edit-description",
	"git checkout": "b: B: d f l m p q t -force=f -detach=d -merge=m -patch=p -quiet=q -track=t -ours -theirs -orphan:",
	"git clean":    "d e: f i n q x X -dry-run=n -exclude:=e -force=f -interactive=i -quiet=q",
	"git commit":   "a c: C: e F: i m: n o p q s t: u v z S? -all=a -amend -message:=m -no-verify=n -file:=F -edit=e -patch=p -quiet=q -signoff=s -fixup: -squash: -reset-author -allow-empty",
	"git diff":     "a b B D l: M n O: p q R s S: G: u U: w z -output: -ext-diff -no-ext-diff -textconv -no-textconv -stat? -cached -staged -name-only -name-status",
	"git log":      "a b g i l: L: M n: p q R s S: G: u U: w z -output: -ext-diff -no-ext-diff -textconv -oneline -stat? -since: -until: -author: -grep: -format:",
	"git push":     "4 6 d f n o: q u v -all -branches -delete=d -dry-run=n -follow-tags -force=f -force-if-includes -force-with-lease? -mirror -no-verify -porcelain -prune -push-option:=o -quiet=q -receive-pack: -exec: -repo: -set-upstream=u -tags -verbose=v",
	"git reset":    "N p q -hard -keep -merge -mixed -soft -patch=p -quiet=q -pathspec-from-file:",
	"git restore":  "S W m p q s: -staged=S -worktree=W -source:=s -patch=p -quiet=q -merge=m -ours -theirs",
	"git show":     "a b p q s u U: w z -output: -ext-diff -no-ext-diff -textconv -oneline -stat? -format:",
	"git stash":    "a k p q S u -all=a -include-untracked=u -keep-index=k -patch=p -quiet=q -staged=S",
	"git tag":      "a d e f F: i l m: n? s u: v -annotate=a -delete=d -force=f -list=l -message:=m -sign=s -verify=v",
	"kubectl":      "n: s: v: -namespace:=n -server:=s -context: -cluster: -kubeconfig: -user: -as: -as-group: -token: -v:=v",
	"ln":           "b d f F i L n P r s S: t: T v -force=f -interactive=i -logical=L -no-dereference=n -physical=P -relative=r -symbolic=s -target-directory:=t -no-target-directory=T -verbose=v",
	"mv":           "b f i n S: t: T u v Z -force=f -interactive=i -no-clobber=n -suffix:=S -target-directory:=t -no-target-directory=T -update=u -verbose=v",
	"rm":           "d f i I r R=r v -dir=d -force=f -recursive=r -verbose=v -interactive? -one-file-system -no-preserve-root -preserve-root?",
	"rmdir":        "p v -parents=p -verbose=v -ignore-fail-on-non-empty",
	"sed":          "b e: E f: i? l: n r=E s u z -in-place?=i -expression:=e -file:=f -quiet=n -silent=n -regexp-extended=E -separate=s -unbuffered=u -null-data=z -follow-symlinks -posix -sandbox -debug -line-length:=l",
	"sort":         "b c C d f g h i k: m M n o: r R s S: t: T: u V z -output:=o -compress-program: -temporary-directory:=T -key:=k -reverse=r -unique=u -numeric-sort=n -field-separator:=t -buffer-size:=S -files0-from: -parallel: -random-source: -stable=s -version-sort=V -human-numeric-sort=h -general-numeric-sort=g -ignore-case=f -zero-terminated=z",
	"systemctl":    "a f H: l M: n: o: p: q r s: t: -force=f -host:=H -now -user -global -root: -quiet=q",
	"tar":          "A B c C: d f: g: G h H: I: j J k K: l L: m M n N: o O p P r R s S t T: u U v V: w W x X: z Z -create=c -extract=x -get=x -list=t -file:=f -directory:=C -gzip=z -bzip2=j -xz=J -verbose=v -to-command: -use-compress-program:=I -checkpoint-action: -to-stdout=O -absolute-names=P -append=r -update=u -delete -overwrite -remove-files -unlink-first=U",
	"wget":         "a: A: b B: c d D: e: E F h H i: I: k K l: L m N nc nd nH np o: O: p P: q Q: r R: S t: T: U: v V w: x X: -output-document:=O -directory-prefix:=P -post-data: -post-file: -recursive=r -execute:=e -quiet=q -continue=c -use-askpass: -method: -body-data: -body-file:",
}
