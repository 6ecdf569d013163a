package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/results"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func ptr(v float64) *float64 { return &v }

func rate(v, lo, hi float64, n int) metrics.Estimate {
	return metrics.Estimate{Value: ptr(v), Lo: ptr(lo), Hi: ptr(hi), N: n, Method: "wilson"}
}

func unmeasured(reason string) metrics.Estimate { return metrics.Estimate{Reason: reason} }

// hostile is text that means something in a terminal, in Markdown, in HTML or in a table.
const hostile = "a|b `code` <img src=x onerror=alert(1)> @team #12 https://evil.example \x1b[2J\x1b]0;owned\x07 \u202etxt ``` \n| x |"

func sampleReport() *Report {
	retries := 3
	arm := metrics.Arm{
		Arm: "main", Cases: 4, Trials: 4, Scored: 3, Errors: 1,
		ErrorClasses: map[string]int{"timeout": 1}, FaultClasses: map[string]int{"unparsable": 1},
		Selection: metrics.Selection{
			Accuracy: rate(2.0/3, 0.2077, 0.9385, 3), AccuracyErrorsWrong: rate(0.5, 0.15, 0.85, 4), Level1: rate(1, 0.4385, 1, 3),
			OverTrigger: rate(0, 0, 0.7935, 1), UnderTrigger: unmeasured("no scored trial expects a call"),
			Macro: metrics.PRF{Precision: ptr(0.5), Recall: ptr(0.75), F1: ptr(0.6), N: 2}, Micro: metrics.PRF{F1: ptr(0.7), N: 3}, Weighted: metrics.PRF{N: 0},
			PerSkill: []metrics.SkillRow{
				{Skill: "天气查询", Support: 2, Predicted: 1, Precision: rate(1, 0.2065, 1, 1), Recall: rate(0.5, 0.0945, 0.9055, 2), F1: ptr(2.0 / 3), ArgsExact: rate(1, 0.2, 1, 1)},
				{Skill: hostile, Support: 0, Predicted: 1, Precision: rate(0, 0, 0.7935, 1), Recall: unmeasured("no case expects it"), F1: ptr(0), ArgsExact: unmeasured("none")},
			},
			Confusion:  []metrics.Confusion{{Want: "天气查询", Got: "天气查询", N: 1}, {Want: "天气查询", Got: "", N: 1}, {Want: "", Got: hostile, N: 2}},
			Unmeasured: []string{"never_used"},
		},
		Args: metrics.Args{Exact: rate(0.5, 0.0945, 0.9055, 2), ExactGivenSelection: rate(1, 0.2065, 1, 1), PerArgument: rate(0.75, 0.3, 0.95, 4),
			FirstTryValid: rate(1, 0.34, 1, 2), RepairedValid: rate(1, 0.34, 1, 2), Faults: metrics.ArgFaults{Missing: 1, Value: 2}, Unlabelled: 1},
		Calls: metrics.CallSummary{Exact: rate(1.0/3, 0.06, 0.79, 3)},
		Tokens: metrics.Tokens{Source: "server", Prompt: metrics.Spread{Mean: ptr(812.4), P50: ptr(800), P95: ptr(901), Total: 2437, N: 3},
			Completion: metrics.Spread{Mean: ptr(31), P50: ptr(30), P95: ptr(40), Total: 93, N: 3}},
		Rounds: metrics.Mean{Mean: ptr(2.33), N: 3}, LatencyMS: &metrics.Latency{P50: ptr(120), P95: ptr(410), N: 3}, CostUSD: ptr(0.0123),
		ParseTiers: metrics.ParseTiers{Native: 5, JSON: 1, None: 2}, Repairs: 1, Retries: &retries,
		Tags:     []metrics.TagSummary{{Tag: "zh", Cases: 2, Selection: rate(0.5, 0.0945, 0.9055, 2), ArgsExact: rate(1, 0.2065, 1, 1)}},
		Failures: []metrics.Failure{{Case: "rain-zh-1", Input: "明天|下雨吗", Want: []string{"天气查询"}, Got: nil, What: "selection", Detail: []string{hostile}}},
		ErrorList: []metrics.Failure{{Case: "slow-1", Repetition: 1, Want: []string{"天气查询"}, What: "timeout",
			Detail: []string{"POST http://127.0.0.1/v1/chat/completions: no reply within 5s"}}},
	}
	return &Report{
		Run: &results.Header{Schema: results.Schema, ID: "20260302-101500-1f2e3d", ToolVersion: "v0", CreatedAt: "2026-03-02T10:15:00Z", Suite: "my|suite",
			Descriptions: "careless", Arms: []results.Arm{{Name: "main"}}, Model: results.Model{Name: hostile}, Seed: 1, Repetitions: 2, Concurrency: 8, Cases: 4,
			Prompt: results.Prompt{Catalog: "two-level", Protocol: "native", Until: "answer"}, Notes: []string{"a note"}},
		Arms: []metrics.Arm{arm},
		Gates: []metrics.GateResult{{Expr: "selection.accuracy >= 0.9", Value: ptr(2.0 / 3), Lo: ptr(0.2), Hi: ptr(0.9385), N: 3, Pass: false, Note: "the interval holds the threshold: too few cases to be sure"},
			{Expr: "errors <= 1", Value: ptr(1), N: 4, Pass: true}},
		Findings: []Finding{{Rule: "label-args", Severity: "error", Message: "city: want a string", Path: "cases.jsonl", Line: 3, Column: 9, Case: "c3"}},
		Skills: &SkillList{Found: 3, Loaded: 2, Failed: 1,
			List: []SkillItem{{Name: "天气查询", Path: "skills/a/SKILL.md", Description: "查天气", Available: true, Tolerated: []Place{{Code: "bom", Line: 1, Message: "byte order mark removed"}}},
				{Name: hostile, Path: "skills/b/SKILL.md", Description: hostile, Unavailable: "needs program git", Tolerated: []Place{}}},
			Failures:   []Place{{Path: "skills/c/SKILL.md", Line: 1, Column: 1, Message: "frontmatter opened at line 1 is never closed"}},
			Duplicates: []Duplicate{{Name: "dup", Paths: []string{"a/SKILL.md", "b/SKILL.md"}}},
			Shadowed:   []Duplicate{{Name: "old", Paths: []string{"x/SKILL.md", "y/SKILL.md"}}}},
		Counts: []CountTable{{Title: "cases by tag", Rows: []Count{{Name: hostile, N: 3}, {Name: "zh", N: 1}}}},
		Trials: func(yield func(*results.Trial) error) error {
			return yield(&results.Trial{Case: "rain-zh-1", Arm: "main", Expect: json.RawMessage(`{"none":true}`), Calls: []results.Call{}, Answer: hostile,
				StartedAt: "2026-03-02T10:15:00Z", LatencyMS: 12.5, Retries: 1, Scores: &results.Scores{}})
		},
	}
}

// assertGolden compares a report in one format with its golden file, and returns it.
func assertGolden(t *testing.T, f Format, r *Report, name string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f.Write(&b, r))
	golden := filepath.Join("testdata", name+"."+f.Name)
	if *update {
		require.NoError(t, os.WriteFile(golden, b.Bytes(), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.String())
	return b.String()
}

func TestFormatsMatchTheirGoldenFiles(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			assertGolden(t, f, sampleReport(), "report")
		})
	}
}

func TestNoFormatLetsUntrustedTextAct(t *testing.T) {
	for _, f := range Formats() {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, sampleReport()))
		out := b.String()
		assert.NotContains(t, out, "\x1b", f.Name)
		assert.NotContains(t, out, "\x07", f.Name)
		if f.Name != "json" && f.Name != "jsonl" { // JSON keeps the text; its readers decode it as data
			assert.NotContains(t, out, "\u202e", f.Name)
		}
		if f.Name == "markdown" {
			assertInCode(t, out, "<img")
			assertInCode(t, out, "@team")
			assertInCode(t, out, "https://evil.example")
		}
	}
}

// assertInCode checks that every occurrence of text lies in a code span of its line.
func assertInCode(t *testing.T, doc, text string) {
	t.Helper()
	found := false
	for line := range strings.Lines(doc) {
		if i := strings.Index(line, text); i >= 0 {
			found = true
			assert.Contains(t, line[:i], "`", "%q stands outside code: %s", text, line)
			assert.Contains(t, line[i:], "`", "%q stands outside code: %s", text, line)
		}
	}
	assert.True(t, found, "%q is not in the document", text)
}

func TestMarkdownTablesKeepTheirColumns(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteMarkdown(&b, sampleReport()))
	columns := 0
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := strings.Count(line, "|") - strings.Count(line, `\|`)
		if columns == 0 {
			columns = n
		}
		assert.Equal(t, columns, n, "row with another number of cells: %s", line)
	}
}

func TestMarkdownStaysBelowTheSizeThatHostsDrop(t *testing.T) {
	r := sampleReport()
	for i := range 5000 {
		r.Arms[0].Failures = append(r.Arms[0].Failures, metrics.Failure{Case: fmt.Sprintf("case-%d", i), What: "selection", Detail: []string{strings.Repeat("é", 400)}})
	}
	var b bytes.Buffer
	require.NoError(t, WriteMarkdown(&b, r))
	assert.Less(t, b.Len(), 65_536)
	assert.Contains(t, b.String(), "more; the JSON report lists all")
	assert.Contains(t, b.String(), "Wrong: 5001", "totals come first and count everything")
}

func TestStableReportsLeaveTheClockOut(t *testing.T) {
	h := results.Header{ID: "x", CreatedAt: "a", FinishedAt: "b", Concurrency: 64, Suite: "s", Skills: []json.RawMessage{[]byte("{}")}}
	stable := RunPart(h, true)
	assert.Empty(t, stable.ID+stable.CreatedAt+stable.FinishedAt)
	assert.Zero(t, stable.Concurrency)
	assert.Nil(t, stable.Skills)
	assert.Equal(t, "x", RunPart(h, false).ID)
	r := sampleReport()
	r.Stable = true
	var b bytes.Buffer
	require.NoError(t, WriteJSONL(&b, r))
	assert.NotContains(t, b.String(), "2026-03-02")
	assert.Contains(t, b.String(), `"latency_ms":0`)
}

func TestEveryWriteErrorIsReturned(t *testing.T) {
	for _, f := range Formats() {
		require.ErrorContains(t, f.Write(failing{}, sampleReport()), "disk full", f.Name)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"plain 天气 👍🏽":     "plain 天气 👍🏽",
		"a\nb\tc":         "a b c",
		"\x1b[2Jx":        `\x1b[2Jx`,
		"\u009b2J":        `\x9b2J`,
		"a\u202eb":        `a\u202eb`,
		"\xff":            `\xff`,
		"line\u2028break": `line\u2028break`,
		"\x00":            `\x00`,
		"\x7f":            `\x7f`,
	} {
		assert.Equal(t, want, Plain(in))
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"get_weather": "`get_weather`",
		"a|b":         "`a\\|b`",
		"a`b":         "`` a`b ``",
		"``":          "``` `` ```",
		"":            "",
		"x\ny":        "`x y`",
	} {
		assert.Equal(t, want, Code(in))
	}
}

func FuzzCode(f *testing.F) {
	f.Add("a`b|c\n<x>")
	f.Fuzz(func(t *testing.T, s string) {
		c := Code(s)
		assert.NotContains(t, c, "\n")
		assert.Equal(t, strings.Count(c, "|"), strings.Count(c, `\|`), "an open cell border in %q", c)
	})
}

func TestClip(t *testing.T) {
	assert.Equal(t, "天气", Clip("天气", 2))
	assert.Equal(t, "天…", Clip("天气预报", 2))
}

func TestUnknownFormatListsTheKnownOnes(t *testing.T) {
	_, err := Lookup("pdf")
	require.ErrorContains(t, err, "table, json, jsonl, markdown")
}
