package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
)

// TestRequire decides by the verdict, and for not-worse by the lower end of the interval against the margin.
func TestRequire(t *testing.T) {
	at := func(lo float64) *float64 { return &lo }
	for name, c := range map[string]struct {
		require string
		lo      *float64
		verdict metrics.Verdict
		cases   int
		code    int
		says    string
	}{
		"nothing is asked":          {"", at(-1), metrics.ABetter, 9, exitPassed, ""},
		"better":                    {"better", at(0.01), metrics.BBetter, 9, exitPassed, ""},
		"not shown to be better":    {"better", at(-0.01), metrics.NoDifference, 9, exitFailed, "--require better: text"},
		"above the margin":          {"not-worse", at(-0.0999), metrics.NoDifference, 9, exitPassed, ""},
		"at the margin":             {"not-worse", at(-0.1), metrics.NoDifference, 9, exitFailed, "--require not-worse: undecided: the interval reaches −10.0 points, and --detect 0.1 allows −10.0"},
		"below the margin":          {"not-worse", at(-0.235), metrics.TooFewCases, 9, exitFailed, "undecided: the interval reaches −23.5 points"},
		"better, and few cases":     {"not-worse", at(-0.2), metrics.BBetter, 9, exitPassed, ""},
		"worse":                     {"not-worse", at(-0.3), metrics.ABetter, 9, exitFailed, "--require not-worse: worse: text"},
		"worse, and by little":      {"not-worse", at(-0.04), metrics.ABetter, 9, exitPassed, ""},
		"no case":                   {"not-worse", at(0), metrics.TooFewCases, 0, exitServer, "--require not-worse: text"},
		"no interval":               {"better", nil, metrics.TooFewCases, 9, exitServer, "--require better: text"},
		"not-worse without a value": {"not-worse", nil, metrics.ABetter, 9, exitServer, "text"},
	} {
		t.Run(name, func(t *testing.T) {
			flags := comparisonFlags{require: c.require, detect: 0.1}
			err := flags.demand(&metrics.Comparison{Cases: c.cases, Difference: metrics.Estimate{Lo: c.lo}, Verdict: c.verdict, VerdictText: "text"})
			if c.code == exitPassed {
				require.NoError(t, err)
				return
			}
			var exit *exitError
			require.True(t, errors.As(err, &exit))
			assert.Equal(t, c.code, exit.code)
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// The skill under test may have few of many cases: what the average hides decides, and none of them decides nothing.
func TestRequireOfTheSkillUnderTest(t *testing.T) {
	lo, lost, level := -0.05, -0.8, -0.02
	row := func(skill string, difference *float64) metrics.GroupDifference {
		return metrics.GroupDifference{Skill: skill, Difference: metrics.Estimate{Value: difference}}
	}
	for _, c := range []struct {
		rows []metrics.GroupDifference
		says string
	}{
		{[]metrics.GroupDifference{row("w", &level), row("other", &lost)}, ""},
		{[]metrics.GroupDifference{row("w", &lost)}, "the cases that expect w lost 80.0 points"},
		{[]metrics.GroupDifference{row("other", &level)}, "no case expects w"},
	} {
		flags := comparisonFlags{require: "not-worse", detect: 0.1}
		err := flags.demand(&metrics.Comparison{Cases: 150, Skill: "w", PerSkill: c.rows, Difference: metrics.Estimate{Lo: &lo}, Verdict: metrics.TooFewCases})
		if c.says == "" {
			require.NoError(t, err)
			continue
		}
		var exit *exitError
		require.True(t, errors.As(err, &exit))
		assert.Equal(t, exitFailed, exit.code)
		assert.ErrorContains(t, err, c.says)
	}
}
