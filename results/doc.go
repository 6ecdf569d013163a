// Package results is the run file: the one record that joins the stages. A run directory holds run.json (the
// [Header]), cases.jsonl and trials.jsonl (one finished [Trial] a line, in completion order).
//
// In pipeline order: [Create] or [Resume] gives a [Writer]; [Open] gives a [Run] that reads trials in canonical
// order (case, arm, repetition) without holding them in memory. Lines as a Writer writes them are read by a scanner
// (scan.go); the strict decoder reads the others and decides what is wrong.
//
// Promises: a trial whose Append returned is in the file, whatever happens to the process afterwards; what a
// Writer writes a Run reads back, whatever bytes a model produced; a last line that was cut is dropped with a
// note, and anything else that is wrong is an [*Error] with line and column; one process at a time writes.
package results
