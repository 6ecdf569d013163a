package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills/lint"
)

func TestReplaceUnchangedSparesAFileThatChanged(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "SKILL.md")
	require.NoError(t, os.WriteFile(file, []byte("theirs"), 0o640))
	require.ErrorIs(t, replaceUnchanged(file, []byte("old"), []byte("new")), errChanged)
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "theirs", string(data))
	require.NoError(t, replaceUnchanged(file, []byte("theirs"), []byte("new")))
	data, err = os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "new", string(data))
	info, err := os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm(), "permissions stay")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing is left behind")
}

func TestFixFileMendsTheFileBehindALink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.md"), filepath.Join(dir, "SKILL.md")
	require.NoError(t, os.WriteFile(real, []byte("\ufeff---\nname: s\ndescription: x y\n---\n"), 0o644))
	if err := os.Symlink("real.md", link); err != nil {
		t.Skip("needs links")
	}
	rules, err := fixFile(filepath.ToSlash(link), lint.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{"bom"}, rules)
	data, err := os.ReadFile(real)
	require.NoError(t, err)
	assert.Equal(t, "---\nname: s\ndescription: x y\n---\n", string(data))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink, "the link stays a link")
}

func TestRenameFileTakesNoOthersName(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	require.NoError(t, os.WriteFile(a, []byte("a"), 0o644))
	require.NoError(t, os.WriteFile(b, []byte("b"), 0o644))
	require.ErrorContains(t, renameFile(a, b), "is there already")
	require.NoError(t, renameFile(a, a), "a file may have the name itself, where case is folded")
	require.NoError(t, os.Remove(b))
	require.NoError(t, renameFile(a, b))
	assert.True(t, exists(b))
	require.Error(t, renameFile(a, b))
}
