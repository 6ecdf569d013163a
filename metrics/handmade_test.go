package metrics

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/internal/stats"
	"github.com/skilleval/skilleval/results"
)

// memory is a run in memory.
type memory struct {
	header results.Header
	trials []*results.Trial
}

func (m *memory) Header() results.Header { return m.header }

func (m *memory) Trials(yield func(*results.Trial) error) error {
	for _, t := range m.trials {
		if err := yield(t); err != nil {
			return err
		}
	}
	return nil
}

// scoredTrial scores a trial as a run does, and passes it through JSON as a run file does.
func scoredTrial(t testing.TB, c datasets.Case, trial results.Trial) *results.Trial {
	t.Helper()
	trial.Case, trial.Group, trial.Tags = c.ID, c.Group, c.Tags
	if trial.Arm == "" {
		trial.Arm = "main"
	}
	var err error
	trial.Expect, err = json.Marshal(c.Expect)
	require.NoError(t, err)
	if len(c.Accept) > 0 {
		trial.Accept, err = json.Marshal(c.Accept)
		require.NoError(t, err)
	}
	if trial.Error == nil {
		trial.Scores, err = NewScorer(schemas).Score(&c, &trial)
		require.NoError(t, err)
	}
	raw, err := json.Marshal(&trial)
	require.NoError(t, err)
	var back results.Trial
	require.NoError(t, json.Unmarshal(raw, &back))
	return &back
}

func est(hits, n int) Estimate {
	iv, _ := stats.Wilson(hits, n)
	return Estimate{Value: new(float64(hits) / float64(n)), Lo: &iv.Lo, Hi: &iv.Hi, N: n, Method: "wilson"}
}

// clustered takes pairs of hits and observations, one a cluster.
func clustered(pairs ...float64) Estimate {
	var cs []stats.Cluster
	var hits, n float64
	for i := 0; i < len(pairs); i += 2 {
		cs = append(cs, stats.Cluster{Sum: pairs[i], N: pairs[i+1]})
		hits, n = hits+pairs[i], n+pairs[i+1]
	}
	iv, _ := stats.WilsonClustered(cs)
	return Estimate{Value: new(hits / n), Lo: &iv.Lo, Hi: &iv.Hi, N: int(n), Method: "wilson-cluster", Clusters: len(cs)}
}

// handmade is a run of 14 trials with every kind of outcome.
//
//	i   expected                         made                          outcome                 sel l1 args labelled right
//	1   weather city=Oslo                weather city=Oslo             right                    ✓  ✓  ✓    1        1
//	2   weather city=Rome days=2         weather city=Rom x=1          missing, value, extra    ✓  ✓  ✗    2        0
//	3   weather city=Bonn                air city=Bonn                 other skill              ✗  ✗  ✗    1        0
//	4   none                             –                             rightly silent           ✓  ✓  –
//	5   none                             search q=5 (repaired)         over-triggered           ✗  ✗  –
//	6   search q=x                       – (named search)              under-triggered          ✗  ✓  ✗    1        0
//	7   search q=a, note text=b, strict  the same                      right                    ✓  ✓  ✓    2        2
//	8   note, not labelled               note text=…                   right                    ✓  ✓  –
//	9   search q=any n=3                 search q=y n="3", refused     invalid_arguments, type  ✓  ✓  ✗    2        1
//	10  weather city=Nice                – (named weather)             unparsable               ✗  ✓  ✗    1        0
//	11  weather city=Oslo                weather city=Oslo             ERROR timeout
//	12  none                             –                             ERROR truncated
//	13  air city=Ulm, or weather         weather city=Ulm              right by what is accepted ✓ ✓  ✓    1        1
//	14  none                             –                             empty_reply              ✗  ✗  –
//
// Trial i has 100·i prompt and 10·i completion tokens, of which 60·i and 4·i at level 1; 1 + i mod 3 rounds; a latency
// of 10·i ms.
func handmade(t testing.TB) *memory {
	any3 := `{"q":{"$any":true},"n":3}`
	refused := invalid("search", `{"q":"y","n":"3"}`)
	refused.Repairs = 2
	repaired := call("search", `{"q":"5"}`)
	repaired.FirstValid, repaired.Repairs = false, 1
	rows := []struct {
		tags   []string
		expect datasets.Expectation
		accept []datasets.Expectation
		trial  results.Trial
	}{
		{[]string{"en", "en"}, expect("weather", `{"city":"Oslo"}`), nil, results.Trial{Selected: []string{"weather"}, Calls: []results.Call{call("weather", `{"city":"Oslo"}`)}, Tiers: map[string]int{"native": 2}}},
		{[]string{"en"}, expect("weather", `{"city":"Rome","days":2}`), nil, results.Trial{Selected: []string{"weather"}, Calls: []results.Call{call("weather", `{"city":"Rom","x":1}`)}, Tiers: map[string]int{"json": 1, "none": 1}}},
		{[]string{"zh"}, expect("weather", `{"city":"Bonn"}`), nil, results.Trial{Selected: []string{"air"}, Calls: []results.Call{call("air", `{"city":"Bonn"}`)}, Retries: 1}},
		{nil, expect(), nil, results.Trial{Refusal: "I would rather not."}},
		{nil, expect(), nil, results.Trial{Selected: []string{"search"}, Calls: []results.Call{repaired}, Repairs: 1, Tiers: map[string]int{"fragment": 1}}},
		{[]string{"en"}, expect("search", `{"q":"x"}`), nil, results.Trial{Selected: []string{"search"}}},
		{nil, strict(expect("search", `{"q":"a"}`, "note", `{"text":"b"}`)), nil, results.Trial{Selected: []string{"search", "note"}, Calls: []results.Call{call("search", `{"q":"a"}`), call("note", `{"text":"b"}`)}}},
		{[]string{"zh"}, expect("note", "-"), nil, results.Trial{Selected: []string{"note"}, Calls: []results.Call{call("note", `{"text":"whatever"}`)}}},
		{nil, expect("search", any3), nil, results.Trial{Selected: []string{"search"}, Calls: []results.Call{refused}, Repairs: 2, Fault: fault("invalid_arguments"), Tiers: map[string]int{"pattern": 1}}},
		{nil, expect("weather", `{"city":"Nice"}`), nil, results.Trial{Selected: []string{"weather"}, Fault: fault("unparsable"), Tiers: map[string]int{"none": 1}}},
		{[]string{"en"}, expect("weather", `{"city":"Oslo"}`), nil, results.Trial{Selected: []string{"weather"}, Calls: []results.Call{call("weather", `{"city":"Oslo"}`)}, Tiers: map[string]int{"native": 5}, Retries: 2, Error: &results.Problem{Class: "timeout", Message: "no reply in 30 s"}}},
		{[]string{"slow", "zh"}, expect(), nil, results.Trial{Repairs: 1, Error: &results.Problem{Class: "truncated"}, Refusal: "cut"}},
		{nil, expect("air", `{"city":"Ulm"}`), []datasets.Expectation{expect("weather", `{"city":"Ulm"}`)}, results.Trial{Selected: []string{"weather"}, Calls: []results.Call{call("weather", `{"city":"Ulm"}`)}}},
		{nil, expect(), nil, results.Trial{Fault: fault("empty_reply")}},
	}
	m := &memory{header: results.Header{Arms: []results.Arm{{Name: "main"}}, Repetitions: 1, Prices: &results.Prices{Prompt: 2, Completion: 10}}}
	for k, r := range rows {
		i := k + 1
		r.trial.Usage = results.Usage{Source: "server", Prompt: 100 * i, Completion: 10 * i,
			Level1: results.Tokens{Prompt: 60 * i, Completion: 4 * i}, Level2: results.Tokens{Prompt: 40 * i, Completion: 6 * i}}
		if i == 2 {
			r.trial.Usage.Source = "estimated"
		}
		r.trial.Rounds, r.trial.LatencyMS = 1+i%3, float64(10*i)
		m.trials = append(m.trials, scoredTrial(t, datasets.Case{ID: fmt.Sprintf("c%02d", i), Tags: r.tags, Expect: r.expect, Accept: r.accept}, r.trial))
	}
	return m
}

func summarizeOne(t testing.TB, src Source, o SummaryOptions) *Arm {
	t.Helper()
	arms, err := Summarize(src, o)
	require.NoError(t, err)
	require.Len(t, arms, 1)
	return &arms[0]
}

// Every figure of the run above, worked out by hand:
//
//	scored: all but 11 and 12. Selection right: 1 2 4 7 8 9 13. Level 1 right: 1 2 4 6 7 8 9 10 13.
//	none: 4 5 14, a skill called in 5. Calls expected: 1 2 3 6 7 8 9 10 13, none made in 6 and 10.
//	arguments labelled: 1 2 3 6 7 9 10 13, right in 1 7 13; of them with right selection: 1 2 7 9 13.
//	labelled arguments 1+2+1+1+2+2+1+1 = 11, right 1+0+0+0+2+1+0+1 = 5; missing: days of 2, all of 3, 6 and 10; type: n of 9;
//	value: city of 2; extra: x of 2. 4 + 1 + 1 = 11 − 5.
//	calls made: 1+1+1+1+2+1+1+1 = 9 in 1 2 3 5 7 8 9 13; valid at once all but those of 5 and 9; in the end all but that of 9.
//	exact as a whole: 1 4 7 8 13.
func TestHandmadeFigures(t *testing.T) {
	a := summarizeOne(t, handmade(t), SummaryOptions{Skills: []string{"weather", "unused", "air", "search", "note", "calendar"}})

	assert.Equal(t, []int{14, 14, 12, 2, 1}, []int{a.Cases, a.Trials, a.Scored, a.Errors, a.Refusals})
	assert.Equal(t, map[string]int{"timeout": 1, "truncated": 1}, a.ErrorClasses)
	assert.Equal(t, map[string]int{"invalid_arguments": 1, "unparsable": 1, "empty_reply": 1}, a.FaultClasses)

	s := a.Selection
	assert.Equal(t, est(7, 12), s.Accuracy)
	assert.Equal(t, est(7, 14), s.AccuracyErrorsWrong)
	assert.Equal(t, est(9, 12), s.Level1)
	assert.Equal(t, est(1, 3), s.OverTrigger)
	assert.Equal(t, est(2, 9), s.UnderTrigger)
	assert.Equal(t, []string{"calendar", "unused"}, s.Unmeasured)

	assert.Equal(t, est(3, 8), a.Args.Exact)
	assert.Equal(t, est(3, 5), a.Args.ExactGivenSelection)
	assert.Equal(t, clustered(1, 1, 0, 2, 0, 1, 0, 1, 2, 2, 1, 2, 0, 1, 1, 1), a.Args.PerArgument)
	assert.Equal(t, clustered(1, 1, 1, 1, 1, 1, 0, 1, 2, 2, 1, 1, 0, 1, 1, 1), a.Args.FirstTryValid)
	assert.Equal(t, clustered(1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 0, 1, 1, 1), a.Args.RepairedValid)
	assert.Equal(t, ArgFaults{Missing: 4, Extra: 1, Type: 1, Value: 1}, a.Args.Faults)
	assert.Equal(t, 1, a.Args.Unlabelled)
	assert.Equal(t, est(5, 12), a.Calls.Exact)
	assert.Nil(t, a.TrialsDetail, "one repetition")
}

// Calls by skill, expected / made / both: weather 5 (1 2 3 10 13) / 3 (1 2 13) / 3, search 3 (6 7 9) / 3 (5 7 9) / 2, note 2 / 2 / 2,
// air 0 (what was accepted was used in 13) / 1 (3) / 0. Labelled calls right: weather 1 13 of five, search 7 of three,
// note 7 of one. Macro F1 = (6/8 + 4/6 + 1 + 0)/4; micro P 7/9, R 7/10, F1 14/19; weighted F1 = (5·0.75 + 3·2/3 + 2)/10.
func TestHandmadeClasses(t *testing.T) {
	s := summarizeOne(t, handmade(t), SummaryOptions{}).Selection
	assert.Equal(t, []SkillRow{
		{Skill: "air", Support: 0, Predicted: 1, Precision: est(0, 1), Recall: Estimate{Reason: "no scored trial expects it"},
			F1: new(0.0), ArgsExact: Estimate{Reason: "no scored trial labels its arguments"}},
		{Skill: "note", Support: 2, Predicted: 2, Precision: est(2, 2), Recall: est(2, 2), F1: new(1.0), ArgsExact: est(1, 1)},
		{Skill: "search", Support: 3, Predicted: 3, Precision: est(2, 3), Recall: est(2, 3), F1: new(4.0 / 6), ArgsExact: est(1, 3)},
		{Skill: "weather", Support: 5, Predicted: 3, Precision: est(3, 3), Recall: est(3, 5), F1: new(6.0 / 8), ArgsExact: est(2, 5)},
	}, s.PerSkill)
	for name, c := range map[string]struct {
		got     PRF
		p, r, f float64
		n       int
	}{
		"macro":    {s.Macro, (1 + 2.0/3 + 1 + 0) / 4, (0.6 + 2.0/3 + 1 + 0) / 4, (0.75 + 2.0/3 + 1 + 0) / 4, 4},
		"micro":    {s.Micro, 7.0 / 9, 7.0 / 10, 14.0 / 19, 12},
		"weighted": {s.Weighted, (5 + 2 + 2) / 10.0, (3 + 2 + 2) / 10.0, (3.75 + 2 + 2) / 10, 10},
	} {
		assert.InDelta(t, c.p, *c.got.Precision, 1e-12, name)
		assert.InDelta(t, c.r, *c.got.Recall, 1e-12, name)
		assert.InDelta(t, c.f, *c.got.F1, 1e-12, name)
		assert.Equal(t, c.n, c.got.N, name)
		require.NotNil(t, c.got.F1Lo, name)
		assert.True(t, 0 <= *c.got.F1Lo && *c.got.F1Lo < c.f && c.f < *c.got.F1Hi && *c.got.F1Hi <= 1, "%s: %v to %v", name, *c.got.F1Lo, *c.got.F1Hi)
	}
	assert.Equal(t, []Confusion{
		{"", "", 1}, {"", "search", 1}, {"note", "note", 2}, {"search", "", 1}, {"search", "search", 2},
		{"weather", "", 1}, {"weather", "air", 1}, {"weather", "weather", 3},
	}, s.Confusion)
}

// Σi over scored trials (1–10, 13, 14) is 82, over all 105. Their median is 6.5, the 95th percentile 13.45. Rounds:
// 2 3 1 2 3 1 2 3 1 2 · 2 3, sum 25. Cost: (100·105·2 + 10·105·10) / 1e6.
func TestHandmadeEffort(t *testing.T) {
	a := summarizeOne(t, handmade(t), SummaryOptions{})
	spread := func(unit float64) Spread {
		return Spread{Mean: new(82 * unit / 12), P50: new(6.5 * unit), P95: new(13.45 * unit), Total: int64(82 * unit), N: 12}
	}
	assert.Equal(t, "mixed", a.Tokens.Source)
	for name, c := range map[string]struct {
		got  Spread
		unit float64
	}{
		"prompt": {a.Tokens.Prompt, 100}, "completion": {a.Tokens.Completion, 10},
		"level 1 prompt": {a.Tokens.Level1.Prompt, 60}, "level 1 completion": {a.Tokens.Level1.Completion, 4},
		"level 2 prompt": {a.Tokens.Level2.Prompt, 40}, "level 2 completion": {a.Tokens.Level2.Completion, 6},
	} {
		want := spread(c.unit)
		assert.Equal(t, []any{want.Total, want.N}, []any{c.got.Total, c.got.N}, name)
		assert.InDelta(t, *want.Mean, *c.got.Mean, 1e-9, name)
		assert.InDelta(t, *want.P50, *c.got.P50, 1e-9, name)
		assert.InDelta(t, *want.P95, *c.got.P95, 1e-9, name)
	}
	assert.Equal(t, Mean{Mean: new(25.0 / 12), N: 12}, a.Rounds)
	require.NotNil(t, a.LatencyMS)
	assert.InDelta(t, 65, *a.LatencyMS.P50, 1e-9)
	assert.InDelta(t, 134.5, *a.LatencyMS.P95, 1e-9)
	assert.Equal(t, 12, a.LatencyMS.N)
	assert.InDelta(t, 0.0315, *a.CostUSD, 1e-12)
	assert.Equal(t, ParseTiers{Native: 2, JSON: 1, Fragment: 1, Pattern: 1, None: 2}, a.ParseTiers)
	assert.Equal(t, 3, a.Repairs, "of scored trials")
	assert.Equal(t, 3, *a.Retries, "of all trials")

	stable := summarizeOne(t, handmade(t), SummaryOptions{Stable: true})
	assert.Nil(t, stable.LatencyMS)
	assert.Nil(t, stable.Retries)
}

func TestHandmadeLists(t *testing.T) {
	a := summarizeOne(t, handmade(t), SummaryOptions{})
	assert.Equal(t, []TagSummary{
		{Tag: "en", Cases: 4, Selection: est(2, 3), ArgsExact: est(1, 3)},
		{Tag: "slow", Cases: 1, Selection: Estimate{Reason: "no trial with this tag was scored"}, ArgsExact: Estimate{Reason: "no scored trial with this tag labels arguments"}},
		{Tag: "zh", Cases: 3, Selection: est(1, 2), ArgsExact: est(0, 1)},
	}, a.Tags)
	assert.Equal(t, []Failure{
		{Case: "c02", Want: []string{"weather"}, Got: []string{"weather"}, What: "arguments", Detail: []string{
			`call 1 weather: city: want "Rome", got "Rom"`, `call 1 weather: days: missing, want 2`, `call 1 weather: x: extra, got 1`}},
		{Case: "c03", Want: []string{"weather"}, Got: []string{"air"}, What: "selection", Detail: []string{`call 1 weather: not called`}},
		{Case: "c05", Want: []string{}, Got: []string{"search"}, What: "selection", Detail: []string{"search: not expected"}},
		{Case: "c06", Want: []string{"search"}, Got: []string{}, What: "selection", Detail: []string{`call 1 search: not called`}},
		{Case: "c09", Want: []string{"search"}, Got: []string{"search"}, What: "invalid_arguments", Detail: []string{"said so",
			`call 1 search: n: wrong type, want 3, got "3"`, `call 1 search: refused by the skill's schema: city: a string is expected`}},
		{Case: "c10", Want: []string{"weather"}, Got: []string{}, What: "unparsable", Detail: []string{"said so", `call 1 weather: not called`}},
		{Case: "c14", Want: []string{}, Got: []string{}, What: "empty_reply", Detail: []string{"said so"}},
	}, a.Failures)
	assert.Equal(t, []Failure{
		{Case: "c11", Want: []string{"weather"}, Got: []string{"weather"}, What: "timeout", Detail: []string{"no reply in 30 s"}},
		{Case: "c12", Want: []string{}, Got: []string{}, What: "truncated"},
	}, a.ErrorList)
}
