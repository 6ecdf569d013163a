package metrics

import (
	"slices"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// selected reports whether the calls made are those expected, by skill.
func selected(e *datasets.Expectation, calls []results.Call) bool {
	return sameSkills(e.Skills(), calledSkills(calls), e.Order == "strict")
}

// calledSkills returns the skills called, in order.
func calledSkills(calls []results.Call) []string {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.Skill
	}
	return names
}

// sameSkills compares two lists of names as sequences, or as multisets.
func sameSkills(want, got []string, ordered bool) bool {
	if ordered || len(want) != len(got) || len(want) < 2 {
		return slices.Equal(want, got)
	}
	return slices.Equal(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got)))
}

// distinct returns the names without repetitions, in order of first occurrence.
func distinct(names []string) []string {
	var out []string
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// pairs holds the expected calls against those made, for the confusion matrix: equal skills first (as a multiset),
// then what is left over in order, then the rest against "" (no call). Pairs stand in the order of the expected
// calls, calls too many at the end; those of labelled calls say whether the arguments were right. A rightly silent
// trial gives one pair of "" and ""; a trial that is silent where none is expected but wrong, because of its fault, gives
// no pair.
func pairs(v *verdict, t *results.Trial) []results.SkillPair {
	want, made := v.expect.Skills(), calledSkills(t.Calls)
	if len(want)+len(made) == 0 {
		if !v.selection {
			return nil
		}
		return []results.SkillPair{{}}
	}
	common := intersection(want, made)
	met := takeEach(want, common)
	var left []string // calls made that no expected call of the same skill meets
	for i, taken := range takeEach(made, common) {
		if !taken {
			left = append(left, made[i])
		}
	}
	out := make([]results.SkillPair, 0, max(len(want), len(made)))
	for i, w := range want {
		p := results.SkillPair{Want: w, Args: v.calls[i]}
		switch {
		case met[i]:
			p.Got = w
		case len(left) > 0:
			p.Got, left = left[0], left[1:]
		}
		out = append(out, p)
	}
	for _, g := range left {
		out = append(out, results.SkillPair{Got: g})
	}
	return out
}

// intersection returns how often each name stands in both lists.
func intersection(a, b []string) map[string]int {
	in, both := make(map[string]int, len(a)), make(map[string]int, len(a))
	for _, n := range a {
		in[n]++
	}
	for _, n := range b {
		if both[n] < in[n] {
			both[n]++
		}
	}
	return both
}

// takeEach marks the first counts[name] occurrences of each name.
func takeEach(names []string, counts map[string]int) []bool {
	used, marks := make(map[string]int, len(counts)), make([]bool, len(names))
	for i, n := range names {
		if used[n] < counts[n] {
			used[n]++
			marks[i] = true
		}
	}
	return marks
}
