package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func listCases(list ...string) func(yield func(json.RawMessage) error) error {
	return func(yield func(json.RawMessage) error) error {
		for _, c := range list {
			if err := yield(json.RawMessage(c)); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestCreateMakesParentsAndFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b", "run")
	w, err := Create(dir, testHeader(), listCases(`{"id": "c1"}`, `{"id":"c2"}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"cases.jsonl", "run.json", "trials.jsonl"}, files(t, dir), "header is there before any trial")
	require.NoError(t, w.Append(testTrial("c1")))

	run, err := Open(dir) // while it is being written
	require.NoError(t, err)
	assert.Equal(t, 1, run.Len())
	assert.Equal(t, 2, run.Header().Cases, "counted")
	assert.False(t, run.Header().Complete)

	h := testHeader() // says nothing of the number of cases
	h.Complete, h.FinishedAt = true, "2026-01-02T03:05:00Z"
	require.NoError(t, w.Append(testTrial("c2")))
	require.NoError(t, w.Finish(h))
	run, err = Open(dir)
	require.NoError(t, err)
	assert.True(t, run.Header().Complete)
	assert.Equal(t, Schema, run.Header().Schema)
	assert.JSONEq(t, `{"name":"a<b"}`, string(run.Header().Skills[0]))
	assert.Contains(t, string(readFile(t, filepath.Join(dir, headerFile))), `a<b`)
	assert.Empty(t, run.Notes())
	var cases []json.RawMessage
	require.NoError(t, run.Cases(func(c json.RawMessage) error { cases = append(cases, c); return nil }))
	assert.Equal(t, []json.RawMessage{json.RawMessage(`{"id":"c1"}`), json.RawMessage(`{"id":"c2"}`)}, cases)

	w, _, err = Resume(dir)
	require.NoError(t, err)
	require.NoError(t, w.Finish(h))
	run, err = Open(dir)
	require.NoError(t, err)
	assert.Equal(t, 2, run.Header().Cases, "also after a second session")
	assert.Equal(t, []string{"cases.jsonl", "run.json", "trials.jsonl"}, files(t, dir))
}

func TestCreateRefusesARun(t *testing.T) {
	dir := newRun(t, testHeader(), testTrial("c1"))
	before := readFile(t, trialsPath(dir))
	_, err := Create(dir, testHeader(), nil)
	require.ErrorIs(t, err, ErrExists)
	assert.ErrorContains(t, err, "--resume")
	assert.ErrorContains(t, err, dir)
	assert.Equal(t, before, readFile(t, trialsPath(dir)))

	require.NoError(t, os.Remove(filepath.Join(dir, headerFile)))
	_, err = Create(dir, testHeader(), nil)
	require.ErrorIs(t, err, ErrExists, "trials without header are not overwritten either")
	assert.ErrorContains(t, err, "cannot go on")
}

func TestCreateAgainAfterItWasCutShort(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, trialsFile), nil, 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, headerFile+".tmp"), []byte("half"), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o666))
	w, err := Create(dir, testHeader(), nil)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	assert.Equal(t, []string{"notes.txt", "run.json", "trials.jsonl"}, files(t, dir))
}

func TestCreateFailsClearly(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	boom := errors.New("boom")
	for _, c := range []struct {
		name, want string
		dir        string
		change     func(*Header)
		cases      func(yield func(json.RawMessage) error) error
	}{
		{"parent is a file", "file/run", filepath.Join(file, "run"), nil, nil},
		{"is a file", "file", file, nil, nil},
		{"no arms", "at least one", "", func(h *Header) { h.Arms = nil }, nil},
		{"arm twice", `arm "main" is named twice`, "", func(h *Header) { h.Arms = append(h.Arms, h.Arms[0]) }, nil},
		{"nameless arm", "arm 1 has no name", "", func(h *Header) { h.Arms[0].Name = "" }, nil},
		{"other schema", "skilleval.run/v1", "", func(h *Header) { h.Schema = "x/v9" }, nil},
		{"cases fail", "boom", "", nil, func(func(json.RawMessage) error) error { return boom }},
		{"too few cases", "says 3 cases, 1 were given", "", func(h *Header) { h.Cases = 3 }, listCases(`{}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := c.dir
			if dir == "" {
				dir = filepath.Join(base, strings.ReplaceAll(c.name, " ", "-"))
			}
			h := testHeader()
			if c.change != nil {
				c.change(&h)
			}
			_, err := Create(dir, h, c.cases)
			require.ErrorContains(t, err, c.want)
			_, err = os.Stat(filepath.Join(dir, headerFile))
			require.Error(t, err, "no run is left behind")
			if c.cases != nil { // the directory can be used again, and is not locked
				w, err := Create(dir, testHeader(), nil)
				require.NoError(t, err)
				require.NoError(t, w.Close())
			}
		})
	}
}

func TestCreateInUnwritableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	base := t.TempDir()
	require.NoError(t, os.Chmod(base, 0o500))
	_, err := Create(filepath.Join(base, "run"), testHeader(), nil)
	require.ErrorIs(t, err, fs.ErrPermission)
	assert.ErrorContains(t, err, base)
}

func TestOneWriterAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), nil)
	require.NoError(t, err)
	_, _, err = Resume(dir)
	require.ErrorIs(t, err, ErrLocked)
	assert.ErrorContains(t, err, dir)
	_, err = Open(dir)
	require.NoError(t, err, "readers are not kept out")
	require.NoError(t, w.Finish(testHeader()))

	w, _, err = Resume(dir)
	require.NoError(t, err, "Finish gives the lock up")
	_, _, err = Resume(dir)
	require.ErrorIs(t, err, ErrLocked)
	given := 0
	w.unlock = func() { given++ }
	require.NoError(t, w.Close())
	require.NoError(t, w.Close(), "closing again does nothing")
	assert.Equal(t, 1, given)
	w, _, err = Resume(dir)
	require.NoError(t, err, "so does Close")
	require.NoError(t, w.Close())
}

// However many create the same run at once, one does.
func TestCreateAtTheSameTime(t *testing.T) {
	for range 10 {
		dir := filepath.Join(t.TempDir(), "run")
		var wg sync.WaitGroup
		var made atomic.Int32
		for i := range 8 {
			wg.Go(func() {
				w, err := Create(dir, testHeader(), nil)
				if err != nil {
					assert.True(t, errors.Is(err, ErrExists) || errors.Is(err, ErrLocked), err)
					return
				}
				made.Add(1)
				assert.NoError(t, w.Append(testTrial(fmt.Sprint(i))))
				assert.NoError(t, w.Close())
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, made.Load())
		require.Len(t, all(t, dir), 1)
	}
}

func TestClosedWriterRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), nil)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.ErrorIs(t, w.Append(testTrial("c")), fs.ErrClosed)
	h := testHeader()
	h.Complete = true
	require.ErrorIs(t, w.Finish(h), fs.ErrClosed)
	run, err := Open(dir)
	require.NoError(t, err)
	assert.False(t, run.Header().Complete)
}

func TestAtomicWriteKeepsTheOldFile(t *testing.T) {
	dir := newRun(t, testHeader())
	before := readFile(t, filepath.Join(dir, headerFile))
	boom := errors.New("boom")
	err := writeAtomically(dir, headerFile, func(f *os.File) error {
		_, _ = f.WriteString("half of it")
		assert.Equal(t, before, readFile(t, filepath.Join(dir, headerFile)), "not written in place")
		return boom
	})
	require.ErrorIs(t, err, boom)
	assert.Equal(t, before, readFile(t, filepath.Join(dir, headerFile)))
	assert.Equal(t, []string{"run.json", "trials.jsonl"}, files(t, dir))
}

// countingFile counts the writes.
type countingFile struct {
	*os.File
	writes [][]byte
}

func (f *countingFile) Write(b []byte) (int, error) {
	f.writes = append(f.writes, append([]byte(nil), b...))
	return f.File.Write(b)
}

func TestOneWriteATrialFromManyGoroutines(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), nil)
	require.NoError(t, err)
	counting := &countingFile{File: w.f.(*os.File)}
	w.f = counting
	const n = 200
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			trial := testTrial(fmt.Sprintf("c%03d", i))
			trial.Answer = strings.Repeat("long\nanswer ", i)
			assert.NoError(t, w.Append(trial))
		})
	}
	wg.Wait()
	require.NoError(t, w.Close())
	require.Len(t, counting.writes, n)
	for _, b := range counting.writes {
		require.Equal(t, 1, strings.Count(string(b), "\n"))
		require.Equal(t, byte('\n'), b[len(b)-1])
	}
	require.Len(t, all(t, dir), n)
}

func TestIdsAreNeverFileNames(t *testing.T) {
	ids := []string{"../../x", `..\x`, "CON", "a/b:c", strings.Repeat("x", 300), "\x00nul", "."}
	var trials []*Trial
	for _, id := range ids {
		trials = append(trials, testTrial(id))
	}
	dir := newRun(t, testHeader(), trials...)
	assert.Equal(t, []string{"run.json", "trials.jsonl"}, files(t, dir))
	assert.Equal(t, []string{"run"}, files(t, filepath.Dir(dir)))
	run, err := Open(dir)
	require.NoError(t, err)
	for _, id := range ids {
		assert.True(t, run.Finished()[Key{id, "main", 0}], "%q", id)
	}
}
