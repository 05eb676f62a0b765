package rules

import "mayi/shellparse"

// A humanVerb is a command of mayi's own that a person runs, and nobody else.
type humanVerb struct {
	verb   string
	with   string // only with one of these options or words
	reason string
}

// humanVerbs are the commands of mayi that change what is allowed.
var humanVerbs = []humanVerb{
	{verb: "approve", reason: "a person answers requests, at a terminal of their own"},
	{verb: "doctor", with: "--repair", reason: "a person repairs the database"},
	{verb: "hook", with: "--install", reason: "a person installs hooks"},
	{verb: "hook", with: "--uninstall", reason: "a person takes hooks away"},
	{verb: "import", reason: "a person says what the rules are"},
	{verb: "revoke", reason: "a person takes approvals back"},
	{verb: "run", with: "-", reason: "what it would run is not in the line"},
	{verb: "trust", reason: "a person says which projects are trusted"},
	{verb: "untrust", reason: "a person says which projects are trusted"},
}

// valueFlags are the options of mayi in front of a verb, and of run, that take the
// next word.
var valueFlags = map[string]bool{
	"agent": true, "config": true, "db": true, "p": true, "permission": true, "project": true, "rule": true, "session": true, "shell": true,
	"timeout": true,
}

// settings are the variables by which mayi finds its files and its rules. The
// pattern shows what is found in more ways: set in front, by env, earlier in the
// line.
var settings = []Rule{
	setting("HOME=* mayi *"),
	setting("MAYI_*=* mayi *"),
	setting("XDG_*=* mayi *"),
}

func setting(pattern string) Rule {
	return Rule{Permission: "bash", Pattern: pattern, Action: Deny, Reason: "by this variable mayi finds its config, its database or its rules", Origin: originSelf}
}

// signalRule shows what is found in more ways: kill, killall, by a pattern.
var signalRule = Rule{Permission: "bash", Pattern: "pkill mayi", Action: Deny, Reason: "a person stops what waits: mayi approve --reject", Origin: originSelf}

func drives(pattern string, action Action, reason string) Rule {
	return Rule{Permission: "bash", Pattern: pattern, Action: action, Reason: reason, Origin: originSelf}
}

const (
	typesElsewhere = "it types at a terminal that is not the agent's own"
	newTerminal    = "it starts a terminal of its own, at which nobody sits"
	leavesTree     = "what it runs is not seen to come from here"
	otherProgram   = "it makes another program of the person's act"
)

// drivers are the programs that leave the tree of processes in which what is
// judged runs, or that make a terminal. The last match counts; an allow only takes
// a use out of these again. From the manual page or the help of each.
var drivers = []Rule{
	drives("abduco *", Ask, newTerminal),
	drives("alacritty *", Ask, newTerminal),
	drives("at *", Ask, leavesTree),
	drives("at -l *", Allow, ""),
	drives("autoexpect *", Ask, newTerminal),
	drives("batch *", Ask, leavesTree),
	drives("busctl *call *", Ask, otherProgram),
	drives("byobu *", Ask, newTerminal),
	drives("cliclick *", Ask, typesElsewhere),
	drives("crontab *", Ask, leavesTree),
	drives("crontab -l *", Allow, ""),
	drives("daemonize *", Ask, leavesTree),
	drives("dbus-send *", Ask, otherProgram),
	drives("dotool *", Ask, typesElsewhere),
	drives("dtach *", Ask, newTerminal),
	drives("empty *", Ask, newTerminal),
	drives("expect *", Ask, newTerminal),
	drives("foot *", Ask, newTerminal),
	drives("footclient *", Ask, newTerminal),
	drives("gdbus call *", Ask, otherProgram),
	drives("gnome-terminal *", Ask, newTerminal),
	drives("gotty *", Ask, newTerminal),
	drives("kitten @*", Ask, typesElsewhere),
	drives("kitty *", Ask, newTerminal),
	drives("konsole *", Ask, newTerminal),
	drives("launchctl *", Ask, leavesTree),
	drives("launchctl list *", Allow, ""),
	drives("launchctl print *", Allow, ""),
	drives("machinectl shell *", Ask, leavesTree),
	drives("mosh *localhost*", Ask, leavesTree),
	drives("nsenter *", Ask, leavesTree),
	drives("open *Terminal*", Ask, newTerminal),
	drives("open *iTerm*", Ask, newTerminal),
	drives("openvt *", Ask, newTerminal),
	drives("osascript *", Ask, otherProgram),
	drives("qdbus *", Ask, otherProgram),
	drives("reptyr *", Ask, typesElsewhere),
	drives("run0 *", Ask, leavesTree),
	drives("screen *", Ask, typesElsewhere),
	drives("screen -ls *", Allow, ""),
	drives("screen -v", Allow, ""),
	drives("script *", Ask, newTerminal),
	drives("socat *PTY*", Ask, newTerminal),
	drives("socat *pty*", Ask, newTerminal),
	drives("ssh *@127.*", Ask, leavesTree),
	drives("ssh *@::1 *", Ask, leavesTree),
	drives("ssh *@localhost *", Ask, leavesTree),
	drives("ssh 127.*", Ask, leavesTree),
	drives("ssh ::1 *", Ask, leavesTree),
	drives("ssh localhost *", Ask, leavesTree),
	drives("start-stop-daemon *", Ask, leavesTree),
	drives("systemctl --user enable *", Ask, leavesTree),
	drives("systemctl --user link *", Ask, leavesTree),
	drives("systemctl --user restart *", Ask, leavesTree),
	drives("systemctl --user start *", Ask, leavesTree),
	drives("systemd-run *", Ask, leavesTree),
	drives("terminator *", Ask, newTerminal),
	drives("tilix *", Ask, newTerminal),
	drives("tmate *", Ask, newTerminal),
	drives("tmux *", Ask, typesElsewhere),
	drives("tmux capture-pane *", Allow, ""),
	drives("tmux display-message *", Allow, ""),
	drives("tmux has-session *", Allow, ""),
	drives("tmux list-*", Allow, ""),
	drives("tmux ls *", Allow, ""),
	drives("tmux show-*", Allow, ""),
	drives("tmux *#(*", Ask, leavesTree),
	drives("tmux *;*", Ask, typesElsewhere),
	drives("ttyd *", Ask, newTerminal),
	drives("unbuffer *", Ask, newTerminal),
	drives("unshare *", Ask, leavesTree),
	drives("urxvt *", Ask, newTerminal),
	drives("urxvtc *", Ask, newTerminal),
	drives("wezterm *", Ask, newTerminal),
	drives("wtype *", Ask, typesElsewhere),
	drives("x-terminal-emulator *", Ask, newTerminal),
	drives("xdotool *", Ask, typesElsewhere),
	drives("xte *", Ask, typesElsewhere),
	drives("xterm *", Ask, newTerminal),
	drives("ydotool *", Ask, typesElsewhere),
	drives("zellij *", Ask, newTerminal),
	drives("zellij list-sessions *", Allow, ""),
	drives("zellij ls *", Allow, ""),
}

func device(pattern string) Rule {
	return Rule{Permission: "edit", Pattern: pattern, Action: Ask, Reason: typesElsewhere, Origin: originSelf}
}

// devices are the files through which a terminal or a process is reached (pts(4),
// tty(4), vcs(4), proc(5)).
var devices = []Rule{
	device("/dev/input/*"),
	device("/dev/pts/*"),
	device("/dev/tty?*"),
	device("/dev/uinput"),
	device("/dev/vcs*"),
	device("/proc/*/fd/*"),
	device("/proc/*/mem"),
}

// speaks are the programs to which the name of mayi and a verb are mere text.
var speaks = map[string]bool{
	":": true, "[": true, "ack": true, "ag": true, "apropos": true, "cat": true, "cd": true, "echo": true, "egrep": true,
	"false": true, "fgrep": true, "git": true, "grep": true, "head": true, "info": true, "ls": true, "man": true, "mkdir": true,
	"print": true, "printf": true, "rg": true, "say": true, "tail": true, "test": true, "touch": true, "true": true, "type": true, "wc": true,
	"whereis": true, "which": true,
}

// copies are the programs that give a file another name, or a copy: true where it
// is the same file.
var copies = map[string]bool{"cat": false, "cp": false, "dd": false, "install": false, "link": true, "ln": true, "rsync": false, "tar": false}

// takers are the programs that change or take away whatever they are given.
var takers = map[string]shellparse.FileUse{
	"chattr":    shellparse.Touches,
	"chgrp":     shellparse.Touches,
	"chmod":     shellparse.Touches,
	"chown":     shellparse.Touches,
	"ed":        shellparse.Edits,
	"ex":        shellparse.Edits,
	"gio":       shellparse.Removes,
	"mount":     shellparse.Removes,
	"nvim":      shellparse.Edits,
	"rename":    shellparse.Removes,
	"setfacl":   shellparse.Touches,
	"setfattr":  shellparse.Touches,
	"trash":     shellparse.Removes,
	"trash-put": shellparse.Removes,
	"umount":    shellparse.Removes,
	"vi":        shellparse.Edits,
	"vim":       shellparse.Edits,
	"xattr":     shellparse.Touches,
}

// seekers are the programs that find processes.
var seekers = map[string]bool{
	"awk": true, "fuser": true, "gawk": true, "grep": true, "lsof": true, "pgrep": true, "pidof": true, "ps": true, "rg": true, "sed": true,
}
