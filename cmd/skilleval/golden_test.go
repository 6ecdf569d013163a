package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

// goldenTrials is one trial or more of each kind of outcome, under arm main; arm other has them all right.
func goldenTrials() []results.Trial {
	yes, no := true, false
	calls := []results.Call{{Skill: "weather"}}
	right := &results.Scores{Selection: true, Args: &yes, Pairs: []results.SkillPair{{Want: "weather", Got: "weather"}}}
	return []results.Trial{
		{Case: "right", Calls: calls, Scores: right},
		{Case: "args", Calls: calls, Scores: &results.Scores{Selection: true, Args: &no, Diffs: []string{"call 1 weather: date: missing"},
			Pairs: []results.SkillPair{{Want: "weather", Got: "weather"}}}},
		{Case: "skill", Scores: &results.Scores{Pairs: []results.SkillPair{{Want: "weather"}, {Want: "search"}}}},
		{Case: "skill", Repetition: 1, Calls: calls, Scores: right},
		{Case: "none", Calls: calls, Scores: &results.Scores{Pairs: []results.SkillPair{{Got: "weather"}}}},
		{Case: "fault", Fault: &results.Problem{Class: "unparsable", Message: "no call"}, Scores: &results.Scores{}},
		{Case: "error", Error: &results.Problem{Class: "timeout"}},
	}
}

// reportOn makes a report on the trials, every case golden.
func reportOn(trials []results.Trial) *reports.Report {
	for i := range trials {
		trials[i].Arm, trials[i].Tags = mainArm, []string{"golden"}
	}
	return &reports.Report{Arms: []metrics.Arm{{Arm: mainArm}}, Trials: func(yield func(*results.Trial) error) error {
		for i := range trials {
			other := results.Trial{Case: trials[i].Case, Arm: "other", Tags: trials[i].Tags, Scores: &results.Scores{Selection: true}}
			if err := errors.Join(yield(&trials[i]), yield(&other)); err != nil {
				return err
			}
		}
		return nil
	}}
}

func TestGoldenCasesAreHeldAndExplained(t *testing.T) {
	header := results.Header{Arms: []results.Arm{{Name: mainArm}, {Name: "other"}}}
	rep := reportOn(goldenTrials())
	none, err := holdGolden(rep, header, nil)
	require.NoError(t, err)
	assert.Empty(t, rep.Findings, "without a gate nothing is decided")
	assert.NoError(t, none.decide())

	held, err := holdGolden(rep, header, []metrics.Gate{{}})
	require.NoError(t, err)
	said := map[string]string{}
	for _, f := range rep.Findings {
		assert.Equal(t, []string{"golden-case", "error"}, []string{f.Rule, f.Severity})
		said[f.Case] = f.Message
	}
	assert.Equal(t, map[string]string{
		"args":  "golden case args is not right: arguments: call 1 weather: date: missing",
		"skill": "golden case skill is not right in 1 of 2 trials: selection: want weather, search, got no skill",
		"none":  "golden case none is not right: selection: want no skill, got weather",
		"fault": "golden case fault is not right: selection: want no skill, got no skill; unparsable: no call",
		"error": "golden case error was not measured: its trials are errors",
	}, said)
	requireExit(t, exitFailed, "golden case args is not right: arguments: call 1 weather: date: missing (and 3 more)", held.decide())
}

// What was not measured is the fault of the infrastructure, unless something else is wrong too.
func TestGoldenCaseThatIsAnError(t *testing.T) {
	trials := goldenTrials()
	rep := reportOn(append(trials[:1:1], trials[len(trials)-1]))
	held, err := holdGolden(rep, results.Header{Arms: []results.Arm{{Name: mainArm}}}, []metrics.Gate{{}})
	require.NoError(t, err)
	requireExit(t, exitServer, "golden case error was not measured: its trials are errors", held.decide())
}

// Broken is what the baseline has right, in every one of its trials.
func TestGoldenCaseAgainstABaseline(t *testing.T) {
	rules := []metrics.CaseRule{{Rule: metrics.RuleGolden, Case: "args", Fail: true}, {Rule: metrics.RuleGolden, Case: "gone", Fail: true, Message: "gone"},
		{Rule: metrics.RuleNew, Case: "none", Message: "new"}}
	for calls, says := range map[metrics.Share]string{
		{2, 2}: "golden case args is broken (it is right in the baseline): arguments: call 1 weather: date: missing",
		{1, 2}: "golden case args is not right: arguments: call 1 weather: date: missing",
		{0, 0}: "golden case args is not right: arguments: call 1 weather: date: missing",
	} {
		base := &metrics.Baseline{Cases: []metrics.BaselineCase{{Case: "a", Calls: metrics.Share{1, 1}}, {Case: "args", Calls: calls}}}
		held, err := explainCases(rules, reported{report: reportOn(goldenTrials())}, mainArm, base)
		require.NoError(t, err)
		assert.Equal(t, says, held.rules[0].Message)
		assert.Equal(t, []string{"gone", "new"}, []string{held.rules[1].Message, held.rules[2].Message})
	}
	assert.Empty(t, rules[0].Message, "the rules given are left as they are")
}

func requireExit(t *testing.T, code int, says string, err error) {
	t.Helper()
	var exit *exitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, code, exit.code)
	assert.EqualError(t, err, says)
}
