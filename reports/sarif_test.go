package reports

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/similarity"
)

// sarifDoc is what a consumer reads of a SARIF file.
type sarifDoc struct {
	Runs []struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	} `json:"runs"`
}

func compileSARIF(t *testing.T) *jsonschema.Schema {
	t.Helper()
	f, err := os.Open("testdata/sarif-schema-2.1.0.json")
	require.NoError(t, err)
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource(sarifSchema, doc))
	schema, err := c.Compile(sarifSchema)
	require.NoError(t, err)
	return schema
}

// checkedSARIF writes r as SARIF, checks it against the official schema, and reads it.
func checkedSARIF(t *testing.T, schema *jsonschema.Schema, r *Report) (sarifDoc, []byte) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteSARIF(&b, r))
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))
	var doc sarifDoc
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	require.Len(t, doc.Runs, 1)
	for _, res := range doc.Runs[0].Results {
		require.Len(t, res.Locations, 1)
		require.GreaterOrEqual(t, res.Locations[0].Physical.Region.StartLine, 1)
		require.NotEmpty(t, res.Message.Text)
		require.NotNil(t, res.RuleIndex)
		require.Equal(t, res.RuleID, doc.Runs[0].Tool.Driver.Rules[*res.RuleIndex].ID)
	}
	return doc, b.Bytes()
}

func TestSARIFIsValidForEveryReport(t *testing.T) {
	schema := compileSARIF(t)
	for name, r := range map[string]*Report{"empty": {}, "run": sampleReport(), "findings": lintReport(), "pairs": pairReport(), "comparison": comparisonReport()} {
		t.Run(name, func(t *testing.T) { checkedSARIF(t, schema, r) })
	}
	for name, attack := range attacks {
		for shape, r := range hostileReports(attack) {
			t.Run(name+" "+shape, func(t *testing.T) { checkedSARIF(t, schema, r) })
		}
	}
	require.Error(t, schema.Validate(map[string]any{"version": "2.1.0"}), "the schema bites")
}

func TestSARIFWithoutFindingsIsAnEmptyRun(t *testing.T) {
	doc, raw := checkedSARIF(t, compileSARIF(t), &Report{})
	assert.Empty(t, doc.Runs[0].Results)
	assert.Contains(t, string(raw), `"results":[]`)
	assert.NotContains(t, string(raw), `"version":""`)
}

func TestSARIFResults(t *testing.T) {
	doc, raw := checkedSARIF(t, compileSARIF(t), lintReport())
	run := doc.Runs[0]
	assert.Equal(t, "v1.2.3", run.Tool.Driver.Version)
	var ids []string
	for _, rule := range run.Tool.Driver.Rules {
		ids = append(ids, rule.ID)
	}
	assert.Equal(t, []string{"description-length", "frontmatter", "unused", "budget", "name-case", "secret"}, ids)
	assert.Equal(t, "The open format allows 1,024 characters.", run.Tool.Driver.Rules[0].FullDescription.Text)

	levels := ""
	for _, res := range run.Results {
		levels += res.Level + " "
	}
	assert.Equal(t, "error warning warning warning note ", levels, "the worst first")
	long := run.Results[3]
	assert.Equal(t, "description-length", long.RuleID)
	assert.Equal(t, "1,300 characters. Hint: cut the list of cities. See [the peers' median is 200](1).", long.Message.Text)
	assert.Equal(t, sarifPhysical{sarifArtifact{"skills/%E5%A4%A9%E6%B0%94%20%E6%9F%A5%E8%AF%A2/SKILL.md", "%SRCROOT%"}, sarifRegion{3, 14}}, long.Locations[0].Physical)
	require.Len(t, long.Related, 1, "a place outside the repository has no address in it")
	assert.Equal(t, sarifPhysical{sarifArtifact{"skills/b/SKILL.md", "%SRCROOT%"}, sarifRegion{3, 0}}, long.Related[0].Physical)
	assert.Equal(t, "f00d", long.Fingerprints[fingerprintKey])
	secret := run.Results[2]
	assert.Equal(t, "looks like a key (in a file outside the repository: SKILL.md)", secret.Message.Text)
	assert.Equal(t, sarifPhysical{sarifArtifact{"skilleval.yaml", "%SRCROOT%"}, sarifRegion{1, 0}}, secret.Locations[0].Physical)
	assert.NotContains(t, string(raw), "/home/user", "no path of the machine")
	assert.NotContains(t, string(raw), "/etc")
}

func TestSARIFPairs(t *testing.T) {
	doc, _ := checkedSARIF(t, compileSARIF(t), pairReport())
	res := doc.Runs[0].Results
	require.Len(t, res, 4)
	levels := ""
	for _, r := range res {
		assert.Equal(t, pairRule, r.RuleID)
		levels += r.Level + " "
	}
	assert.Equal(t, "warning warning note note ", levels)
	assert.Equal(t, sarifRegion{3, 14}, res[0].Locations[0].Physical.Region)
	assert.Equal(t, "skills/b/SKILL.md", res[0].Related[0].Physical.Artifact.URI)
	assert.Equal(t, "skills/r/SKILL.md", res[2].Locations[0].Physical.Artifact.URI)
	assert.Empty(t, res[2].Related)
	require.Len(t, res[3].Suppressions, 1)
	assert.Equal(t, "external", res[3].Suppressions[0].Kind)
	assert.True(t, strings.HasPrefix(res[3].Suppressions[0].Justification, "mirrors a|b"))
}

func TestFingerprintsStayWhenLinesMoveAndDifferOtherwise(t *testing.T) {
	base := Finding{Rule: "r", Severity: "error", Message: "m", Path: "/repo/a", Line: 3, Skill: "s", Case: "c"}
	of := func(f Finding, root string) string {
		return remarks(&Report{SourceRoot: root, Findings: []Finding{f}})[0].fingerprint
	}
	want := of(base, "/repo")
	moved := base
	moved.Line, moved.Column, moved.Hint, moved.Severity = 9, 4, "h", "note"
	assert.Equal(t, want, of(moved, "/repo"))
	elsewhere := base
	elsewhere.Path = `C:\work\a`
	assert.Equal(t, want, of(elsewhere, `C:\work`), "the same on every machine")
	for name, change := range map[string]func(*Finding){"rule": func(f *Finding) { f.Rule = "x" }, "path": func(f *Finding) { f.Path = "/repo/b" },
		"skill": func(f *Finding) { f.Skill = "x" }, "case": func(f *Finding) { f.Case = "x" }, "message": func(f *Finding) { f.Message = "x" }} {
		other := base
		change(&other)
		assert.NotEqual(t, want, of(other, "/repo"), name)
	}
	twice := remarks(&Report{SourceRoot: "/repo", Findings: []Finding{moved, base, base}})
	assert.Equal(t, want, twice[0].fingerprint)
	assert.Equal(t, want+":2", twice[1].fingerprint)
	assert.Equal(t, want+":3", twice[2].fingerprint)

	p := similarity.Pair{A: "a", B: "b", IDA: "/repo/a", IDB: "/repo/b", Level: similarity.Near, Score: 0.8}
	q := similarity.Pair{A: "b", B: "a", IDA: "/repo/b", IDB: "/repo/a", Level: similarity.Related, Score: 0.6}
	pair := func(p similarity.Pair) string {
		return remarks(&Report{SourceRoot: "/repo", Pairs: []similarity.Pair{p}})[0].fingerprint
	}
	assert.Equal(t, pair(p), pair(q), "whatever the order, the score and the level")
	q.IDB = "/repo/c"
	assert.NotEqual(t, pair(p), pair(q))
}

func TestMessagesHoldNoLinksOfTheirOwn(t *testing.T) {
	doc, _ := checkedSARIF(t, compileSARIF(t), &Report{Findings: []Finding{
		{Rule: "r", Message: `[x](1) \y`, Path: "a", Related: []Place{{Path: "b", Message: `[odd]\`}}}, {Rule: "r", Message: `one of ["a", "b"]`, Path: "b"}}})
	assert.Equal(t, `\[x\](1) \\y. See [\[odd\]\\](1).`, doc.Runs[0].Results[0].Message.Text)
	assert.Equal(t, `one of ["a", "b"]`, doc.Runs[0].Results[1].Message.Text)
}

func TestSARIFLeavesOutTheLeastSevereAndCountsThem(t *testing.T) {
	r := &Report{}
	for i := range 30_000 {
		r.Findings = append(r.Findings, Finding{Rule: "r", Severity: "note", Message: fmt.Sprint(i), Path: "a", Line: i + 1})
	}
	r.Findings[29_999].Severity = "error"
	var b bytes.Buffer
	require.NoError(t, WriteSARIF(&b, r))
	var doc sarifDoc
	require.NoError(t, json.Unmarshal(b.Bytes(), &doc))
	run := doc.Runs[0]
	assert.Len(t, run.Results, 25_000)
	assert.Equal(t, "29999", run.Results[0].Message.Text)
	require.Len(t, run.Invocations[0].Notifications, 2)
	assert.Equal(t, "5000 more results (0 errors, 0 warnings, 5000 notes) are left out for the size limits of code scanning; the JSON report lists all",
		run.Invocations[0].Notifications[0].Message.Text)
	assert.Contains(t, run.Invocations[0].Notifications[1].Message.Text, "shows the 5000 most severe of 25000 results")
}

func TestSARIFStaysBelowTheSizeOfAnUpload(t *testing.T) {
	assert.Less(t, codeScanning().zipped, 10_000_000)
	limits := codeScanning()
	limits.zipped = 500_000
	rng := rand.New(rand.NewPCG(1, 2))
	r := &Report{}
	for i := range 400 { // text that does not compress well: 2 KB each
		text := make([]rune, messageLimit)
		for k := range text {
			text[k] = '一' + rng.Int32N(0x5000)
		}
		r.Findings = append(r.Findings, Finding{Rule: "r", Severity: "error", Message: string(text), Path: "a", Line: i + 1})
	}
	var b bytes.Buffer
	require.NoError(t, writeSARIF(&b, r, limits))
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, err := io.Copy(z, bytes.NewReader(b.Bytes()))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	assert.Less(t, zipped.Len(), limits.zipped)
	assert.Greater(t, zipped.Len(), limits.zipped*8/10, "the room is used")
	assert.Contains(t, b.String(), "are left out for the size limits")

	limits.zipped = 20_000 // less than is counted at once
	b.Reset()
	require.NoError(t, writeSARIF(&b, &Report{Findings: r.Findings[:15]}, limits))
	assert.Less(t, b.Len(), 5000)
}

func TestSARIFStaysBelowWhatAReaderHolds(t *testing.T) {
	limits := codeScanning()
	limits.bytes = 5_000_000
	f := Finding{Rule: "r", Message: "m", Path: strings.Repeat("天", 400)}
	for range sarifLocations {
		f.Related = append(f.Related, Place{Path: f.Path})
	}
	var b bytes.Buffer
	require.NoError(t, writeSARIF(&b, &Report{Findings: slices.Repeat([]Finding{f}, 20)}, limits))
	assert.Less(t, b.Len(), limits.bytes)
	assert.Greater(t, b.Len(), limits.bytes*8/10, "the room is used")
	assert.Contains(t, b.String(), "are left out for the size limits")
}

func TestSARIFCutsWhatRulesAndPlacesMayHold(t *testing.T) {
	f := Finding{Rule: "r", Message: "m", Path: "a"}
	for i := range 1500 {
		f.Related = append(f.Related, Place{Path: fmt.Sprintf("b/%d", i)})
	}
	r := &Report{Findings: []Finding{f}, Rules: []Rule{{ID: "r", Title: strings.Repeat("天", 3000), Doc: strings.Repeat("é", 3000) + "\n\x1b[2J\n\nrest"}, {ID: "r", Title: "again"}}}
	doc, _ := checkedSARIF(t, compileSARIF(t), r)
	require.Len(t, doc.Runs[0].Tool.Driver.Rules, 1)
	rule := doc.Runs[0].Tool.Driver.Rules[0]
	assert.Len(t, []rune(rule.ShortDescription.Text), sarifText)
	assert.Len(t, []rune(rule.FullDescription.Text), sarifText)
	assert.Contains(t, rule.Help.Markdown, "\n"+`\x1b[2J`+"\n\nrest")
	res := doc.Runs[0].Results[0]
	assert.Len(t, res.Related, sarifLocations-1)
	assert.Contains(t, res.Message.Text, "See [b/98](99). See 1401 more places.")

	rules := make([]Rule, sarifRules+5)
	for i := range rules {
		rules[i].ID = fmt.Sprint("rule", i)
	}
	assert.Len(t, sarifRulesOf(&Report{Rules: rules}, nil), sarifRules)
}
