package metrics

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/results"
)

func TestDeltaGateFailsOnlyWhenTheIntervalShowsTheLoss(t *testing.T) {
	strict := GateOptions{StrictDelta: true}
	few, fewWorse := outcomes(t, many("r", 10)), outcomes(t, many("r", 9)+"w")
	lots, lotsWorse := outcomes(t, many("r", 200)), outcomes(t, many("r", 150)+many("w", 50))
	for _, c := range []struct {
		name       string
		base, head *memory
		o          GateOptions
		expr       string
		pass       bool
		value      float64
		note       string
	}{
		{"few cases show no loss", few, fewWorse, GateOptions{}, "delta(selection.accuracy) >= -0.02", true, -0.1, "the point misses the threshold, but n = 10 does not show it"},
		{"the point does", few, fewWorse, strict, "delta(selection.accuracy) >= -0.02", false, -0.1, "the point decides; n = 10 does not"},
		{"many cases show it", lots, lotsWorse, GateOptions{}, "delta(selection.accuracy) >= -0.02", false, -0.25, ""},
		{"strictly too", lots, lotsWorse, strict, "delta(selection.accuracy) >= -0.02", false, -0.25, ""},
		{"a gain", lotsWorse, lots, GateOptions{}, "delta(selection.accuracy) > 0.1", true, 0.25, ""},
		{"the same, and few", few, few, GateOptions{}, "delta(selection.accuracy) >= -0.02", true, 0, "n = 10 is too small to rule it out"},
		{"the same, and many", lots, lots, GateOptions{}, "delta(selection.accuracy) >= -0.1", true, 0, ""},
		{"an upper bound", lots, lotsWorse, GateOptions{}, "delta(selection.under_trigger) <= 0.02", true, 0, ""},
		{"an upper bound, few", few, outcomes(t, many("r", 9)+"s"), GateOptions{}, "delta(selection.under_trigger) <= 0.02", true, 0.1, "the point misses the threshold, but n = 10"},
		{"too much", lots, outcomes(t, many("r", 150)+many("s", 50)), GateOptions{}, "delta(selection.under_trigger) <= 0.02", false, 0.25, ""},
		{"below an upper bound", lots, outcomes(t, many("r", 150)+many("s", 50)), GateOptions{}, "delta(selection.under_trigger) < 0.02", false, 0.25, ""},
		{"not equal", lots, lotsWorse, GateOptions{}, "delta(selection.accuracy) == 0", false, -0.25, ""},
		{"may be equal", few, fewWorse, GateOptions{}, "delta(selection.accuracy) == 0", true, -0.1, "the point misses"},
		{"differs", few, few, GateOptions{}, "delta(selection.accuracy) != 0", false, 0, "the point decides"},
		{"arguments", lots, outcomes(t, many("r", 150)+many("a", 50)), GateOptions{}, "delta(args.exact) >= -0.02", false, -0.25, ""},
		{"arguments of a skill", lots, outcomes(t, many("r", 150)+many("a", 50)), GateOptions{}, "delta(args.exact[skill=weather]) >= -0.02", false, -0.25, ""},
		{"both", lots, outcomes(t, many("r", 150)+many("a", 50)), GateOptions{}, "delta(calls.exact) >= -0.02", false, -0.25, ""},
		{"selection is not arguments", lots, outcomes(t, many("r", 150)+many("a", 50)), GateOptions{}, "delta(selection.accuracy) >= -0.1", true, 0, ""},
		{"level 1", lots, lotsWorse, GateOptions{}, "delta(selection.level1) >= -0.1", true, 0, ""},
		{"recall", lots, lotsWorse, GateOptions{}, "delta(selection.recall[skill=weather]) >= -0.02", false, -0.25, ""},
		{"errors are no answers", lots, outcomes(t, many("r", 150)+many("e", 50)), GateOptions{}, "delta(selection.accuracy) >= -0.1", true, 0, ""},
		{"unless they count as wrong", lots, outcomes(t, many("r", 150)+many("e", 50)), GateOptions{}, "delta(selection.accuracy_errors_as_wrong) >= -0.1", false, -0.25, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := against(t, c.base, c.head, c.o, c.expr)
			assert.Equal(t, c.pass, r.Pass, r.Note)
			require.NotNil(t, r.Value)
			assert.InDelta(t, c.value, *r.Value, 1e-12)
			require.NotNil(t, r.Lo)
			assert.LessOrEqual(t, *r.Lo, *r.Value)
			assert.GreaterOrEqual(t, *r.Hi, *r.Value)
			if c.note == "" {
				assert.Empty(t, r.Note)
			}
			assert.Contains(t, r.Note, c.note)
		})
	}
}

// One of 50 lost is -0.02 exactly, however floats add up; each case counts once, whatever its repetitions.
func TestStrictDeltaAtTheThreshold(t *testing.T) {
	strict := GateOptions{StrictDelta: true}
	base := outcomes(t, many("r", 50))
	lost := outcomes(t, many("r", 49)+"w")
	assert.True(t, against(t, base, lost, strict, "delta(selection.accuracy) >= -0.02").Pass)
	assert.False(t, against(t, base, lost, strict, "delta(selection.accuracy) > -0.02").Pass)
	assert.False(t, against(t, base, lost, strict, "delta(selection.accuracy) >= -0.0199999999999999999").Pass)
	r := against(t, outcomes(t, "r|r|r r|r|r"), outcomes(t, "r|w|r r"), strict, "delta(selection.accuracy) >= 0")
	assert.InDelta(t, -1.0/6, *r.Value, 1e-12)
	assert.Equal(t, 2, r.N)
	third := outcomes(t, many("r|w|w", 3))
	assert.True(t, against(t, third, outcomes(t, "w r w"), strict, "delta(selection.accuracy) == 0").Pass, "three thirds are one")
}

func TestDeltaGatePairsCommonMeasuredCases(t *testing.T) {
	strict := GateOptions{StrictDelta: true}
	base, head := outcomes(t, "r r e r r"), outcomes(t, "r w r e r w w w")
	r := against(t, base, head, strict, "delta(selection.accuracy) >= 0")
	assert.Equal(t, 3, r.N, "c002 and c003 are errors on one side, c005 to c007 are new")
	assert.InDelta(t, -1.0/3, *r.Value, 1e-12)
	for _, i := range []int{0, 1} {
		head.trials[i].Tags = []string{"zh"}
	}
	r = against(t, base, head, strict, "delta(selection.accuracy[tag=zh]) >= 0")
	assert.Equal(t, 2, r.N)
	assert.InDelta(t, -0.5, *r.Value, 1e-12)

	// Paraphrases of one request are one observation.
	lots, worse := outcomes(t, many("r", 40)), outcomes(t, many("r", 20)+many("w", 20))
	assert.False(t, against(t, lots, worse, GateOptions{}, "delta(selection.accuracy) >= -0.02").Pass)
	for i := range worse.trials {
		worse.trials[i].Group = fmt.Sprint("g", i%2)
	}
	r = against(t, lots, worse, GateOptions{}, "delta(selection.accuracy) >= -0.02")
	assert.True(t, r.Pass, "two clusters show nothing")
	for i := range worse.trials {
		worse.trials[i].Group = "one"
	}
	r = against(t, lots, worse, GateOptions{}, "delta(selection.accuracy) >= -0.02")
	assert.Equal(t, []float64{-1, 1}, []float64{*r.Lo, *r.Hi})
}

func TestDeltaGateOverNothingFails(t *testing.T) {
	base := outcomes(t, "r r")
	for _, c := range []struct {
		base, head *memory
		expr, note string
	}{
		{base, outcomes(t, "e e"), "delta(selection.accuracy) >= -1", "nothing was measured"},
		{outcomes(t, "e e"), base, "delta(selection.accuracy) >= -1", "nothing was measured"},
		{base, base, "delta(selection.accuracy[tag=zh]) >= -1", "nothing was measured"},
		{base, base, "delta(selection.over_trigger) <= 1", "nothing was measured"},
		{base, base, "delta(args.exact[skill=air]) >= -1", "nothing was measured"},
		{base, base, "delta(selection.precision[skill=air]) >= -1", `nothing was measured of "air"`},
		{base, base, "delta(cost_usd) <= 100", "nothing was measured in the baseline"},
		{outcomes(t, "e e"), base, "delta(tokens.prompt.mean) <= 1000", "nothing was measured"},
		{outcomes(t, "e e"), base, "delta(rounds.mean) <= 1000", "nothing was measured in the baseline"},
		{base, outcomes(t, "e e"), "delta(rounds.mean) <= 1000", "nothing was measured"},
	} {
		r := against(t, c.base, c.head, GateOptions{}, c.expr)
		assert.False(t, r.Pass, c.expr)
		assert.Contains(t, r.Note, c.note, c.expr)
		assert.Nil(t, r.Value, c.expr)
	}
	out, err := GateAgainst(gatesOf(t, "delta(selection.accuracy) >= -1"), base, nil, GateOptions{})
	require.NoError(t, err)
	assert.False(t, out.Gates[0].Pass, "no baseline")
}

func TestDeltaGateWithoutAnInterval(t *testing.T) {
	base, head := outcomes(t, "r r r w"), outcomes(t, "r r w w r")
	for i, trial := range head.trials {
		trial.Usage.Prompt, trial.Rounds, trial.LatencyMS = 100+10*i, 3, 25
	}
	base.header.Prices, head.header.Prices = &results.Prices{Prompt: 1}, &results.Prices{Prompt: 1}
	for _, c := range []struct {
		expr  string
		pass  bool
		value float64
		note  string
	}{
		{"delta(tokens.prompt.mean) <= 15", true, 15, "from 100 to 115, on the common cases"},
		{"delta(tokens.prompt.mean) < 15", false, 15, "on the common cases"},
		{"delta(tokens.prompt.total) <= 200", true, 200, "from 400 to 600, not paired: n = 4 before"},
		{"delta(rounds.mean) <= 0.5", false, 1, "from 2 to 3, not paired"},
		{"delta(latency_ms.p50) <= 15", true, 15, "from 10 to 25, not paired"},
		{"delta(cost_usd) <= 0.0002", true, 0.0002, "from 0.0004 to 0.0006, not paired"},
		{"delta(cost_usd) < 0.0002", false, 0.0002, "not paired"},
		{"delta(selection.precision[skill=air]) >= 0", true, 0, "from 0 to 0, on the common cases"},
		{"delta(selection.precision[skill=weather]) >= 0", true, 0, "from 1 to 1"},
		{"delta(selection.f1[skill=weather]) >= -0.1", false, 4.0/6 - 6.0/7, "from 0.8571 to 0.6667, on the common cases"},
		{"delta(selection.macro.recall) >= 0", false, -0.075, "from 0.3750 to 0.3000, not paired"},
		{"delta(errors) <= 0", true, 0, "from 0 to 0"},
	} {
		r := against(t, base, head, GateOptions{}, c.expr)
		assert.Equal(t, c.pass, r.Pass, "%s: %s", c.expr, r.Note)
		require.NotNil(t, r.Value, c.expr)
		assert.InDelta(t, c.value, *r.Value, 1e-9, c.expr)
		assert.Contains(t, r.Note, c.note, c.expr)
		assert.Contains(t, r.Note, "without an interval the point decides")
		assert.NotContains(t, r.Note, "counted otherwise")
		assert.Nil(t, r.Lo)
	}
	for _, trial := range head.trials {
		trial.Usage.Source = "estimated"
	}
	for _, expr := range []string{"delta(tokens.prompt.mean) <= 15", "delta(tokens.prompt.total) <= 15", "delta(cost_usd) <= 1"} {
		assert.Contains(t, against(t, base, head, GateOptions{}, expr).Note, "tokens are counted otherwise: estimated, in the baseline server")
	}
	assert.NotContains(t, against(t, base, head, GateOptions{}, "delta(rounds.mean) <= 1").Note, "counted otherwise")
}
