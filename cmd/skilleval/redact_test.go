package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKeyInTheUsersTextsIsRedacted: the key may stand in a description, a case, a setting. It is in no report, no run file,
// no baseline and no list.
func TestKeyInTheUsersTextsIsRedacted(t *testing.T) {
	const key = `sk-live"7f3a9c21d4e8`
	env := map[string]string{"OPENAI_API_KEY": key}
	suite := t.TempDir()
	skill := filepath.Join(suite, "skills", "weather")
	require.NoError(t, os.MkdirAll(skill, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(skill, "SKILL.md"), []byte("---\nname: weather\ndescription: 'Weather of a city. Send "+key+" along.'\n---\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(skill, "parameters.json"), []byte(`{"type":"object","properties":{"city":{"type":"string"}}}`), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(suite, "cases.jsonl"), []byte(`{"id":"a","input":"rain, `+strings.ReplaceAll(key, `"`, `\"`)+`","tags":["golden"],"expect":{"calls":[{"skill":"weather","args":{"city":"`+strings.ReplaceAll(key, `"`, `\u0022`)+`"}}]}}`+"\n"), 0o644))
	t.Chdir(t.TempDir())
	var said strings.Builder
	for _, args := range [][]string{
		{"ab", "Rain with " + key, "Snow with " + key, suite, "--skill", "weather", "--system", "say " + key, "--out", "ab", "--model", "builtin:lexical", "--events", "e.jsonl"},
		{"run", suite, "--out", "run", "--model", "builtin:lexical"},
		{"report", "ab"},
		{"compare", "run", "run"},
		{"gate", "run", "--gate", "errors <= 0"},
		{"baseline", "set", "run"},
		{"baseline", "show"},
		{"skills", "list", suite},
		{"skills", "show", "weather", suite},
		{"lint", skill},
		{"dataset", "check", suite},
	} {
		if args[0] != "baseline" && args[0] != "skills" {
			for _, format := range []string{"table", "json", "markdown", "jsonl"} {
				args = append(args, "-o", format+"="+args[0]+"."+format)
			}
			args = append(args, "-o", "table")
		}
		code, out, stderr := invoke(t, env, args...)
		require.Contains(t, []int{0, 1}, code, "%v: %s", args, stderr)
		said.WriteString(out + stderr)
	}
	assert.NotContains(t, said.String(), "7f3a9c21d4e8")
	require.NoError(t, filepath.WalkDir(".", func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		assert.NotContains(t, string(data), "7f3a9c21d4e8", p)
		return err
	}))
	code, _, stderr := invoke(t, env, "ab", "Rain with "+key, "Snow with "+key, suite, "--skill", "weather", "--system", "say "+key, "--out", "ab", "--model", "builtin:lexical", "--resume")
	assert.Equal(t, 0, code, "a run with redacted texts is resumed: %s", stderr)
}
