package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCanonicalOrder(t *testing.T) {
	var trials []*Trial
	for _, k := range []Key{{"b", "new", 1}, {"é", "old", 0}, {"a", "old", 10}, {"b", "old", 0}, {"a", "old", 2}, {"b", "new", 0}, {"B", "new", 0}, {"a", "new", 0}} {
		trial := testTrial(k.Case)
		trial.Arm, trial.Repetition = k.Arm, k.Repetition
		trials = append(trials, trial)
	}
	got := keys(t, newRun(t, testHeader("old", "new"), trials...))
	assert.Equal(t, []string{"B/new/0", "a/old/2", "a/old/10", "a/new/0", "b/old/0", "b/new/0", "b/new/1", "é/old/0"}, got)
}

func TestLastWriteWins(t *testing.T) {
	failed, answered := testTrial("c1"), testTrial("c1")
	failed.Error, failed.Scores = &Problem{Class: "server", Message: "503"}, nil
	answered.Answer = "second"
	dir := newRun(t, testHeader(), failed, testTrial("c2"), answered)
	list := all(t, dir)
	require.Len(t, list, 2)
	assert.Equal(t, "second", list[0].Answer)
	assert.Nil(t, list[0].Error)
	run, err := Open(dir)
	require.NoError(t, err)
	assert.Equal(t, map[Key]bool{{"c1", "main", 0}: true, {"c2", "main", 0}: true}, run.Finished())
	require.Len(t, run.Notes(), 1)
	assert.Contains(t, run.Notes()[0], "1 trials were asked again")

	dir = newRun(t, testHeader(), answered, failed)
	run, err = Open(dir)
	require.NoError(t, err)
	assert.Empty(t, run.Finished(), "an error is to be asked again")
	assert.Equal(t, 1, run.Len(), "but it is there")
}

func TestLongLines(t *testing.T) {
	sizes := []int{10, 100 << 10, 64<<10 - 20, 5 << 20, 64 << 10, 3}
	var trials []*Trial
	for i, n := range sizes {
		trial := testTrial(fmt.Sprint(i))
		trial.Answer = strings.Repeat("é", n/2)
		trials = append(trials, trial)
	}
	list := all(t, newRun(t, testHeader(), trials...))
	require.Len(t, list, len(sizes))
	for i, n := range sizes {
		assert.True(t, len(list[i].Answer) == n/2*2, "length %d", len(list[i].Answer))
	}
}

func TestEachLineAtEveryLength(t *testing.T) {
	for n := 64<<10 - 3; n <= 64<<10+3; n++ {
		text := strings.Repeat("x", n) + "\n" + "y\n" + strings.Repeat("z", n)
		var got []string
		require.NoError(t, eachLine("f", strings.NewReader(text), 1<<20, func(l line) error {
			assert.Equal(t, len(got)+1, l.number)
			assert.Equal(t, len(got) < 2, l.ended)
			assert.True(t, strings.HasPrefix(text[l.offset:], string(l.text)))
			got = append(got, string(l.text))
			return nil
		}))
		require.Equal(t, strings.Split(text, "\n"), got)
	}
}

func TestLineTooLong(t *testing.T) {
	text := "a\n" + strings.Repeat("x", 200<<10) + "\nb\n"
	err := eachLine("f", strings.NewReader(text), 150<<10, func(line) error { return nil })
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, 2, e.Line)
}

func TestFaultsHaveLineAndColumn(t *testing.T) {
	good := `{"case":"a","arm":"main","repetition":0,"expect":{},"calls":[]}`
	for _, c := range []struct {
		name, line   string
		column       int
		want         string
		whenTrialsIs bool // found when the trial is read
	}{
		{name: "no JSON", line: `{"case":xx}`, column: 9, want: "invalid character 'x'"},
		{name: "column counts characters", line: `{"case":"杭州",}`, column: 13, want: "invalid character"},
		{name: "repeated key", line: `{"case":"a","arm":"main","case":"b"}`, column: 26, want: "duplicate object member name (at /case)"},
		{name: "repeated key deep inside", line: `{"case":"a","arm":"main","calls":[{"args":{"x":1,"x":2}}]}`, column: 50, want: "/calls/0/args"},
		{name: "broken UTF-8", line: "{\"case\":\"a\",\"arm\":\"main\",\"answer\":\"\xff\"}", column: 36, want: "invalid UTF-8"},
		{name: "whole but cut inside", line: `{"case":"a","arm`, column: 17, want: "unexpected EOF"},
		{name: "two values", line: good + "{}", column: len(good) + 1, want: "after top-level value"},
		{name: "empty line", line: ``, column: 1, want: "unexpected EOF"},
		{name: "array", line: `[]`, column: 1, want: "an array stands where an object belongs"},
		{name: "wrong type", line: `{"case":7}`, column: 9, want: "a number stands where a string belongs (at /case)"},
		{name: "other arm", line: `{"case":"a","arm":"mian"}`, column: 1, want: `arm "mian" is not in run.json, which has: main`},
		{name: "no case", line: `{"arm":"main"}`, column: 1, want: `without "case"`},
		{name: "case-insensitive key", line: `{"Case":"a","arm":"main"}`, column: 1, want: `without "case"`},
		{name: "negative repetition", line: `{"case":"a","arm":"main","repetition":-1}`, column: 1, want: "out of range"},
		{name: "huge repetition", line: `{"case":"a","arm":"main","repetition":2147483648}`, column: 1, want: "out of range"},
		{name: "byte order mark", line: "\ufeff" + good, column: 1, want: "invalid character"},
		{name: "wrong type elsewhere", line: `{"case":"b","arm":"main","rounds":"two"}`, column: 35, want: "/rounds", whenTrialsIs: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRun(t, testHeader(), testTrial("a"))
			appendBytes(t, trialsPath(dir), c.line+"\n"+good+"\n")
			run, err := Open(dir)
			if c.whenTrialsIs {
				require.NoError(t, err)
				err = run.Trials(func(*Trial) error { return nil })
			} else {
				_, _, rerr := Resume(dir)
				require.Error(t, rerr, "resume does not touch it either")
			}
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, 2, e.Line)
			assert.Equal(t, c.column, e.Column, err)
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, fmt.Sprintf("trials.jsonl:2:%d: ", c.column))
			assert.NotContains(t, err.Error(), "jsontext")
		})
	}
}

func TestRubbishTailIsAnError(t *testing.T) {
	for _, tail := range []string{"rubbish", `{"case":"b"} x`, `{"case":"b","arm":"nobody"}`, "\xff"} {
		dir := newRun(t, testHeader(), testTrial("a"))
		appendBytes(t, trialsPath(dir), tail)
		before := readFile(t, trialsPath(dir))
		_, err := Open(dir)
		var e *Error
		require.ErrorAs(t, err, &e, tail)
		assert.Equal(t, 2, e.Line)
		_, _, err = Resume(dir)
		require.Error(t, err)
		assert.Equal(t, before, readFile(t, trialsPath(dir)))
	}
}

func TestHeaderFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"other version", `{"schema":"skilleval.run/v2","arms":{"new":"shape"}}`, `schema "skilleval.run/v2" is not understood; this version reads skilleval.run/v1`},
		{"no version", `{}`, `schema "" is not understood`},
		{"cut", "{\n  \"schema\":", "run.json:2:"},
		{"repeated key", "{\"schema\":\"skilleval.run/v1\",\n \"é\":1, \"id\":\"a\",\n \"id\":\"b\"}", "run.json:3:2: duplicate object member name (at /id)"},
		{"wrong type", "{\"schema\":\"skilleval.run/v1\",\n\"seed\": \"x\"}", "run.json:2:9: a string stands where a whole number belongs"},
		{"empty", "", "run.json:1:1: "},
		{"no arms", `{"schema":"skilleval.run/v1"}`, "names no arm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := newRun(t, testHeader())
			require.NoError(t, os.WriteFile(filepath.Join(dir, headerFile), []byte(c.text), 0o666))
			_, err := Open(dir)
			require.ErrorContains(t, err, c.want)
			_, _, err = Resume(dir)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := Open(t.TempDir())
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, "holds no run")
	dir := newRun(t, testHeader())
	require.NoError(t, os.Remove(trialsPath(dir)))
	_, err = Open(dir)
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, _, err = Resume(dir)
	require.ErrorIs(t, err, fs.ErrNotExist, "resume makes no new file")
}

func TestCasesFaults(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), listCases(`{"id":"a"}`, `{"id":"b"}`))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	path := filepath.Join(dir, casesFile)
	run, err := Open(dir)
	require.NoError(t, err)
	count := func(json.RawMessage) error { return nil }

	boom := errors.New("boom")
	require.ErrorIs(t, run.Cases(func(json.RawMessage) error { return boom }), boom)
	require.NoError(t, os.WriteFile(path, []byte("{\"id\":\"a\"}\n"), 0o666))
	require.ErrorContains(t, run.Cases(count), "holds 1 cases, run.json says 2")
	require.NoError(t, os.WriteFile(path, []byte("{\"id\":\"a\"}\n{\"id\":"), 0o666))
	require.ErrorContains(t, run.Cases(count), "cases.jsonl:2:")
	require.NoError(t, os.Remove(path))
	require.ErrorIs(t, run.Cases(count), fs.ErrNotExist)
}

func TestTrialsMayBeKeptAndStopped(t *testing.T) {
	a, b := testTrial("a"), testTrial("b")
	a.Calls = []Call{{Skill: "x", Args: json.RawMessage(`{"city":"Oslo"}`)}}
	b.Calls = []Call{{Skill: "y", Args: json.RawMessage(`{"city":"Rome"}`)}}
	dir := newRun(t, testHeader(), a, b)
	list := all(t, dir)
	assert.Equal(t, `{"city":"Oslo"}`, string(list[0].Calls[0].Args), "not overwritten by the next trial")
	run, err := Open(dir)
	require.NoError(t, err)
	boom := errors.New("boom")
	seen := 0
	require.ErrorIs(t, run.Trials(func(*Trial) error { seen++; return boom }), boom)
	assert.Equal(t, 1, seen)

	notes := newRun(t, testHeader(), a, a)
	run, err = Open(notes)
	require.NoError(t, err)
	run.Notes()[0] = "changed"
	assert.NotEqual(t, "changed", run.Notes()[0])

	require.NoError(t, os.Truncate(trialsPath(dir), 10))
	run2, err := Open(dir)
	require.NoError(t, err)
	assert.Zero(t, run2.Len())
}

func TestTrialsOfAFileThatShrank(t *testing.T) {
	dir := newRun(t, testHeader(), testTrial("a"))
	run, err := Open(dir)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(trialsPath(dir), 10))
	require.ErrorContains(t, run.Trials(func(*Trial) error { return nil }), "when it was opened")
}

func FuzzIndex(f *testing.F) {
	good := `{"case":"a","arm":"main","repetition":0}`
	for _, s := range []string{"", "\n", good, good + "\n" + good + "\n", good + "\n{\"ca", good + "\x00\x00", "{}\n", "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ix, err := buildIndex("f", bytes.NewReader(data), []Arm{{Name: "main"}, {Name: "b"}})
		if err != nil {
			return
		}
		require.LessOrEqual(t, ix.tail.size, int64(len(data))+1)
		for _, e := range ix.entries {
			require.True(t, json.Valid(data[e.offset:e.offset+int64(e.length)]))
		}
	})
}
