package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkRunAgainstSlowServer runs a suite at concurrency 32 against a loopback server that takes 50 ms a request.
// wall/ideal is the wall time over requests × 50 ms ÷ 32.
func BenchmarkRunAgainstSlowServer(b *testing.B) {
	const cases, delay, concurrency = 1000, 50 * time.Millisecond, 32
	suite := largeSuite(b, cases)
	var requests atomic.Int64
	model := lexicalServer(0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		time.Sleep(delay)
		model.ServeHTTP(w, r)
	}))
	defer server.Close()
	for b.Loop() {
		requests.Store(0)
		start := time.Now()
		code, _, stderr := invoke(b, nil, "run", suite, "--base-url", server.URL, "--model", "m", "--quiet", "--concurrency", fmt.Sprint(concurrency),
			"--out", filepath.Join(b.TempDir(), fmt.Sprint(time.Now().UnixNano())), "-o", "json="+os.DevNull)
		require.Equal(b, 0, code, stderr)
		ideal := time.Duration(requests.Load()) * delay / concurrency
		b.ReportMetric(float64(time.Since(start))/float64(ideal), "wall/ideal")
		b.ReportMetric(float64(requests.Load()), "requests")
	}
}

// BenchmarkSampleSuiteOffline is the main job of a new user.
func BenchmarkSampleSuiteOffline(b *testing.B) {
	for b.Loop() {
		code, _, stderr := invoke(b, nil, "run", sampleName, "--quiet", "--out", filepath.Join(b.TempDir(), fmt.Sprint(time.Now().UnixNano())))
		require.Equal(b, 0, code, stderr)
	}
}

// largeSuite writes the small suite's cases over and over, under new ids.
func largeSuite(t testing.TB, n int) string {
	t.Helper()
	small, err := filepath.Abs("testdata/suites/small")
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(small, "cases.jsonl"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var b strings.Builder
	for i := range n {
		var c map[string]any
		require.NoError(t, json.Unmarshal([]byte(lines[i%len(lines)]), &c))
		c["id"], c["input"] = fmt.Sprintf("case-%06d", i), fmt.Sprintf("%v (%d)", c["input"], i)
		line, err := json.Marshal(c)
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cases.jsonl"), []byte(b.String()), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, suiteFile), []byte("skills: "+filepath.Join(small, "skills")+"\n"), 0o644))
	return dir
}
