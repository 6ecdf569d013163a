package lint_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

func TestEachRuleFindsTheWrongAndSparesTheRight(t *testing.T) {
	for _, tc := range ruleCases {
		t.Run(tc.rule, func(t *testing.T) {
			rule, err := lint.Find(tc.rule)
			require.NoError(t, err)
			var o lint.Options
			if rule.Severity == lint.Off {
				assert.Empty(t, of(run(t, tc.bad.load(t), o), tc.rule), "off unless configured")
				rule.Severity = lint.Warning
				o.Config.Rules = map[string]lint.Setting{tc.rule: {Severity: lint.Warning}}
			}
			found := of(run(t, tc.bad.load(t), o), tc.rule)
			require.Len(t, found, 1, "%+v", found)
			f := found[0]
			path, severity := tc.path, tc.severity
			if path == "" {
				path = "s/SKILL.md"
			}
			if severity == "" {
				severity = rule.Severity
			}
			assert.Equal(t, path, f.Path)
			assert.Equal(t, tc.line, f.Line, "line")
			if tc.column > 0 {
				assert.Equal(t, tc.column, f.Column, "column")
			}
			assert.Equal(t, severity, f.Severity)
			assert.Contains(t, f.Message+" "+f.Hint, tc.says)
			assert.NotEmpty(t, f.Hint, "no hint")
			right := tc.good
			if right == nil {
				right = files{"SKILL.md": good}
			}
			assert.Empty(t, of(run(t, right.load(t), o), tc.rule))
		})
	}
}

func TestGoodSkillHasNoFinding(t *testing.T) {
	f := schema(typed)
	assert.Empty(t, run(t, f.load(t), lint.Options{}))
}

// TestEveryRuleIsTested holds the table of tests against the list of rules; what needs a real disk or hand-made pairs is
// tested elsewhere.
func TestEveryRuleIsTested(t *testing.T) {
	elsewhere := []string{"no-name", "too-large", "yaml-expansion", "unreadable", "path-escape", "dangling-link", "folder-dangling-link", "folder-path-escape", "folder-unreadable",
		"link-cycle", "link-seen", "too-deep", "shadowed-name", "missing-cross-reference"}
	tested := map[string]bool{}
	for _, tc := range ruleCases {
		tested[tc.rule] = true
	}
	seen := map[string]bool{}
	for _, r := range lint.Rules() {
		assert.False(t, seen[r.ID], "%s is listed twice", r.ID)
		seen[r.ID] = true
		assert.NotEqual(t, tested[r.ID], slices.Contains(elsewhere, r.ID), "rule %s", r.ID)
		assert.Contains(t, []lint.Severity{lint.Error, lint.Warning, lint.Note, lint.Off}, r.Severity)
		assert.NotEmpty(t, r.Title, r.ID)
		for _, part := range []string{"Why:", "Wrong:", "Right:", "How to fix:"} {
			assert.Contains(t, r.Doc, part, r.ID)
		}
		assert.Equal(t, r.Limit > 0, r.Unit != "", r.ID)
		if r.Limit > 0 && !slices.Contains([]string{"description-many-functions"}, r.ID) {
			assert.Contains(t, r.Doc, "Source:", "%s has a limit without a source", r.ID)
		}
		assert.Regexp(t, `^[a-z0-9-]+$`, r.ID)
	}
	for _, id := range slices.Sorted(maps.Keys(tested)) {
		assert.True(t, seen[id], "%s is no rule", id)
	}
}

// TestNotesOfLoadingArePassedOn covers the codes that need a real disk, and that failures are errors and notes are not.
func TestNotesOfLoadingArePassedOn(t *testing.T) {
	note := func(code string) skills.Note {
		return skills.Note{Code: code, Path: "p", Line: 3, Column: 4, Message: "why"}
	}
	for _, code := range []string{skills.CodeNoName, skills.CodeTooLarge, skills.CodeExpansion, skills.CodeUnreadable, skills.CodePathEscape, skills.CodeDangling} {
		found := run(t, &skills.Catalog{Found: 1, Failures: []skills.Note{note(code)}}, lint.Options{})
		require.Len(t, found, 1, code)
		assert.Equal(t, code, found[0].Rule)
		assert.Equal(t, lint.Error, found[0].Severity)
		assert.Equal(t, [2]int{3, 4}, [2]int{found[0].Line, found[0].Column})
	}
	for code, rule := range map[string]string{skills.CodeUnreadable: "folder-unreadable", skills.CodePathEscape: "folder-path-escape", skills.CodeDangling: "folder-dangling-link",
		skills.CodeLinkCycle: "link-cycle", skills.CodeLinkSeen: "link-seen", skills.CodeDepth: "too-deep"} {
		found := run(t, &skills.Catalog{Notes: []skills.Note{note(code)}}, lint.Options{})
		require.Len(t, found, 1, code)
		assert.Equal(t, rule, found[0].Rule)
		assert.NotEqual(t, lint.Error, found[0].Severity)
	}
}

// TestEveryNoteOfLoadingHasARule keeps a new code of package skills from being dropped without a word.
func TestEveryNoteOfLoadingHasARule(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range lint.Rules() {
		ids[r.ID] = true
	}
	for _, code := range []string{skills.CodeBOM, skills.CodeUTF8, skills.CodeFileName, skills.CodeLeadingText, skills.CodeNoFrontmatter, skills.CodePlainScalar, skills.CodeIgnoredLine,
		skills.CodeDuplicateKey, skills.CodeKeyCase, skills.CodeTopLevel, skills.CodeScalarType, skills.CodeNotText, skills.CodeCommentCut, skills.CodeNameFromDir, skills.CodeDescriptionBody,
		skills.CodeMetadata, skills.CodeBadValue, skills.CodeAliasTarget, skills.CodeUnchecked, skills.CodeUnreadable, skills.CodeTooLarge, skills.CodeEncoding, skills.CodeUnclosed,
		skills.CodeNotMapping, skills.CodeExpansion, skills.CodeNoName, skills.CodeNoDescription, skills.CodeSchema, skills.CodeResult, skills.CodePathEscape, skills.CodeLinkCycle,
		skills.CodeLinkSeen, skills.CodeDangling, skills.CodeNoSkillFile, skills.CodeSkippedFolder, skills.CodeDepth, skills.CodeResourceSkill, skills.CodeSecondFile, skills.CodeDuplicateName,
		skills.CodeUnknownDepends, skills.CodeDependsCycle} {
		assert.True(t, ids[code], code)
	}
}

func TestShadowedName(t *testing.T) {
	c := files{"SKILL.md": good}.load(t)
	c.Shadowed = []skills.Duplicate{{Name: "s", Paths: []string{"s/SKILL.md", "late/s/SKILL.md"}}}
	found := of(run(t, c, lint.Options{}), "shadowed-name")
	require.Len(t, found, 1)
	assert.Equal(t, "late/s/SKILL.md", found[0].Path)
	assert.Equal(t, []skills.Note{{Path: "s/SKILL.md", Line: 2, Column: 1, Message: "has the same name"}}, found[0].Related)
}

func TestManyDirectoriesNamedOtherwiseAreSaidOnce(t *testing.T) {
	f := files{}
	for _, r := range "abcdefghijklmnopqrstu" {
		f["export__"+string(r)+"/SKILL.md"] = md("name: "+string(r), "description: Weather of a city.")
	}
	found := of(run(t, f.load(t), lint.Options{}), "name-directory")
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Message, "21 of 21 names")
	assert.Len(t, found[0].Related, 4)
	delete(f, "export__a/SKILL.md")
	delete(f, "export__b/SKILL.md")
	assert.Len(t, of(run(t, f.load(t), lint.Options{}), "name-directory"), 19)
}

func TestMissingCrossReference(t *testing.T) {
	pair := similarity.Pair{A: "get_weather", B: "get_air", IDA: "w/SKILL.md", IDB: "a/SKILL.md", Level: similarity.Near, Score: 0.8, OnlyA: []string{"rain", "wind", "sun"}, OnlyB: []string{"smog"}}
	try := func(a, b string, change func(*similarity.Pair)) []lint.Finding {
		c := files{"w/SKILL.md": md("name: get_weather", "description: "+a), "a/SKILL.md": md("name: get_air", "description: "+b)}.load(t)
		p := pair
		if change != nil {
			change(&p)
		}
		return of(run(t, c, lint.Options{Pairs: []similarity.Pair{p}}), "missing-cross-reference")
	}
	found := try("Rain of a city.", "Smog of a city.", nil)
	require.Len(t, found, 1)
	assert.Equal(t, "w/SKILL.md", found[0].Path)
	assert.Equal(t, 3, found[0].Line)
	assert.Equal(t, `add "Do not use for smog; use get_air." to get_weather, and "Do not use for rain or wind; use get_weather." to get_air`, found[0].Hint)
	assert.Equal(t, "a/SKILL.md", found[0].Related[0].Path)
	assert.Equal(t, 3, found[0].Related[0].Line)
	assert.Len(t, try("Rain of a city.", "Smog of a city.", func(p *similarity.Pair) { p.Level = similarity.Duplicate; p.Identical = true }), 1)
	assert.Empty(t, try("Rain. Do not use for smog; use get_air.", "Smog of a city.", nil))
	assert.Empty(t, try("Rain of a city.", "Smog. For rain see Get-Weather.", nil))
	assert.Len(t, try("Rain to get_airport.", "Smog of a city.", nil), 1, "a name inside another word")
	assert.Empty(t, try("Rain.", "Smog.", func(p *similarity.Pair) { p.Level = similarity.Related }))
	assert.Empty(t, try("Rain.", "Smog.", func(p *similarity.Pair) { p.Accepted = "reviewed" }))
	assert.Empty(t, try("Rain.", "Smog.", func(p *similarity.Pair) { p.IDA = "elsewhere" }))
}

func TestNamesOfOneWordCountOnlyAsNames(t *testing.T) {
	try := func(text string) []lint.Finding {
		c := files{"git/SKILL.md": md("name: git", "description: "+text), "commit/SKILL.md": md("name: commit", "description: Write messages.")}.load(t)
		return of(run(t, c, lint.Options{Pairs: []similarity.Pair{{A: "git", B: "commit", IDA: "git/SKILL.md", IDB: "commit/SKILL.md", Level: similarity.Near}}}), "missing-cross-reference")
	}
	assert.Len(t, try("Write a commit message."), 1)
	assert.Empty(t, try("Branches. Use commit for messages."))
	assert.Empty(t, try("Branches; the commit skill writes messages."))
	assert.Empty(t, try("Branches. Do not use for a commit message."))
}
