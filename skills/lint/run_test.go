package lint_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

func TestReportCounts(t *testing.T) {
	c := files{"SKILL.md": "\ufeff" + good, "t/SKILL.md": "---\nname: t\n", "u/SKILL.md": md("name: U", "description: Weather of a city.")}.load(t)
	r, err := lint.Run(c, lint.Options{})
	require.NoError(t, err)
	assert.Equal(t, [3]int{3, 2, 1}, [3]int{r.Found, r.Loaded, r.Failed})
	assert.Equal(t, 1, r.Count(lint.Error))
	assert.Equal(t, 2, r.Count(lint.Warning), "name-characters and name-directory")
	assert.Equal(t, 3, r.Files())
	assert.Equal(t, len(r.Findings), r.Count(lint.Error)+r.Count(lint.Warning)+r.Count(lint.Note))
}

func TestFindingsAreSortedAndAlwaysTheSame(t *testing.T) {
	f := files{}
	for i := range 100 {
		f[fmt.Sprintf("s%d/SKILL.md", i)] = "\ufeff" + md(fmt.Sprintf("name: S_%d", i), "description: I can do it. \u200b", "version: 1") + "[a](a.md) [b](b.md)\n"
	}
	first := run(t, f.load(t), lint.Options{})
	require.Greater(t, len(first), 600)
	assert.True(t, slices.IsSortedFunc(first, func(a, b lint.Finding) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return a.Line*1000 + a.Column - b.Line*1000 - b.Column
	}))
	for range 3 {
		assert.Equal(t, first, run(t, f.load(t), lint.Options{}))
	}
	seen := map[string]bool{}
	for _, f := range first {
		assert.False(t, seen[f.Fingerprint()], "%+v", f)
		seen[f.Fingerprint()] = true
	}
}

func TestFingerprintsStayWhenLinesMove(t *testing.T) {
	prints := func(f files) []string {
		var out []string
		for _, f := range run(t, f.load(t), lint.Options{}) {
			out = append(out, f.Fingerprint())
		}
		slices.Sort(out)
		return out
	}
	text := md("name: S_x", "description: Weather: of a \u200bcity.", "version: 1") + "[a](a.md)\n"
	moved := strings.Replace(strings.Replace(text, "---\n", "---\n# comment\n\n", 1), "# Body", "# Body\n\nMore.\n", 1)
	before, after := prints(files{"SKILL.md": text}), prints(files{"SKILL.md": moved})
	assert.Equal(t, before, after)
	other := prints(files{"t/SKILL.md": text})
	assert.NotEqual(t, before, other, "another path")
	a := lint.Finding{Rule: "r", Path: "p", Key: "k"}
	for _, b := range []lint.Finding{{Rule: "q", Path: "p", Key: "k"}, {Rule: "r", Path: "q", Key: "k"}, {Rule: "r", Path: "p", Key: "l"}, {Rule: "r p", Key: "k"}} {
		assert.NotEqual(t, a.Fingerprint(), b.Fingerprint())
	}
	assert.Len(t, a.Fingerprint(), 32)
}

func TestOnlyKeepsWhatAChangeTouches(t *testing.T) {
	c := files{"a/SKILL.md": md("name: dup", "description: Weather of a city."), "b/SKILL.md": md("name: dup", "description: Rain of a city.") + "[x](x.md)\n", "c/SKILL.md": "\ufeff" + md("name: c", "description: Snow of a city.")}.load(t)
	rules := func(changed string) []string {
		var out []string
		for _, f := range run(t, c, lint.Options{Only: func(p string) bool { return p == changed }}) {
			out = append(out, f.Path+" "+f.Rule)
		}
		return out
	}
	assert.NotContains(t, rules("c/SKILL.md"), "b/SKILL.md duplicate-name")
	assert.Contains(t, rules("c/SKILL.md"), "c/SKILL.md bom")
	assert.Equal(t, []string{"b/SKILL.md duplicate-name"}, slices.DeleteFunc(rules("a/SKILL.md"), func(s string) bool { return strings.HasPrefix(s, "a/") }), "the other of two")
	assert.Equal(t, []string{"b/SKILL.md missing-file"}, rules("b/x.md"), "a file that was deleted")
	assert.Empty(t, rules("elsewhere"))
}

func TestBudgetCountsWhenAnySkillChanged(t *testing.T) {
	c := files{"a/SKILL.md": md("name: a", "description: "+strings.Repeat("天", 5000)), "b/SKILL.md": md("name: b", "description: Rain of a city.")}.load(t)
	found := of(run(t, c, lint.Options{Only: func(p string) bool { return p == "b/SKILL.md" }}), "catalog-tokens")
	require.Len(t, found, 1)
	assert.Equal(t, "a/SKILL.md", found[0].Path)
}

func TestSeverityAtLeast(t *testing.T) {
	assert.True(t, lint.Error.AtLeast(lint.Warning))
	assert.True(t, lint.Warning.AtLeast(lint.Warning))
	assert.False(t, lint.Note.AtLeast(lint.Warning))
	assert.False(t, lint.Off.AtLeast(lint.Note))
}

func TestSkillsWithoutAFileAreLookedAt(t *testing.T) {
	s, err := skills.Parse("s/SKILL.md", []byte(md("name: s", "description: I can do \u200bit.")+"See references/x.md\n"))
	require.NoError(t, err)
	found := run(t, &skills.Catalog{Skills: []*skills.Skill{s}, Found: 1}, lint.Options{})
	require.Len(t, of(found, "description-person"), 1)
	assert.Equal(t, 3, of(found, "description-person")[0].Line)
	require.Len(t, of(found, "invisible-characters"), 1, "%+v", found)
	assert.Empty(t, of(found, "missing-file"), "nothing is known of its folder")
}

// TestHostileTextIsOneBoundedLine puts everything that can break an output into every field.
func TestHostileTextIsOneBoundedLine(t *testing.T) {
	evil := "x\u2028\u202e\x1b[2J<b>::error::`|" + strings.Repeat("y", 5000)
	c := files{"SKILL.md": md(fmt.Sprintf("name: %q", evil), fmt.Sprintf("description: %q", "I am "+evil), "compatibility: x"+strings.Repeat("y", 600), "metadata:", "  depends-on: "+strings.Repeat("z", 3000)) +
		"[a](" + strings.Repeat("a", 250) + ")\n", "parameters.json": `{"properties":{"` + strings.Repeat("p", 3000) + `":{"type":"string"}}}`}.load(t)
	for _, f := range run(t, c, lint.Options{}) {
		if f.Rule == "unknown-depends" { // worded by the loader
			continue
		}
		assert.Less(t, len(f.Message), 600, f.Rule)
		for _, bad := range []string{"\n", "\x1b", "\u202e", "\u2028"} {
			assert.NotContains(t, f.Message+f.Hint, bad, f.Rule)
		}
	}
}

func TestReferencesNeverLeaveTheFolder(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "root/s/references"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.md"), []byte("x"), 0o644))
	if err := os.Symlink(filepath.Join(dir, "secret.md"), filepath.Join(dir, "root/s/references/link.md")); err != nil {
		t.Skip("needs links")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "root/s/references/a.md"), []byte("x"), 0o644))
	text := strings.Replace(good, "# Body", "[l](references/link.md)\n[o](../../secret.md)\n[ok](references/a.md)\n[dir](references)", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "root/s/SKILL.md"), []byte(text), 0o644))
	c, err := skills.Load([]string{filepath.Join(dir, "root")}, skills.LoadOptions{})
	require.NoError(t, err)
	found := run(t, c, lint.Options{})
	require.Len(t, of(found, "missing-file"), 1, "%+v", found)
	assert.Equal(t, 5, of(found, "missing-file")[0].Line, "a link out of the folder is not there")
	require.Len(t, of(found, "file-outside"), 1)
	assert.Equal(t, 6, of(found, "file-outside")[0].Line)
}

// TestSkillInTheWorkingDirectory takes the directory's name from the file system where the path has none.
func TestSkillInTheWorkingDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pdf")
	require.NoError(t, os.Mkdir(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(good), 0o644))
	t.Chdir(dir)
	c, err := skills.Load([]string{"."}, skills.LoadOptions{})
	require.NoError(t, err)
	found := of(run(t, c, lint.Options{}), "name-directory")
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, `"pdf"`)
}

func TestParametersInAnotherCaseAreNamedAsTheyAre(t *testing.T) {
	c := files{"SKILL.md": good, "Parameters.json": `{"properties":{}}`}.load(t)
	found := of(run(t, c, lint.Options{}), "additional-properties")
	require.Len(t, found, 1)
	assert.Equal(t, "s/Parameters.json", found[0].Path)
}

func TestManyFindingsOfOneRuleInOneFileAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, `,"p%d":{"type":"string"}`, i)
	}
	c := files{"SKILL.md": good, "parameters.json": `{"properties":{` + b.String()[1:] + `}}`}.load(t)
	found := of(run(t, c, lint.Options{}), "parameter-description")
	require.Len(t, found, 101)
	assert.Contains(t, found[100].Message, "and 199 more")
}

func FuzzRun(f *testing.F) {
	for _, tc := range ruleCases {
		f.Add([]byte(tc.bad["SKILL.md"]), []byte(tc.bad["parameters.json"]))
	}
	f.Add([]byte(good+"](](((`` `](\\"), []byte(`{"properties":{"a":{"$ref":"#/properties/a"}}}`))
	f.Fuzz(func(t *testing.T, text, params []byte) {
		fs := files{"SKILL.md": string(text), "t/SKILL.md": good}
		if len(params) > 0 {
			fs["parameters.json"] = string(params)
		}
		for _, f := range run(t, fs.load(t), lint.Options{}) {
			require.GreaterOrEqual(t, f.Line, 0)
			require.NotContains(t, f.Message, "\n")
			require.LessOrEqual(t, f.Line, 2+strings.Count(string(text)+string(params), "\n")+strings.Count(string(text)+string(params), "\r"), "%+v", f)
		}
	})
}
