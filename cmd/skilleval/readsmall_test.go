package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadSmall(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "link.yaml")
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("x"), 10), 0o644))
	data, err := readSmall(file, 10)
	require.NoError(t, err)
	assert.Len(t, data, 10)
	_, err = readSmall(file, 9)
	assert.ErrorContains(t, err, file+": has more than 9 bytes")
	_, err = readSmall(dir, 9)
	assert.ErrorContains(t, err, "is a directory")
	_, err = readSmall(filepath.Join(dir, "none"), 9)
	assert.True(t, isNotExist(err))
	if os.Symlink(file, link) == nil {
		data, err = readSmall(link, 10)
		require.NoError(t, err)
		assert.Len(t, data, 10)
	}
}
