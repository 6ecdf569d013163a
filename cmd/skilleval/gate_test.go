package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
)

// runOf makes a run of n cases and returns its directory.
func runOf(t testing.TB, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	code, _, stderr := invoke(t, nil, "run", largeSuite(t, n), "--quiet", "--out", dir, "-o", "json="+os.DevNull)
	require.Equal(t, 0, code, stderr)
	return dir
}

func TestCaseFindingsAreCutAndCounted(t *testing.T) {
	var rules []metrics.CaseRule
	for range listedCases + 7 {
		rules = append(rules, metrics.CaseRule{Rule: metrics.RuleNew, Case: "n", Message: "new"})
	}
	rules = append(rules, metrics.CaseRule{Rule: metrics.RuleRemoved, Case: "r", Fail: true, Message: "removed"})
	got := caseFindings(rules)
	require.Len(t, got, listedCases+2)
	assert.Equal(t, "and 7 more cases", got[listedCases].Message)
	assert.Equal(t, []string{"new-case", "warning"}, []string{got[listedCases].Rule, got[listedCases].Severity})
	assert.Equal(t, []string{"removed-case", "error"}, []string{got[listedCases+1].Rule, got[listedCases+1].Severity})
	all := caseRules{rules: rules}
	assert.EqualError(t, all.decide(), "removed")
	all.rules = append(rules, rules[len(rules)-1])
	assert.EqualError(t, all.decide(), "removed (and 1 more)")
	all.rules = rules[:3]
	assert.NoError(t, all.decide())
}

// A run of two arms is gated one arm at a time.
func TestGateOfSeveralArms(t *testing.T) {
	dir := runOf(t, 3)
	edit := func(name, old, by string) {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(data), old)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), old, by, 1)), 0o644))
	}
	edit("run.json", `"name": "main"`, `"name": "main"},{"name": "b"`)
	edit("trials.jsonl", `"arm":"main"`, `"arm":"b"`)
	code, _, stderr := invoke(t, nil, "gate", dir, "--gate", "errors <= 0")
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, "choose one of main, b")
	code, out, stderr := invoke(t, nil, "gate", dir, "--gate", "trials == 1", "--arm", "b", "-o", "json")
	assert.Equal(t, exitPassed, code, stderr)
	assert.NotContains(t, out, `"arm": "main"`)
	code, _, stderr = invoke(t, nil, "gate", dir, "--gate", "trials == 2", "--arm", "main", "-o", "json")
	assert.Equal(t, exitPassed, code, stderr)
}

// BenchmarkGate is the whole command on a run of 10,000 cases and a baseline file.
func BenchmarkGate(b *testing.B) {
	dir := runOf(b, 10_000)
	file := filepath.Join(b.TempDir(), "baseline.json")
	code, _, stderr := invoke(b, nil, "baseline", "set", dir, "--file", file)
	require.Equal(b, 0, code, stderr)
	for b.Loop() {
		code, _, stderr := invoke(b, nil, "gate", dir, "--baseline", file, "--gate", "delta(selection.accuracy) >= -0.02", "-o", "json="+os.DevNull)
		require.Equal(b, 0, code, stderr)
	}
}
