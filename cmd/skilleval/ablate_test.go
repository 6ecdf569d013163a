package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/reports"
	"github.com/skilleval/skilleval/results"
)

// ablationReport is the part of a JSON report that these tests read.
type ablationReport struct {
	Run      results.Header   `json:"run"`
	Arms     []struct{}       `json:"arms"`
	Ablation reports.Ablation `json:"ablation"`
}

func ablate(t *testing.T, args ...string) (doc ablationReport) {
	t.Helper()
	code, out, stderr := invoke(t, nil, append([]string{"ablate", "--quiet", "-o", "json", "--out", filepath.Join(t.TempDir(), "run")}, args...)...)
	require.Equal(t, 0, code, stderr)
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	return doc
}

// TestAblationEqualsTheHandComputation: 40 cases, stopped at the call; the server is right as the words in the catalogue say.
//
//	authored     20 right                     accuracy 0.5
//	alpha.yaml   1 of those lost, 9 won  28   difference +8/40, McNemar with 10 pairs: 2 (C(10,0) + C(10,1)) / 2^10 = 22/1024
//	beta.yaml    6 won                   26   difference +6/40, McNemar with  6 pairs: 2 / 2^6 = 1/32
//
// Holm: 2 × 22/1024 = 0.04297, and the larger p is not below that. A right case takes two requests, a wrong one its answer:
// authored has 60 of 100 prompt and 10 completion tokens, 40 of them at level 1; at 10 and 100 USD a million 0.12 USD.
func TestAblationEqualsTheHandComputation(t *testing.T) {
	suite := numberedSuite(t, 40)
	config := filepath.Join(suite, suiteFile)
	text, err := os.ReadFile(config)
	require.NoError(t, err)
	text = append(text, "descriptions: {alpha: alpha.yaml, beta: beta.yaml}\nprices: {prompt_per_mtok: 10, completion_per_mtok: 100}\n"...)
	require.NoError(t, os.WriteFile(config, text, 0o644))
	for _, set := range []string{"alpha", "beta"} {
		require.NoError(t, os.WriteFile(filepath.Join(suite, set+".yaml"), []byte("weather: Weather, says "+strings.ToUpper(set)+".\n"), 0o644))
	}
	server := catalogueServer(t, func(i int, catalogue string) bool {
		switch {
		case strings.Contains(catalogue, "ALPHA"):
			return i >= 1 && i < 29
		case strings.Contains(catalogue, "BETA"):
			return i < 26
		}
		return i < 20
	})
	doc := ablate(t, suite, "--catalogs", "two-level", "--base-url", server.URL, "--model", "m", "--until", "call")
	rows := doc.Ablation.Rows
	require.Len(t, rows, 3)
	assert.Len(t, doc.Arms, 3)
	assert.Equal(t, "two-level/authored", doc.Ablation.Baseline)
	for i, want := range []struct {
		set               string
		right             float64
		difference, p     float64
		prompt, cost      float64
		level1, bothRight float64
	}{{"authored", 20, 0, 0, 150, 0.12, 100, 20}, {"alpha", 28, 8.0 / 40, 22.0 / 1024, 170, 0.136, 100, 28}, {"beta", 26, 6.0 / 40, 1.0 / 32, 165, 0.132, 100, 26}} {
		r := rows[i]
		assert.Equal(t, []string{"two-level/" + want.set, "two-level", want.set, "question-first", "native"}, []string{r.Arm, r.Catalog, r.Descriptions, r.Order, r.Protocol})
		assert.Equal(t, 3, r.Skills)
		assert.InDelta(t, want.right/40, *r.Selection.Value, 1e-9)
		assert.Less(t, *r.Selection.Lo, *r.Selection.Value)
		assert.InDelta(t, want.bothRight/40, *r.Calls.Value, 1e-9)
		assert.Nil(t, r.Args.Value, "no case labels arguments")
		assert.InDelta(t, want.prompt, *r.PromptTokens, 1e-9)
		assert.InDelta(t, want.level1, *r.Level1Tokens, 1e-9)
		assert.InDelta(t, want.prompt/100, *r.Rounds, 1e-9)
		assert.InDelta(t, want.cost, *r.CostUSD, 1e-9)
		if i == 0 {
			assert.Nil(t, r.Difference)
			assert.Nil(t, r.PValue)
			assert.Nil(t, r.PAdjusted)
			continue
		}
		assert.InDelta(t, want.difference, *r.Difference.Value, 1e-9)
		assert.Less(t, *r.Difference.Lo, *r.Difference.Hi)
		assert.InDelta(t, want.p, *r.PValue, 1e-12)
		assert.InDelta(t, 44.0/1024, *r.PAdjusted, 1e-12)
	}
}

// catalogueServer is right, or answers without a call, by a case's number and the catalogue it is asked with.
func catalogueServer(t *testing.T, right func(i int, catalogue string) bool) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req chatRequest
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&req))
		var i int
		assert.NoError(t, json.Unmarshal([]byte(questionOf(req)), &i))
		sc := script{}
		if req.Tools[0].Function.Name == "weather" || right(i, req.Messages[1].text()) {
			sc.Calls = []scriptedCall{{"weather", `{"city":"Oslo"}`}}
		}
		writeReply(w, sc.reply(req), "stop")
	}))
	t.Cleanup(server.Close)
	return server
}

// distractorFolder writes skills of these names, each with its word as description.
func distractorFolder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, name := range names {
		folder := filepath.Join(dir, string(rune('a'+i)))
		require.NoError(t, os.MkdirAll(folder, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "SKILL.md"), []byte("---\nname: "+name+"\ndescription: Paints "+name+".\n---\n"), 0o644))
	}
	return dir
}

// TestSizesAreNested: a catalogue holds what the cases need and every distractor of the smaller ones, in the order of names;
// only skills that some arm offers are in the run file; another seed draws others.
func TestSizesAreNested(t *testing.T) {
	suite := numberedSuite(t, 1)
	more := distractorFolder(t, "aa", "bb", "cc", "dd", "ee", "ff", "xx", "yy", "zz", "Weather", "caf\u00e9", "cafe\u0301")
	drawn := func(seed string) map[int][]string {
		var mu sync.Mutex
		seen := map[int][]string{}
		server := catalogueServer(t, func(_ int, catalogue string) bool {
			mu.Lock()
			defer mu.Unlock()
			var names []string
			for line := range strings.Lines(catalogue) {
				if name, ok := strings.CutPrefix(line, "- "); ok {
					name, _, _ = strings.Cut(name, ":")
					names = append(names, name)
				}
			}
			seen[len(names)] = names
			return true
		})
		doc := ablate(t, suite, "--catalogs", "two-level", "--sizes", "8,1,4", "--distractors", more, "--seed", seed, "--base-url", server.URL, "--model", "m", "--until", "call")
		for i, want := range []string{"two-level/1", "two-level/4", "two-level/8"} {
			assert.Equal(t, want, doc.Ablation.Rows[i].Arm)
			assert.Equal(t, []int{1, 4, 8}[i], doc.Ablation.Rows[i].Skills)
		}
		return seen
	}
	first := drawn("1")
	assert.Equal(t, []string{"weather"}, first[1])
	for _, size := range []int{4, 8} {
		require.Len(t, first[size], size)
		assert.Contains(t, first[size], "weather")
		assert.NotContains(t, first[size], "Weather")
		assert.True(t, slices.IsSorted(first[size]), "the skill that is needed has no place of its own: %v", first[size])
	}
	assert.Subset(t, first[8], first[4])
	assert.Equal(t, first, drawn("1"))
	assert.NotEqual(t, first, drawn("2"))
}

func TestTheRunFileHoldsWhatTheArmsOffer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	code, _, stderr := invoke(t, nil, "ablate", numberedSuite(t, 1), "--sizes", "1,3", "--distractors", distractorFolder(t, "aa", "bb", "cc", "Weather"),
		"--description-sets", "authored,testdata/weather.yaml", "--catalogs", "flat", "--out", dir)
	require.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, "unknown description set")
	code, _, stderr = invoke(t, nil, "ablate", numberedSuite(t, 1), "--sizes", "1,3", "--distractors", distractorFolder(t, "aa", "bb", "cc", "Weather"), "--catalogs", "flat,grouped", "--out", dir)
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stderr, "distractors left out: 1 (name is taken): Weather")
	run, err := results.Open(dir)
	require.NoError(t, err)
	h := run.Header()
	assert.Len(t, h.Skills, 3)
	assert.Equal(t, "flat", h.Prompt.Catalog)
	var names []string
	for _, arm := range h.Arms {
		names = append(names, arm.Name)
		assert.NotEmpty(t, arm.SkillsDigest)
	}
	assert.Equal(t, []string{"flat/1", "flat/3", "grouped/1", "grouped/3"}, names)
}

// TestEveryListIsVaried: sets, orders, protocols and sizes multiply, and each arm has what its name says.
func TestEveryListIsVaried(t *testing.T) {
	suite := numberedSuite(t, 1)
	set := filepath.Join(t.TempDir(), "beta.yaml")
	require.NoError(t, os.WriteFile(set, []byte("weather: BETA.\n"), 0o644))
	doc := ablate(t, suite, "--catalogs", "two-level", "--description-sets", "authored,"+set, "--orders", "question-first,catalog-first", "--protocols", "native,text",
		"--sizes", "1,2", "--distractors", distractorFolder(t, "aa"))
	require.Len(t, doc.Ablation.Rows, 16)
	assert.Equal(t, "two-level/authored/question-first/native/1", doc.Ablation.Baseline)
	last := doc.Ablation.Rows[15]
	assert.Equal(t, "two-level/"+set+"/catalog-first/text/2", last.Arm)
	assert.Equal(t, []string{set, "catalog-first", "text"}, []string{last.Descriptions, last.Order, last.Protocol})
	digests := map[string]bool{}
	for _, arm := range doc.Run.Arms {
		digests[arm.SkillsDigest] = true
	}
	assert.Len(t, digests, 4, "two sets in two sizes")
	doc = ablate(t, suite, "--catalogs", "two-level", "--order", "catalog-first", "--protocol", "text")
	assert.Equal(t, []string{"two-level/authored", "catalog-first", "text"}, []string{doc.Ablation.Rows[0].Arm, doc.Ablation.Rows[0].Order, doc.Ablation.Rows[0].Protocol})
	assert.Equal(t, []string{"catalog-first", "text"}, []string{doc.Run.Prompt.Order, doc.Run.Prompt.Protocol})
}

// TestAblationComparesAsCompareDoes: with groups, repetitions and errors, each row's difference and p are those of a
// comparison that reads the run itself.
func TestAblationComparesAsCompareDoes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	code, _, stderr := invoke(t, nil, "ablate", "--quiet", "--limit", "40", "--trials", "2", "--catalogs", "two-level,flat", "--out", dir)
	require.Equal(t, 0, code, stderr)
	run, err := results.Open(dir)
	require.NoError(t, err)
	src := &someErrors{run}
	arms, err := metrics.Summarize(src, metrics.SummaryOptions{})
	require.NoError(t, err)
	table, err := ablationTable(src, arms, 7)
	require.NoError(t, err)
	require.Len(t, table.Rows, 4)
	for _, row := range table.Rows[1:] {
		c, err := metrics.Compare(metrics.Side{Source: src, Arm: table.Baseline}, metrics.Side{Source: src, Arm: row.Arm}, metrics.CompareOptions{Seed: 7})
		require.NoError(t, err)
		assert.Less(t, c.Clusters, c.Cases, "the sample has groups")
		assert.Positive(t, row.Errors)
		assert.Equal(t, c.Difference, *row.Difference)
		assert.Equal(t, c.PValue, *row.PValue)
	}
}

// someErrors is a run some of whose trials are errors.
type someErrors struct{ *results.Run }

func (s *someErrors) Trials(yield func(*results.Trial) error) error {
	n := 0
	return s.Run.Trials(func(t *results.Trial) error {
		if n++; n%5 == 0 {
			t.Error = &results.Problem{Class: "server"}
		}
		return yield(t)
	})
}

// TestWhatIsAlwaysInTheCatalogue: what a case expects, what it accepts in its place, and what is preloaded.
func TestWhatIsAlwaysInTheCatalogue(t *testing.T) {
	suite := numberedSuite(t, 1)
	text := `{"id":"c","input":"0","expect":{"skill":"weather"},"accept":[{"calls":[{"skill":"search"}]}]}` + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(suite, "cases.jsonl"), []byte(text), 0o644))
	args := []string{suite, "--catalogs", "flat", "--distractors", distractorFolder(t, "aa"), "--sizes"}
	code, _, stderr := invoke(t, nil, append([]string{"ablate"}, append(args, "1")...)...)
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, "the cases need 2 skills: that is the smallest size")
	code, _, stderr = invoke(t, nil, append([]string{"ablate"}, append(args, "2", "--preload", "notes")...)...)
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, stderr, "the cases need 3 skills")
	assert.Equal(t, 3, ablate(t, append(args, "3", "--preload", "notes")...).Ablation.Rows[0].Skills)
}

func TestOrdersReachTheServer(t *testing.T) {
	var mu sync.Mutex
	first := map[bool]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req chatRequest
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&req))
		mu.Lock()
		defer mu.Unlock()
		first[strings.HasPrefix(req.Messages[1].text(), "Skills you can choose from:")]++
		writeReply(w, map[string]any{"role": "assistant", "content": "No."}, "stop")
	}))
	t.Cleanup(server.Close)
	ablate(t, numberedSuite(t, 1), "--catalogs", "two-level", "--orders", "question-first,catalog-first", "--base-url", server.URL, "--model", "m")
	assert.Equal(t, map[bool]int{true: 1, false: 1}, first)
}

// TestEachArmIsAskedAsItSays: what the server sees of an arm: a protocol of its own, and the descriptions of its set, also
// those of skills that only fill the catalogue.
func TestEachArmIsAskedAsItSays(t *testing.T) {
	suite := numberedSuite(t, 1)
	require.NoError(t, os.WriteFile(filepath.Join(suite, "set.yaml"), []byte("weather: BETA one.\nnotes: BETA two.\nsearch: BETA three.\n"), 0o644))
	server := newScriptedServer(t, map[string]script{"0": {Calls: []scriptedCall{{"weather", `{"city":"Oslo"}`}}}})
	ablate(t, suite, "--catalogs", "two-level", "--description-sets", filepath.Join(suite, "set.yaml"), "--protocols", "native,text", "--sizes", "3",
		"--distractors", distractorFolder(t, "weather"), "--base-url", server.URL, "--model", "m", "--until", "call", "--concurrency", "1")
	require.Len(t, server.requests, 4, "two steps in each protocol")
	for i, native := range []bool{true, true, false, false} {
		req := server.requests[i]
		assert.Equal(t, native, len(req.Tools) > 0)
		if i%2 == 0 {
			assert.Equal(t, 3, strings.Count(req.Messages[1].text(), "BETA"))
		}
	}
}
