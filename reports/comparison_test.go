package reports

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
)

func comparisonReport() *Report {
	needed := 310
	return &Report{
		AB: &AB{Skill: "get_weather", A: ABSide{From: "old.md", Description: hostile, Tokens: 7}, B: ABSide{From: "main:skills/w", Description: "查天气。", Tokens: 5}},
		Comparison: &metrics.Comparison{A: "A", B: "B", Metric: metrics.MetricSelection, Cases: 220, Clusters: 220, OnlyA: metrics.CaseList{N: 1, IDs: []string{"x"}},
			AccuracyA: rate(155.0/220, 0.6413, 0.7607, 220), AccuracyB: rate(140.0/220, 0.571, 0.697, 220), Difference: rate(-15.0/220, -0.1213, -0.0153, 220),
			PValue: 0.0167, MidP: ptr(0.0113), Method: "mcnemar-exact", Wins: 10, Losses: 25, Ties: 185, BothRight: 130, BothWrong: 55, ErrorsB: 2,
			MinDetectable: ptr(0.081), Detect: 0.1, CasesNeeded: &needed, Verdict: metrics.ABetter, VerdictText: "A is better: -6.8 points from A to B, p = 0.0167",
			PerSkill: []metrics.GroupDifference{{Skill: "get_weather", Cases: 100, Difference: rate(-0.15, -0.23, -0.07, 100), PValue: 0.004, PAdjusted: ptr(0.008), Gained: 2, Lost: 17},
				{Skill: "untouched", Cases: 20, Difference: rate(0, -0.1, 0.1, 20), PValue: 1, PAdjusted: ptr(1)}},
			PerTag:  []metrics.GroupDifference{{Tag: hostile, Cases: 3, Difference: unmeasured("none"), PValue: 1, Lost: 1}},
			Flipped: []metrics.Flip{{Case: "c1", From: "right", To: "wrong", FromCalls: []string{`get_weather {"city":"Oslo"}`}, ToCalls: nil, Want: []string{"get_weather"}}},
			Prompt:  metrics.MeanPair{A: ptr(700), B: ptr(690), Difference: ptr(-10)}, Completion: metrics.MeanPair{A: ptr(20), B: ptr(21), Difference: ptr(1)},
			LatencyMS: &metrics.MeanPair{A: ptr(100), B: ptr(110), Difference: ptr(10)}, CostUSD: &metrics.MeanPair{A: ptr(0.1), B: ptr(0.2), Difference: ptr(0.1)},
			Notes: []string{"1 cases only in A are not compared: " + hostile}},
	}
}

func ablationReport() *Report {
	d := rate(-0.16, -0.231, -0.085, 150)
	return &Report{Ablation: &Ablation{Baseline: "two-level/authored", Rows: []AblationRow{
		{Arm: "two-level/authored", Skills: 30, Selection: rate(0.433, 0.356, 0.514, 150), Args: rate(0.194, 0.133, 0.274, 124), Calls: rate(0.273, 0.2, 0.35, 150),
			PromptTokens: ptr(4295), Level1Tokens: ptr(3929), Rounds: ptr(2.23), CostUSD: ptr(0.5)},
		{Arm: hostile, Skills: 30, Selection: rate(0.273, 0.208, 0.351, 150), Args: unmeasured("none"), Calls: rate(0.2, 0.1, 0.3, 150), Errors: 2, Difference: &d, PValue: ptr(0.0002), PAdjusted: ptr(0.0006)},
	}}}
}

func TestAblationsMatchTheirGoldenFiles(t *testing.T) {
	for _, name := range []string{"table", "markdown"} {
		f, err := Lookup(name)
		require.NoError(t, err)
		assertGolden(t, f, ablationReport(), "ablation")
	}
}

func TestComparisonsMatchTheirGoldenFiles(t *testing.T) {
	for _, name := range []string{"table", "markdown", "json"} {
		f, err := Lookup(name)
		require.NoError(t, err)
		out := assertGolden(t, f, comparisonReport(), "comparison")
		if name != "json" {
			assert.NotContains(t, out, "untouched", "a skill without a flipped case is no news")
		}
		if name == "markdown" {
			assertInCode(t, out, "<img")
		}
	}
}
