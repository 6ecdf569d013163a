package metrics

import (
	"slices"

	"github.com/skilleval/skilleval/internal/stats"
)

// trials makes the figures over k repetitions; nil for one. A case with fewer than k scored trials tells nothing of k.
func (a *armState) trials(k int) *TrialsDetail {
	if k <= 1 {
		return nil
	}
	d := &TrialsDetail{K: k, Consistency: a.same.estimate(), Flaky: slices.Sorted(slices.Values(a.flaky))}
	if d.Flaky == nil {
		d.Flaky = []string{}
	}
	var at, all []float64
	for _, c := range a.cases {
		if p, ok := stats.PassAtK(int(c.n), int(c.passed), k); ok {
			at = append(at, p)
		}
		if p, ok := stats.PassHatK(int(c.n), int(c.passed), k); ok {
			all = append(all, p)
		}
	}
	d.N = len(at)
	if m, ok := stats.Mean(at); ok {
		d.PassAtK = &m
	}
	if m, ok := stats.Mean(all); ok {
		d.PassHatK = &m
	}
	return d
}
