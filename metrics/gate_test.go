package metrics

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseGate(t *testing.T) {
	for expr, want := range map[string]Gate{
		"selection.accuracy >= 0.9":               {Metric: "selection.accuracy", Op: ">=", Threshold: "0.9"},
		"errors<=0":                               {Metric: "errors", Op: "<=", Threshold: "0"},
		"  cost_usd  <  1.5e-3 ":                  {Metric: "cost_usd", Op: "<", Threshold: "1.5e-3"},
		"calls.exact > .5":                        {Metric: "calls.exact", Op: ">", Threshold: ".5"},
		"parse_tiers.none == 0":                   {Metric: "parse_tiers.none", Op: "==", Threshold: "0"},
		"rounds.mean != +2.":                      {Metric: "rounds.mean", Op: "!=", Threshold: "+2."},
		"args.exact[skill=web_search] >= 0.8":     {Metric: "args.exact", Skill: "web_search", Op: ">=", Threshold: "0.8"},
		"args.exact [ tag = zh ] >= 0.8":          {Metric: "args.exact", Tag: "zh", Op: ">=", Threshold: "0.8"},
		"selection.f1[skill=a [b] >= c] > 0":      {Metric: "selection.f1", Skill: "a [b] >= c", Op: ">", Threshold: "0"},
		"selection.recall[skill=k=v]>=1":          {Metric: "selection.recall", Skill: "k=v", Op: ">=", Threshold: "1"},
		"selection.precision[skill=查天气]>=1":       {Metric: "selection.precision", Skill: "查天气", Op: ">=", Threshold: "1"},
		"delta(selection.accuracy) >= -0.02":      {Metric: "selection.accuracy", Delta: true, Op: ">=", Threshold: "-0.02"},
		"delta( args.exact[skill=x] ) >= -1":      {Metric: "args.exact", Skill: "x", Delta: true, Op: ">=", Threshold: "-1"},
		"delta(tokens.prompt.mean) <= 50":         {Metric: "tokens.prompt.mean", Delta: true, Op: "<=", Threshold: "50"},
		"tokens.level2.completion.p95 <= 1000000": {Metric: "tokens.level2.completion.p95", Op: "<=", Threshold: "1000000"},
	} {
		g, err := ParseGate(expr)
		require.NoError(t, err, expr)
		want.Expr = strings.TrimSpace(expr)
		assert.Equal(t, want, g)
		assert.Equal(t, want.Delta, g.NeedsBaseline())
	}
}

func TestParseGateRefuses(t *testing.T) {
	for _, c := range []struct{ expr, says string }{
		{"", "is empty: write METRIC OP NUMBER"},
		{"   ", "is empty"},
		{"selection.accuracy", "no comparison (one of >= <= == != > <)"},
		{"selection.accuracy = 0.9", "unknown comparison; write one of >="},
		{"selection.accuracy => 0.9", "unknown comparison"},
		{"selection.accuracy ! 0.9", "unknown comparison"},
		{">= 0.9", "has no metric"},
		{"selection.acuracy >= 0.9", `unknown metric "selection.acuracy"; the nearest is "selection.accuracy"; known metrics: cases, trials, scored, errors`},
		{"accuracy >= 0.9", `the nearest is "selection.accuracy"`},
		{"latency_ms.p99 < 3", `the nearest is "latency_ms.p95"`},
		{"Errors <= 0", `the nearest is "errors"`},
		{"selection.accuracy >=", "has no number after >="},
		{"selection.accuracy >= NaN", "not a decimal number"},
		{"selection.accuracy >= nan", "not a decimal number"},
		{"selection.accuracy >= Inf", "not a decimal number"},
		{"selection.accuracy >= -infinity", "not a decimal number"},
		{"selection.accuracy >= 90%", "not a percentage"},
		{"selection.accuracy >= 0x1p-1", "not a decimal number"},
		{"selection.accuracy >= 9/10", "not a decimal number"},
		{"selection.accuracy >= 0,9", "not a decimal number"},
		{"selection.accuracy >= 1_0", "not a decimal number"},
		{"selection.accuracy >= .", "not a decimal number"},
		{"selection.accuracy >= 0.9 0.8", "not a decimal number"},
		{"selection.accuracy >=> 0.9", "not a decimal number"},
		{"cost_usd < 1e999999999", "not a decimal number"},
		{"cost_usd < 1e100", "not a decimal number"},
		{"cost_usd < " + strings.Repeat("9", 50), "not a decimal number"},
		{"selection.accuracy >= 90", "is a rate: 90 is not between 0 and 1 (write 0.9 for 90 %)"},
		{"selection.accuracy >= 1.0000001", "is a rate"},
		{"selection.accuracy >= -0.1", "is a rate"},
		{"selection.f1[skill=x] >= 80", "is a rate"},
		{"delta(selection.accuracy) >= -2", "not between -1 and 1"},
		{"delta(selection.accuracy >= -0.2", "delta( is not closed"},
		{"delta() >= -0.2", "has no metric"},
		{"selection.f1 >= 0.5", "write selection.f1[skill=NAME], or selection.macro.f1 for all"},
		{"args.exact[skill=] >= 0.5", "a filter is [skill=NAME] or [tag=NAME]"},
		{"args.exact[] >= 0.5", "a filter is"},
		{"args.exact[zh] >= 0.5", "a filter is"},
		{"args.exact[skill=x >= 0.5", "the filter is not closed"},
		{"args.exact[skill=x]y >= 0.5", "a filter is"},
		{"args.exact[model=x] >= 0.5", `unknown filter "model"`},
		{"tokens.prompt.mean[skill=x] >= 5", "not known by skill; [skill=NAME] goes with selection.precision, selection.recall, selection.f1, args.exact"},
		{"selection.f1[tag=x] >= 0.5", "not known by tag; [tag=NAME] goes with selection.accuracy, args.exact"},
		{"selection.accuracy[skill=x] >= 0.5", "not known by skill"},
	} {
		_, err := ParseGate(c.expr)
		if assert.Error(t, err, c.expr) {
			assert.Contains(t, err.Error(), c.says, c.expr)
			assert.Contains(t, err.Error(), "gate ", c.expr)
		}
	}
	_, err := ParseGate(strings.Repeat("x", 100_000) + " >= 1")
	assert.Less(t, len(err.Error()), 4000, "long input, short message")
}

// 4 of 5 is 0.8, at every comparison, as is 28 of 35; the mean of macro figures is too, whatever float64 makes of it.
func TestCheckAtTheThreshold(t *testing.T) {
	sum := 0.0
	for range 8 {
		sum += 0.1
	}
	require.Less(t, sum, 0.8, "float64 has surprises")
	a := &Arm{Trials: 5}
	a.Selection.Accuracy, a.Calls.Exact = est(4, 5), est(28, 35)
	a.Selection.Macro = PRF{F1: &sum, N: 2}
	for _, metric := range []string{"selection.accuracy", "calls.exact", "selection.macro.f1"} {
		for op, want := range map[string]bool{">=": true, "<=": true, "==": true, ">": false, "<": false, "!=": false} {
			r := check1(t, a, metric+" "+op+" 0.8")
			assert.Equal(t, want, r.Pass, r.Expr)
		}
		assert.True(t, check1(t, a, metric+" >= 0.8000").Pass)
		assert.True(t, check1(t, a, metric+" > 0.7999999").Pass)
		assert.False(t, check1(t, a, metric+" >= 0.8000001").Pass)
		assert.True(t, check1(t, a, metric+" != 0.8000001").Pass)
		assert.False(t, check1(t, a, metric+" == 0.8000001").Pass)
		assert.True(t, check1(t, a, metric+" < 0.8000001").Pass)
		assert.False(t, check1(t, a, metric+" <= 0.7999999").Pass)
	}
	a.Selection.Accuracy = est(2, 3)
	assert.True(t, check1(t, a, "selection.accuracy >= 0.66666666666666666666").Pass, "exactly, beyond what float64 tells apart")
	assert.False(t, check1(t, a, "selection.accuracy >= 0.66666666666666666667").Pass)
}

func check1(t *testing.T, a *Arm, expr string) GateResult {
	t.Helper()
	g, err := ParseGate(expr)
	require.NoError(t, err)
	return g.Check(a)
}

func TestCheckCarriesTheFigure(t *testing.T) {
	a := summarizeOne(t, handmade(t), SummaryOptions{Seed: 1})
	r := check1(t, a, " selection.accuracy >= 0.5")
	acc := est(7, 12)
	assert.Equal(t, GateResult{Expr: "selection.accuracy >= 0.5", Metric: "selection.accuracy", Value: acc.Value, Lo: acc.Lo, Hi: acc.Hi, N: 12, Pass: true,
		Note: "n = 12 does not decide it: the 95 % interval, 0.320 to 0.807, holds the threshold"}, r)
	assert.Empty(t, check1(t, a, "selection.accuracy >= 0.3").Note, "outside of the interval")
	assert.Empty(t, check1(t, a, "selection.accuracy >= 0.81").Note)
	assert.NotEmpty(t, check1(t, a, "selection.accuracy >= 0.59").Note, "also when it fails")

	raw, err := json.Marshal(check1(t, a, "errors <= 0"))
	require.NoError(t, err)
	assert.JSONEq(t, `{"expr":"errors <= 0","metric":"errors","value":2,"lo":null,"hi":null,"n":14,"pass":false}`, string(raw))
}

// Every metric of the table gives its own figure of the handmade run.
func TestEveryMetric(t *testing.T) {
	m := handmade(t)
	a := summarizeOne(t, m, SummaryOptions{})
	a.TrialsDetail = &TrialsDetail{K: 3, N: 4, PassAtK: new(0.75), PassHatK: new(0.25), Consistency: Estimate{Value: new(11.0 / 18), N: 6}, Flaky: []string{"x", "y"}}
	want := map[string]struct {
		value float64
		n     int
	}{
		"cases": {14, 14}, "trials": {14, 14}, "scored": {12, 14}, "errors": {2, 14}, "refusals": {1, 12},
		"selection.accuracy": {7.0 / 12, 12}, "selection.accuracy_errors_as_wrong": {0.5, 14}, "selection.level1": {0.75, 12},
		"selection.over_trigger": {1.0 / 3, 3}, "selection.under_trigger": {2.0 / 9, 9},
		"selection.macro.precision": {2.0 / 3, 4}, "selection.macro.recall": {(0.6 + 2.0/3 + 1) / 4, 4}, "selection.macro.f1": {(0.75 + 2.0/3 + 1) / 4, 4},
		"selection.micro.precision": {7.0 / 9, 12}, "selection.micro.recall": {0.7, 12}, "selection.micro.f1": {14.0 / 19, 12},
		"selection.weighted.precision": {0.9, 10}, "selection.weighted.recall": {0.7, 10}, "selection.weighted.f1": {0.775, 10},
		"args.exact": {3.0 / 8, 8}, "args.exact_given_selection": {0.6, 5}, "args.per_argument": {5.0 / 11, 11},
		"args.first_try_valid": {7.0 / 9, 9}, "args.repaired_valid": {8.0 / 9, 9},
		"args.faults.missing": {4, 8}, "args.faults.extra": {1, 8}, "args.faults.type": {1, 8}, "args.faults.value": {1, 8}, "args.unlabelled": {1, 12},
		"calls.exact": {5.0 / 12, 12}, "trials_detail.pass_at_k": {0.75, 4}, "trials_detail.pass_hat_k": {0.25, 4}, "trials_detail.consistency": {11.0 / 18, 6}, "trials_detail.flaky": {2, 4},
		"tokens.prompt.mean": {8200.0 / 12, 12}, "tokens.prompt.p50": {650, 12}, "tokens.prompt.p95": {1345, 12}, "tokens.prompt.total": {8200, 12},
		"tokens.completion.mean": {820.0 / 12, 12}, "tokens.completion.p50": {65, 12}, "tokens.completion.p95": {134.5, 12}, "tokens.completion.total": {820, 12},
		"tokens.level1.prompt.mean": {410, 12}, "tokens.level1.prompt.p50": {390, 12}, "tokens.level1.prompt.p95": {807, 12}, "tokens.level1.prompt.total": {4920, 12},
		"tokens.level1.completion.mean": {328.0 / 12, 12}, "tokens.level1.completion.p50": {26, 12}, "tokens.level1.completion.p95": {53.8, 12}, "tokens.level1.completion.total": {328, 12},
		"tokens.level2.prompt.mean": {3280.0 / 12, 12}, "tokens.level2.prompt.p50": {260, 12}, "tokens.level2.prompt.p95": {538, 12}, "tokens.level2.prompt.total": {3280, 12},
		"tokens.level2.completion.mean": {41, 12}, "tokens.level2.completion.p50": {39, 12}, "tokens.level2.completion.p95": {80.7, 12}, "tokens.level2.completion.total": {492, 12},
		"rounds.mean": {25.0 / 12, 12}, "latency_ms.p50": {65, 12}, "latency_ms.p95": {134.5, 12}, "cost_usd": {0.0315, 14},
		"parse_tiers.native": {2, 12}, "parse_tiers.json": {1, 12}, "parse_tiers.fragment": {1, 12}, "parse_tiers.pattern": {1, 12}, "parse_tiers.none": {2, 12},
		"repairs": {3, 12}, "retries": {3, 14},
	}
	for _, name := range MetricNames() {
		if bySkill := findMetric(name).of == nil; bySkill {
			continue
		}
		w, ok := want[name]
		require.True(t, ok, "%s is not checked", name)
		r := check1(t, a, name+" != 0.123456789")
		require.NotNil(t, r.Value, name)
		assert.InDelta(t, w.value, *r.Value, 1e-9, name)
		assert.Equal(t, w.n, r.N, name)
		assert.True(t, r.Pass, name)
		f := findMetric(name).of(a)
		exact, _ := f.number().Float64()
		assert.InDelta(t, w.value, exact, 1e-8, "%s as it is compared", name)
		delete(want, name)
	}
	assert.Empty(t, want, "metrics that a gate cannot name")
	assert.Equal(t, a.Selection.Macro.F1Lo, check1(t, a, "selection.macro.f1 > 0").Lo)
}

func TestCheckByPart(t *testing.T) {
	a := summarizeOne(t, handmade(t), SummaryOptions{})
	for expr, want := range map[string]struct {
		value float64
		n     int
	}{
		"selection.precision[skill=search] >= 0.6": {2.0 / 3, 3},
		"selection.recall[skill=weather] >= 0.6":   {0.6, 5},
		"selection.f1[skill=weather] >= 0.75":      {0.75, 8},
		"args.exact[skill=weather] >= 0.4":         {0.4, 5},
		"args.exact[tag=en] <= 0.3334":             {1.0 / 3, 3},
		"selection.accuracy[tag=en] >= 0.66":       {2.0 / 3, 3},
	} {
		r := check1(t, a, expr)
		require.NotNil(t, r.Value, expr)
		assert.InDelta(t, want.value, *r.Value, 1e-12, expr)
		assert.Equal(t, want.n, r.N, expr)
		assert.True(t, r.Pass, expr)
		assert.Equal(t, strings.Fields(expr)[0], r.Metric)
	}
}

// Nothing measured fails, under every comparison.
func TestCheckOverNothingFails(t *testing.T) {
	empty := summarizeOne(t, runOf(t, 1, "e"), SummaryOptions{Stable: true})
	for _, c := range []struct{ metric, note string }{
		{"selection.accuracy", "nothing was measured: no trial was scored"},
		{"args.exact", "nothing was measured: no scored trial labels arguments"},
		{"args.exact[skill=gone]", `nothing was measured: no scored trial expects or calls "gone"`},
		{"selection.accuracy[tag=gone]", `nothing was measured: no case has the tag "gone"`},
		{"selection.macro.f1", "nothing was measured"},
		{"tokens.prompt.mean", "nothing was measured"},
		{"tokens.prompt.total", "nothing was measured"},
		{"parse_tiers.none", "nothing was measured"},
		{"args.faults.missing", "nothing was measured"},
		{"repairs", "nothing was measured"},
		{"rounds.mean", "nothing was measured"},
		{"trials_detail.pass_at_k", "nothing was measured: there is one repetition only"},
		{"trials_detail.consistency", "nothing was measured: there is one repetition only"},
		{"cost_usd", "nothing was measured: no prices are known"},
		{"latency_ms.p95", "nothing was measured: a stable summary leaves it out"},
		{"retries", "nothing was measured: a stable summary leaves it out"},
	} {
		for _, op := range operators {
			r := check1(t, empty, c.metric+" "+op+" 0")
			assert.False(t, r.Pass, r.Expr)
			assert.Nil(t, r.Value, r.Expr)
			assert.Equal(t, c.note, r.Note, r.Expr)
		}
	}
	none := &Arm{}
	assert.False(t, check1(t, none, "errors <= 0").Pass, "no errors in no trials")
	assert.True(t, check1(t, empty, "errors <= 1").Pass)
	row := summarizeOne(t, handmade(t), SummaryOptions{})
	assert.False(t, check1(t, row, "args.exact[skill=air] >= 0").Pass)
	assert.False(t, check1(t, row, "selection.recall[skill=air] >= 0").Pass)
}

func TestDeltaNeedsABaseline(t *testing.T) {
	r := check1(t, summarizeOne(t, handmade(t), SummaryOptions{}), "delta(selection.accuracy) >= -1")
	assert.False(t, r.Pass)
	assert.Nil(t, r.Value)
	assert.Equal(t, "delta(selection.accuracy)", r.Metric)
	assert.Equal(t, "there is no baseline to compare with", r.Note)
}

// A gate that was not parsed passes nothing.
func TestCheckOfAGateNotParsed(t *testing.T) {
	a := summarizeOne(t, handmade(t), SummaryOptions{})
	for _, g := range []Gate{{}, {Metric: "selection.accuracy"}, {Metric: "nothing", Op: "!=", Threshold: "7"},
		{Metric: "selection.f1", Op: ">=", Threshold: "0"}, {Metric: "errors", Skill: "weather", Op: ">=", Threshold: "0"},
		{Metric: "errors", Tag: "en", Op: ">=", Threshold: "0"}} {
		assert.False(t, g.Check(a).Pass, "%+v", g)
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"天气", "天文", 1}, {"a", "a", 0}, {"ab", "ba", 2}} {
		assert.Equal(t, c.want, editDistance(c.a, c.b), "%s %s", c.a, c.b)
	}
	assert.Equal(t, "ab", clipRunes("ab", 2))
	assert.Equal(t, "天…", clipRunes("天气好", 1))
}

func FuzzParseGate(f *testing.F) {
	for _, seed := range []string{"selection.accuracy >= 0.9", "delta(args.exact[skill=x]) >= -0.02", "errors<=0", "args.exact[tag=]]>=0.5", "x", "delta(",
		"a[b=c]<1e99", "selection.f1[skill=\x00]>=.5", ">=", "cost_usd<9e-99", "[]]=!<>", "selection.accuracy >= 0.9\n", "\xff\xfe >= 1"} {
		f.Add(seed)
	}
	a := summarizeOne(f, handmade(f), SummaryOptions{})
	f.Fuzz(func(t *testing.T, expr string) {
		g, err := ParseGate(expr)
		if err != nil {
			assert.Equal(t, Gate{}, g)
			return
		}
		if findMetric(g.Metric) == nil || (g.Skill != "" && g.Tag != "") {
			t.Fatalf("%q: %+v", expr, g)
		}
		if _, ok := new(big.Rat).SetString(g.Threshold); !ok {
			t.Fatalf("%q: threshold %q", expr, g.Threshold)
		}
		again, err := ParseGate(g.of() + g.Op + g.Threshold)
		require.NoError(t, err, "%q", g.of()+g.Op+g.Threshold)
		again.Expr = g.Expr
		assert.Equal(t, g, again)
		r := g.Check(a)
		if r.Pass && (r.N == 0 || r.Value == nil || g.Delta) {
			t.Fatalf("%q passes over nothing: %+v", expr, r)
		}
		_, err = json.Marshal(r)
		require.NoError(t, err)
	})
}
