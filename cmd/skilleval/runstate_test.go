package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/runner"
)

// TestEarlyStopSaysHowMuchWasMeasured: a run that stopped at a clear answer is complete, and what uses it says that it
// covers a part of the cases.
func TestEarlyStopSaysHowMuchWasMeasured(t *testing.T) {
	suite := numberedSuite(t, 100)
	server := descriptionServer(t, func(_ int, alpha bool) bool { return alpha })
	t.Chdir(t.TempDir())
	code, _, stderr := invoke(t, nil, "ab", "Weather, says ALPHA.", "Weather, says BETA.", suite, "--skill", "weather", "--base-url", server.URL,
		"--model", "m", "--out", "run", "--quiet", "--until", "call", "--sequential")
	require.Equal(t, 0, code, stderr)
	const want = "measured 20 of 100 planned cases: stopped early after 20 of 100 cases: the answer is clear"

	code, _, stderr = invoke(t, nil, "baseline", "set", "run", "--arm", "A")
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stderr, want)
	code, out, stderr := invoke(t, nil, "gate", "run", "--arm", "A", "--gate", "errors <= 0", "-o", "json")
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, out, "the run "+want)
	code, out, stderr = invoke(t, nil, "compare", "run", "run", "--base-arm", "A", "--head-arm", "B", "-o", "json")
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, out, "base "+want)
	assert.Contains(t, out, "head "+want)
}

func TestAdviceNamesTheCommandThatMadeTheRun(t *testing.T) {
	suite := numberedSuite(t, 30)
	server := descriptionServer(t, func(int, bool) bool { time.Sleep(time.Millisecond); return true })
	for command, args := range map[string][]string{
		"run":    {"run", suite},
		"ab":     {"ab", "Weather, says ALPHA.", "Weather, says BETA.", suite, "--skill", "weather"},
		"ablate": {"ablate", suite, "--catalogs", "two-level"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		code, _, stderr := invoke(t, nil, append(args, "--base-url", server.URL, "--model", "m", "--out", dir, "--quiet", "--concurrency", "1", "--run-timeout", "20ms")...)
		require.Equal(t, exitServer, code, stderr)
		for _, use := range [][]string{{"baseline", "set", dir}, {"gate", dir, "--gate", "errors <= 0"}, {"report", dir, "--gate", "errors <= 0"}} {
			if command == "ab" && use[0] != "report" {
				use = append(use, "--arm", "A")
			}
			_, _, stderr = invoke(t, nil, use...)
			assert.Contains(t, stderr, `the same "skilleval `+command+`" command as before and --resume --out `, use)
		}
	}
}

func TestReasonSpeaksOfTheWholeRun(t *testing.T) {
	batch, whole := runner.Summary{Planned: 40, Done: 30}, runner.Summary{Planned: 400, Done: 130}
	batch.TimedOut = true
	assert.Equal(t, "the run's time limit of 1s was reached with 270 trials unfinished", ofTheWhole(batch, whole, time.Second))
	batch.TimedOut, batch.Reason = false, "stopped early with 10 trials unfinished: the first 8 all failed"
	assert.Equal(t, "stopped early with 270 trials unfinished: the first 8 all failed", ofTheWhole(batch, whole, 0))
}
