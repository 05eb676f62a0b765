//go:build race

package shellparse

// The race detector allocates more than twice as much.
const raceDetector = true
