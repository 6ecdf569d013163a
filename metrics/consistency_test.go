package metrics

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// selectionsRun is a run of cases whose trials are given by words: "a", "a+b" the skills called, "-" none, "!" a reply that
// cannot be read, "e" an error.
func selectionsRun(t testing.TB, groups []string, cases ...[]string) *memory {
	m := &memory{header: results.Header{Arms: []results.Arm{{Name: "main"}}}}
	for i, trials := range cases {
		c := datasets.Case{ID: fmt.Sprintf("c%03d", i), Expect: expect("a", "-")}
		if groups != nil {
			c.Group = groups[i]
		}
		m.header.Repetitions = max(m.header.Repetitions, len(trials))
		for k, what := range trials {
			trial := results.Trial{Repetition: k}
			switch what {
			case "-":
			case "!":
				trial.Fault = fault("unparsable")
			case "e":
				trial.Error = &results.Problem{Class: "server"}
			default:
				for _, skill := range splitPlus(what) {
					trial.Calls = append(trial.Calls, call(skill, fmt.Sprintf(`{"k":%d}`, k)))
				}
			}
			m.trials = append(m.trials, scoredTrial(t, c, trial))
		}
	}
	return m
}

func splitPlus(s string) (out []string) {
	from := 0
	for i := range s {
		if s[i] == '+' {
			out, from = append(out, s[from:i]), i+1
		}
	}
	return append(out, s[from:])
}

// Pairs of three trials: all the same 3/3, two the same 1/3, none 0/3. Right or wrong does not matter, nor do arguments.
func TestConsistencyOfOneCase(t *testing.T) {
	for _, c := range []struct {
		name   string
		trials []string
		share  float64
	}{
		{"right each time", []string{"a", "a", "a"}, 1},
		{"wrong in the same way each time", []string{"b", "b", "b"}, 1},
		{"one of three", []string{"a", "b", "a"}, 1.0 / 3},
		{"three ways", []string{"a", "b", "-"}, 0},
		{"two and two: 2 of 6 pairs", []string{"a", "a", "b", "b"}, 1.0 / 3},
		{"silent each time", []string{"-", "-"}, 1},
		{"the order counts", []string{"a+b", "b+a"}, 0},
		{"how often counts", []string{"a", "a+a"}, 0},
		{"names are kept apart", []string{"a+bc", "ab+c"}, 0},
		{"what cannot be read is not silence", []string{"-", "!"}, 0},
		{"the same fault", []string{"!", "!"}, 1},
		{"an error is in no pair", []string{"a", "e", "a"}, 1},
		{"nor do two errors agree", []string{"a", "e", "e", "b"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := summarizeOne(t, selectionsRun(t, nil, c.trials), SummaryOptions{}).TrialsDetail
			require.NotNil(t, d.Consistency.Value)
			assert.InDelta(t, c.share, *d.Consistency.Value, 1e-12)
			assert.Equal(t, 1, d.Consistency.N)
		})
	}
}

// The mean over cases, whatever the number of their trials: (1 + 1/3 + 0 + 1)/4; the last two cases have no pair.
func TestConsistencyIsTheMeanOverCases(t *testing.T) {
	cases := [][]string{{"a", "a", "a"}, {"a", "a", "b"}, {"a", "b", "e"}, {"b", "b", "e"}, {"a", "e", "e"}, {"e", "e", "e"}}
	d := summarizeOne(t, selectionsRun(t, nil, cases...), SummaryOptions{}).TrialsDetail
	c := d.Consistency
	assert.InDelta(t, 7.0/12, *c.Value, 1e-12)
	assert.Equal(t, []any{4, 0, "wilson-cluster"}, []any{c.N, c.Clusters, c.Method})
	assert.True(t, 0 < *c.Lo && *c.Lo < 7.0/12 && 7.0/12 < *c.Hi && *c.Hi < 1)
	assert.Equal(t, 2, d.N, "pass@k stands on the cases with all their trials")

	// Two clusters, g with three of the cases, also where another case stands between them; the value is the same.
	grouped := summarizeOne(t, selectionsRun(t, []string{"g", "h", "g", "g", "", ""}, cases...), SummaryOptions{}).TrialsDetail.Consistency
	assert.InDelta(t, 7.0/12, *grouped.Value, 1e-12)
	assert.Equal(t, []int{4, 2}, []int{grouped.N, grouped.Clusters})
	assert.Greater(t, *grouped.Hi-*grouped.Lo, *c.Hi-*c.Lo, "few clusters say less")

	// With two trials a share is a hit or a miss, and the interval Wilson's: two of four cases.
	two := summarizeOne(t, selectionsRun(t, nil, []string{"a", "a"}, []string{"a", "b"}, []string{"b", "b"}, []string{"b", "-"}), SummaryOptions{}).TrialsDetail.Consistency
	want := est(2, 4)
	assert.InDelta(t, *want.Lo, *two.Lo, 1e-12)
	assert.InDelta(t, *want.Hi, *two.Hi, 1e-12)

	all := summarizeOne(t, selectionsRun(t, nil, []string{"a", "a"}, []string{"b", "b"}), SummaryOptions{}).TrialsDetail.Consistency
	assert.Equal(t, 1.0, *all.Value)
	assert.Less(t, *all.Lo, 0.5, "two cases do not show that all agree")
}

func TestConsistencyOfNothing(t *testing.T) {
	d := summarizeOne(t, selectionsRun(t, nil, []string{"a", "e"}, []string{"e", "e"}), SummaryOptions{}).TrialsDetail
	raw, err := json.Marshal(d.Consistency)
	require.NoError(t, err)
	assert.JSONEq(t, `{"value":null,"lo":null,"hi":null,"n":0,"reason":"no case has two scored trials"}`, string(raw))
}

func TestConsistencyGate(t *testing.T) {
	m := selectionsRun(t, nil, []string{"a", "a", "a"}, []string{"a", "a", "b"}, []string{"a", "b", "e"})
	for _, c := range []struct {
		m    *memory
		expr string
		pass bool
		n    int
		note string
	}{
		{m, "trials_detail.consistency >= 0.44", true, 3, "n = 3 does not decide it"}, // (1 + 1/3 + 0)/3 = 0.4444
		{m, "trials_detail.consistency >= 0.45", false, 3, "n = 3 does not decide it"},
		{m, "trials_detail.consistency < 0.4445", true, 3, ""},
		{selectionsRun(t, nil, []string{"a"}), "trials_detail.consistency >= 0", false, 0, "nothing was measured: there is one repetition only"},
		{selectionsRun(t, nil, []string{"a", "e"}), "trials_detail.consistency >= 0", false, 0, "nothing was measured: no case has two scored trials"},
	} {
		g, err := ParseGate(c.expr)
		require.NoError(t, err)
		r := g.Check(summarizeOne(t, c.m, SummaryOptions{}))
		assert.Equal(t, []any{c.pass, c.n}, []any{r.Pass, r.N}, c.expr)
		assert.Contains(t, r.Note, c.note, c.expr)
	}
	_, err := ParseGate("trials_detail.consistency >= 90")
	require.Error(t, err, "it is a rate")
}

// The interval covers the true mean in 94 % of simulated runs or more. A share of unsteady of the cases is chosen at random
// between two skills (which agree in half of the pairs), the others always agree: the truth is 1 − unsteady/2. Members of
// a group are alike. 2,000 runs: the standard error is 0.5 points.
func TestConsistencyCoverage(t *testing.T) {
	if raceDetector {
		t.Skip("a simulation: slow under the race detector, and has no concurrency")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		cases, group, trials int
		unsteady             float64
	}{{20, 1, 3, 1}, {20, 1, 3, 0.2}, {20, 1, 5, 0.02}, {50, 1, 2, 0.2}, {50, 1, 3, 0.02}, {100, 1, 3, 0.2}, {100, 4, 3, 0.2}, {500, 1, 3, 0.02}, {500, 5, 2, 0.2}} {
		const runs = 2000
		covered, truth := 0, 1-c.unsteady/2
		for range runs {
			var s consistency
			steady := false
			for i := range c.cases {
				if i%c.group == 0 {
					steady = rng.Float64() >= c.unsteady
				}
				s.made = map[string]int{}
				for range c.trials {
					if steady {
						s.made["a"]++
					} else {
						s.made[[]string{"a", "b"}[rng.IntN(2)]]++
					}
				}
				s.unit = int32(i / c.group)
				s.closeCase()
			}
			if e := s.estimate(); *e.Lo <= truth && truth <= *e.Hi {
				covered++
			}
		}
		assert.GreaterOrEqual(t, float64(covered)/runs, 0.94, "%+v", c)
	}
}
