package rules

import (
	"regexp"
	"sync"
)

// lazily compiles an expression when it is first needed: most calls of mayi need
// few, and all of them together would take a tenth of the time of a check.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
