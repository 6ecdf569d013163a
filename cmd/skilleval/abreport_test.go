package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
)

// keptAB runs ab on a suite and returns the run's directory and what was printed with --stable.
func keptAB(t *testing.T, suite string, right func(i int, alpha bool) bool, args ...string) (dir, printed string) {
	t.Helper()
	server := descriptionServer(t, right)
	dir = filepath.Join(t.TempDir(), "run")
	code, out, stderr := invoke(t, nil, append([]string{"ab", "Weather, says ALPHA.", "Weather, says BETA.", suite, "--skill", "weather", "--base-url", server.URL,
		"--model", "m", "--out", dir, "-o", "json", "--quiet", "--stable", "--until", "call"}, args...)...)
	require.Equal(t, 0, code, stderr)
	return dir, out
}

// again renders a run and returns its comparison.
func again(t *testing.T, dir string) (printed string, c metrics.Comparison) {
	t.Helper()
	code, out, stderr := invoke(t, nil, "report", dir, "-o", "json", "--stable")
	require.Equal(t, 0, code, stderr)
	var doc struct{ Comparison metrics.Comparison }
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	return out, doc.Comparison
}

// TestTheLooksAreTakenAgain: A wins every case, so that the first look, after 20 of 60 cases, has evidence of 2^20·B(1, 21) =
// 2^20/21. What lies after a look that was clear is no part of it, and neither is a batch that was not finished.
func TestTheLooksAreTakenAgain(t *testing.T) {
	suite := numberedSuite(t, 60)
	alpha := func(_ int, alpha bool) bool { return alpha }
	dir, printed := keptAB(t, suite, alpha, "--sequential")
	out, c := again(t, dir)
	assert.Equal(t, printed, out)
	assert.Equal(t, 20, c.Cases)
	assert.InEpsilon(t, 21/math.Exp2(20), c.PValue, 1e-9)

	whole, _ := keptAB(t, suite, alpha) // the same run made to its end, and then taken for one that was looked at
	header, err := os.ReadFile(filepath.Join(whole, "run.json"))
	require.NoError(t, err)
	looked := strings.Replace(string(header), `"detect": 0.1`, `"sequential": true, "detect": 0.1`, 1)
	require.NotEqual(t, string(header), looked)
	require.NoError(t, os.WriteFile(filepath.Join(whole, "run.json"), []byte(looked), 0o644))
	_, c = again(t, whole)
	assert.Equal(t, 60, c.Cases)
	assert.InEpsilon(t, 21/math.Exp2(20), c.PValue, 1e-9, "the first look was clear")

	trials, err := os.ReadFile(filepath.Join(whole, "trials.jsonl"))
	require.NoError(t, err)
	lines := strings.SplitAfter(string(trials), "\n")
	require.NoError(t, os.WriteFile(filepath.Join(whole, "trials.jsonl"), []byte(strings.Join(lines[:30], "")), 0o644))
	_, c = again(t, whole)
	assert.InDelta(t, 1, c.PValue, 1e-9, "no batch is finished")
	assert.Equal(t, "beta-binomial-martingale", c.Method)
}

// TestTheComparisonIsThatOfTheFlags: the metric and the difference asked for are those of the run.
func TestTheComparisonIsThatOfTheFlags(t *testing.T) {
	dir, printed := keptAB(t, numberedSuite(t, 4), func(int, bool) bool { return true }, "--metric", "calls", "--detect", "0.25")
	out, c := again(t, dir)
	assert.Equal(t, printed, out)
	assert.Equal(t, []any{metrics.MetricCalls, 0.25, 4}, []any{c.Metric, c.Detect, c.Cases})
}

func TestABRunThatIsNoComparison(t *testing.T) {
	dir, _ := keptAB(t, numberedSuite(t, 2), func(int, bool) bool { return true })
	path := filepath.Join(dir, "run.json")
	header, err := os.ReadFile(path)
	require.NoError(t, err)
	for old, c := range map[string]struct{ put, says string }{
		`"metric": "selection"`:   {`"metric": "luck"`, `run.json: ab: --metric "luck"`},
		`"detect": 0.1`:           {`"detect": -1`, "run.json: ab: --detect -1"},
		`"Weather, says ALPHA.",`: {``, "2 arms and 1 descriptions"},
		`"skill": "weather"`:      {`"skill": 7`, "run.json"},
		`"ab": {`:                 {`"was": {`, ""}, // a run from before it was kept shows its arms
		`"descriptions": [`:       {`"descriptions": ["x",`, "2 arms and 3 descriptions"},
	} {
		changed := strings.Replace(string(header), old, c.put, 1)
		require.NotEqual(t, string(header), changed, old)
		require.NoError(t, os.WriteFile(path, []byte(changed), 0o644))
		code, out, stderr := invoke(t, nil, "report", dir)
		if c.says == "" {
			assert.Equal(t, 0, code, "%s: %s", old, stderr)
			assert.Equal(t, strings.HasPrefix(old, `"ab"`), strings.Contains(out, "arm B"))
			continue
		}
		assert.Equal(t, exitUsage, code, old)
		assert.Contains(t, stderr, c.says)
	}
}
