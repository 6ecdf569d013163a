package datasets

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/skilleval/skilleval/datasets/match"
)

// maxCompared bounds how many different labels of one request are held against each other.
const maxCompared = 16

// checkInputs finds requests that stand more than once: the same input after trimming and NFC, with the same
// history and context tags. With the same label they count twice (a warning); with labels of which a reply that
// is right for one is wrong for the other, they contradict each other (an error).
func checkInputs(faults *faultList, cases []Case) {
	first := make(map[string]int, len(cases))
	labels := make(map[int][]int) // first case of a request → cases with different labels, itself included
	for i := range cases {
		c := &cases[i]
		key := requestKey(c)
		f, again := first[key]
		if !again {
			first[key] = i
			continue
		}
		if len(labels[f]) == 0 {
			labels[f] = []int{f}
		}
		j := slices.IndexFunc(labels[f], func(j int) bool { return !agree(&cases[j], c) })
		if j < 0 {
			faults.add(fault(c, "input", SeverityWarning, "duplicate-input", "the same request as "+nameOf(&cases[f])+"; it counts twice"))
			continue
		}
		other := &cases[labels[f][j]]
		faults.add(fault(c, "expect", SeverityError, "contradictory-label", fmt.Sprintf(
			"the same request as %s, which expects %s, not %s; correct one, or let each name the other under \"accept\"",
			nameOf(other), inWords(&other.Expect), inWords(&c.Expect))))
		if len(labels[f]) < maxCompared {
			labels[f] = append(labels[f], i)
		}
	}
}

// nameOf names a case for a message about another one.
func nameOf(c *Case) string {
	if c.File == "" {
		return fmt.Sprintf("case %q", short(c.ID))
	}
	return fmt.Sprintf("case %q (%s:%d)", short(c.ID), c.File, c.Line)
}

func inWords(e *Expectation) string {
	if e.None {
		return "none"
	}
	var parts []string
	for i := range e.Calls {
		parts = append(parts, fmt.Sprintf("%s(%s)", e.Calls[i].Skill, e.Calls[i].Args))
	}
	return short(strings.Join(parts, ", "))
}

func requestKey(c *Case) string {
	input := norm.NFC.String(strings.TrimSpace(c.Input))
	if len(c.History) == 0 && len(c.ContextTags) == 0 {
		return input
	}
	var b []byte
	b = quote(b, input)
	for _, t := range c.History {
		b = quote(append(b, t.Role...), t.Content)
	}
	return string(quotes(b, c.ContextTags))
}

// agree reports whether some reply is right for both cases in the eyes of each label, or each accepts the other's.
func agree(a, b *Case) bool {
	if compatible(&a.Expect, &b.Expect) {
		return true
	}
	accepts := func(c *Case, e *Expectation) bool {
		return slices.ContainsFunc(c.Accept, func(other Expectation) bool { return compatible(&other, e) })
	}
	return accepts(a, &b.Expect) && accepts(b, &a.Expect)
}

// compatible reports whether one reply can be right for both expectations: the same skills (in any order unless
// both are strict), and for each call arguments that one side leaves open or that match each other.
func compatible(a, b *Expectation) bool {
	if a.None != b.None || len(a.Calls) != len(b.Calls) {
		return false
	}
	steps := 0
	return pairUp(a, b, 0, make([]bool, len(b.Calls)), &steps)
}

// maxPairings bounds the search for a pairing of calls.
const maxPairings = 10_000

// pairUp looks for a partner for call i of a and those after it.
func pairUp(a, b *Expectation, i int, taken []bool, steps *int) bool {
	if i == len(a.Calls) {
		return true
	}
	for j := range b.Calls {
		if a.Order == "strict" && b.Order == "strict" && i != j {
			continue
		}
		if *steps++; taken[j] || *steps > maxPairings || !sameCall(&a.Calls[i], &b.Calls[j]) {
			continue
		}
		taken[j] = true
		if pairUp(a, b, i+1, taken, steps) {
			return true
		}
		taken[j] = false
	}
	return false
}

func sameCall(a, b *ExpectedCall) bool {
	if a.Skill != b.Skill {
		return false
	}
	return a.Args == nil || b.Args == nil || string(canonicalJSON(a.Args)) == string(canonicalJSON(b.Args)) ||
		matchesLiteral(a, b) || matchesLiteral(b, a)
}

// matchesLiteral reports whether a value that b expects is right for a too.
func matchesLiteral(a, b *ExpectedCall) bool {
	pattern, err := match.Compile(a.Args)
	if err != nil {
		return false
	}
	other, err := match.Compile(b.Args)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(other.Samples(), func(s match.Sample) bool { return pattern.Match(s.Value, nil).OK })
}
