package reports

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/metrics"
	"github.com/skilleval/skilleval/similarity"
)

func annotate(t *testing.T, r *Report) []string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteGitHub(&b, r))
	if b.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

func TestAnnotationsAreEscapedAsTheRunnerReadsThem(t *testing.T) {
	got := annotate(t, &Report{SourceRoot: "/repo", Findings: []Finding{
		{Rule: "a,b:c", Severity: "error", Message: "100 %\n::error::x, y: z", Path: "/repo/d,e/f:g%.md", Line: 3, Column: 9},
	}})
	assert.Equal(t, []string{"::error file=d%2Ce/f%3Ag%25.md,line=3,col=9,title=a%2Cb%3Ac::100 %25 ::error::x, y: z"}, got)
	assert.Equal(t, "a%25b%0D%0Ac:,", escapeData("a%b\r\nc:,"))
	assert.Equal(t, "a%25b%0D%0Ac%3A%2C", escapeProperty("a%b\r\nc:,"))
}

func TestNothingToSayGivesNoAnnotation(t *testing.T) {
	assert.Empty(t, annotate(t, &Report{Gates: []metrics.GateResult{{Expr: "errors <= 0", Pass: true}},
		Pairs: []similarity.Pair{{A: "a", B: "b", Level: similarity.Duplicate, Accepted: "mirrors"}}}))
}

func TestWhatIsAnnotated(t *testing.T) {
	r := comparisonReport()
	r.Gates = []metrics.GateResult{{Expr: "x >= 1", Value: ptr(0.5), Lo: ptr(0.25), Hi: ptr(0.75), N: 9, Note: "too few"}, {Expr: "y >= 1", Pass: true}}
	r.Findings = []Finding{{Rule: "f", Severity: "error", Message: "m"}, {Rule: "n", Severity: "note", Message: "m", Path: "a"}}
	r.Pairs = []similarity.Pair{{A: "one", B: "two", IDA: "one/SKILL.md", IDB: "two/SKILL.md", Level: similarity.Near, Score: 0.75}}
	r.TextPlaces = map[string]Place{"two/SKILL.md": {Line: 4}}
	assert.Equal(t, []string{
		"::error title=gate failed::x >= 1: the value is 0.5000, 95 %25 interval [0.2500, 0.7500], n = 9; too few",
		"::error title=f::m",
		`::warning file=one/SKILL.md,line=1,title=similar-descriptions::"one" sounds like "two" (near, score 0.75). See two: two/SKILL.md:4.`,
		"::notice title=verdict::A is better: -6.8 points from A to B, p = 0.0167",
		"::notice file=a,line=1,title=n::m",
	}, annotate(t, r))
}

func TestOnlyWhatGitHubShowsIsWritten(t *testing.T) {
	report := func(errors, warnings, notes int) *Report {
		r := &Report{}
		for severity, n := range map[string]int{"error": errors, "warning": warnings, "note": notes} {
			for i := range n {
				r.Findings = append(r.Findings, Finding{Rule: "r", Severity: severity, Message: fmt.Sprint(i), Path: "a", Line: i + 1})
			}
		}
		return r
	}
	count := func(lines []string, level string) (n int) {
		for _, line := range lines {
			if strings.HasPrefix(line, "::"+level+" ") {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		errors, warnings, notes int
		last                    string
	}{
		{10, 10, 10, ""},
		{11, 2, 3, "1 error"},
		{12, 13, 10, "2 errors, 3 warnings, 1 notice"},
		{0, 0, 11, "2 notices"},
		{30_000, 0, 0, "29990 errors"},
	} {
		got := annotate(t, report(c.errors, c.warnings, c.notes))
		for _, level := range []string{"error", "warning", "notice"} {
			assert.LessOrEqual(t, count(got, level), annotationsShown, "%+v", c)
		}
		assert.Equal(t, min(c.errors, annotationsShown), count(got, "error"))
		assert.True(t, strings.HasPrefix(got[0], "::error ") == (c.errors > 0), "errors come first")
		if c.last == "" {
			assert.Len(t, got, 30)
			continue
		}
		assert.Equal(t, "::notice title=skilleval::not shown here: "+c.last+"; another format of the report lists all", got[len(got)-1])
	}
}

func TestAnAnnotationNamesAFewOtherPlaces(t *testing.T) {
	f := Finding{Rule: "r", Severity: "error", Message: "m", Path: "a", Line: 2}
	for i := range 5 {
		f.Related = append(f.Related, Place{Path: fmt.Sprint("p", i), Line: i})
	}
	assert.Equal(t, []string{"::error file=a,line=2,title=r::m. See p0: p0:1. See p1: p1:1. See p2: p2:2. See 2 more places."}, annotate(t, &Report{Findings: []Finding{f}}))
}
