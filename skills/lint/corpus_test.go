package lint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
	"github.com/skilleval/skilleval/skills/lint"
)

// dataDir finds the public data beside the project.
func dataDir(t *testing.T, name string) string {
	t.Helper()
	if dir := os.Getenv("SKILLEVAL_DATA"); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Skipf("no folder %s in $SKILLEVAL_DATA", name)
		}
		return filepath.Join(dir, name)
	}
	at, err := os.Getwd()
	require.NoError(t, err)
	for ; at != filepath.Dir(at); at = filepath.Dir(at) {
		if dir := filepath.Join(at, "..", "shared", "data", name); exists(dir) {
			return dir
		}
	}
	t.Skipf("the public data is not here: set SKILLEVAL_DATA to the folder that holds %s", name)
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// noisy are the rules that may speak up for more than 30 % of real skills; they are notes.
var noisy = map[string]bool{"description-do-not-use-when": true}

// TestRealSkills holds lint against what people wrote and hosts accept: no error beyond what cannot be loaded, no noisy
// warning, every place inside its file.
func TestRealSkills(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	for _, folder := range []string{"skillmd", "skillmd_fixtures"} {
		c, err := skills.Load([]string{dataDir(t, folder)}, skills.LoadOptions{})
		require.NoError(t, err)
		r, err := lint.Run(c, lint.Options{})
		require.NoError(t, err)
		assert.Equal(t, c.Found, r.Found)
		assert.Equal(t, len(c.Failures), r.Count(lint.Error), "what hosts accept is no error")
		files := map[string]map[string]bool{}
		for _, f := range r.Findings {
			if files[f.Rule] == nil {
				files[f.Rule] = map[string]bool{}
			}
			files[f.Rule][f.Path] = true
			inside(t, f)
		}
		for rule, paths := range files {
			if folder == "skillmd" && len(paths) > r.Found*3/10 {
				assert.True(t, noisy[rule], "%s speaks up for %d of %d skills", rule, len(paths), r.Found)
			}
		}
	}
}

// inside checks that a place exists.
func inside(t *testing.T, f lint.Finding) {
	t.Helper()
	if f.Line == 0 {
		return
	}
	data, err := os.ReadFile(f.Path)
	require.NoError(t, err)
	text := strings.ReplaceAll(strings.ReplaceAll(string(bytes.TrimPrefix(data, []byte("\ufeff"))), "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	require.LessOrEqual(t, f.Line, len(lines), "%+v", f)
	require.LessOrEqual(t, f.Column, utf8.RuneCountInString(lines[f.Line-1])+1, "%+v", f)
	switch f.Rule {
	case "missing-file", "file-outside":
		rest := string([]rune(lines[f.Line-1])[f.Column-1:])
		name := strings.TrimPrefix(filepath.Base(f.Key), "./")
		assert.Contains(t, strings.ReplaceAll(rest, "%20", " "), name, "%+v", f)
	case "description-do-not-use-when":
		assert.Contains(t, strings.ToLower(lines[f.Line-1]), "description", "%+v", f)
	}
}

// TestFixesOfRealSkills mends copies of real files and holds them against the promises.
func TestFixesOfRealSkills(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	c, err := skills.Load([]string{dataDir(t, "skillmd"), dataDir(t, "skillmd_fixtures")}, skills.LoadOptions{})
	require.NoError(t, err)
	mended := 0
	for _, s := range c.Skills {
		data, err := s.Source()
		require.NoError(t, err)
		fixed, err := lint.ApplyFixes(s.Path, data, lint.Options{})
		require.NoError(t, err)
		mended += len(fixed.Applied)
		if len(fixed.Applied) > 0 {
			checkFixed(t, data)
		}
	}
	assert.Positive(t, mended)
}
