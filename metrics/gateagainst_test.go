package metrics

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// outcomes makes a run of single calls, one a letter: r right, a wrong arguments, w another skill, s silent, e error.
// Of every case, "|" separates repetitions.
func outcomes(t testing.TB, cases string) *memory {
	t.Helper()
	m := &memory{header: results.Header{Arms: []results.Arm{{Name: "main"}}, Complete: true}}
	m.header.Model.Name, m.header.Prompt.Catalog = "m", "two-level"
	for i, word := range strings.Fields(cases) {
		c := datasets.Case{ID: fmt.Sprintf("c%03d", i), Expect: expect("weather", `{"city":"Oslo"}`)}
		for k, o := range strings.Split(word, "|") {
			m.trials = append(m.trials, outcome1(t, c, k, o))
		}
	}
	return m
}

func outcome1(t testing.TB, c datasets.Case, k int, o string) *results.Trial {
	t.Helper()
	trial := results.Trial{Repetition: k, Selected: []string{"weather"}, Usage: results.Usage{Source: "server", Prompt: 100}, Rounds: 2, LatencyMS: 10}
	switch o {
	case "r":
		trial.Calls = []results.Call{call("weather", `{"city":"Oslo"}`)}
	case "a":
		trial.Calls = []results.Call{call("weather", `{"city":"Rome"}`)}
	case "w":
		trial.Calls = []results.Call{call("air", `{"city":"Oslo"}`)}
	case "s":
	case "e":
		trial.Error = &results.Problem{Class: "timeout", Message: "no answer"}
	default:
		require.Fail(t, "unknown outcome", o)
	}
	return scoredTrial(t, c, trial)
}

func many(word string, n int) string { return strings.Repeat(word+" ", n) }

func gatesOf(t testing.TB, exprs ...string) []Gate {
	t.Helper()
	var gates []Gate
	for _, e := range exprs {
		g, err := ParseGate(e)
		require.NoError(t, err)
		gates = append(gates, g)
	}
	return gates
}

// against holds one gate; the baseline goes through its file.
func against(t testing.TB, base, head *memory, o GateOptions, expr string) GateResult {
	t.Helper()
	b, err := ReadBaseline([]byte(baselineText(t, baselineOf(t, base))))
	require.NoError(t, err)
	out, err := GateAgainst(gatesOf(t, expr), head, b, o)
	require.NoError(t, err)
	return out.Gates[0]
}

func TestGoldenCases(t *testing.T) {
	run := outcomes(t, "r a e w r|w r|e r")
	golden := func(m *memory, ids ...string) {
		for _, trial := range m.trials {
			trial.Tags = []string{"en"}
			for _, id := range ids {
				if trial.Case == id {
					trial.Tags = []string{"en", "golden"}
				}
			}
		}
	}
	golden(run, "c000", "c001", "c002", "c004", "c005")
	out, err := GateAgainst(nil, run, nil, GateOptions{})
	require.NoError(t, err)
	assert.Equal(t, 5, out.Golden)
	assert.Equal(t, []CaseRule{
		{RuleGolden, "c001", true, "golden case c001 is broken: 0 of 1 trials are right"},
		{RuleGolden, "c002", true, "golden case c002 was not measured: its trials are errors"},
		{RuleGolden, "c004", true, "golden case c004 is broken: 1 of 2 trials are right"},
	}, out.Cases)

	base := outcomes(t, "r r r r r r r r")
	golden(base, "c003", "c007")
	for _, p := range []struct {
		policy Policy
		want   int
	}{{PolicyAllow, 4}, {PolicyWarn, 6}, {PolicyFail, 6}} {
		out, err = GateAgainst(nil, run, baselineOf(t, base), GateOptions{OnRemoved: p.policy})
		require.NoError(t, err)
		assert.Len(t, out.Cases, p.want, p.policy)
	}
	assert.Contains(t, out.Cases, CaseRule{RuleGolden, "c007", true, "golden case c007 was not measured: the run does not have it"})
	assert.Contains(t, out.Cases, CaseRule{RuleLost, "c003", false, "case c003: right in 0 of 1 trials, in the baseline in 1 of 1"})
	assert.Contains(t, out.Notes, "1 cases are golden in the baseline and no longer so")
}

func TestNewAndRemovedCases(t *testing.T) {
	base, head := outcomes(t, "r r r"), outcomes(t, "r r r r")
	head.trials = head.trials[1:]
	b := baselineOf(t, base)
	for _, p := range []Policy{"", PolicyAllow, PolicyWarn, PolicyFail} {
		out, err := GateAgainst(nil, head, b, GateOptions{OnNew: p, OnRemoved: p})
		require.NoError(t, err)
		if p == PolicyAllow {
			assert.Empty(t, out.Cases)
			continue
		}
		assert.Equal(t, []CaseRule{
			{RuleNew, "c003", p == PolicyFail, "case c003 is not in the baseline"},
			{RuleRemoved, "c000", p == PolicyFail, "case c000 is in the baseline, not in the run"},
		}, out.Cases)
		assert.Equal(t, "compared with the baseline on 2 common cases; 1 are new, 1 were removed", out.Notes[0])
	}
	out, err := GateAgainst(nil, head, nil, GateOptions{OnNew: PolicyFail, OnRemoved: PolicyFail})
	require.NoError(t, err)
	assert.Empty(t, out.Cases, "without a baseline nothing is new")
	for _, name := range []string{"allow", "warn", "fail"} {
		p, err := ParsePolicy(name)
		require.NoError(t, err)
		assert.EqualValues(t, name, p)
	}
	_, err = ParsePolicy("ignore")
	assert.EqualError(t, err, `unknown policy "ignore": write one of allow, warn, fail`)
}

func TestBaselineOfAnotherExperimentIsRefused(t *testing.T) {
	gates := gatesOf(t, "delta(selection.accuracy) >= -1")
	for name, c := range map[string]struct {
		change func(base, head *memory)
		says   string // "": it is none
	}{
		"same":         {func(_, _ *memory) {}, ""},
		"address":      {func(_, h *memory) { h.header.Model.BaseURL = "http://other" }, ""},
		"descriptions": {func(_, h *memory) { h.header.Descriptions, h.header.SkillsDigest = "careless", "sha256:9" }, ""},
		"dataset":      {func(_, h *memory) { h.header.DatasetDigest = "sha256:9" }, ""},
		"spelling": {func(b, h *memory) {
			b.trials[0].Expect = json.RawMessage(`{"calls":[{"skill":"weather","args":{"city":"Oslo","days":1}}]}`)
			h.trials[0].Expect = json.RawMessage(`{"calls": [{"skill":"weather", "args":{"days":1,"city":"Oslo"}}]}`)
		}, ""},
		"model":       {func(_, h *memory) { h.header.Model.Name = "other" }, `model name is "other", in the baseline "m"`},
		"temperature": {func(_, h *memory) { h.header.Model.Temperature = new(0.5) }, "model temperature is 0.5, in the baseline nothing"},
		"prompt":      {func(_, h *memory) { h.header.Prompt.Catalog = "flat" }, `prompt catalog is "flat", in the baseline "two-level"`},
		"arm":         {func(_, h *memory) { h.header.Arms[0].Catalog = "flat" }, `prompt catalog is "flat"`},
		"label": {func(_, h *memory) {
			h.trials[1].Expect = json.RawMessage(`{"calls":[{"skill":"weather","args":{"city":"Bergen"}}]}`)
		},
			"1 cases expect something else than in the baseline and cannot be compared: c001"},
		"accepted": {func(_, h *memory) { h.trials[1].Accept = json.RawMessage(`[{"none":true}]`) }, "1 cases expect something else"},
		"no common case": {func(_, h *memory) {
			for _, trial := range h.trials {
				trial.Case = "x" + trial.Case
			}
		}, "no case is common: the run has 3, the baseline 3"},
	} {
		t.Run(name, func(t *testing.T) {
			base, head := outcomes(t, "r r r"), outcomes(t, "r w r")
			c.change(base, head)
			b := baselineOf(t, base)
			out, err := GateAgainst(gates, head, b, GateOptions{})
			if c.says == "" {
				require.NoError(t, err)
				assert.True(t, out.Gates[0].Pass)
				return
			}
			var mismatch *BaselineMismatchError
			require.True(t, errors.As(err, &mismatch), "%v", err)
			assert.Contains(t, err.Error(), c.says)
			out, err = GateAgainst(gates, head, b, GateOptions{AllowMismatch: true})
			require.NoError(t, err)
			assert.Contains(t, strings.Join(out.Notes, "\n"), c.says)
			switch name {
			case "no common case":
				assert.False(t, out.Gates[0].Pass, "nothing was measured")
			case "label", "accepted":
				assert.Equal(t, 2, out.Gates[0].N, "left out")
			default:
				assert.Equal(t, 3, out.Gates[0].N)
			}
		})
	}
}

// That every label changed is not that no case is common.
func TestEveryLabelChanged(t *testing.T) {
	head := outcomes(t, many("r", 7))
	for _, trial := range head.trials {
		trial.Expect = json.RawMessage(`{"none":true}`)
	}
	_, err := GateAgainst(nil, head, baselineOf(t, outcomes(t, many("r", 7))), GateOptions{})
	assert.EqualError(t, err, "the run cannot be held against the baseline: "+
		"7 cases expect something else than in the baseline and cannot be compared: c000, c001, c002, c003, c004 and 2 more")
}

func TestGatingNotes(t *testing.T) {
	base, head := outcomes(t, "r r"), outcomes(t, "r r|r")
	base.header.Repetitions, head.header.Repetitions = 1, 2
	head.header.DatasetDigest, head.header.SkillsDigest = "sha256:1", "sha256:2"
	out, err := GateAgainst(nil, head, baselineOf(t, base), GateOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"compared with the baseline on 2 common cases; 0 are new, 0 were removed",
		"the dataset is not that of the baseline: its digest differs",
		"the skills are not those of the baseline: their digest differs",
		"2 repetitions, in the baseline 1: each case counts once, by its mean",
	}, out.Notes)
	assert.Equal(t, 3, out.Arm.Trials)
	head.trials[0].Scores = nil
	_, err = GateAgainst(nil, head, nil, GateOptions{})
	assert.ErrorContains(t, err, "case c000")
	_, err = GateAgainst(nil, head, nil, GateOptions{Arm: "x"})
	assert.ErrorContains(t, err, `no arm "x"`)
}
