package metrics

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// The arguments of a skill are counted under the expectation that was used.
func TestArgumentsBySkillUseTheAcceptedExpectation(t *testing.T) {
	rows := func(c datasets.Case, calls ...results.Call) map[string]Estimate {
		c.ID = "c"
		m := &memory{trials: []*results.Trial{scoredTrial(t, c, results.Trial{Calls: calls})}}
		out := map[string]Estimate{}
		for _, r := range summarizeOne(t, m, SummaryOptions{}).Selection.PerSkill {
			if r.ArgsExact.N > 0 {
				r.ArgsExact.Lo, r.ArgsExact.Hi, r.ArgsExact.Method = nil, nil, ""
				out[r.Skill] = r.ArgsExact
			}
		}
		return out
	}
	share := func(hits, n float64) Estimate { return Estimate{Value: new(hits / n), N: int(n)} }
	two := func(hits float64) Estimate { return Estimate{Value: new(hits / 2), N: 2, Clusters: 1} }
	oslo := call("weather", `{"city":"Oslo"}`)

	assert.Equal(t, map[string]Estimate{"weather": share(1, 1)},
		rows(datasets.Case{Expect: expect("air", `{"city":"Oslo"}`), Accept: []datasets.Expectation{expect("weather", `{"city":"Oslo"}`)}}, oslo))
	assert.Equal(t, map[string]Estimate{"weather": share(0, 1)},
		rows(datasets.Case{Expect: expect("air", `{"city":"Oslo"}`), Accept: []datasets.Expectation{expect("weather", `{"city":"Rome"}`)}}, oslo))
	assert.Equal(t, map[string]Estimate{"air": share(0, 1)},
		rows(datasets.Case{Expect: expect("air", `{"city":"Oslo"}`), Accept: []datasets.Expectation{expect("x", `{}`)}}, oslo))
	assert.Equal(t, map[string]Estimate{},
		rows(datasets.Case{Expect: expect("air", `{"city":"Oslo"}`), Accept: []datasets.Expectation{expect("weather", "-")}}, oslo))
	assert.Equal(t, map[string]Estimate{},
		rows(datasets.Case{Expect: expect("weather", "-"), Accept: []datasets.Expectation{expect("weather", `{"city":"Oslo"}`)}}, oslo))
	assert.Equal(t, map[string]Estimate{"weather": share(1, 1), "air": share(0, 1)},
		rows(datasets.Case{Expect: expect("weather", `{"city":"Rome","days":2}`, "air", "-"), Accept: []datasets.Expectation{
			expect("air", `{"x":1}`, "weather", `{"city":"Oslo"}`)}}, oslo, call("air", `{}`)),
		"the lines of difference tell which one")
	assert.Equal(t, map[string]Estimate{"weather": two(1)},
		rows(datasets.Case{Expect: expect("weather", `{"city":"Oslo"}`, "weather", `{"city":"Rome"}`)}, oslo, call("weather", `{"city":"Bonn"}`)))
	assert.Equal(t, map[string]Estimate{"weather": share(0, 1), "air": share(1, 1)},
		rows(datasets.Case{Expect: expect("weather", `{"city":"Rome"}`, "air", `{}`)}, oslo, call("air", `{}`)))
}

// What is accepted names the same skills as what is expected and labels other arguments of them. In 1 the accepted one is
// used, with more right: weather is not labelled in it, and the note lacks its title. In 2 the case's own is met. In 3 it is
// used: the city is wrong, the note right.
//
//	weather labelled in 2 and 3, exact in 2; note labelled in all, exact in 2 and 3
func TestArgumentsBySkillAreThoseOfTheExpectationUsed(t *testing.T) {
	own := expect("weather", `{"city":"Oslo"}`, "note", `{"text":"a"}`)
	other := expect("weather", "-", "note", `{"text":"b","title":"t"}`)
	m := &memory{}
	for i, args := range [][2]string{{"Rome", "b"}, {"Oslo", "a"}, {"Rome", "a"}} {
		calls := []results.Call{call("weather", `{"city":"`+args[0]+`"}`), call("note", `{"text":"`+args[1]+`"}`)}
		m.trials = append(m.trials, scoredTrial(t, datasets.Case{ID: fmt.Sprint(i), Expect: own, Accept: []datasets.Expectation{other}}, results.Trial{Calls: calls}))
	}
	rows := func() (note, weather Estimate) {
		s := summarizeOne(t, m, SummaryOptions{}).Selection.PerSkill
		require.Len(t, s, 2)
		return s[0].ArgsExact, s[1].ArgsExact
	}
	note, weather := rows()
	assert.Equal(t, est(1, 2), weather)
	assert.Equal(t, est(2, 3), note)

	for _, trial := range m.trials { // a run file from before the pairs said so: the first expectation that fits is taken
		for i := range trial.Scores.Pairs {
			trial.Scores.Pairs[i].Args = nil
		}
	}
	note, weather = rows()
	assert.Equal(t, est(2, 3), weather, "trial 1 cannot be told from one of the case's own")
	assert.Equal(t, est(2, 3), note)
}

// A pair without a skill, from a file that was tampered with, is no skill's.
func TestArgumentsOfNoSkill(t *testing.T) {
	m := runOf(t, 1, "r")
	m.trials[0].Scores.Args, m.trials[0].Scores.Pairs = new(false), []results.SkillPair{{Got: "weather", Args: new(true)}}
	for _, row := range summarizeOne(t, m, SummaryOptions{}).Selection.PerSkill {
		assert.NotEmpty(t, row.Skill)
	}
}
