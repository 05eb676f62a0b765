//go:build race

package rules

// The race detector takes some ten times as long.
const raceDetector = true
