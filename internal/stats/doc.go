// Package stats is the mathematics of the figures: pure functions over float64, each with the source of its formula.
//
// In pipeline order: [Wilson] and [WilsonClustered] for proportions, [Bootstrap] for ratios over clusters,
// [Mean] and [Quantile] for counts, [PassAtK] and [PassHatK] for repeated trials.
package stats
