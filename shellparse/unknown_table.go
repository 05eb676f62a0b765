package shellparse

// handsOn are words behind which most programs that have them take a command.
var handsOn = map[string]bool{
	"--":   true,
	"cmd":  true,
	"do":   true,
	"exec": true,
	"run":  true,
}

// messages are options of many programs whose value is a text for people.
var messages = map[string]bool{
	"--body":        true,
	"--comment":     true,
	"--description": true,
	"--message":     true,
	"--notes":       true,
	"--title":       true,
	"-m":            true,
}

// speakers are programs that only say what they are given, or compare it.
var speakers = map[string]bool{
	"banner":      true,
	"cowsay":      true,
	"echo":        true,
	"expr":        true,
	"figlet":      true,
	"logger":      true,
	"notify-send": true,
	"print":       true,
	"say":         true,
	"seq":         true,
	"toilet":      true,
	"yes":         true,
}
