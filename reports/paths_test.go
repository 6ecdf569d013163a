package reports

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSourcePath(t *testing.T) {
	for _, c := range []struct{ root, work, in, want string }{ // want "": outside
		{"", "", "skills/a/SKILL.md", "skills/a/SKILL.md"},
		{"", "", "./skills//a/../b/SKILL.md", "skills/b/SKILL.md"},
		{"", "", `skills\a\SKILL.md`, "skills/a/SKILL.md"},
		{"", "", "", ""},
		{"", "", ".", ""},
		{"", "", "..", ""},
		{"", "", "../a", ""},
		{"", "", "a/../../b", ""},
		{"", "", "..a/b", "..a/b"},
		{"", "", "/home/u/repo/a", ""},
		{"", "", `C:\repo\a`, ""},
		{"", "", "https://example.com/a", ""},
		{"", "", "file:///home/u/repo/a", ""},
		{"", "", "mcp:server/a", "mcp:server/a"},
		{"", "", strings.Repeat("a/", 3000) + "b", ""},

		{"/home/u/repo", "", "/home/u/repo/skills/a/SKILL.md", "skills/a/SKILL.md"},
		{"/home/u/repo/", "", "/home/u/./repo/x/../a", "a"},
		{"/home/u/repo", "", "/home/u/repository/a", ""},
		{"/home/u/repo", "", "/home/u/repo", ""},
		{"/home/u/repo", "", "/home/u/Repo/a", ""},
		{"/home/u/repo", "", "/home/u/repo/../other/a", ""},
		{"/home/u/repo", "", "skills/a", "skills/a"},
		{"/home/u/repo", "", "../a", ""},
		{"/", "", "/a/b", "a/b"},

		{"/home/u/repo", "/home/u/repo/sub/dir", "../skills/a", "sub/skills/a"},
		{"/home/u/repo", "/home/u/repo/sub", "SKILL.md", "sub/SKILL.md"},
		{"/home/u/repo", "/home/u/repo/sub", "../../other/SKILL.md", ""},
		{"/home/u/repo", "/home/u/repo/sub", "../../../../../../x", ""},
		{"/home/u/repo", "/tmp", "../home/u/repo/a", "a"},

		{`C:\repo`, "", `C:\repo\skills\a\SKILL.md`, "skills/a/SKILL.md"},
		{`C:\repo`, "", `c:/Repo/Skills/a`, "Skills/a"},
		{`C:\repo`, "", `D:\repo\a`, ""},
		{`C:\repo`, "", `C:\repository\a`, ""},
		{`C:\repo`, "", `C:\..\..\repo\a`, "a"},
		{`C:\`, "", `C:\a\b`, "a/b"},
		{`C:\repo`, `C:\repo\sub`, `..\skills\a`, "skills/a"},
		{`C:\repo`, "", `\\?\C:\repo\a`, "a"},
		{`\\server\share\repo`, "", `\\SERVER\share\repo\a`, "a"},
		{`\\server\share\repo`, "", `\\?\UNC\server\share\repo\a`, "a"},
		{`\\server\share\repo`, "", `\\server\other\repo\a`, ""},
		{"/repo", "", `C:\repo\a`, ""},
		{`C:\repo`, "", "/repo/a", ""},
		{"relative", "", "a", "a"},
	} {
		got, ok := (&Report{SourceRoot: c.root, WorkDir: c.work}).sourcePath(c.in)
		assert.Equal(t, c.want, got, "%+v", c)
		assert.Equal(t, c.want != "", ok, "%+v", c)
	}
}

func TestSpot(t *testing.T) {
	r := &Report{SourceRoot: "/repo", FallbackPath: "/repo/cases.jsonl"}
	assert.Equal(t, spot{path: "a", line: 3, column: 9}, r.spot(Place{Path: "/repo/a", Line: 3, Column: 9}))
	assert.Equal(t, spot{path: "a", line: 1}, r.spot(Place{Path: "a", Line: -1, Column: -5}), "lines count from 1")
	assert.Equal(t, spot{path: "a", line: 1<<31 - 1}, r.spot(Place{Path: "a", Line: 1 << 40}))
	assert.Equal(t, spot{path: "cases.jsonl", line: 1, fallback: true}, r.spot(Place{Line: 7}))
	assert.Equal(t, spot{path: "cases.jsonl", line: 1, fallback: true, outside: "SKILL.md"}, r.spot(Place{Path: "/home/user/SKILL.md", Line: 7}),
		"the line belongs to another file")
	r.FallbackPath = "/elsewhere/cases.jsonl"
	assert.Equal(t, "skilleval.yaml", r.spot(Place{}).path)
	assert.Empty(t, r.spot(Place{Path: "/"}).outside)
}

func TestRelativeURI(t *testing.T) {
	for in, want := range map[string]string{
		"skills/a/SKILL.md": "skills/a/SKILL.md",
		"a b/c#d?e%f":       "a%20b/c%23d%3Fe%25f",
		"https:/x":          "https%3A/x",
		"天气":                "%E5%A4%A9%E6%B0%94",
		"a\nb\x00":          "a%0Ab%00",
		"\xff":              "%FF",
	} {
		assert.Equal(t, want, relativeURI(in))
	}
}

func FuzzSourcePath(f *testing.F) {
	for _, s := range []string{"a/b", `C:\a`, `\\?\UNC\x`, "../..", "https://x", "//", "a:b", "./a//b/..", "\x00"} {
		f.Add("/home/u/repo", "/home/u/repo/sub", s)
		f.Add(`C:\repo`, "", s)
		f.Add("", "", s)
	}
	f.Fuzz(func(t *testing.T, root, work, p string) {
		rel, ok := (&Report{SourceRoot: root, WorkDir: work}).sourcePath(p)
		if !ok {
			require.Empty(t, rel)
			return
		}
		require.Equal(t, path.Clean(rel), rel)
		require.False(t, strings.HasPrefix(rel, "/") || rel == ".." || strings.HasPrefix(rel, "../"), rel)
		u, err := url.Parse(relativeURI(rel))
		require.NoError(t, err)
		require.Empty(t, u.Scheme+u.Host+u.RawQuery+u.Fragment)
		require.Equal(t, rel, u.Path)
	})
}
