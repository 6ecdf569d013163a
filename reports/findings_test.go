package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/similarity"
)

// lintReport is what a check of skill files says: two files, each severity, a hint, another place, hostile text.
func lintReport() *Report {
	return &Report{
		ToolVersion: "v1.2.3", SourceRoot: "/home/user/repo", WorkDir: "/home/user/repo/tools", Marker: "skilleval lint",
		Skills: &SkillList{Found: 3, Loaded: 2, Failed: 1},
		Rules: []Rule{
			{ID: "description-length", Title: "The description is longer than 1,024 characters.", Severity: "warning",
				Doc: "The open format allows 1,024 characters.\n\nCut what does not help to choose the skill."},
			{ID: "frontmatter", Title: "The frontmatter cannot be read.", Severity: "error"},
			{ID: "unused", Severity: "off"},
		},
		Findings: []Finding{
			{Rule: "name-case", Severity: "note", Message: "name is Get_Weather", Path: "../skills/天气 查询/SKILL.md", Line: 2, Column: 7, Skill: "Get_Weather"},
			{Rule: "description-length", Severity: "warning", Message: "1,300 characters", Hint: "cut the list of cities", Path: "../skills/天气 查询/SKILL.md", Line: 3, Column: 14,
				Skill: "Get_Weather", Fingerprint: "f00d", Related: []Place{{Path: "../skills/b/SKILL.md", Line: 3, Message: "the peers' median is 200"}, {Path: "/etc/passwd", Message: "outside"}}},
			{Rule: "frontmatter", Severity: "error", Message: hostile, Hint: hostile, Path: "/home/user/repo/skills/b/SKILL.md", Line: 0, Skill: hostile},
			{Rule: "secret", Severity: "odd", Message: "looks like a key", Path: "/home/user/.agent/skills/c/SKILL.md", Line: 40, Column: 1},
			{Rule: "budget", Severity: "warning", Message: "level 1 takes 9,000 tokens"},
		},
	}
}

func pairReport() *Report {
	whole := 1.0
	return &Report{
		SourceRoot: "/home/user/repo",
		TextPlaces: map[string]Place{"a": {Path: "skills/a/SKILL.md", Line: 3, Column: 14}, "b": {Path: "skills/b/SKILL.md", Line: 4}},
		Similar: &SimilarInfo{Texts: 12, Failed: 1, Levels: SimilarLevels{Duplicate: 1, Near: 1, Related: 1},
			Thresholds: similarity.Thresholds{Duplicate: 0.9, Near: 0.7, Related: 0.5}, Accepted: 1,
			Reopened: []Place{{Path: "accepted.yaml", Line: 4, Message: "the description of b has changed"}},
			Stale:    []Place{{Path: "accepted.yaml", Line: 9, Message: hostile}},
			Notes:    []Place{{Path: "skills/d/SKILL.md", Line: 3, Message: "one word: not compared"}}},
		Pairs: []similarity.Pair{
			{A: "get_weather", B: "天气查询", IDA: "a", IDB: "b", Level: similarity.Near, Score: 0.8, Lexical: 0.7, Embedding: ptr(0.91),
				Confusion: &similarity.Confusion{AasB: 3, BasA: 1, N: 20}, Parts: similarity.Parts{Field: 0.75, Tokens: 0.7, Grams: 0.6, Containment: 0.9, Raw: 0.95, Name: 0.1, JaroWinkler: 0.2, UseWhen: &whole},
				Shared: []string{"weather", "for a city"}, OnlyA: []string{"rain"}, OnlyB: []string{hostile, "2", "3", "4", "5", "6", "7", "8", "9"},
				Suggestion: "Say which of the two forecasts.", Cases: []string{"will it rain in Oslo?"}},
			{A: "related", B: hostile, IDA: "skills/r/SKILL.md", IDB: "/outside/SKILL.md", Level: similarity.Related, Score: 0.6, Shared: []string{"x"}},
			{A: "c", B: "d", IDA: "skills/c/SKILL.md", IDB: "skills/d/SKILL.md", Level: similarity.Duplicate, Score: 1, Lexical: 1, Identical: true, Accepted: "mirrors " + hostile},
			{A: "e", B: "f", IDA: "skills/e/SKILL.md", IDB: "skills/f/SKILL.md", Level: similarity.Duplicate, Score: 1, Lexical: 1, Identical: true},
		},
	}
}

func TestFindingsMatchTheirGoldenFiles(t *testing.T) {
	for _, f := range Formats() {
		out := assertGolden(t, f, lintReport(), "findings")
		if f.Name != "json" && f.Name != "jsonl" {
			assert.NotContains(t, strings.ReplaceAll(out, "\n/home/user", ""), "\x1b")
		}
	}
}

func TestPairsMatchTheirGoldenFiles(t *testing.T) {
	for _, name := range []string{"table", "markdown", "sarif", "github"} {
		f, err := Lookup(name)
		require.NoError(t, err)
		assertGolden(t, f, pairReport(), "pairs")
	}
}

func TestTheJSONOfPairsKeepsItsContract(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteJSON(&b, pairReport()))
	var doc struct {
		Similar map[string]any
		Pairs   []map[string]any
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	for _, key := range []string{"texts", "failed", "levels", "thresholds", "accepted", "reopened", "stale", "notes"} {
		assert.Contains(t, doc.Similar, key)
	}
	assert.Equal(t, map[string]any{"duplicate": 1.0, "near": 1.0, "related": 1.0}, doc.Similar["levels"])
	require.Len(t, doc.Pairs, 4)
	for _, key := range []string{"a", "b", "score", "lexical", "embedding", "confusion", "shared", "only_a", "only_b"} {
		assert.Contains(t, doc.Pairs[0], key)
	}
}

func TestFindingsStandBySeverityAtPlacesThatOpen(t *testing.T) {
	var b bytes.Buffer
	fs := []Finding{
		{Rule: "r1", Severity: "note", Message: "m1", Path: "a.md", Hint: "h1"},
		{Rule: "r1", Severity: "note", Message: "m2", Path: "b.md", Line: 2, Hint: "h1"},
		{Rule: "r2", Severity: "error", Message: "m3", Path: "b.md", Line: 3, Column: 9, Hint: "h1"},
		{Rule: "r1", Severity: "note", Message: "m4", Path: "c.md", Hint: "another"},
	}
	listed := "\n1 error\nb.md:3:9: error: m3 [r2]\n  hint: h1\n" +
		"\n3 notes\na.md: note: m1 [r1]\n  hint: h1\nb.md:2: note: m2 [r1]\nc.md: note: m4 [r1]\n  hint: another\n"
	findingTable(&b, &Report{Findings: fs})
	assert.Equal(t, listed, b.String())
	b.Reset()
	findingTable(&b, &Report{Findings: fs, Rules: []Rule{{ID: "r1"}}})
	assert.Equal(t, listed+"\nby rule\n     1 error    r2\n     3 note     r1\n", b.String())
	b.Reset()
	findingTable(&b, &Report{Findings: fs[2:3], Rules: []Rule{{ID: "r1"}}})
	assert.Equal(t, "b.md:3:9: error: m3 [r2]\n  hint: h1\n", b.String(), "one severity needs no title, one rule no count")
}

func TestThePlacesOfAFindingAreCounted(t *testing.T) {
	var b bytes.Buffer
	findingLines(&b, &Finding{Message: "m", Related: make([]Place, listed+3)}, true)
	assert.Equal(t, listed+1, strings.Count(b.String(), "  see: "))
	assert.Contains(t, b.String(), "  see: 3 more places\n")
}

func TestMarkdownListsTheWorstFirstAndCountsTheRest(t *testing.T) {
	r := &Report{Marker: "skilleval -->\n<script>", Skills: &SkillList{Found: 9, Loaded: 9}}
	for i := range 30_000 {
		r.Findings = append(r.Findings, Finding{Rule: "r", Severity: "note", Message: fmt.Sprintf("note %d %s", i, hostile), Path: fmt.Sprintf("skills/%d/SKILL.md", i/2), Line: i})
	}
	r.Findings[29_999].Severity = "error"
	r.Findings[15_000].Severity = "warning"
	var b bytes.Buffer
	require.NoError(t, WriteMarkdown(&b, r))
	out := b.String()
	assert.LessOrEqual(t, len(out), markdownCap)
	assert.True(t, strings.HasPrefix(out, "<!-- skilleval  script -->\n\n**Findings:** 1 error, 1 warning, 29998 notes in 15000 files\n"), "%.100s", out)
	assert.Less(t, strings.Index(out, "note 29999"), strings.Index(out, "note 15000"))
	assert.Less(t, strings.Index(out, "note 15000"), strings.Index(out, "note 0 "))
	assert.Contains(t, out, "more; the JSON report lists all")
	assert.Contains(t, out, "9 found, 9 loaded, 0 failed", "counted although the list took the room")
}

func TestTheMarkdownCapHoldsForTheWholeDocument(t *testing.T) {
	r := &Report{Counts: []CountTable{{Title: "c", Rows: make([]Count, 4000)}}}
	for i := range r.Counts[0].Rows {
		r.Counts[0].Rows[i].Name = strings.Repeat("x", 40)
	}
	for range 500 {
		r.Notes = append(r.Notes, strings.Repeat("天", 400))
	}
	var b bytes.Buffer
	require.NoError(t, WriteMarkdown(&b, r))
	assert.LessOrEqual(t, b.Len(), markdownCap)
	assert.Contains(t, b.String(), "\n… the rest is left out for its size; the JSON report has all\n")

	assert.Equal(t, "short", string(capped([]byte("short"), 5)))
	long := "head\n<details><summary>x</summary>\n" + strings.Repeat("row\n", 100)
	cut := string(capped([]byte(long), 200))
	assert.LessOrEqual(t, len(cut), 200)
	assert.True(t, strings.HasSuffix(cut, "row\n\n</details>\n\n… the rest is left out for its size; the JSON report has all\n"), cut)
	assert.NotContains(t, string(capped([]byte(strings.Repeat("x\n", 200)), 200)), "details")
	assert.Equal(t, "\n… the rest is left out for its size; the JSON report has all\n", string(capped(bytes.Repeat([]byte("x"), 300), 100)))
}

func TestPairsComeWorstFirstAndAcceptedLast(t *testing.T) {
	open, accepted := worstPairs(pairReport().Pairs)
	var names []string
	for _, p := range append(open, accepted...) {
		names = append(names, p.A)
	}
	assert.Equal(t, []string{"e", "get_weather", "related", "c"}, names)
}

func TestATerminalExplainsTheWorstPairsAndCountsTheRest(t *testing.T) {
	r := &Report{Pairs: slices.Repeat(pairReport().Pairs[:1], listedPairs+7)}
	var b bytes.Buffer
	require.NoError(t, WriteTable(&b, r))
	assert.Contains(t, b.String(), "… and 7 more; -o json lists all")
	assert.Equal(t, listedPairs, strings.Count(b.String(), " ↔ "))
}

func TestJSONLinesHoldPairsAndFindings(t *testing.T) {
	r := pairReport()
	r.Findings = lintReport().Findings
	var b bytes.Buffer
	require.NoError(t, WriteJSONL(&b, r))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, len(r.Pairs)+len(r.Findings))
	var pair similarity.Pair
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &pair))
	assert.Equal(t, r.Pairs[0], pair)
	var f Finding
	require.NoError(t, json.Unmarshal([]byte(lines[len(r.Pairs)+1]), &f))
	assert.Equal(t, r.Findings[1], f)
}

func TestWideTextKeepsTheColumns(t *testing.T) {
	var b bytes.Buffer
	names := []string{"勿删天气查询", "👍🏽👨‍👩‍👧 emoji", "e\u0301le\u0300ve", "plain", strings.Repeat("宽", 60), "한국어", "ﾊﾝｶｸ"}
	l := &SkillList{}
	for _, n := range names {
		l.List = append(l.List, SkillItem{Name: n, Path: "P", Available: true})
	}
	skillTable(&b, l)
	column := -1
	for line := range strings.Lines(b.String()) {
		before, _, ok := strings.Cut(line, "  P  ")
		if !ok {
			continue
		}
		if column < 0 {
			column = text.StringWidth(before)
		}
		assert.Equal(t, column, text.StringWidth(before), line)
	}
	assert.Positive(t, column)
	assert.LessOrEqual(t, text.StringWidth(clipWide(strings.Repeat("宽", 60), 41)), 41)
	assert.True(t, strings.HasSuffix(clipWide(strings.Repeat("宽", 60), 41), "宽…"), "never half a character")
	for in, want := range map[string]string{
		"abcdef": "abc…", "abcd": "abcd", "abc": "abc", "ab👨‍👩‍👧‍👦x": "ab…", "aé̂̃bcd": "aé̂̃b…", "宽宽宽": "宽…", "👍🏽👍🏽": "👍🏽👍🏽",
	} {
		assert.Equal(t, want, clipWide(in, 4), in)
	}
}

func TestLargeReportsAreBounded(t *testing.T) {
	r := &Report{Findings: []Finding{{Rule: "r", Severity: "error", Message: strings.Repeat("x", 50<<10), Path: "a", Line: 1},
		{Rule: "r", Severity: "error", Message: strings.Repeat("天", 1<<20), Hint: strings.Repeat("y", 1<<20), Path: "a", Line: 2}}}
	for _, name := range []string{"table", "markdown", "sarif", "github"} {
		f, err := Lookup(name)
		require.NoError(t, err)
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, r))
		assert.Less(t, b.Len(), 20_000, name)
	}
}

func TestAFindingWithoutAnythingIsStillOne(t *testing.T) {
	m := remarks(&Report{Findings: []Finding{{Message: " "}}})[0]
	assert.Equal(t, "finding", m.rule)
	assert.Equal(t, "finding", m.message)
	assert.Equal(t, "warning", m.severity)
	assert.Equal(t, spot{path: "skilleval.yaml", line: 1, fallback: true}, m.at)
	assert.Equal(t, "0 errors, 1 warning, 0 notes", findingLine([]Finding{{}}))
}

func TestSeverity(t *testing.T) {
	for in, want := range map[string]string{"error": "error", "ERROR": "error", "warning": "warning", "note": "note", "notice": "note", "info": "note", "": "warning", "odd": "warning"} {
		assert.Equal(t, want, severity(in), in)
	}
	assert.Equal(t, 0, severityRank("error"))
	assert.Equal(t, 2, severityRank("note"))
}

// Texts that stand in one file, such as a description set, are still pairs of their own.
func TestPairsInOneFileHaveTheirOwnFingerprints(t *testing.T) {
	r := &Report{TextPlaces: map[string]Place{}}
	for i, id := range []string{"s/a/SKILL.md", "s/b/SKILL.md", "s/c/SKILL.md"} {
		r.TextPlaces[id] = Place{Path: "set.yaml", Line: i + 1}
	}
	one := pairRemark(r, &similarity.Pair{IDA: "s/a/SKILL.md", IDB: "s/b/SKILL.md"})
	two := pairRemark(r, &similarity.Pair{IDA: "s/a/SKILL.md", IDB: "s/c/SKILL.md"})
	assert.NotEqual(t, one.fingerprint, two.fingerprint)
	assert.Equal(t, "set.yaml", two.at.path)
}
