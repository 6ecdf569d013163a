package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadDescription(t *testing.T) {
	small, err := filepath.Abs("testdata/suites/small")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("text.md", []byte("\ufeffPlain text.\n"), 0o644))
	require.NoError(t, os.WriteFile("empty.md", nil, 0o644))
	for arg, want := range map[string]description{
		"text.md": {text: "Plain text.", label: "text.md", file: "text.md"},
		filepath.Join(small, "skills/notes"): {text: "Save a note for later. Use when the user wants something remembered or written down.", skill: "notes", label: filepath.Join(small, "skills/notes/SKILL.md"),
			file: filepath.Join(small, "skills/notes/SKILL.md")},
		"Some words: with a colon": {text: "Some words: with a colon", label: "literal text"},
		"查天气":                      {text: "查天气", label: "literal text"},
	} {
		got, err := readDescription(t.Context(), arg)
		require.NoError(t, err, arg)
		assert.Equal(t, want, *got)
	}
	for arg, want := range map[string]string{"": "empty", "empty.md": "empty", "missing.md": "no such file", ".": "no SKILL.md", "HEAD~1:x.md": "no git repository"} {
		_, err := readDescription(t.Context(), arg)
		require.ErrorContains(t, err, want, arg)
	}
}

func TestReadDescriptionFromARevision(t *testing.T) {
	t.Chdir(t.TempDir())
	commit := func(text string) {
		require.NoError(t, os.MkdirAll("skills/w", 0o755))
		require.NoError(t, os.WriteFile("skills/w/SKILL.md", []byte("---\nname: w\ndescription: "+text+"\n---\n"), 0o644))
		for _, args := range [][]string{{"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", text}} {
			out, err := exec.Command("git", args...).CombinedOutput()
			require.NoError(t, err, string(out))
		}
	}
	require.NoError(t, exec.Command("git", "init", "-q").Run())
	commit("Old text.")
	commit("New text.")
	for _, p := range []string{"HEAD~1:skills/w/SKILL.md", "HEAD~1:skills/w"} {
		d, err := readDescription(t.Context(), p)
		require.NoError(t, err)
		assert.Equal(t, description{text: "Old text.", skill: "w", label: p}, *d)
	}
	_, err := readDescription(t.Context(), "HEAD:nowhere.md")
	require.ErrorContains(t, err, "has no file nowhere.md")
	_, err = readDescription(t.Context(), "--upload-pack=x:y")
	require.Error(t, err, "a revision is never an option")
}

func TestLooksLikePath(t *testing.T) {
	for text, want := range map[string]bool{
		"weather":                        true,
		"my notes.md":                    true,
		"some words.YAML":                true,
		"my skills/get weather":          true,
		`my skills\get weather`:          true,
		"查天气":                            false,
		"Weather of a city":              false,
		"Weather and/or rain of a city.": false,
		"Is it km/h or mph?":             false,
		"查询天气/预报 的信息。":                   false,
		"要查询 天气/预报 吗？":                   false,
		"one/two three four five six seven eight nine ten": false,
		"first line\nsecond.md":                            false,
	} {
		assert.Equal(t, want, looksLikePath(text), text)
	}
}
