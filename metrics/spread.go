package metrics

import (
	"math"
	"slices"

	"github.com/skilleval/skilleval/internal/stats"
	"github.com/skilleval/skilleval/results"
)

// spread describes counts; it sorts them. A total beyond the range of int64 stays at its end.
func spread(counts []int64) Spread {
	s := Spread{N: len(counts)}
	if s.N == 0 {
		return s
	}
	slices.Sort(counts)
	values := make([]float64, len(counts))
	for i, c := range counts {
		values[i] = float64(c)
		s.Total = addSaturated(s.Total, c)
	}
	if mean, ok := stats.Mean(values); ok {
		s.Mean = &mean
	}
	s.P50, s.P95 = quantiles(values)
	return s
}

// quantiles returns the median and the 95th percentile of sorted values.
func quantiles(sorted []float64) (p50, p95 *float64) {
	if m, ok := stats.Quantile(sorted, 0.5); ok {
		p50 = finite(m)
	}
	if m, ok := stats.Quantile(sorted, 0.95); ok {
		p95 = finite(m)
	}
	return p50, p95
}

func addSaturated(a, b int64) int64 {
	switch {
	case b > 0 && a > math.MaxInt64-b:
		return math.MaxInt64
	case b < 0 && a < math.MinInt64-b:
		return math.MinInt64
	}
	return a + b
}

// tokenCounts collects the usage of scored trials, one number a trial and series.
type tokenCounts struct {
	sources map[string]bool
	series  [6][]int64
}

// add takes the usage of one trial.
func (c *tokenCounts) add(u results.Usage) {
	if u.Source != "" {
		if c.sources == nil {
			c.sources = map[string]bool{}
		}
		c.sources[u.Source] = true
	}
	for i, n := range [6]int{u.Prompt, u.Completion, u.Level1.Prompt, u.Level1.Completion, u.Level2.Prompt, u.Level2.Completion} {
		c.series[i] = append(c.series[i], int64(n))
	}
}

// summary describes the series. The source is that of all trials, "mixed" when they differ, "" when none is known.
func (c *tokenCounts) summary() Tokens {
	t := Tokens{
		Prompt:     spread(c.series[0]),
		Completion: spread(c.series[1]),
		Level1:     Levels{Prompt: spread(c.series[2]), Completion: spread(c.series[3])},
		Level2:     Levels{Prompt: spread(c.series[4]), Completion: spread(c.series[5])},
	}
	for source := range c.sources {
		t.Source = source
	}
	if len(c.sources) > 1 {
		t.Source = "mixed"
	}
	return t
}
