package rules

import (
	"fmt"
	"strings"

	"github.com/xrash/smetrics"
)

// Suggest names the known word that was probably meant, else all of them.
func Suggest(got string, known []string) string {
	if len(known) == 0 {
		return ""
	}
	if best := nearest(got, known); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return "it is one of " + strings.Join(known, ", ")
}

// nearest returns the known word that is at most two letters off, "" if none is.
func nearest(got string, known []string) string {
	best, distance := "", 3
	for _, k := range known {
		if len(got) > len(k)+2 {
			continue
		}
		if n := smetrics.WagnerFischer(strings.ToLower(got), k, 1, 1, 1); n < distance {
			best, distance = k, n
		}
	}
	return best
}
