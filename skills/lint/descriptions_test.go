package lint

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/similarity"
	"github.com/skilleval/skilleval/skills"
)

// What is said of a description that stands in another file is said there; what is said of the SKILL.md, there.
func TestFindingsOfDescriptionsInASet(t *testing.T) {
	files := fstest.MapFS{
		"s/a/SKILL.md": {Data: []byte("---\nName: a\ndescription: Weather of a city.\n---\nBody.\n")},
		"s/b/SKILL.md": {Data: []byte("---\nname: b\ndescription: Music of a band.\n---\nBody.\n")},
	}
	c, err := skills.LoadFS(files, "s", skills.LoadOptions{})
	require.NoError(t, err)
	c, err = c.WithDescriptions(map[string]string{"a": "Rain or shine in a town.", "b": "Rain or sun in a town."})
	require.NoError(t, err)
	o := Options{
		Descriptions: map[string]skills.Note{"s/a/SKILL.md": {Path: "set.yaml", Line: 2, Column: 1}, "s/b/SKILL.md": {Path: "set.yaml", Line: 3, Column: 1}},
		Pairs:        []similarity.Pair{{A: "a", B: "b", IDA: "s/a/SKILL.md", IDB: "s/b/SKILL.md", Level: similarity.Near}},
	}
	r, err := Run(c, o)
	require.NoError(t, err)
	prints, rules := map[string]bool{}, map[string]Finding{}
	for _, f := range r.Findings {
		assert.False(t, prints[f.Fingerprint()], "%s is told twice", f.Rule)
		prints[f.Fingerprint()] = true
		if _, ok := rules[f.Rule]; !ok {
			rules[f.Rule] = f
		}
	}
	assert.Equal(t, "set.yaml", rules["missing-cross-reference"].Path)
	assert.Equal(t, 2, rules["missing-cross-reference"].Line)
	require.Len(t, rules["missing-cross-reference"].Related, 1)
	assert.Equal(t, skills.Note{Path: "set.yaml", Line: 3, Column: 1, Message: "sounds like a"}, rules["missing-cross-reference"].Related[0])
	assert.Equal(t, "set.yaml", rules["description-do-not-use-when"].Path)
	assert.Equal(t, "s/a/SKILL.md", rules["key-case"].Path)

	o.Only = func(path string) bool { return path == "set.yaml" }
	r, err = Run(c, o)
	require.NoError(t, err)
	require.NotEmpty(t, r.Findings)
	for _, f := range r.Findings {
		assert.Equal(t, "set.yaml", f.Path, f.Rule)
	}
	o.Only = func(path string) bool { return path == "s/b/parameters.json" }
	r, err = Run(c, o)
	require.NoError(t, err)
	require.Len(t, r.Findings, 1, "parameters are compared, too")
	assert.Equal(t, "missing-cross-reference", r.Findings[0].Rule)
}
