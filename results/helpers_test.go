package results

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func testHeader(arms ...string) Header {
	if len(arms) == 0 {
		arms = []string{"main"}
	}
	h := Header{ID: "r1", ToolVersion: "0.0.1", CreatedAt: "2026-01-02T03:04:05Z", Suite: "s", Repetitions: 1,
		Concurrency: 1, Model: Model{Name: "m"}, Skills: []json.RawMessage{json.RawMessage(`{"name":"a<b"}`)}}
	for _, a := range arms {
		h.Arms = append(h.Arms, Arm{Name: a})
	}
	return h
}

func testTrial(id string) *Trial {
	return &Trial{Case: id, Arm: "main", Expect: json.RawMessage(`{"none":true}`), Calls: []Call{},
		Answer: "fine", Scores: &Scores{Selection: true}, Usage: Usage{Source: "server", Prompt: 7}}
}

// newRun makes a run with the trials given and closes it.
func newRun(t testing.TB, h Header, trials ...*Trial) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, h, nil)
	require.NoError(t, err)
	for _, trial := range trials {
		require.NoError(t, w.Append(trial))
	}
	require.NoError(t, w.Close())
	return dir
}

func trialsPath(dir string) string { return filepath.Join(dir, trialsFile) }

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

func appendBytes(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(text)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// all reads every trial of a run.
func all(t testing.TB, dir string) []*Trial {
	t.Helper()
	run, err := Open(dir)
	require.NoError(t, err)
	var list []*Trial
	require.NoError(t, run.Trials(func(trial *Trial) error { list = append(list, trial); return nil }))
	require.Len(t, list, run.Len())
	return list
}

// keys names the trials of a run in the order they are read.
func keys(t testing.TB, dir string) []string {
	t.Helper()
	list := []string{}
	for _, trial := range all(t, dir) {
		list = append(list, fmt.Sprintf("%s/%s/%d", trial.Case, trial.Arm, trial.Repetition))
	}
	return list
}

func files(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
