package results

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

const benchTrials = 100_000

// benchTrial is a trial of ordinary size, about 900 bytes.
func benchTrial(i int) *Trial {
	yes := true
	return &Trial{
		Case: fmt.Sprintf("weather-zh-%06d", i), Arm: "main", Group: fmt.Sprintf("paraphrase-%d", i/4), Tags: []string{"zh", "confusable"},
		Expect:   json.RawMessage(`{"calls":[{"skill":"get_weather","args":{"city":"杭州","days":3}}]}`),
		Selected: []string{"get_weather"},
		Calls:    []Call{{Skill: "get_weather", Args: json.RawMessage(`{"city":"杭州","days":3}`), Level1: "get_weather", Tier: "native", Valid: true, FirstValid: true}},
		Answer:   "It will rain in Hangzhou for the next three days, so take an umbrella with you when you leave the house.",
		Scores:   &Scores{Selection: true, Level1: &yes, Args: &yes, Labelled: 2, Right: 2, Pairs: []SkillPair{{Want: "get_weather", Got: "get_weather"}}},
		Usage:    Usage{"server", 900, 60, Tokens{500, 20}, Tokens{400, 40}}, Rounds: 3, Tiers: map[string]int{"native": 2, "none": 1},
		StartedAt: "2026-01-02T03:04:05.123456Z", LatencyMS: 151.234,
	}
}

func benchRun(b testing.TB, n int) string {
	dir := filepath.Join(b.TempDir(), "run")
	w, err := Create(dir, testHeader(), nil)
	require.NoError(b, err)
	for i := range n {
		require.NoError(b, w.Append(benchTrial(i*7919%n)))
	}
	require.NoError(b, w.Close())
	return dir
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkAppend(b *testing.B) {
	w, err := Create(filepath.Join(b.TempDir(), "run"), testHeader(), nil)
	require.NoError(b, err)
	trial := benchTrial(1)
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Append(trial); err != nil {
			b.Fatal(err)
		}
	}
	require.NoError(b, w.Close())
}

// BenchmarkOpen indexes 100,000 trials; index-MiB is what the open run holds.
func BenchmarkOpen(b *testing.B) {
	dir := benchRun(b, benchTrials)
	before := heap()
	var run *Run
	for b.Loop() {
		var err error
		if run, err = Open(dir); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(heap()-before)/(1<<20), "index-MiB")
	require.Equal(b, benchTrials, run.Len())
}

// BenchmarkTrials reads 100,000 trials in canonical order.
func BenchmarkTrials(b *testing.B) {
	run, err := Open(benchRun(b, benchTrials))
	require.NoError(b, err)
	for b.Loop() {
		n := 0
		if err := run.Trials(func(*Trial) error { n++; return nil }); err != nil || n != benchTrials {
			b.Fatal(n, err)
		}
	}
}

// The index of 100,000 trials fits in 30 MiB when one trial takes less than 300 bytes.
func TestIndexIsSmall(t *testing.T) {
	const n = 5_000
	dir := benchRun(t, n)
	before := heap()
	run, err := Open(dir)
	require.NoError(t, err)
	after := heap()
	require.Equal(t, n, run.Len())
	require.Less(t, (int64(after)-int64(before))/n, int64(200), "bytes a trial")
}
