package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestIsInside(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	for path, want := range map[string]bool{"a/x": true, "a/b/x": true, "ax": false, "x": false, "a/..x": true} {
		assert.Equal(t, want, isInside(spelled(filepath.Join(dir, filepath.FromSlash(path))), filepath.Join(dir, "a")), path)
	}
}
