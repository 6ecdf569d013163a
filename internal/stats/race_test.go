//go:build race

package stats

// raceDetector is set when the tests run under it, ten times slower.
const raceDetector = true
