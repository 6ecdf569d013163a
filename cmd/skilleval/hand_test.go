package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallScripts answers testdata/suites/small with every kind of outcome. Worked out by hand, for every mode:
//
//	case  wanted                    server does                      selection  arguments
//	c01   weather city=Oslo         the same                         right      right
//	c02   weather city=Oslo         city=Bergen days=3               right      value 1, extra 1
//	c03   weather city=Rome         search query=rome                wrong      missing 1
//	c04   none                      answers                          right      –
//	c05   none                      notes text=x                     wrong      –
//	c06   weather city=Bergen       answers                          wrong      missing 1
//	c07   notes                     HTTP 500                         error: server
//	c08   search query=go limit=3   limit="three", thrice            right      type 1, query right; invalid_arguments
//	c09   search                    cut by length                    error: truncated
//	c10   weather, no labels        weather city=Lima                right      not labelled
//	c11   weather, then notes       the same                         right      right (2 arguments)
//	c12   notes text, title         text only                        right      missing 1
//
// 12 trials, 2 errors, 10 scored.
// selection 7/10; with errors as wrong 7/12; over-trigger 1/2 (c04 c05); under-trigger 1/8 (c06 of those that expect calls).
// arguments: labelled in c01 c02 c03 c06 c08 c11 c12 = 7, exact c01 c11 = 2/7; with right selection c01 c02 c08 c11 c12: 2/5.
// labelled arguments 1+1+1+1+2+2+2 = 10, right 1+0+0+0+1+2+1 = 5; missing 3, type 1, value 1, extra 1.
// calls made c01 c02 c03 c05 c08 c10 c11×2 c12 = 9, valid 8.
// both right: c01 c04 c10 c11 = 4/10.
// weather: support 6, predicted 4, true positives 4; notes: 2, 3, 2; search: 1, 2, 1.
// F1 = 2TP/(2TP+FP+FN): weather 8/10, notes 4/5, search 2/3; macro 0.7556; micro 7/9.
// rounds two-level: 3+3+3+1+3+1+4+3+5+3 = 29; flat: 2+2+2+1+2+1+3+2+3+2 = 20. Answers: 9 replies without a call.
func smallScripts() map[string]script {
	call := func(skill, args string) []scriptedCall { return []scriptedCall{{skill, args}} }
	return map[string]script{
		"rain in Oslo?":                 {Calls: call("weather", `{"city":"Oslo"}`)},
		"how warm is Oslo":              {Calls: call("weather", `{"city":"Bergen","days":3}`)},
		"umbrella for Rome?":            {Calls: call("search", `{"query":"rome"}`)},
		"thanks, bye":                   {},
		"what is a note?":               {Calls: call("notes", `{"text":"x"}`)},
		"snow in Bergen?":               {},
		"write down: call Ada":          {Status: 500},
		"look up go, three hits":        {Calls: call("search", `{"query":"go","limit":"three"}`)},
		"look up rust":                  {Finish: "length"},
		"weather in Lima":               {Calls: call("weather", `{"city":"Lima"}`)},
		"weather in Kyiv, then note it": {Calls: []scriptedCall{{"weather", `{"city":"Kyiv"}`}, {"notes", `{"text":"sunny in Kyiv"}`}}},
		"note buy milk under list":      {Calls: call("notes", `{"text":"buy milk"}`)},
	}
}

// invoke runs the program with a clean environment and returns its exit code and streams.
func invoke(t testing.TB, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(context.Background(), args, Streams{In: bytes.NewReader(nil), Out: &out, Err: &errs}, func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	})
	return code, out.String(), errs.String()
}

func TestEveryFigureEqualsTheHandComputation(t *testing.T) {
	for _, mode := range []struct {
		catalog, protocol string
		rounds            float64
		prompt            float64
		level1            float64 // mean prompt tokens at level 1
		native, json      int
	}{
		// Two-level level-1 requests: 2+2+2+1+2+1+1+2+3+2 = 18.
		{"two-level", "native", 2.9, 290, 180, 20, 0},
		{"two-level", "text", 2.9, 290, 180, 0, 20},
		{"flat", "native", 2.0, 200, 0, 11, 0},
		{"flat", "text", 2.0, 200, 0, 0, 11},
	} {
		t.Run(mode.catalog+"/"+mode.protocol, func(t *testing.T) {
			server := newScriptedServer(t, smallScripts())
			dir := t.TempDir()
			reportPath := filepath.Join(dir, "r.json")
			code, stdout, stderr := invoke(t, nil, "run", "testdata/suites/small", "-o", "json="+reportPath,
				"-o", "markdown="+filepath.Join(dir, "r.md"), "--out", filepath.Join(dir, "run"), "--base-url", server.URL, "--model", "m",
				"--catalog", mode.catalog, "--protocol", mode.protocol)
			require.Equal(t, exitServer, code, "two trials are errors: %s", stderr)
			assert.Empty(t, stdout, "reports went to files")
			arm := readArm(t, reportPath)

			assert.EqualValues(t, 12, arm["cases"])
			assert.EqualValues(t, 12, arm["trials"])
			assert.EqualValues(t, 10, arm["scored"])
			assert.EqualValues(t, 2, arm["errors"])
			assert.Equal(t, map[string]any{"server": 1.0, "truncated": 1.0}, arm["error_classes"])
			assert.Equal(t, map[string]any{"invalid_arguments": 1.0}, arm["fault_classes"])
			sel := arm["selection"].(map[string]any)
			estimate(t, sel["accuracy"], 7, 10)
			estimate(t, sel["accuracy_errors_as_wrong"], 7, 12)
			estimate(t, sel["over_trigger"], 1, 2)
			estimate(t, sel["under_trigger"], 1, 8)
			if mode.catalog == "flat" {
				assert.Nil(t, sel["level1"].(map[string]any)["value"])
			} else {
				estimate(t, sel["level1"], 7, 10)
			}
			args := arm["args"].(map[string]any)
			estimate(t, args["exact"], 2, 7)
			estimate(t, args["exact_given_selection"], 2, 5)
			estimate(t, args["per_argument"], 5, 10)
			estimate(t, args["first_try_valid"], 8, 9)
			estimate(t, args["repaired_valid"], 8, 9)
			assert.Equal(t, map[string]any{"missing": 3.0, "extra": 1.0, "type": 1.0, "value": 1.0}, args["faults"])
			assert.EqualValues(t, 1, args["unlabelled"])
			estimate(t, arm["calls"].(map[string]any)["exact"], 4, 10)
			perSkill(t, sel)
			assert.InDelta(t, (0.8+0.8+2.0/3)/3, sel["macro"].(map[string]any)["f1"], 1e-9)
			assert.InDelta(t, 7.0/9, sel["micro"].(map[string]any)["f1"], 1e-9)
			assert.InDelta(t, mode.rounds, arm["rounds"].(map[string]any)["mean"], 1e-9)
			tokens := arm["tokens"].(map[string]any)
			assert.Equal(t, "server", tokens["source"])
			assert.InDelta(t, mode.prompt, tokens["prompt"].(map[string]any)["mean"], 1e-9)
			assert.InDelta(t, mode.prompt/10, tokens["completion"].(map[string]any)["mean"], 1e-9)
			assert.InDelta(t, mode.level1, tokens["level1"].(map[string]any)["prompt"].(map[string]any)["mean"], 1e-9)
			tiers := arm["parse_tiers"].(map[string]any)
			assert.EqualValues(t, mode.native, tiers["native"])
			assert.EqualValues(t, mode.json, tiers["json"])
			assert.EqualValues(t, 9, tiers["none"])
			assert.EqualValues(t, 2, arm["repairs"])
			assert.EqualValues(t, 0, arm["retries"])
			assert.Nil(t, arm["cost_usd"])
		})
	}
}

func perSkill(t *testing.T, sel map[string]any) {
	rows := map[string]map[string]any{}
	for _, r := range sel["per_skill"].([]any) {
		row := r.(map[string]any)
		rows[row["skill"].(string)] = row
	}
	for _, want := range []struct {
		skill                  string
		support, predicted, tp int
		f1                     float64
	}{{"weather", 6, 4, 4, 0.8}, {"notes", 2, 3, 2, 0.8}, {"search", 1, 2, 1, 2.0 / 3}} {
		row := rows[want.skill]
		require.NotNil(t, row, want.skill)
		assert.EqualValues(t, want.support, row["support"], want.skill)
		assert.EqualValues(t, want.predicted, row["predicted"], want.skill)
		estimate(t, row["precision"], want.tp, want.predicted)
		estimate(t, row["recall"], want.tp, want.support)
		assert.InDelta(t, want.f1, row["f1"], 1e-9, want.skill)
	}
}

func readArm(t *testing.T, path string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var doc struct {
		Schema string           `json:"schema"`
		Arms   []map[string]any `json:"arms"`
	}
	require.NoError(t, json.Unmarshal(data, &doc))
	require.Equal(t, "skilleval.report/v1", doc.Schema)
	require.Len(t, doc.Arms, 1)
	return doc.Arms[0]
}

// estimate checks a rate of right out of n, and that its interval holds it.
func estimate(t *testing.T, v any, right, n int) {
	t.Helper()
	e := v.(map[string]any)
	assert.EqualValues(t, n, e["n"])
	want := float64(right) / float64(n)
	require.NotNil(t, e["value"])
	assert.InDelta(t, want, e["value"], 1e-9)
	assert.LessOrEqual(t, e["lo"], want+1e-12)
	assert.GreaterOrEqual(t, e["hi"], want-1e-12)
	assert.Less(t, e["lo"], e["hi"])
}
