// Package reports turns a [Report] into bytes, one file per format.
//
// A command fills the parts of a report that it has: a run and its figures, a comparison, gates, findings about files,
// pairs of similar descriptions, skills. Terminal tables, JSON, JSON lines and Markdown show what there is; SARIF carries
// findings and pairs for code scanning; the format github writes them, failed gates and verdicts as annotations.
//
// Every reporter is a pure function of a writer and a report: no clock, environment, network or colour globals,
// and every write error is returned. Text that came from a model, a skill or a dataset is escaped for the format
// it is written into (see escape.go), and no format exceeds what its consumer accepts.
package reports
