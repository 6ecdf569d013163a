package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestABEqualsTheHandComputation: the server's answers depend on the description text. 25 cases are right only under A, 10
// only under B, 130 under both, 55 under neither: 155 and 140 of 220, difference −15/220 = −0.0682; McNemar with 25 and 10
// discordant pairs: exact p = 0.0167, mid-p = 0.0113 (computed with scipy 1.17).
func TestABEqualsTheHandComputation(t *testing.T) {
	suite := numberedSuite(t, 220)
	server := descriptionServer(t, func(i int, alpha bool) bool {
		switch {
		case i < 25:
			return alpha
		case i < 35:
			return !alpha
		}
		return i < 165
	})
	code, out, stderr := invoke(t, nil, "ab", "Weather, says ALPHA.", "Weather, says BETA.", suite, "--skill", "weather", "--base-url", server.URL,
		"--model", "m", "--out", filepath.Join(t.TempDir(), "run"), "-o", "json", "--quiet", "--until", "call", "--concurrency", "16")
	require.Equal(t, 0, code, stderr)
	var doc struct {
		Comparison struct {
			Cases, Wins, Losses, Ties int
			BothRight                 int                     `json:"both_right"`
			BothWrong                 int                     `json:"both_wrong"`
			AccuracyA                 struct{ Value float64 } `json:"accuracy_a"`
			AccuracyB                 struct{ Value float64 } `json:"accuracy_b"`
			Difference                struct {
				Value, Lo, Hi float64
				N             int
			}
			PValue  float64 `json:"p_value"`
			MidP    float64 `json:"mid_p"`
			Method  string
			Verdict string
			Flipped []struct{ Case, From, To string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	c := doc.Comparison
	assert.Equal(t, []int{220, 10, 25, 185, 130, 55}, []int{c.Cases, c.Wins, c.Losses, c.Ties, c.BothRight, c.BothWrong})
	assert.InDelta(t, 155.0/220, c.AccuracyA.Value, 1e-9)
	assert.InDelta(t, 140.0/220, c.AccuracyB.Value, 1e-9)
	assert.InDelta(t, -0.0682, c.Difference.Value, 5e-5)
	assert.Less(t, c.Difference.Hi, 0.0)
	assert.InDelta(t, 0.0167, c.PValue, 5e-5)
	assert.InDelta(t, 0.0113, c.MidP, 5e-5)
	assert.Equal(t, "mcnemar-exact", c.Method)
	assert.Equal(t, "a_better", c.Verdict)
	assert.Len(t, c.Flipped, 35)

	for demanded, want := range map[string]int{"better": exitFailed, "not-worse": exitFailed} {
		code, _, stderr = invoke(t, nil, "ab", "Weather, says ALPHA.", "Weather, says BETA.", suite, "--skill", "weather", "--base-url", server.URL,
			"--model", "m", "--out", filepath.Join(t.TempDir(), "run"), "--quiet", "--until", "call", "--require", demanded)
		assert.Equal(t, want, code, stderr)
	}
}

// numberedSuite writes a suite of n cases, each a number, that all expect the skill weather.
func numberedSuite(t *testing.T, n int) string {
	t.Helper()
	suite := t.TempDir()
	small, err := filepath.Abs("testdata/suites/small")
	require.NoError(t, err)
	var cases strings.Builder
	for i := range n {
		fmt.Fprintf(&cases, `{"id":"c%03d","input":"%d","expect":{"skill":"weather"}}`+"\n", i, i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(suite, "cases.jsonl"), []byte(cases.String()), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(suite, suiteFile), []byte("skills: "+filepath.Join(small, "skills")+"\n"), 0o644))
	return suite
}

// descriptionServer chooses the skill weather, or answers, as right says for the case's number and for whether the
// catalogue holds the word ALPHA.
func descriptionServer(t *testing.T, right func(i int, alpha bool) bool) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req chatRequest
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&req))
		var i int
		_, err := fmt.Sscan(questionOf(req), &i)
		assert.NoError(t, err)
		sc := script{}
		if req.Tools[0].Function.Name == "weather" || right(i, strings.Contains(req.Messages[1].text(), "ALPHA")) {
			sc.Calls = []scriptedCall{{"weather", `{"city":"Oslo"}`}}
		}
		writeReply(w, sc.reply(req), "stop")
	}))
	t.Cleanup(server.Close)
	return server
}

func TestSequentialStopsWhenTheAnswerIsClear(t *testing.T) {
	suite := numberedSuite(t, 200)
	for _, tt := range []struct {
		what    string
		right   func(i int, alpha bool) bool
		cases   int
		verdict string
	}{
		{"every case is won by A", func(_ int, alpha bool) bool { return alpha }, 20, "a_better"},
		{"no difference", func(i int, _ bool) bool { return i%2 == 0 }, 200, "no_difference_shown"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			server := descriptionServer(t, tt.right)
			var reports []string
			for _, concurrency := range []string{"1", "32"} {
				code, out, stderr := invoke(t, nil, "ab", "Weather, says ALPHA.", "Weather, says BETA.", suite, "--skill", "weather", "--base-url", server.URL, "--model", "m",
					"--out", filepath.Join(t.TempDir(), "run"), "-o", "json", "--quiet", "--stable", "--until", "call", "--sequential", "--concurrency", concurrency)
				require.Equal(t, 0, code, stderr)
				reports = append(reports, out)
			}
			assert.Equal(t, reports[0], reports[1])
			var doc struct {
				Comparison struct {
					Cases   int
					Method  string
					Verdict string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(reports[0]), &doc))
			assert.Equal(t, tt.cases, doc.Comparison.Cases)
			assert.Equal(t, "beta-binomial-martingale", doc.Comparison.Method)
			assert.Equal(t, tt.verdict, doc.Comparison.Verdict)
			assert.Equal(t, tt.cases < 200, strings.Contains(reports[0], "stopped early after 20 of 200 cases"))
		})
	}
}

// writeReply sends one assistant message as a chat completion.
func writeReply(w http.ResponseWriter, message map[string]any, finish string) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"id": "x", "object": "chat.completion",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
		"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
	})
}
