package skills

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree writes files below a new folder: "a/SKILL.md": "" writes a valid skill with the name of its folder,
// "a": "-> b" a link.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		at := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			if err := os.Symlink(filepath.FromSlash(target), at); err != nil && runtime.GOOS == "windows" {
				t.Skip("links need a privilege here")
			}
			continue
		}
		require.NoError(t, os.WriteFile(at, []byte(skillText(name, text)), 0o644))
	}
	return root
}

func skillText(name, text string) string {
	if text == "" && isSkillFile(path.Base(name)) {
		return "---\nname: " + path.Base(path.Dir(name)) + "\ndescription: Does " + path.Dir(name) + ".\n---\n"
	}
	return text
}

func load(t *testing.T, roots ...string) *Catalog {
	t.Helper()
	c, err := Load(roots, LoadOptions{})
	require.NoError(t, err)
	shadowed := 0
	for _, d := range c.Shadowed {
		shadowed += len(d.Paths) - 1
	}
	require.Equal(t, c.Found, len(c.Skills)+len(c.Failures)+shadowed, "every SKILL.md that was seen is accounted for")
	return c
}

func paths(t *testing.T, root string, c *Catalog) []string {
	t.Helper()
	var out []string
	for _, s := range c.Skills {
		out = append(out, strings.TrimPrefix(strings.TrimPrefix(s.Path, filepath.ToSlash(root)), "/"))
	}
	return out
}

func noteCodes(root string, notes []Note) map[string]string {
	out := map[string]string{}
	for _, n := range notes {
		out[strings.TrimPrefix(n.Path, filepath.ToSlash(root)+"/")] = n.Code
	}
	return out
}

func TestDiscovery(t *testing.T) {
	tests := []struct {
		what  string
		files map[string]string
		root  string // below the tree
		want  []string
		notes map[string]string
	}{
		{"any depth, ordered by folder",
			map[string]string{"embedded/startup/SKILL.md": "", "a-b/SKILL.md": "", "a/SKILL.md": "", "a/x.md": "no skill"}, "",
			[]string{"a/SKILL.md", "a-b/SKILL.md", "embedded/startup/SKILL.md"}, nil},
		{"the root is a skill, with others below it and samples among its resources",
			map[string]string{"SKILL.md": "---\nname: top\ndescription: d1\n---\n", "skills/in/SKILL.md": "", "assets/sample/SKILL.md": "", "Evals/deep/er/SKILL.md": ""}, "",
			[]string{"SKILL.md", "skills/in/SKILL.md"},
			map[string]string{"assets/sample/SKILL.md": CodeResourceSkill, "Evals/deep/er/SKILL.md": CodeResourceSkill}},
		{"folders called like resources outside of a skill", map[string]string{"examples/e/SKILL.md": "", "templates/SKILL.md": ""}, "",
			[]string{"examples/e/SKILL.md", "templates/SKILL.md"}, nil},
		{"any case", map[string]string{"contract-review/skill.md": "", "b/Skill.MD": ""}, "", []string{"b/Skill.MD", "contract-review/skill.md"}, nil},
		{"folders that look like skills and are none", map[string]string{"a/SKILL.md": "", "b/SKILLS.md": "", "c/parameters.json": "{}", "d/skill.txt": "", "e/skills.go": "", "a/x/notes.md": ""}, "",
			[]string{"a/SKILL.md"}, map[string]string{"b/SKILLS.md": CodeNoSkillFile, "c/parameters.json": CodeNoSkillFile, "d/skill.txt": CodeNoSkillFile}},
		{"two in one folder", map[string]string{"a/SKILL.md": "", "a/skill.md": ""}, "", []string{"a/SKILL.md"}, map[string]string{"a/skill.md": CodeSecondFile}},
		{"hidden folders", map[string]string{"a/SKILL.md": "", ".git/x/SKILL.md": "", ".cache/x/SKILL.md": "", "node_modules/p/SKILL.md": "", ".claude/skills/c/SKILL.md": ""}, "",
			[]string{".claude/skills/c/SKILL.md", "a/SKILL.md"}, map[string]string{".cache": CodeSkippedFolder, "node_modules": CodeSkippedFolder}},
		{"a hidden root", map[string]string{".x/a/SKILL.md": ""}, ".x", []string{"a/SKILL.md"}, nil},
		{"links: once for each real folder, real paths first",
			map[string]string{"skills/a-link": "-> ../real", "real/SKILL.md": "", "other": "-> real"}, "", []string{"real/SKILL.md"},
			map[string]string{"other": CodeLinkSeen, "skills/a-link": CodeLinkSeen}},
		{"a link into what is not searched", map[string]string{"l": "-> .hidden/real", "m": "-> .hidden/real", ".hidden/real/SKILL.md": "---\ndescription: d1\n---\n"}, "",
			[]string{"l/SKILL.md"}, map[string]string{".hidden": CodeSkippedFolder, "m": CodeLinkSeen}},
		{"circles", map[string]string{"a/SKILL.md": "", "a/loop": "-> ..", "a/self": "-> self", "a/here": "-> ."}, "", []string{"a/SKILL.md"},
			map[string]string{"a/loop": CodeLinkCycle, "a/self": CodeLinkCycle, "a/here": CodeLinkCycle}},
		{"two links in a circle", map[string]string{"a/SKILL.md": "", "x": "-> y", "y": "-> x"}, "", []string{"a/SKILL.md"},
			map[string]string{"x": CodeLinkCycle, "y": CodeLinkCycle}},
		{"a link to nothing", map[string]string{"a/SKILL.md": "", "gone": "-> nowhere"}, "", []string{"a/SKILL.md"}, map[string]string{"gone": CodeDangling}},
		{"a link out of the root", map[string]string{"in/a/SKILL.md": "", "in/out": "-> ../secret", "secret/SKILL.md": ""}, "in", []string{"a/SKILL.md"},
			map[string]string{"out": CodePathEscape}},
		{"the root is a link", map[string]string{"root": "-> real", "real/a/SKILL.md": ""}, "root", []string{"a/SKILL.md"}, nil},
		{"links to files and in resources are no matter", map[string]string{"a/SKILL.md": "", "a/f": "-> SKILL.md", "a/assets/up": "-> ../.."}, "", []string{"a/SKILL.md"}, nil},
		{"a linked SKILL.md inside the root", map[string]string{"a/SKILL.md": "-> ../shared.md", "shared.md": "---\ndescription: d1\n---\n"}, "", []string{"a/SKILL.md"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			root := filepath.Join(writeTree(t, tt.files), tt.root)
			c := load(t, root)
			assert.Equal(t, tt.want, paths(t, root, c))
			if tt.notes == nil {
				tt.notes = map[string]string{}
			}
			assert.Equal(t, tt.notes, noteCodes(root, c.Notes))
			assert.Empty(t, c.Failures)
		})
	}
}

func TestDiscoveryRefusesFilesBeyondTheRoot(t *testing.T) {
	root := writeTree(t, map[string]string{"in/good/SKILL.md": "", "in/bad/SKILL.md": "-> ../../secret", "in/worse/SKILL.md": "", "in/gone/SKILL.md": "-> nowhere",
		"in/worse/parameters.json": "-> ../../secret", "secret": "---\nname: secret\ndescription: d1\n---\n", "in/d/SKILL.md": "-> ../good"})
	c := load(t, filepath.Join(root, "in"))
	require.Len(t, c.Skills, 1)
	assert.Equal(t, "good", c.Skills[0].Name)
	assert.Equal(t, map[string]string{"bad/SKILL.md": CodePathEscape, "worse/parameters.json": CodePathEscape,
		"gone/SKILL.md": CodeDangling, "d/SKILL.md": CodeUnreadable}, noteCodes(filepath.Join(root, "in"), c.Failures))
	assert.Equal(t, 5, c.Found)
}

func TestDiscoveryDepth(t *testing.T) {
	root := writeTree(t, map[string]string{"a/SKILL.md": "",
		strings.Repeat("d/", maxFolderDepth) + "SKILL.md": "", strings.Repeat("e/", maxFolderDepth+1) + "SKILL.md": ""})
	c := load(t, root)
	assert.Len(t, c.Skills, 2, "the deepest folder that is searched, and no deeper")
	require.Len(t, c.Notes, 1)
	assert.Equal(t, CodeDepth, c.Notes[0].Code)
}

func TestLoadOneFile(t *testing.T) {
	root := writeTree(t, map[string]string{"a/skill.md": "", "a/SKILL.md": "---\nname: big\ndescription: d1\n---\n", "a/b/SKILL.md": "", "a/notes.md": "x"})
	c := load(t, filepath.Join(root, "a", "SKILL.md"))
	require.Len(t, c.Skills, 1)
	assert.Equal(t, "big", c.Skills[0].Name)
	c = load(t, filepath.Join(root, "a", "skill.md"))
	require.Len(t, c.Skills, 1)
	assert.Equal(t, "a", c.Skills[0].Name)
	_, err := Load([]string{filepath.Join(root, "a", "notes.md")}, LoadOptions{})
	assert.ErrorContains(t, err, "neither a folder nor a SKILL.md")
}

func TestLoadRootErrors(t *testing.T) {
	root := writeTree(t, map[string]string{"empty/x.txt": "x", "out": "-> /", "full/a/SKILL.md": "", "full/link": "-> ../empty"})
	for _, roots := range [][]string{nil, {filepath.Join(root, "none")}, {filepath.Join(root, "empty")}, {filepath.Join(root, "full"), filepath.Join(root, "empty")}} {
		_, err := Load(roots, LoadOptions{})
		assert.ErrorContains(t, err, "skills", "%v", roots)
	}
	c, err := Load([]string{filepath.Join(root, "full"), filepath.Join(root, "full", "a")}, LoadOptions{})
	require.NoError(t, err, "a root that was searched already is not empty")
	assert.Equal(t, 1, c.Found)
	assert.Empty(t, c.Shadowed)
}

func TestLoadRelativeRoot(t *testing.T) {
	t.Chdir(writeTree(t, map[string]string{"SKILL.md": "---\ndescription: d1\n---\n", "s/a/SKILL.md": ""}))
	for root, want := range map[string]string{".": "SKILL.md", "./s": "s/a/SKILL.md", "s/": "s/a/SKILL.md"} {
		assert.Equal(t, want, load(t, root).Skills[0].Path)
	}
	wd, err := os.Getwd()
	require.NoError(t, err)
	assert.Equal(t, filepath.Base(wd), load(t, ".").Skills[0].Name, "the folder's own name")
}

func TestLoadFS(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"suite/skills/a/SKILL.md", "suite/skills/g/b/skill.md", "suite/skills/.h/SKILL.md"} {
		files[name] = &fstest.MapFile{Data: []byte(skillText(name, ""))}
	}
	files["suite/skills/a/parameters.json"] = &fstest.MapFile{Data: []byte(`{"type":"object"}`)}
	files["suite/skills/a/references/r.md"] = &fstest.MapFile{Data: []byte("guide")}
	c, err := LoadFS(files, "suite/skills", LoadOptions{})
	require.NoError(t, err)
	require.Len(t, c.Skills, 2)
	assert.Equal(t, "suite/skills/a/SKILL.md", c.Skills[0].Path)
	assert.Empty(t, c.Skills[0].Dir)
	assert.JSONEq(t, `{"type":"object"}`, string(c.Skills[0].Parameters))
	assert.Equal(t, []string{CodeFileName}, codes(c.Skills[1]))
	data, err := c.Skills[0].Resource("references/r.md")
	require.NoError(t, err)
	assert.Equal(t, "guide", string(data))
	for _, bad := range []string{"../b/skill.md", "/references/r.md", "none.md", "", "references"} {
		_, err = c.Skills[0].Resource(bad)
		assert.Error(t, err, bad)
	}
	for _, root := range []string{"none", "suite/skills/.h/x", "../x"} {
		_, err = LoadFS(files, root, LoadOptions{})
		assert.Error(t, err, root)
	}
	_, err = LoadFS(os.DirFS(writeTree(t, map[string]string{"a/SKILL.md": "-> b", "b": "x"})), ".", LoadOptions{})
	assert.NoError(t, err, "a failure, not an error")
}

func TestLoadUnreadable(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not bind this user")
	}
	root := writeTree(t, map[string]string{"a/SKILL.md": "", "b/SKILL.md": "", "c/SKILL.md": ""})
	require.NoError(t, os.Chmod(filepath.Join(root, "b", "SKILL.md"), 0))
	require.NoError(t, os.Chmod(filepath.Join(root, "c"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, "c"), 0o755) })
	c := load(t, root)
	assert.Len(t, c.Skills, 1)
	assert.Equal(t, map[string]string{"b/SKILL.md": CodeUnreadable}, noteCodes(root, c.Failures))
	assert.Equal(t, map[string]string{"c": CodeUnreadable}, noteCodes(root, c.Notes))
}
