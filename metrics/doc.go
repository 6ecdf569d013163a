// Package metrics turns trials into figures.
//
// In pipeline order: [Scorer.Score] scores one trial; [Summarize] reads a run and makes an [Arm] summary for each
// arm; [ParseGate] and [Gate.Check] hold a summary against a threshold.
package metrics
