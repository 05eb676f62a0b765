package commands

import "os/user"

// personAt names who answers at a terminal, for the one who waits and the log.
func personAt(terminal string) string {
	name := "somebody"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if terminal == "" {
		return name + " without a terminal"
	}
	return name + " at " + terminal
}
