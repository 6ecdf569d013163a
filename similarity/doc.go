// Package similarity finds pairs of descriptions that sound alike, and says why.
//
// In pipeline order: a [Text] is prepared (Unicode words, Chinese character pairs, light stemming), weighted by how
// rare its words are in the catalogue, offered as a candidate pair through an inverted index, measured, scored against
// calibrated thresholds, and explained as a [Pair].
package similarity
