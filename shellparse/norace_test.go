//go:build !race

package shellparse

const raceDetector = false
