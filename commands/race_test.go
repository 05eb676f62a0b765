//go:build race

package commands

// The race detector takes some ten times as long.
const raceDetector = true
