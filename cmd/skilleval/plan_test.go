package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plannedSuite has cases of one call, of two, of none, and of one where two are accepted as well.
func plannedSuite(t *testing.T) string {
	t.Helper()
	suite := t.TempDir()
	skill := func(name, category string) {
		dir := filepath.Join(suite, "skills", name)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "SKILL.md"),
			[]byte("---\nname: "+name+"\ndescription: Does "+name+".\nmetadata:\n  category: "+category+"\n---\n"), 0o644))
	}
	skill("one", "first")
	skill("two", "second")
	require.NoError(t, os.WriteFile(filepath.Join(suite, "cases.jsonl"), []byte(`{"id":"single","input":"single","expect":{"skill":"one"}}
{"id":"several","input":"several","expect":{"calls":[{"skill":"one"},{"skill":"two"}]}}
{"id":"none","input":"none","expect":{"none":true}}
{"id":"either","input":"either","expect":{"skill":"one"},"accept":[{"calls":[{"skill":"one"},{"skill":"two"}]}]}
`), 0o644))
	return suite
}

// plannedServer calls what the cases of plannedSuite expect, in any catalogue mode, and counts the requests.
func plannedServer(t *testing.T, requests *atomic.Int64) *httptest.Server {
	want := map[string][]string{"single": {"one"}, "several": {"one", "two"}, "either": {"one"}}
	categories := map[string]string{"one": "first", "two": "second"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		var req chatRequest
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&req))
		made := 0
		for _, m := range req.Messages {
			if m.Role == "assistant" && len(m.ToolCalls) > 0 && m.ToolCalls[0].Function.Name != "select_skill" && m.ToolCalls[0].Function.Name != "select_category" {
				made++
			}
		}
		next := want[questionOf(req)][made:]
		if len(next) == 0 {
			writeReply(w, map[string]any{"role": "assistant", "content": "All done."}, "stop")
			return
		}
		name, args := next[0], "{}"
		switch tool := req.Tools[0].Function.Name; tool {
		case "select_skill":
			name, args = tool, `{"name":"`+next[0]+`"}`
		case "select_category":
			name, args = tool, `{"name":"`+categories[next[0]]+`"}`
		}
		writeReply(w, map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
			"id": "call", "type": "function", "function": map[string]any{"name": name, "arguments": args}}}}, "stop")
	}))
	t.Cleanup(server.Close)
	return server
}

var aboutRequests = regexp.MustCompile(`about (\d+) requests, \d+ at once; catalogue ([^;]*), protocol ([a-z, ]*), until`)

// TestThePlanCountsEveryArmByItsOwnMode: a server without faults is asked as often as the plan says. Requests a case, stopped
// at the call: two-level 2 (choose, fill), flat 1, grouped 3. More than one call, expected or accepted, runs to the answer:
//
//	           single  several  none  either
//	two-level       2        5     1       3     11
//	flat            1        3     1       2      7
//	grouped         3        7     1       4     15
//
// Two trials of each: 66, and to the answer 2·(12 + 8 + 16) = 72.
func TestThePlanCountsEveryArmByItsOwnMode(t *testing.T) {
	suite := plannedSuite(t)
	for _, c := range []struct {
		catalogs, until string
		want            int
		says            []string
	}{
		{"two-level,flat,grouped", "call", 66, []string{"two-level, flat, grouped", "native"}},
		{"grouped,flat", "call", 44, []string{"grouped, flat", "native"}},
		{"flat", "call", 14, []string{"flat", "native"}},
		{"flat,two-level,grouped", "answer", 72, []string{"flat, two-level, grouped", "native"}},
	} {
		t.Run(c.catalogs+" "+c.until, func(t *testing.T) {
			var requests atomic.Int64
			server := plannedServer(t, &requests)
			code, _, stderr := invoke(t, nil, "ablate", suite, "--catalogs", c.catalogs, "--until", c.until, "--trials", "2",
				"--base-url", server.URL, "--model", "m", "--out", filepath.Join(t.TempDir(), "run"))
			require.Equal(t, 0, code, stderr)
			m := aboutRequests.FindStringSubmatch(stderr)
			require.NotNil(t, m, stderr)
			assert.Equal(t, strconv.Itoa(c.want), m[1])
			assert.Equal(t, c.says, m[2:])
			assert.EqualValues(t, c.want, requests.Load(), "asked")
		})
	}
}

// TestThePlanOfAResumedRun counts what is left to ask: of the cases in the order of the file, the first two are done.
func TestThePlanOfAResumedRun(t *testing.T) {
	suite, dir := plannedSuite(t), filepath.Join(t.TempDir(), "run")
	var requests atomic.Int64
	server := plannedServer(t, &requests)
	args := []string{"run", suite, "--until", "call", "--base-url", server.URL, "--model", "m", "--out", dir, "--concurrency", "1"}
	code, _, stderr := invoke(t, nil, args...)
	require.Equal(t, 0, code, stderr)
	assert.Equal(t, "11", aboutRequests.FindStringSubmatch(stderr)[1])
	trials := filepath.Join(dir, "trials.jsonl")
	data, err := os.ReadFile(trials)
	require.NoError(t, err)
	kept := regexp.MustCompile(`(?m)^.*"case":"(single|several)".*\n`).FindAll(data, -1)
	require.Len(t, kept, 2)
	require.NoError(t, os.WriteFile(trials, append(kept[0], kept[1]...), 0o644))
	requests.Store(0)
	code, _, stderr = invoke(t, nil, append(args, "--resume")...)
	require.Equal(t, 0, code, stderr)
	assert.Equal(t, "4", aboutRequests.FindStringSubmatch(stderr)[1])
	assert.EqualValues(t, 4, requests.Load())
}

// TestTheRateLimitNoteKnowsTheMode: 24 trials at once of 4 requests each wait 96/90 minutes, of 2 requests 48/90.
func TestTheRateLimitNoteKnowsTheMode(t *testing.T) {
	suite := plannedSuite(t)
	for mode, noted := range map[string]bool{"grouped": true, "flat": false} {
		var requests atomic.Int64
		server := plannedServer(t, &requests)
		code, _, stderr := invoke(t, nil, "run", suite, "--filter", "single", "--catalog", mode, "--rpm", "90", "--timeout", "1m", "--concurrency", "24",
			"--base-url", server.URL, "--model", "m", "--out", filepath.Join(t.TempDir(), "run"))
		require.Equal(t, 0, code, stderr)
		if noted {
			assert.Contains(t, stderr, "24 trials at once wait for --rpm 90 longer than --timeout 1m0s")
		} else {
			assert.NotContains(t, stderr, "at once wait")
		}
	}
}
