package skills_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
)

const sourceText = "\ufeff---\r\nname: s\r\ndescription: x y\r\n---\r\nBody\r\n"

// sourceSkills is one skill twice: on disk and in an fs.FS.
func sourceSkills(t *testing.T) map[string]*skills.Skill {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "root", "s", "references"), 0o755))
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{"s/SKILL.md": sourceText, "s/references/a.md": "x", "s/Parameters.JSON": `{"type":"object"}`} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "root", name), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "out.md"), []byte("x"), 0o644))
	disk, err := skills.Load([]string{filepath.Join(dir, "root")}, skills.LoadOptions{})
	require.NoError(t, err)
	embedded, err := skills.LoadFS(fsys, ".", skills.LoadOptions{})
	require.NoError(t, err)
	return map[string]*skills.Skill{"disk": disk.Skills[0], "embedded": embedded.Skills[0]}
}

func TestSourceGivesTheBytesOfTheFile(t *testing.T) {
	for kind, s := range sourceSkills(t) {
		data, err := s.Source()
		require.NoError(t, err, kind)
		assert.Equal(t, sourceText, string(data), kind)
	}
	s, err := skills.Parse("s/SKILL.md", []byte(sourceText))
	require.NoError(t, err)
	_, err = s.Source()
	require.Error(t, err)
	_, err = s.OpenFolder()
	require.ErrorContains(t, err, "no directory")
}

func TestFolderHas(t *testing.T) {
	for kind, s := range sourceSkills(t) {
		f, err := s.OpenFolder()
		require.NoError(t, err)
		for rel, want := range map[string]bool{"references/a.md": true, "references": true, "references/../SKILL.md": true, "b.md": false, "references/b.md": false,
			"../../out.md": false, "../s/SKILL.md": false, "/etc/passwd": false} {
			assert.Equal(t, want, f.Has(rel), "%s %q", kind, rel)
		}
		assert.Equal(t, "Parameters.JSON", f.Spelling("parameters.json"), kind)
		assert.Equal(t, "SKILL.md", f.Spelling("SKILL.md"), kind)
		assert.Equal(t, "result.json", f.Spelling("result.json"), kind)
		require.NoError(t, f.Close())
	}
}

func TestFolderDoesNotFollowLinksOut(t *testing.T) {
	s := sourceSkills(t)["disk"]
	if err := os.Symlink(filepath.Join(s.Dir, "..", "..", "out.md"), filepath.Join(s.Dir, "references", "l.md")); err != nil {
		t.Skip("needs links")
	}
	f, err := s.OpenFolder()
	require.NoError(t, err)
	assert.False(t, f.Has("references/l.md"))
	require.NoError(t, f.Close())
}

func TestStandardKey(t *testing.T) {
	for key, want := range map[string]string{"Name": "name", "allowedTools": "allowed-tools", "do_not_use_when": "do-not-use-when", "when_to_use": "use-when"} {
		assert.Equal(t, want, skills.StandardKey(key))
	}
}

func TestPositionCountsCharacters(t *testing.T) {
	data := []byte("a\r\n\rb\n天x")
	for offset, want := range map[int][2]int{0: {1, 1}, 3: {2, 1}, 4: {3, 1}, 6: {4, 1}, 9: {4, 2}, 99: {4, 3}, -1: {1, 1}} {
		line, column := skills.Position(data, offset)
		assert.Equal(t, want, [2]int{line, column}, offset)
	}
}

func TestSameText(t *testing.T) {
	assert.True(t, skills.SameText("cafe\u0301", "caf\u00e9"))
	assert.True(t, skills.SameText("a", "a"))
	assert.False(t, skills.SameText("a", "A"))
	assert.False(t, skills.SameText("cafe", "café"))
}
