package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// runOf is a run of cases that expect weather without labels; outcome holds a letter a trial: r right, w wrong, e error.
func runOf(t testing.TB, repetitions int, outcomes ...string) *memory {
	m := &memory{header: results.Header{Arms: []results.Arm{{Name: "main"}}, Repetitions: repetitions}}
	for i, outcome := range outcomes {
		for k, o := range outcome {
			trial := results.Trial{Repetition: k, Calls: []results.Call{call("weather", `{}`)}}
			switch o {
			case 'w':
				trial.Calls[0].Skill = "air"
			case 'e':
				trial.Error = &results.Problem{Class: "server"}
			}
			m.trials = append(m.trials, scoredTrial(t, datasets.Case{ID: fmt.Sprintf("c%03d", i), Expect: expect("weather", "-")}, trial))
		}
	}
	return m
}

func repeat(n int, s string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// 80 right, 10 wrong and 10 errors: both figures, and every count.
func TestErrorsAreInTheOpen(t *testing.T) {
	a := summarizeOne(t, runOf(t, 1, append(append(repeat(80, "r"), repeat(10, "w")...), repeat(10, "e")...)...), SummaryOptions{})
	assert.Equal(t, []int{100, 100, 90, 10}, []int{a.Cases, a.Trials, a.Scored, a.Errors})
	assert.Equal(t, est(80, 90), a.Selection.Accuracy)
	assert.Equal(t, est(80, 100), a.Selection.AccuracyErrorsWrong)
	assert.Equal(t, est(80, 90), a.Calls.Exact)
	assert.Len(t, a.ErrorList, 10)
	assert.Len(t, a.Failures, 10)
}

// A trial with an error counts in nothing but the totals, whatever else it holds.
func TestErrorsNeverCountAsAnswers(t *testing.T) {
	m := runOf(t, 1, "r", "w", "e", "r")
	without := runOf(t, 1, "r", "w", "r")
	for i, id := range []string{"c000", "c001", "c003"} {
		without.trials[i].Case = id
	}
	e := m.trials[2]
	e.Scores, e.Fault, e.Rounds, e.Repairs, e.LatencyMS = m.trials[0].Scores, fault("unparsable"), 9, 9, 9
	e.Usage, e.Tiers, e.Refusal = results.Usage{Source: "x", Prompt: 9}, map[string]int{"native": 9}, "no"
	got, want := *summarizeOne(t, m, SummaryOptions{}), *summarizeOne(t, without, SummaryOptions{})
	assert.Equal(t, 1, got.Errors)
	assert.Equal(t, est(2, 4), got.Selection.AccuracyErrorsWrong)
	got.Cases, got.Trials, got.Errors, got.ErrorClasses, got.ErrorList = want.Cases, want.Trials, want.Errors, want.ErrorClasses, want.ErrorList
	got.Selection.AccuracyErrorsWrong = want.Selection.AccuracyErrorsWrong
	assert.Equal(t, want, got)
}

// Ten trials of a case are one case: the interval is that of cases, not of trials.
func TestRepetitionsAreClusters(t *testing.T) {
	a := summarizeOne(t, runOf(t, 10, append(repeat(40, "rrrrrrrrrr"), repeat(10, "wwwwwwwwww")...)...), SummaryOptions{})
	acc := a.Selection.Accuracy
	assert.Equal(t, []any{0.8, 500, 50, "wilson-cluster"}, []any{*acc.Value, acc.N, acc.Clusters, acc.Method})
	cases, trials := est(40, 50), est(400, 500)
	assert.InDelta(t, *cases.Hi-*cases.Lo, *acc.Hi-*acc.Lo, 0.02)
	assert.Greater(t, *acc.Hi-*acc.Lo, 2.5*(*trials.Hi-*trials.Lo))
}

// Paraphrases are one cluster, also when other cases stand between them and when one is named like the group.
func TestGroupsAreClusters(t *testing.T) {
	m := runOf(t, 1, "r", "w", "r", "r")
	m.trials[0].Group, m.trials[2].Group = "g", "g"
	acc := summarizeOne(t, m, SummaryOptions{}).Selection.Accuracy
	assert.Equal(t, []int{4, 3}, []int{acc.N, acc.Clusters})
	assert.Equal(t, clustered(2, 2, 0, 1, 1, 1), acc)

	m.trials[0].Group, m.trials[2].Group = "c003", "c003"
	assert.Equal(t, 2, summarizeOne(t, m, SummaryOptions{}).Selection.Accuracy.Clusters)

	row := summarizeOne(t, m, SummaryOptions{}).Selection.PerSkill[1]
	assert.Equal(t, "weather", row.Skill)
	assert.Equal(t, clustered(3, 3, 0, 1), row.Recall, "per skill too")
	assert.Equal(t, 1, row.Precision.Clusters)
}

func TestTrialsDetail(t *testing.T) {
	a := summarizeOne(t, runOf(t, 3, "rrr", "rrw", "www", "wrw", "rre", "rwe", "eee"), SummaryOptions{})
	// Of the four cases with three scored trials: pass@3 is 1 1 0 1, pass^3 is 1 0 0 0 (not 0.2963 for two of three).
	// Of the pairs of scored trials, 1, 1/3, 1, 1/3, 1 and 0 agree: 11/18 over the six cases that have one.
	assert.InDelta(t, 11.0/18, *a.TrialsDetail.Consistency.Value, 1e-12)
	assert.Equal(t, 6, a.TrialsDetail.Consistency.N)
	a.TrialsDetail.Consistency = Estimate{}
	assert.Equal(t, &TrialsDetail{K: 3, N: 4, PassAtK: new(0.75), PassHatK: new(0.25), Flaky: []string{"c001", "c003", "c005"}}, a.TrialsDetail)
	assert.Equal(t, 2, a.Failures[0].Repetition, "the third trial of c001, counted from 0")

	a = summarizeOne(t, runOf(t, 2, "re", "ee"), SummaryOptions{})
	assert.Equal(t, &TrialsDetail{K: 2, Consistency: Estimate{Reason: "no case has two scored trials"}, Flaky: []string{}}, a.TrialsDetail, "one trial of two says nothing of both")

	a = summarizeOne(t, runOf(t, 1, "r"), SummaryOptions{})
	assert.Nil(t, a.TrialsDetail)
	a = summarizeOne(t, runOf(t, 1, "rr"), SummaryOptions{})
	assert.Equal(t, 2, a.TrialsDetail.K, "the trials say more than the header")
}

// True A A C, called A A A, classes A B C: F1 of A 0.8, of C 0; macro over A and C 0.4; micro 2/3; B is listed.
func TestClassNeverCalledCountsZero(t *testing.T) {
	m := &memory{}
	for i, want := range []string{"A", "A", "C"} {
		m.trials = append(m.trials, scoredTrial(t, datasets.Case{ID: fmt.Sprint(i), Expect: expect(want, "-")}, results.Trial{Calls: []results.Call{call("A", `{}`)}}))
	}
	s := summarizeOne(t, m, SummaryOptions{Skills: []string{"C", "B", "A", "B"}}).Selection
	assert.InDelta(t, 0.4, *s.Macro.F1, 1e-12)
	assert.Equal(t, 2, s.Macro.N)
	assert.InDelta(t, 2.0/3, *s.Micro.F1, 1e-12)
	assert.Equal(t, []string{"B"}, s.Unmeasured)
	require.Len(t, s.PerSkill, 2)
	assert.InDelta(t, 0.8, *s.PerSkill[0].F1, 1e-12)
	c := s.PerSkill[1]
	assert.Equal(t, 0.0, *c.F1)
	assert.Nil(t, c.Precision.Value, "never called: no precision, and not 0 or 1")
	assert.NotEmpty(t, c.Precision.Reason)
	assert.Equal(t, 0.0, *c.Recall.Value)
}

// Expected and made calls may be missing altogether.
func TestAveragesOfOneSide(t *testing.T) {
	m := &memory{trials: []*results.Trial{scoredTrial(t, datasets.Case{ID: "1", Expect: expect()}, results.Trial{Calls: []results.Call{call("A", `{}`)}})}}
	s := summarizeOne(t, m, SummaryOptions{}).Selection
	assert.Equal(t, PRF{Precision: new(0.0), Recall: new(0.0), F1: new(0.0), N: 1}, s.Macro)
	assert.Equal(t, PRF{Precision: new(0.0), F1: new(0.0), N: 1}, s.Micro)
	assert.Equal(t, PRF{}, s.Weighted)
	m = &memory{trials: []*results.Trial{scoredTrial(t, datasets.Case{ID: "1", Expect: expect("A", "-")}, results.Trial{})}}
	s = summarizeOne(t, m, SummaryOptions{}).Selection
	assert.Equal(t, PRF{Recall: new(0.0), F1: new(0.0), N: 1}, s.Micro)
	m = &memory{trials: []*results.Trial{scoredTrial(t, datasets.Case{ID: "1", Expect: expect()}, results.Trial{})}}
	s = summarizeOne(t, m, SummaryOptions{}).Selection
	assert.Equal(t, []PRF{{}, {}, {}}, []PRF{s.Macro, s.Micro, s.Weighted})
	assert.Equal(t, est(0, 1), s.OverTrigger)
	assert.Equal(t, []Confusion{{"", "", 1}}, s.Confusion)
}

// Arms come in the header's order, each with its own figures; one without trials is there, with null for every rate.
func TestArms(t *testing.T) {
	m := &memory{header: results.Header{Arms: []results.Arm{{Name: "z"}, {Name: "empty"}, {Name: "a"}}}}
	for i := range 3 {
		c := datasets.Case{ID: fmt.Sprint(i), Expect: expect("weather", "-")}
		m.trials = append(m.trials,
			scoredTrial(t, c, results.Trial{Arm: "z", Calls: []results.Call{call("weather", `{}`)}}),
			scoredTrial(t, c, results.Trial{Arm: "a"}),
			scoredTrial(t, c, results.Trial{Arm: "late", Calls: []results.Call{call("weather", `{}`)}}))
	}
	arms, err := Summarize(m, SummaryOptions{})
	require.NoError(t, err)
	require.Len(t, arms, 4)
	for i, want := range []struct {
		name string
		acc  Estimate
	}{{"z", est(3, 3)}, {"empty", Estimate{Reason: "no trial was scored"}}, {"a", est(0, 3)}, {"late", est(3, 3)}} {
		assert.Equal(t, want.name, arms[i].Arm)
		assert.Equal(t, want.acc, arms[i].Selection.Accuracy)
	}
}

// Nothing measured is null with a reason in every rate, and lists are lists.
func TestEmptyArmJSON(t *testing.T) {
	for name, m := range map[string]*memory{
		"no trial":    {header: results.Header{Arms: []results.Arm{{Name: "main"}}}},
		"errors only": runOf(t, 2, "ee", "ee"),
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := json.Marshal(summarizeOne(t, m, SummaryOptions{}))
			require.NoError(t, err)
			var doc map[string]any
			require.NoError(t, json.Unmarshal(raw, &doc))
			rates := 0
			var walk func(path string, v any)
			walk = func(path string, v any) {
				object, ok := v.(map[string]any)
				if !ok {
					return
				}
				if n, ok := object["n"]; ok && n == 0.0 {
					if _, rate := object["hi"]; rate {
						rates++
						assert.Nil(t, object["value"], path)
						assert.Nil(t, object["lo"], path)
						assert.Nil(t, object["hi"], path)
						assert.NotEmpty(t, object["reason"], path)
					}
				}
				for k, v := range object {
					walk(path+"."+k, v)
				}
			}
			walk("", doc)
			assert.GreaterOrEqual(t, rates, 10)
			selection := doc["selection"].(map[string]any)
			assert.Equal(t, []any{}, selection["per_skill"])
			assert.Equal(t, []any{}, selection["confusion"])
			assert.Nil(t, doc["cost_usd"])
			assert.Contains(t, doc, "cost_usd", "null, not absent")
		})
	}
}

// Whatever a run file holds, the summary is JSON.
func TestNothingInfinite(t *testing.T) {
	m := runOf(t, 1, "r", "r", "r")
	for _, trial := range m.trials {
		trial.Usage = results.Usage{Prompt: math.MaxInt, Completion: math.MinInt}
		trial.Rounds, trial.LatencyMS = math.MaxInt/4, math.MaxFloat64
	}
	m.trials[1].LatencyMS = -math.MaxFloat64
	m.header.Prices = &results.Prices{Prompt: math.MaxFloat64, Completion: 1}
	a := summarizeOne(t, m, SummaryOptions{})
	_, err := json.Marshal(a)
	require.NoError(t, err)
	assert.Nil(t, a.CostUSD)
	assert.Equal(t, int64(math.MaxInt64), a.Tokens.Prompt.Total, "not wrapped round")
	assert.Equal(t, int64(math.MinInt64), a.Tokens.Completion.Total)
	assert.Equal(t, "", a.Tokens.Source)
}

func TestSourceOfTokens(t *testing.T) {
	m := runOf(t, 1, "r", "r", "e")
	m.trials[0].Usage.Source, m.trials[1].Usage.Source, m.trials[2].Usage.Source = "server", "server", "estimated"
	assert.Equal(t, "server", summarizeOne(t, m, SummaryOptions{}).Tokens.Source)
	m.trials[0].Usage.Source, m.trials[1].Usage.Source = "estimated", "estimated"
	assert.Equal(t, "estimated", summarizeOne(t, m, SummaryOptions{}).Tokens.Source)
}

func TestSummarizeRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(m *memory)
		says  string
	}{
		"neither scored nor an error": {func(m *memory) { m.trials[1].Scores = nil }, "case c001, arm main, repetition 0: it has neither scores nor an error"},
		"more right than labelled":    {func(m *memory) { m.trials[0].Scores.Right = 1 }, "1 right of 0 labelled"},
		"negative":                    {func(m *memory) { m.trials[0].Scores.Right, m.trials[0].Scores.Labelled = -2, -1 }, "-2 right of -1"},
		"beyond belief":               {func(m *memory) { m.trials[0].Scores.Labelled = 1 << 40 }, "cannot be"},
		"no pairs":                    {func(m *memory) { m.trials[0].Scores.Pairs = nil }, "no pairs"},
		"right arguments alone":       {func(m *memory) { m.trials[1].Scores.Args = new(true) }, "its arguments are right"},
		"negative repetition":         {func(m *memory) { m.trials[0].Repetition = -1 }, "negative"},
		"not in order":                {func(m *memory) { m.trials[2].Case = "c000" }, "trials of case c000, arm main, are not together"},
	} {
		t.Run(name, func(t *testing.T) {
			m := runOf(t, 1, "r", "w", "r")
			c.spoil(m)
			_, err := Summarize(m, SummaryOptions{})
			require.ErrorContains(t, err, c.says)
		})
	}
}

type broken struct{ memory }

var errBroken = errors.New("line 7: unexpected end")

func (*broken) Trials(func(*results.Trial) error) error { return errBroken }

func TestSummarizeReturnsTheSourcesError(t *testing.T) {
	_, err := Summarize(&broken{}, SummaryOptions{})
	assert.ErrorIs(t, err, errBroken)
}

// A seed gives the same bytes again, another seed other intervals of F1 and nothing else.
func TestSummarizeIsSeeded(t *testing.T) {
	m := handmade(t)
	marshal := func(seed int64) string {
		raw, err := json.Marshal(summarizeOne(t, m, SummaryOptions{Seed: seed, Stable: true}))
		require.NoError(t, err)
		return string(raw)
	}
	assert.Equal(t, marshal(1), marshal(1))
	assert.NotEqual(t, marshal(1), marshal(2))
	a, b := summarizeOne(t, m, SummaryOptions{Seed: 1}), summarizeOne(t, m, SummaryOptions{Seed: 2})
	for _, p := range []*PRF{&a.Selection.Macro, &a.Selection.Micro, &a.Selection.Weighted, &b.Selection.Macro, &b.Selection.Micro, &b.Selection.Weighted} {
		p.F1Lo, p.F1Hi = nil, nil
	}
	assert.Equal(t, a, b)
}

// Micro F1 of single calls is a proportion: its bootstrap interval is close to the normal one, 0.8 ± 1.96·0.02 for 400
// cases, and twice as wide when four cases each are one group that agrees.
func TestIntervalOfF1(t *testing.T) {
	m := runOf(t, 1, append(repeat(320, "r"), repeat(80, "w")...)...)
	s := summarizeOne(t, m, SummaryOptions{Seed: 5}).Selection
	assert.InDelta(t, 0.8-1.96*0.02, *s.Micro.F1Lo, 0.006)
	assert.InDelta(t, 0.8+1.96*0.02, *s.Micro.F1Hi, 0.006)
	for i, trial := range m.trials {
		trial.Group = fmt.Sprint("g", i/4)
	}
	s = summarizeOne(t, m, SummaryOptions{Seed: 5}).Selection
	assert.InDelta(t, 0.8-1.96*0.04, *s.Micro.F1Lo, 0.012)
	assert.InDelta(t, 0.8+1.96*0.04, *s.Micro.F1Hi, 0.012)

	s = summarizeOne(t, runOf(t, 1, repeat(30, "r")...), SummaryOptions{}).Selection
	assert.Nil(t, s.Macro.F1Lo, "thirty right ones are no proof of exactly 1")
	assert.Nil(t, s.Macro.F1Hi)
}

// Silent trials are part of the sample that is drawn from.
func TestKindsCountSilentClusters(t *testing.T) {
	c := newClasses()
	c.addPairs(0, []results.SkillPair{{Want: "a", Got: "a"}})
	c.closeCase()
	c.addPairs(3, []results.SkillPair{{Want: "a", Got: "a"}})
	c.closeCase()
	c.addPairs(4, []results.SkillPair{{Want: "a"}})
	c.closeCase()
	c.addPairs(3, []results.SkillPair{{Got: "b"}})
	c.closeCase()
	kinds, counts := c.kinds(6)
	assert.Equal(t, []int{3, 1, 1, 1}, counts)
	assert.Nil(t, kinds[0])
	require.Len(t, kinds[2], 2)
	assert.Equal(t, tally{predicted: 1}, kinds[2][1].tally)
}

// Scoring a run again from what it holds gives the figures of the run; scores that were tampered with are put right.
func TestRescoreGivesTheSameFigures(t *testing.T) {
	want := summarizeOne(t, handmade(t), SummaryOptions{Seed: 1})
	m := handmade(t)
	for _, trial := range m.trials {
		if trial.Scores != nil {
			trial.Scores = &results.Scores{Selection: true, Pairs: []results.SkillPair{{}}}
		}
	}
	assert.NotEqual(t, want, summarizeOne(t, m, SummaryOptions{Seed: 1}))
	assert.Equal(t, want, summarizeOne(t, Rescore(m, NewScorer(schemas)), SummaryOptions{Seed: 1}))

	for name, spoil := range map[string]func(*results.Trial){
		"stored expectation":   func(t *results.Trial) { t.Expect = json.RawMessage(`7`) },
		"stored alternatives":  func(t *results.Trial) { t.Accept = json.RawMessage(`7`) },
		"neither calls nor no": func(t *results.Trial) { t.Expect = json.RawMessage(`{}`) },
	} {
		m := handmade(t)
		spoil(m.trials[12])
		_, err := Summarize(Rescore(m, NewScorer(schemas)), SummaryOptions{})
		require.ErrorContains(t, err, name)
		assert.ErrorContains(t, err, "case c13")
	}
}
