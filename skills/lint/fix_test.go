package lint_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

func TestApplyFixes(t *testing.T) {
	for name, tc := range map[string]struct{ path, in, out, rules string }{
		"nothing":        {in: good, out: good},
		"byte order":     {in: "\ufeff" + good, out: good, rules: "bom"},
		"CRLF stays":     {in: "\ufeff---\r\nname: s\r\ndescription: x y\r\n---\r\nB\r\n", out: "---\r\nname: s\r\ndescription: x y\r\n---\r\nB\r\n", rules: "bom"},
		"mixed to CRLF":  {in: "---\r\nname: s\r\ndescription: x y\n---\r\nB\r\n", out: "---\r\nname: s\r\ndescription: x y\r\n---\r\nB\r\n", rules: "line-ends"},
		"mixed to LF":    {in: "---\nname: s\rdescription: x y\n---\r\nB\n", out: "---\nname: s\ndescription: x y\n---\nB\n", rules: "line-ends"},
		"blanks":         {in: "--- \nname: s\ndescription: x y\n---\t \nB \n", out: "---\nname: s\ndescription: x y\n---\nB \n", rules: "trailing-blanks trailing-blanks"},
		"key case":       {in: md("# c", "Name: s", "Description: x y # c", "allowedTools: Read"), out: md("# c", "name: s", "description: x y # c", "allowed-tools: Read"), rules: "key-case key-case key-case"},
		"key of a host":  {in: md("name: s", "description: x y", "when_to_use: when it rains"), out: md("name: s", "description: x y", "when_to_use: when it rains")},
		"plain scalar":   {in: md("name: s", "description: It's so: a \"b\" # c", "license: MIT"), out: md("name: s", "description: 'It''s so: a \"b\" # c'", "license: MIT"), rules: "plain-scalar"},
		"several lines":  {in: md("name: s", "description: One: two", "  three: four", "license: MIT"), out: md("name: s", "description: 'One: two", "  three: four'", "license: MIT"), rules: "plain-scalar"},
		"broken quotes":  {in: md("name: s", `description: "a" and "b"`), out: md("name: s", `description: 'a" and "b'`), rules: "plain-scalar"},
		"a flow list":    {in: md("name: s", "description: x y", "argument-hint: [a] [b]"), out: md("name: s", "description: x y", "argument-hint: '[a] [b]'"), rules: "plain-scalar"},
		"below metadata": {in: md("name: s", "description: x y", "metadata:", "  author: A: b"), out: md("name: s", "description: x y", "metadata:", "  author: 'A: b'"), rules: "plain-scalar"},
		"no blank":       {in: md("name:s", "description: x y"), out: md("name: 's'", "description: x y"), rules: "plain-scalar"},
		"invisible":      {in: md("name: s", "description: x\u200b y\u00ad") + "a\u2060b 👩\u200d💻\n", out: md("name: s", "description: x y") + "ab 👩\u200d💻\n", rules: "invisible-characters invisible-characters"},
		"direction":      {in: md("name: s", "description: x \u202ey"), out: md("name: s", "description: x \u202ey")},
		"all at once":    {in: "\ufeff--- \r\nName: s\ndescription: a: b\u200b\r\n---\r\nB\r\n", out: "---\r\nname: s\r\ndescription: 'a: b'\r\n---\r\nB\r\n", rules: "bom key-case plain-scalar invisible-characters line-ends trailing-blanks"},
		"file name":      {path: "s/skill.md", in: good, out: good, rules: "file-name"},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.path == "" {
				tc.path = "s/SKILL.md"
			}
			fixed, err := lint.ApplyFixes(tc.path, []byte(tc.in), lint.Options{})
			require.NoError(t, err)
			var rules []string
			for _, f := range fixed.Applied {
				rules = append(rules, f.Rule)
			}
			assert.Equal(t, tc.out, string(fixed.Data))
			assert.Equal(t, tc.rules, strings.Join(rules, " "))
			assert.Equal(t, tc.path == "s/skill.md", fixed.Rename == "SKILL.md")
		})
	}
}

func TestFindingsSayWhatCanBeFixed(t *testing.T) {
	f := files{"SKILL.md": "\ufeff" + md("Name: s", "description: a: b", "when_to_use: it rains")}
	for _, f := range run(t, f.load(t), lint.Options{}) {
		mendable := f.Rule == "bom" || f.Rule == "plain-scalar" || f.Rule == "key-case" && f.Line == 2
		assert.Equal(t, mendable, f.Fix != nil, "%+v", f)
	}
}

func TestApplyFixesFollowsTheConfiguration(t *testing.T) {
	in := "\ufeff" + md("Name: s", "description: x y")
	off := lint.Config{Rules: map[string]lint.Setting{"bom": {Severity: lint.Off}}}
	fixed, err := lint.ApplyFixes("s/SKILL.md", []byte(in), lint.Options{Config: off})
	require.NoError(t, err)
	assert.Equal(t, "\ufeff"+md("name: s", "description: x y"), string(fixed.Data))
	fixed, err = lint.ApplyFixes("s/skill.md", []byte(good), lint.Options{Config: lint.Config{Rules: map[string]lint.Setting{"file-name": {Severity: lint.Off}}}})
	require.NoError(t, err)
	assert.Empty(t, fixed.Rename)
	fixed, err = lint.ApplyFixes("s/SKILL.md", []byte(in), lint.Options{Only: func(string) bool { return false }})
	require.NoError(t, err)
	assert.Equal(t, in, string(fixed.Data))
}

func TestApplyFixesLeavesAloneWhatCannotBeLoaded(t *testing.T) {
	in := []byte("\ufeff---\nname: s\n")
	fixed, err := lint.ApplyFixes("s/SKILL.md", in, lint.Options{})
	require.Error(t, err)
	assert.Equal(t, in, fixed.Data)
}

// TestFixesChangeNoMeaning holds for any file made of what people write: the fixed file loads with the same values, and
// fixing it again changes nothing.
func TestFixesChangeNoMeaning(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	piece := rapid.SampledFrom([]string{"Use when", ": ", "it's", `"x"`, " # c", "\u200b", "天气", "[a] [b]", "- x", "{", "}", "|", ">-", "'", "\t", "&a", "*a", "@", "%", "👩\u200d💻", "e\u0301", "\u00ad", `\`, "key: value", "---"})
	value := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 1, 5).Draw(t, "value"), " ") })
	key := rapid.SampledFrom([]string{"name", "Name", "description", "Description", "license", "allowedTools", "when_to_use", "version", "argument-hint", "  author", "metadata", "tags", "天气", "# c"})
	end := rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "\r"})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		b.WriteString(rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "bom") + "---" + rapid.SampledFrom([]string{"", " "}).Draw(t, "blank") + end.Draw(t, "end"))
		for range rapid.IntRange(1, 6).Draw(t, "lines") {
			sep := rapid.SampledFrom([]string{": ", ":", ":  ", ":\n  ", ": |\n  "}).Draw(t, "sep")
			b.WriteString(key.Draw(t, "key") + sep + value.Draw(t, "text") + end.Draw(t, "end"))
		}
		b.WriteString("---" + end.Draw(t, "end") + "Text \u200bof the body." + end.Draw(t, "end"))
		checkFixed(t, []byte(b.String()))
	})
}

// checkFixed holds fixing one file against its promises.
func checkFixed(t require.TestingT, data []byte) {
	before, err := skills.Parse("s/SKILL.md", data)
	fixed, fixErr := lint.ApplyFixes("s/SKILL.md", data, lint.Options{})
	require.Equal(t, err != nil, fixErr != nil)
	if err != nil {
		require.Equal(t, data, fixed.Data)
		return
	}
	after, err := skills.Parse("s/SKILL.md", fixed.Data)
	require.NoError(t, err)
	require.Equal(t, visible(before.Name), visible(after.Name))
	require.Equal(t, visible(before.Description), visible(after.Description))
	require.Equal(t, before.DescriptionSource, after.DescriptionSource)
	require.Len(t, after.Metadata, len(before.Metadata))
	require.Equal(t, visibleEntries(before.Extra), visibleEntries(after.Extra))
	again, err := lint.ApplyFixes("s/SKILL.md", fixed.Data, lint.Options{})
	require.NoError(t, err)
	require.Equal(t, string(fixed.Data), string(again.Data))
	require.Zero(t, len(again.Applied))
}

func visibleEntries(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[visible(k)] = visible(v)
	}
	return out
}

// visible leaves out what a fix may take away.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0x200b || r == 0x200c || r == 0x200d || r == 0x2060 || r == 0xfeff || r == 0xad || r == 0x180e || r == 0x34f,
			r >= 0x2061 && r <= 0x2064, r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0, r >= 0xe0000 && r <= 0xe01ef, r >= 0xfe00 && r <= 0xfe0f:
			return -1
		}
		return r
	}, s)
}

func FuzzApplyFixes(f *testing.F) {
	for _, tc := range ruleCases {
		f.Add([]byte(tc.bad["SKILL.md"]))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkFixed(t, data) })
}
