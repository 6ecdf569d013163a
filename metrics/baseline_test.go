package metrics

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/results"
)

func baselineOf(t testing.TB, src Source) *Baseline {
	t.Helper()
	b, err := NewBaseline(src, "")
	require.NoError(t, err)
	return b
}

func baselineText(t testing.TB, b *Baseline) string {
	t.Helper()
	var buf bytes.Buffer
	n, err := b.WriteTo(&buf)
	require.NoError(t, err)
	require.EqualValues(t, buf.Len(), n)
	return buf.String()
}

func TestBaselineRoundTrip(t *testing.T) {
	m := handmade(t)
	m.header.ID, m.header.Model = "run-1", results.Model{Name: "m<1>", BaseURL: "http://inner.example/v1"}
	m.trials[0].Tags = []string{"golden", "zh"}
	b := baselineOf(t, m)
	text := baselineText(t, b)
	back, err := ReadBaseline([]byte(text))
	require.NoError(t, err)
	assert.Equal(t, b, back)
	assert.Equal(t, text, baselineText(t, back))
	assert.Equal(t, text, baselineText(t, baselineOf(t, m)))
	assert.NotContains(t, text, "inner.example", "no addresses")
	assert.Contains(t, text, `"m<1>"`)
	_, err = ReadBaseline([]byte("\ufeff" + text))
	assert.NoError(t, err)
}

// The rows add up to the figures of the summary.
func TestBaselineRowsAddUp(t *testing.T) {
	m := handmade(t)
	b := baselineOf(t, m)
	arm := summarizeOne(t, m, SummaryOptions{})
	var sum BaselineCase
	perSkill := map[string]SkillShare{}
	plus := func(into *Share, s Share) { into[0], into[1] = into[0]+s[0], into[1]+s[1] }
	for _, c := range b.Cases {
		sum.Trials += c.Trials
		sum.Prompt += c.Prompt
		plus(&sum.Selection, c.Selection)
		plus(&sum.Level1, c.Level1)
		plus(&sum.Over, c.Over)
		plus(&sum.Under, c.Under)
		plus(&sum.Args, c.Args)
		plus(&sum.Calls, c.Calls)
		for skill, s := range c.Skills {
			for i := range s {
				all := perSkill[skill]
				all[i] += s[i]
				perSkill[skill] = all
			}
		}
	}
	assert.Equal(t, arm.Trials, sum.Trials)
	assert.EqualValues(t, arm.Tokens.Prompt.Total, sum.Prompt)
	for name, pair := range map[string]struct {
		share Share
		e     Estimate
	}{
		"selection": {sum.Selection, arm.Selection.Accuracy}, "level1": {sum.Level1, arm.Selection.Level1},
		"over": {sum.Over, arm.Selection.OverTrigger}, "under": {sum.Under, arm.Selection.UnderTrigger},
		"args": {sum.Args, arm.Args.Exact}, "calls": {sum.Calls, arm.Calls.Exact},
	} {
		assert.Equal(t, pair.e.N, pair.share[1], name)
		assert.InDelta(t, *pair.e.Value, float64(pair.share[0])/float64(pair.share[1]), 1e-12, name)
	}
	require.Len(t, perSkill, len(arm.Selection.PerSkill))
	for _, row := range arm.Selection.PerSkill {
		s := perSkill[row.Skill]
		assert.Equal(t, []int{row.Support, row.Predicted, row.ArgsExact.N}, []int{s[0], s[1], s[3]}, row.Skill)
		if row.Recall.N > 0 {
			assert.InDelta(t, *row.Recall.Value, float64(s[2])/float64(s[0]), 1e-12, row.Skill)
		}
		if row.ArgsExact.N > 0 {
			assert.InDelta(t, *row.ArgsExact.Value, float64(s[4])/float64(s[3]), 1e-12, row.Skill)
		}
	}
	assert.Equal(t, BaselineFigure{*arm.Args.Exact.Value, arm.Args.Exact.N}, b.Figures["args.exact"])
	assert.Equal(t, BaselineFigure{2, 14}, b.Figures["errors"])
	m.header.Prices = nil
	assert.NotContains(t, baselineOf(t, m).Figures, "cost_usd", "no prices: no figure")
}

func TestBaselineLabelIgnoresSpelling(t *testing.T) {
	of := func(expect, accept string) string {
		return labelDigest([]byte(expect), []byte(accept))
	}
	same := of(`{"calls":[{"skill":"x","args":{"a":1,"b":[2]}}]}`, "")
	assert.Equal(t, same, of(`{"calls": [{"args":{"b": [2], "a": 1}, "skill":"x"}]}`, ""))
	for _, other := range []string{`{"calls":[{"skill":"x","args":{"a":1.0,"b":[2]}}]}`, `{"calls":[{"skill":"x"}]}`, `{"none":true}`, `no json`, ""} {
		assert.NotEqual(t, same, of(other, ""), other)
	}
	assert.NotEqual(t, of("1", "2"), of("1", ""))
	assert.NotEqual(t, of("12", "3"), of("1", "23"))
	assert.Len(t, same, 16)
}

func TestBaselineArm(t *testing.T) {
	m := handmade(t)
	m.header.Arms = []results.Arm{{Name: "main"}, {Name: "flat", Catalog: "flat", Descriptions: "careless", SkillsDigest: "sha256:2"}}
	m.header.Prompt.Catalog, m.header.SkillsDigest = "two-level", "sha256:1"
	_, err := NewBaseline(m, "")
	assert.ErrorContains(t, err, "the run has several: choose one of main, flat")
	_, err = NewBaseline(m, "x")
	assert.ErrorContains(t, err, `no arm "x": its arms are main, flat`)
	other := *m.trials[0]
	other.Arm = "flat"
	m.trials = append([]*results.Trial{&other}, m.trials...)
	b, err := NewBaseline(m, "flat")
	require.NoError(t, err)
	assert.Equal(t, []string{"flat", "flat", "careless", "sha256:2"}, []string{b.Arm, b.Prompt.Catalog, b.Descriptions, b.SkillsDigest})
	assert.Len(t, b.Cases, 1)
	assert.Equal(t, 1, b.Cases[0].Trials)
	b, err = NewBaseline(m, "main")
	require.NoError(t, err)
	assert.Equal(t, []string{"main", "two-level", "sha256:1"}, []string{b.Arm, b.Prompt.Catalog, b.SkillsDigest})
	_, err = NewBaseline(&memory{}, "")
	assert.ErrorIs(t, err, ErrArm)
}

// Whatever order a source yields its cases in, the rows are sorted; what nothing was measured of is no figure.
func TestBaselineOrderAndAbsence(t *testing.T) {
	m := outcomes(t, "r e w")
	b := baselineOf(t, m)
	m.trials[0], m.trials[2] = m.trials[2], m.trials[0]
	assert.Equal(t, b.Cases, baselineOf(t, m).Cases)
	b = baselineOf(t, outcomes(t, "e e"))
	assert.NotContains(t, b.Figures, "refusals")
	assert.Equal(t, BaselineFigure{2, 2}, b.Figures["errors"])
}

func TestReadBaselineRefuses(t *testing.T) {
	good := baselineText(t, baselineOf(t, handmade(t)))
	rows := strings.Split(good, "\n")
	first := 0
	for !strings.HasPrefix(rows[first], `    {"case"`) {
		first++
	}
	join := func(change func(rows []string) []string) string {
		return strings.Join(change(append([]string(nil), rows...)), "\n")
	}
	replace := func(old, by string) string {
		require.Contains(t, good, old)
		return strings.Replace(good, old, by, 1)
	}
	row := first + 1 // as lines are counted
	for name, c := range map[string]struct{ text, says string }{
		"empty":          {"", "line 1, column 1: not a baseline file"},
		"list":           {"[]", "want a JSON object"},
		"no schema":      {"{}", `there is no "schema"; want "skilleval.baseline/v1"`},
		"newer":          {replace("baseline/v1", "baseline/v2"), `line 2, column 13: the schema is "skilleval.baseline/v2": this version reads "skilleval.baseline/v1"`},
		"run file":       {`{"id":"x","schema":"skilleval.run/v1"}`, `the schema is "skilleval.run/v1"`},
		"schema number":  {`{"schema":1}`, "the schema is 1"},
		"cut":            {good[:len(good)/2], "not a baseline file"},
		"nothing more":   {`{"schema":"skilleval.baseline/v1"}`, "there is no arm, cases, dataset_digest"},
		"after the end":  {good + "{}", fmt.Sprintf("line %d, column 1: not a baseline file: something follows", len(rows))},
		"merge conflict": {join(func(r []string) []string { r[first] = "<<<<<<< HEAD"; return r }), fmt.Sprintf("line %d, column 1: not a baseline file", row)},
		"unknown field":  {replace(`"run":`, `"runs":`), `line 3, column 9: unknown field "runs": known are arm, cases`},
		"repeated field": {replace(`"arm":`, `"run":`), "duplicate"},
		"model field":    {replace(`"model": {`, `"model": {"key":"x",`), "unknown field /model/key"},
		"twice":          {join(func(r []string) []string { r[first+1] = r[first]; return r }), fmt.Sprintf("line %d, column 5: case ", row+1)},
		"unsorted":       {join(func(r []string) []string { r[first], r[first+1] = r[first+1], r[first]; return r }), "rows are sorted by id"},
		"row field":      {replace(`"label":`, `"labels":`), "unknown field /cases/0/labels"},
		"row text":       {replace(`"trials":1`, `"trials":"1"`), fmt.Sprintf("line %d, ", row)},
		"fraction":       {replace(`"trials":1`, `"trials":1.5`), "/cases/0/trials: want a whole number"},
		"short share":    {replace(`"selection":[1,1]`, `"selection":[1]`), fmt.Sprintf("line %d, ", row)},
		"long share":     {replace(`"selection":[1,1]`, `"selection":[1,1,1]`), "want a list of 2 counts"},
		"more than all":  {replace(`"selection":[1,1]`, `"selection":[2,1]`), "2 of 1 cannot be"},
		"negative":       {replace(`"selection":[1,1]`, `"selection":[-1,1]`), "-1 of 1 cannot be"},
		"no trials":      {replace(`"trials":1`, `"trials":0`), "0 trials cannot be"},
		"too few trials": {replace(`"selection":[1,1]`, `"selection":[1,2]`), "do not fit together"},
		"skills":         {replace(`[1,1,1,1,1]`, `[1,1,2,1,1]`), "counts of its skills do not fit"},
		"negative skill": {replace(`[1,1,1,1,1]`, `[1,1,-1,1,1]`), "counts of its skills do not fit"},
		"neither":        {replace(`"under":[0,1],`, ``), "do not fit together"},
		"huge":           {replace(`"trials":1`, `"trials":4611686018427387904`), "trials cannot be"},
		"no cases list":  {replace(`"cases": [`, `"cases": {"a":[`), "cases: want a list"},
		"invalid UTF-8":  {replace(`"run": "`, "\"run\": \"\xff"), "not a baseline file: invalid UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadBaseline([]byte(c.text))
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.says)
			assert.Regexp(t, `^line \d+, column \d+: `, err.Error())
			assert.Less(t, len(err.Error()), 600)
			assert.NotContains(t, err.Error(), "\n")
		})
	}
}

func FuzzReadBaseline(f *testing.F) {
	m := &stream{cases: 3, repetitions: 2}
	b, err := NewBaseline(m, "")
	require.NoError(f, err)
	text := baselineText(f, b)
	f.Add([]byte(text))
	f.Add([]byte(text[:len(text)/2]))
	f.Add([]byte(`{"schema":"skilleval.baseline/v1","cases":[{"case":"a","trials":1}],"figures":{"x":{"value":1e999,"n":1}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := ReadBaseline(data)
		if err != nil {
			return
		}
		back, err := ReadBaseline([]byte(baselineText(t, b)))
		require.NoError(t, err)
		assert.Equal(t, baselineText(t, b), baselineText(t, back))
		gates := []Gate{{Metric: "selection.accuracy", Delta: true, Op: ">=", Threshold: "0"}, {Metric: "selection.f1", Skill: "a", Delta: true, Op: ">=", Threshold: "0"}}
		_, _ = GateAgainst(gates, m, b, GateOptions{AllowMismatch: true})
	})
}

// A gate on 10,000 cases with a baseline file, without the reading of the run file.
func BenchmarkGateWithBaselineFile(b *testing.B) {
	s := &stream{cases: 10_000, repetitions: 1}
	base, err := NewBaseline(s, "")
	require.NoError(b, err)
	data := []byte(baselineText(b, base))
	var gates []Gate
	for _, expr := range []string{"selection.accuracy >= 0.5", "delta(selection.accuracy) >= -0.02", "delta(args.exact[skill=skill_03]) >= -0.1", "delta(tokens.prompt.mean) <= 10"} {
		g, err := ParseGate(expr)
		require.NoError(b, err)
		gates = append(gates, g)
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			_, err := ReadBaseline(data)
			require.NoError(b, err)
		}
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			base, err := ReadBaseline(data)
			require.NoError(b, err)
			_, err = GateAgainst(gates, s, base, GateOptions{})
			require.NoError(b, err)
		}
	})
}
