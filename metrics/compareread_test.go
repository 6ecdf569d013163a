package metrics

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// sameExpectation holds readExpectation to encoding/json.
func sameExpectation(t testing.TB, raw string) {
	t.Helper()
	var want, got datasets.Expectation
	errWant, errGot := json.Unmarshal([]byte(raw), &want), readExpectation([]byte(raw), &got)
	require.Equal(t, errWant == nil, errGot == nil, raw)
	if errWant != nil {
		require.Equal(t, errWant.Error(), errGot.Error(), raw)
		return
	}
	require.True(t, reflect.DeepEqual(want, got), "%s\nwant %#v\n got %#v", raw, want, got)
}

var expectations = []string{
	`{"calls":[{"skill":"weather","args":{"city":"Oslo","n":1.50}}],"order":"strict"}`, `{"none":true}`, `{"calls":[]}`, `{"calls":null}`, `{}`, `null`,
	`{"calls":[{"skill":"a"},{"skill":"b","args":null},null]}`, `{"calls":[{"skill":"a","args": { "x" : [ ] } }]}`, `{"Calls":[{"SKILL":"a"}]}`,
	`{"calls":[{"skill":"a"}],"calls":[{"skill":"b"}]}`, `{"calls":[{"skill":"a","args":{"x":1,"x":2}}]}`, `{"calls":[{"skill":"\ud800"}]}`,
	"{\"calls\":[{\"skill\":\"\xff\"}]}", `{"new":1,"none":true}`, `{"none":"x"}`, `{"calls":{}}`, `[]`, ``, `{`, `{"none":true}x`, `{"calls":[{"skill":7}]}`,
	`{"order":null,"none":null}`, ` {"none" : false } `,
}

func TestReadExpectationIsThatOfEncodingJSON(t *testing.T) {
	for _, raw := range expectations {
		sameExpectation(t, raw)
	}
	for raw, skill := range map[string]string{expectations[0]: "weather", `{"Calls":[{"SKILL":"a"}]}`: "a", `{"calls":[{"skill":"a"}],"calls":[{"skill":"b"}]}`: "b"} {
		var e datasets.Expectation
		require.NoError(t, readExpectation([]byte(raw), &e))
		require.Equal(t, skill, e.Calls[0].Skill, raw)
	}
}

func FuzzReadExpectation(f *testing.F) {
	for _, raw := range expectations {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) { sameExpectation(t, raw) })
}

// An expectation that cannot be read is an error on either side, also of a case that only one side has.
func TestCompareRefusesUnreadableExpectations(t *testing.T) {
	for _, c := range []struct{ a, b, onlyA, onlyB string }{{a: "x"}, {b: "x"}, {onlyA: "x"}, {onlyB: "x"}, {a: "x", b: "x"}} {
		side := func(common, only, id string) *held {
			h := &held{}
			h.add("a-"+id, "", "w", 0, true)
			h.add("c", "", "w", 0, true)
			if common != "" {
				h.trials[1].Expect = json.RawMessage(common)
			}
			if only != "" {
				h.trials[0].Expect = json.RawMessage(only)
			}
			return h
		}
		_, err := Compare(Side{side(c.a, c.onlyA, "1"), "main", "a"}, Side{side(c.b, c.onlyB, "2"), "main", "b"}, CompareOptions{})
		assert.ErrorContains(t, err, "stored expectation: ", "%+v", c)
	}
	a, b := &held{}, &held{}
	a.add("c", "", "w", 0, true)
	b.add("c", "", "other", 0, true)
	c := compareHeld(t, a, b, CompareOptions{})
	assert.Equal(t, "w", c.PerSkill[0].Skill, "the first side says what is wanted")
}

// BenchmarkCompareRuns is compare from the run files on: 100,000 cases a side, 30 skills.
func BenchmarkCompareRuns(b *testing.B) {
	var dirs [2]string
	for k := range dirs {
		s := &stream{cases: 100_000, repetitions: 1}
		dirs[k] = filepath.Join(b.TempDir(), fmt.Sprint("run", k))
		w, err := results.Create(dirs[k], s.Header(), nil)
		require.NoError(b, err)
		for i := range s.cases {
			require.NoError(b, w.Append(s.trial((i*7919)%s.cases, k)))
		}
		require.NoError(b, w.Close())
	}
	b.ReportAllocs()
	for b.Loop() {
		var sides [2]Side
		for k, dir := range dirs {
			run, err := results.Open(dir)
			require.NoError(b, err)
			sides[k] = Side{run, "main", fmt.Sprint(k)}
		}
		c, err := Compare(sides[0], sides[1], CompareOptions{})
		require.NoError(b, err)
		require.Equal(b, 100_000, c.Cases)
	}
}
