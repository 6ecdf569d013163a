// Package reports turns a [Report] into bytes, one file per format.
//
// Every reporter is a pure function of a writer and a report: no clock, environment, network or colour globals,
// and every write error is returned. Text that came from a model, a skill or a dataset is escaped for the format
// it is written into (see escape.go).
package reports
