package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/similarity"
)

// Of pairs that are accepted at the same time none is lost.
func TestAcceptAtOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	const n = 8
	for i := range n + 1 {
		dir := filepath.Join("sk", fmt.Sprintf("s%d", i))
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "SKILL.md"), fmt.Appendf(nil, "---\nname: s%d\ndescription: Weather of city %d.\n---\n", i, i), 0o644))
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			code, _, errs := invoke(t, nil, "similar", "--accept", "s8", fmt.Sprintf("s%d", i), "sk", "--reason", "one")
			assert.Equal(t, 0, code, errs)
		})
	}
	all.Wait()
	data, err := os.ReadFile(acceptedFile)
	require.NoError(t, err)
	a, err := similarity.ParseAccepted(acceptedFile, data)
	require.NoError(t, err)
	assert.Len(t, a.Pairs, n)
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Len(t, left, 2, "no lock is left")
}

func TestLockFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.yaml")
	unlock, err := lockFile(file, time.Second)
	require.NoError(t, err)
	_, err = lockFile(file, 20*time.Millisecond)
	require.ErrorContains(t, err, "is being changed by another command")
	unlock()
	second, err := lockFile(file, 0)
	require.NoError(t, err)
	lock := filepath.Join(filepath.Dir(file), ".a.yaml.lock")
	old := time.Now().Add(-2 * lockStale)
	require.NoError(t, os.Chtimes(lock, old, old))
	third, err := lockFile(file, time.Second)
	require.NoError(t, err, "a lock that was left behind is taken away")
	second()
	assert.FileExists(t, lock, "the lock of another is not taken away")
	third()
	assert.NoFileExists(t, lock)
	_, err = lockFile(filepath.Join(t.TempDir(), "none", "a.yaml"), time.Second)
	require.ErrorContains(t, err, "cannot write there")
}
