// Package lint finds what is wrong with a catalogue of skills before a model is asked, and says where and how to mend
// it.
//
// In pipeline order: [ParseConfig] reads which rules count and how much, [Run] holds every [Rule] of [Rules] against a
// loaded catalogue and gives a [Report] of [Finding] values, and [ApplyFixes] mends in the bytes of one file what needs
// no judgement.
//
// The rule ID is in rule_ID.go, with underscores: its documentation and its check. Rules that pass on what loading noted
// are in rules_failure.go, rules_search.go and rules_tolerance.go; [Rules] lists all.
//
// Loading is tolerant and lint is strict, but strictness is a severity: only what keeps a skill from being loaded, or
// contradicts itself in fields of skilleval, is an error; what agent hosts accept is a warning or a note.
package lint
