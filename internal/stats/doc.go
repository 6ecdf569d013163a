// Package stats is the mathematics of the figures: pure functions over float64, each with the source of its formula.
//
// In pipeline order: [Wilson] and [WilsonClustered] for proportions, [Bootstrap] for ratios over clusters,
// [Mean] and [Quantile] for counts, [PassAtK] and [PassHatK] for repeated trials.
//
// For two arms on the same cases: [McNemar] and [SignFlip] test, [PairedDifference] and [PairedBootstrap] give intervals,
// [Holm] adjusts for many tests, [Martingale] for looking often; [MinDetectable], [CasesNeeded]
// and their forms for clusters ([MinDetectableClustered], [CasesNeededClustered]) say what so many cases can find.
package stats
