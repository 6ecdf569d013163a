package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/similarity"
)

// Embeddings find what words cannot: the server says that two texts without a common word mean the same.
func TestSimilarByEmbedding(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		assert.Equal(t, "/v1/embeddings", r.URL.Path)
		var q struct{ Input []string }
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&q))
		var data []string
		for i, text := range q.Input {
			v := map[bool]string{true: "[1,0.1]", false: "[0,1]"}[strings.Contains(text, "umbrella") || strings.Contains(text, "Weather")]
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, v))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(server.Close)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"get_weather": "Weather of a city.", "rain_check": "Whether to pack an umbrella.", "send_email": "Sends a message to an address."} {
		require.NoError(t, os.MkdirAll(filepath.Join("sk", name), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join("sk", name, "SKILL.md"), []byte("---\nname: "+name+"\ndescription: "+text+"\n---\n"), 0o644))
	}
	pairs := func(args ...string) []similarity.Pair {
		code, out, errs := invoke(t, nil, append([]string{"similar", "sk", "-o", "json", "--base-url", server.URL}, args...)...)
		require.Equal(t, 0, code, errs)
		var r reports.Report
		require.NoError(t, json.Unmarshal([]byte(out), &r))
		return r.Pairs
	}
	assert.Empty(t, pairs())
	assert.Empty(t, pairs("--embedding-model", "e"), "a cosine decides nothing of itself")
	found := pairs("--embedding-model", "e", "--embedding-near", "0.9", "--cache", "on")
	require.Len(t, found, 1)
	assert.Equal(t, []string{"get_weather", "rain_check"}, []string{found[0].A, found[0].B})
	assert.Equal(t, similarity.Near, found[0].Level)
	assert.InDelta(t, 1, *found[0].Embedding, 1e-6)
	asked := requests
	pairs("--embedding-model", "e", "--embedding-near", "0.9", "--cache", "on")
	assert.Equal(t, asked, requests, "the second time from the cache")

	server.Close()
	code, _, errs := invoke(t, nil, "similar", "sk", "--base-url", server.URL, "--embedding-model", "e", "--attempts", "1")
	assert.Equal(t, exitServer, code)
	assert.Contains(t, errs, "embeddings: ")
}

// What the documentation says of the levels is what the command prints.
func TestDocumentedCalibration(t *testing.T) {
	docs, err := os.ReadFile("../../docs/similar.md")
	require.NoError(t, err)
	code, out, errs := invoke(t, nil, "similar", "--calibration")
	require.Equal(t, 0, code, errs)
	lines := strings.Split(out, "\n")
	for _, line := range lines {
		for _, figure := range regexp.MustCompile(`\d+\.\d % \[\d+\.\d, \d+\.\d\] \(n = \d+\)`).FindAllString(line, -1) {
			if level := strings.Fields(line)[0]; slices.Contains([]string{"sibling", "boundary", "unrelated"}, level) {
				continue
			}
			assert.Contains(t, string(docs), figure, line)
		}
	}
}
