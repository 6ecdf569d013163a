package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func content(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func TestReplaceFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs links and permissions")
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("real/deep", 0o755))
	require.NoError(t, os.Symlink("real/deep", "folder"))
	require.NoError(t, os.Symlink("../two.txt", "folder/one.txt")) // from the real folder: real/two.txt
	require.NoError(t, replaceFile("folder/one.txt", content("first")))
	data, err := os.ReadFile("real/two.txt")
	require.NoError(t, err)
	assert.Equal(t, "first", string(data))

	require.NoError(t, os.Chmod("real/two.txt", 0o640))
	assert.Error(t, replaceFile("folder/one.txt", func(w io.Writer) error { return errors.Join(content("half")(w), errors.New("no")) }))
	require.NoError(t, replaceFile("folder/one.txt", content("second")))
	info, err := os.Stat("real/two.txt")
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	link, err := os.Readlink("folder/one.txt")
	require.NoError(t, err)
	assert.Equal(t, "../two.txt", link)
	left, err := filepath.Glob("real/.skilleval-*")
	require.NoError(t, err)
	assert.Empty(t, left)

	require.NoError(t, os.Symlink("b", "a"))
	require.NoError(t, os.Symlink("a", "b"))
	assert.ErrorContains(t, replaceFile("a", content("x")), "links")
	assert.ErrorContains(t, writable("a"), "links")
	assert.ErrorContains(t, writable("real"), "is a directory")
	assert.ErrorContains(t, writable("no/such/file"), "cannot write there")
}

func TestStreamsAreAddedTo(t *testing.T) {
	for path, want := range map[string]bool{"/dev/stdout": true, "/dev/stderr": true, "/dev/fd/3": true, "/proc/self/fd/1": true, "/dev/shm/report.json": false, "dev/stdout": false} {
		assert.Equal(t, want, isStream(path), path)
	}
}
