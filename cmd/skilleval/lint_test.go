package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/reports"
)

// A finding has one fingerprint, wherever in the repository the command is run and however the path is spelled.
func TestFingerprintsDoNotDependOnWhereLintIsRun(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs the git program")
	}
	top := t.TempDir()
	t.Chdir(top)
	require.NoError(t, exec.Command("git", "init", "--quiet").Run())
	for _, name := range []string{"one", "two"} {
		dir := filepath.Join("packs", "sk", name)
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte("---\nname: "+name+"\ndescription: I can help with "+name+" things.\n---\n"), 0o644))
	}
	prints := func(dir, path string) (out []string) {
		t.Chdir(dir)
		code, text, errs := invoke(t, nil, "lint", path, "-o", "json")
		require.Equal(t, 0, code, errs)
		var r reports.Report
		require.NoError(t, json.Unmarshal([]byte(text), &r))
		for _, f := range r.Findings {
			out = append(out, f.Fingerprint)
		}
		return out
	}
	want := prints(top, filepath.Join("packs", "sk"))
	require.NotEmpty(t, want)
	assert.Len(t, want, len(unique(want)))
	assert.ElementsMatch(t, want, prints(filepath.Join(top, "packs"), "sk"))
	assert.ElementsMatch(t, want, prints(filepath.Join(top, "packs", "sk"), "."))
	assert.ElementsMatch(t, want, prints(top, filepath.Join(top, "packs", "sk")))
}

func unique(list []string) map[string]bool {
	out := map[string]bool{}
	for _, s := range list {
		out[s] = true
	}
	return out
}
