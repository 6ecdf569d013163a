package skills

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// publicData finds the public data sets, which lie beside the project.
func publicData(t *testing.T, name string) string {
	t.Helper()
	if dir := os.Getenv("SKILLEVAL_DATA"); dir != "" {
		return filepath.Join(dir, name)
	}
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		at := filepath.Join(dir, "..", "shared", "data", name)
		if _, err := os.Stat(at); err == nil {
			return at
		}
		if filepath.Dir(dir) == dir {
			t.Skip("public data not found: set SKILLEVAL_DATA to the folder that holds " + name)
		}
		dir = filepath.Dir(dir)
	}
}

func TestCorpusSkillFiles(t *testing.T) {
	c := load(t, publicData(t, "skillmd"))
	assert.Equal(t, 1071, c.Found)
	require.Len(t, c.Failures, 1, "%v", c.Failures)
	assert.Contains(t, c.Failures[0].Path, "tokens__testdata__check__no-config", "a heading and nothing else")
	assert.Equal(t, CodeNoDescription, c.Failures[0].Code)
	assert.NotEmpty(t, c.Duplicates)
	for _, d := range c.Duplicates {
		assert.GreaterOrEqual(t, len(d.Paths), 2, d.Name)
	}
	assert.Error(t, c.Err())
	for _, s := range c.Skills {
		assert.NotEmpty(t, s.Name, s.Path)
		assert.NotEmpty(t, s.Description, s.Path)
		if s.DescriptionSource == "body" {
			assert.Contains(t, codes(s), CodeDescriptionBody, s.Path)
		}
		assert.Empty(t, missing(usageOf(s), s.Description+"\n"+s.Metadata["use-when"]), s.Path)
	}
	assert.Len(t, Render(c.Skills, RenderOptions{}).Names, len(c.Skills))
}

func usageOf(s *Skill) []string { return append(append([]string{}, s.UseWhen...), s.DoNotUseWhen...) }

func TestCorpusFixtures(t *testing.T) {
	c := load(t, publicData(t, "skillmd_fixtures"))
	assert.Equal(t, 10, c.Found)
	assert.Empty(t, c.Failures)
	broken, ok := c.Get("broken-frontmatter")
	require.True(t, ok)
	assert.Contains(t, codes(broken), CodePlainScalar)
}

func TestCorpusTriggerCatalogues(t *testing.T) {
	dir := publicData(t, "trigger_evals")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	found := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		c := load(t, filepath.Join(dir, e.Name()))
		found += c.Found
		assert.Empty(t, c.Failures, e.Name())
		assert.Len(t, c.Skills, c.Found, e.Name())
	}
	assert.Equal(t, 107, found)
}
