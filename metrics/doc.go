// Package metrics turns trials into figures.
//
// In pipeline order: [Scorer.Score] scores one trial ([Rescore] does so for a whole run); [Summarize] reads a run and
// makes an [Arm] summary for each arm; [Compare] pairs two runs, or two arms, by case; [ParseGate] and [Gate.Check] hold a
// summary against a threshold; [NewBaseline] keeps the outcomes of a run and [GateAgainst] holds a later run against them.
//
// An error is never an answer: a trial that the server or the transport failed is counted, listed, and part of no rate
// but [Selection.AccuracyErrorsWrong]. A figure over nothing is null with a reason, and no gate passes over it.
package metrics
