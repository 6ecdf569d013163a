//go:build !race

package offline

// everyNth is 1: the public data are read whole.
const everyNth = 1
