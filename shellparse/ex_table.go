package shellparse

import "strings"

// exCommandKind says what a command of vim does with its arguments.
type exCommandKind uint8

const (
	exUnknown    exCommandKind = iota
	exDefines                  // holds a command for later
	exEvaluates                // holds an expression
	exExecutes                 // evaluates to a command
	exGlobal                   // holds a command behind a pattern
	exHidden                   // runs code that is not here, or of another language
	exMaps                     // holds keys for later
	exModifier                 // stands in front of a command
	exNormal                   // holds keys
	exPlain                    // does nothing outside of vim
	exReads                    // reads a file
	exRuns                     // runs a program
	exSets                     // sets options
	exSubstitute               // may hold an expression
	exWrites                   // writes a file
)

// exIs reports whether a name abbreviates a command, which is spelled as vim's
// help does: w[rite].
func exIs(name, command string) bool {
	least, more, _ := strings.Cut(strings.TrimSuffix(command, "]"), "[")
	return strings.HasPrefix(name, least) && strings.HasPrefix(least+more, name)
}

// exKind returns what a command does. Where names abbreviate several commands,
// their kinds are the same or the first is the one that vim means.
func exKind(name string) exCommandKind {
	for _, row := range exCommands {
		for command, rest := "", row.names; rest != ""; {
			if command, rest, _ = strings.Cut(rest, " "); command[0] == name[0] && exIs(name, command) {
				return row.kind
			}
		}
	}
	return exUnknown
}

// exCommands are the commands of vim by what they do (vim's help, "ex-cmd-index").
var exCommands = []struct {
	kind  exCommandKind
	names string
}{
	{exDefines, "au[tocmd] com[mand]"},
	{exEvaluates, "cadde[xpr] cal[l] cex[pr] cgete[xpr] cons[t] ec[ho] echoc[onsole] echoe[rr] echom[sg] echon elsei[f] ev[al] for if ladde[xpr] let lex[pr] lgete[xpr] pu[t] retu[rn] th[row] var wh[ile]"},
	{exExecutes, "exe[cute]"},
	{exGlobal, "g[lobal] v[global]"},
	{exHidden, "cs[cope] do[autocmd] doautoa[ll] imp[ort] lcs[cope] lua luad[o] luaf[ile] mz[scheme] mzf[ile] pa[ckadd] packl[oadall] pe[rl] perld[o] py[thon] py3 py3d[o] py3f[ile] pyd[o] pyf[ile] python3 pythonx pyx pyxd[o] pyxf[ile] rub[y] rubyd[o] rubyf[ile] ru[ntime] scs[cope] so[urce] tc[l] tcld[o] tclf[ile]"},
	{exMaps, "cm[ap] cno[remap] im[ap] ino[remap] lm[ap] ln[oremap] map nm[ap] nn[oremap] no[remap] om[ap] ono[remap] smap snor[emap] tma[p] tno[remap] vm[ap] vn[oremap] xm[ap] xn[oremap]"},
	{exModifier, "abo[veleft] argdo bel[owright] bo[tright] bro[wse] bufd[o] cdo cfd[o] conf[irm] debug folddoc[losed] folddo[open] hid[e] hor[izontal] keepa[lt] keepj[umps] kee[pmarks] keepp[atterns] ld[o] lefta[bove] leg[acy] lfd[o] loc[kmarks] noa[utocmd] nos[wapfile] rightb[elow] san[dbox] sil[ent] tab tabdo to[pleft] uns[ilent] verb[ose] vert[ical] vim9[cmd] windo"},
	{exNormal, "norm[al]"},
	{exReads, "arga[dd] arge[dit] argl[ocal] ar[gs] bad[d] bal[t] caddf[ile] cd cf[ile] cg[etfile] chd[ir] diffp[atch] diffs[plit] dr[op] e[dit] ex fin[d] lc[d] lf[ile] ne[xt] n[ext] new ped[it] r[ead] sf[ind] sn[ext] sp[lit] sv[iew] tabe[dit] tabf[ind] tabnew tc[d] vi[sual] vie[w] vne[w] vs[plit]"},
	{exRuns, "gr[ep] grepa[dd] lgr[ep] lgrepa[dd] lmak[e] mak[e] sh[ell] ter[minal]"},
	{exSets, "se[t] setg[lobal] setl[ocal]"},
	{exSubstitute, "s[ubstitute] sm[agic] sno[magic]"},
	{exWrites, "exi[t] f[ile] ha[rdcopy] mk[exrc] mks[ession] mkvie[w] mkv[imrc] redi[r] sav[eas] up[date] w[rite] wn[ext] wp[revious] wq wu[ndo] wv[iminfo] x[it]"},
	{exPlain, "a[ppend] ab[breviate] aug[roup] b[uffer] bd[elete] bf[irst] bl[ast] bm[odified] bn[ext] bN[ext] bp[revious] brea[k] buffers bun[load] bw[ipeout] c[hange] ca[bbrev] cat[ch] cc ccl[ose] ce[nter] che[ckpath] checkh[ealth] cfir[st] changes cl[ist] cla[st] cle[arjumps] clo[se] cn[ext] co[py] colo[rscheme] con[tinue] cope[n] cp[revious] cq[uit] cun[map] cw[indow] d[elete] delc[ommand] delf[unction] delm[arks] dig[raphs] diffg[et] diffo[ff] diffpu[t] difft[his] diffu[pdate] di[splay] echoh[l] el[se] en[dif] endfo[r] endf[unction] endt[ry] endw[hile] fil[es] filet[ype] fina[lly] fini[sh] fir[st] fix[del] fo[ld] foldc[lose] foldo[pen] fu[nction] h[elp] helpc[lose] helpg[rep] hi[ghlight] his[tory] i[nsert] iuna[bbrev] iu[nmap] j[oin] ju[mps] k l[ist] la[st] lan[guage] lcl[ose] le[ft] ll lne[xt] lop[en] lp[revious] ls lv[imgrep] m[ove] ma[rk] marks mat[ch] mes[sages] N[ext] noh[lsearch] nu[mber] nun[map] o[pen] ol[dfiles] on[ly] opt[ions] P[rint] p[rint] pc[lose] po[p] pre[vious] pw[d] q[uit] qa[ll] quita[ll] red[o] redr[aw] redraws[tatus] reg[isters] res[ize] ret[ab] rew[ind] ri[ght] sb[uffer] scr[iptnames] sig[n] sl[eep] smile sor[t] spe[llgood] st[op] star[tinsert] startg[replace] stopi[nsert] sus[pend] sy[ntax] syn[tax] t ta[g] tabc[lose] tabfir[st] tabl[ast] tabm[ove] tabn[ext] tabN[ext] tabo[nly] tabp[revious] tabr[ewind] tabs tags tn[ext] tp[revious] tr[ewind] try ts[elect] u[ndo] una[bbreviate] undoj[oin] undol[ist] unl[et] unm[ap] ve[rsion] vim[grep] viu[sage] vu[nmap] wa[ll] winc[md] win[size] wqa[ll] xa[ll] xu[nmap] y[ank] z"},
}

// exCommandOptions are the options of vim whose value is a program, a command or
// an expression (vim's help, "option-list").
var exCommandOptions = map[string]bool{
	"bexpr": true, "ccv": true, "cfu": true, "charconvert": true, "cscopeprg": true, "csprg": true, "dex": true, "diffexpr": true, "ep": true,
	"equalprg": true, "fde": true, "fex": true, "foldexpr": true, "formatexpr": true, "formatprg": true, "fp": true, "gp": true, "grepprg": true,
	"inde": true, "indentexpr": true, "keywordprg": true, "kp": true, "makeprg": true, "mp": true, "opfunc": true, "patchexpr": true, "penc": true,
	"pex": true, "pexpr": true, "printexpr": true, "sh": true, "shcf": true, "shell": true, "shellcmdflag": true, "shellpipe": true,
	"shellquote": true, "shellredir": true, "shellxquote": true, "shq": true, "sp": true, "srr": true, "statusline": true, "stl": true, "sxq": true,
	"tagfunc": true, "tfu": true,
}

// vimFunctionKind says what a function of vim does with its first argument.
type vimFunctionKind uint8

const (
	vimCode        vimFunctionKind = iota + 1 // runs it as commands
	vimExpands                                // runs what stands in backquotes
	vimForeign                                // runs code of another language
	vimFunction                               // names a function
	vimKeys                                   // types it
	vimReads                                  // reads the file
	vimShell                                  // gives it to a shell, or runs the program
	vimWrites                                 // changes the file
	vimWritesOther                            // changes a file that another argument names
)

// vimFunctions are those of vim and neovim that do something outside (vim's help,
// "function-list").
var vimFunctions = map[string]vimFunctionKind{
	"call":               vimFunction,
	"delete":             vimWrites,
	"eval":               vimForeign,
	"execute":            vimCode,
	"expand":             vimExpands,
	"feedkeys":           vimKeys,
	"funcref":            vimFunction,
	"function":           vimFunction,
	"glob":               vimExpands,
	"globpath":           vimForeign,
	"job_start":          vimShell,
	"jobstart":           vimShell,
	"libcall":            vimForeign,
	"libcallnr":          vimForeign,
	"luaeval":            vimForeign,
	"mkdir":              vimWrites,
	"mzeval":             vimForeign,
	"nvim_call_function": vimFunction,
	"nvim_command":       vimCode,
	"nvim_eval":          vimForeign,
	"nvim_exec":          vimCode,
	"nvim_exec2":         vimCode,
	"nvim_exec_lua":      vimForeign,
	"nvim_feedkeys":      vimKeys,
	"nvim_input":         vimKeys,
	"perleval":           vimForeign,
	"py3eval":            vimForeign,
	"pyeval":             vimForeign,
	"pyxeval":            vimForeign,
	"readfile":           vimReads,
	"rename":             vimWritesOther,
	"rubyeval":           vimForeign,
	"system":             vimShell,
	"systemlist":         vimShell,
	"term_start":         vimShell,
	"termopen":           vimShell,
	"win_execute":        vimForeign,
	"writefile":          vimWritesOther,
}
