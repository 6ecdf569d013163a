package main

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// lines yields the lines of a message without their ends.
func lines(s string) iter.Seq[string] {
	return strings.SplitSeq(strings.TrimRight(s, "\n"), "\n")
}

// nearest returns the candidate that a mistyped word most likely meant, or "" when none is close: at most a third of
// its letters may differ.
func nearest(word string, candidates []string) string {
	best, distance := "", len(word)/3+2
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if d := smetrics.WagnerFischer(word, c, 1, 1, 1); d < distance {
			best, distance = c, d
		}
	}
	return best
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
