// Package datasets reads labelled cases: request → expected skills → expected arguments.
//
// In pipeline order: [Load] (or [Read], [Parse]) turns JSONL, YAML, CSV or JSON into [Case] values, with every fault
// of every file at once; [Check] holds them against a catalogue; [Describe] counts them and says what they cannot
// show; [Select] keeps some; [Digest] names their content. Argument matchers live in datasets/match. [Sample] is
// the built-in suite.
//
// A case is an object with "input" and "expect", and optionally "id" (else made from the content), "history",
// "tags", "context_tags", "accept", "results", "group" and "notes". "expect" is {"calls": [{"skill": …, "args":
// {…}}], "order": "strict" or "any"}, {"none": true}, {"skill": …, "args": {…}} for one call, or a list of calls; an
// empty list means none. Absent "args" are not scored, {} means no arguments.
package datasets
