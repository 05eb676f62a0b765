package shellparse

import "strings"

// cron finds the commands of a crontab: in each line, behind five fields that say
// when or one that begins with @, up to a % which begins what the command reads.
func cron(code string) (e effects) {
	for line := range strings.Lines(code) {
		line = strings.TrimSpace(line)
		fields := 5
		if strings.HasPrefix(line, "@") {
			fields = 1
		}
		for ; fields > 0 && line != ""; fields-- {
			_, after, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
			line = strings.TrimLeft(after, " ")
		}
		if line, _, _ = strings.Cut(line, "%"); line != "" && !strings.HasPrefix(line, "#") {
			e.commands = append(e.commands, Lit(line))
		}
	}
	return e
}
