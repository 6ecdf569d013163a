//go:build race

package offline

// everyNth thins the public data under the race detector, which takes ten times as long.
const everyNth = 11
