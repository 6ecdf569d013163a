// Package runner turns a [Plan] into trials: bounded, resumable, cancellable.
//
// In pipeline order: [Run] checks the plan, generates its trials lazily in an order that treats all arms alike,
// performs at most Plan.Concurrency of them at a time, each under its own time limit, scores and redacts what
// came back, appends it to the run file, and only then counts it. A failed trial is data; the error of Run is
// about the run.
//
// Order: repetitions are outermost, then cases, then arms, and the arm that goes first rotates from case to case.
// Whatever drifts during a run (load, caches, a model swapped behind its name) therefore meets all arms of a case
// within moments of each other and favours none by going first; the repetitions of one case lie far apart, so
// that their spread shows the drift instead of a warm cache; and a run that is cut short has asked every case
// about equally often. The order decides nothing but time: what a trial is asked depends on its key alone.
package runner
