package metrics

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

func TestScoreArguments(t *testing.T) {
	type counts struct{ labelled, right, missing, extra, kind, value int }
	for _, c := range []struct {
		name   string
		expect datasets.Expectation
		calls  []results.Call
		fault  string
		right  bool
		want   counts
		diffs  []string
	}{
		{"right", expect("weather", `{"city":"Oslo"}`), []results.Call{call("weather", `{"city":"Oslo"}`)}, "", true, counts{labelled: 1, right: 1}, nil},
		{"scalar values are compared", expect("weather", `{"base":10}`), []results.Call{call("weather", `{"base":999}`)}, "", false,
			counts{labelled: 1, value: 1}, []string{`call 1 weather: base: want 10, got 999`}},
		{"a default written out", expect("weather", `{"city":"Oslo"}`), []results.Call{call("weather", `{"city":"Oslo","days":1}`)}, "", true,
			counts{labelled: 1, right: 1}, nil},
		{"a default left out", expect("weather", `{"city":"Oslo","days":1}`), []results.Call{call("weather", `{"city":"Oslo"}`)}, "", true,
			counts{labelled: 2, right: 2}, nil},
		{"another skill has other defaults", expect("air", `{"city":"Oslo"}`), []results.Call{call("air", `{"city":"Oslo","days":1}`)}, "", false,
			counts{labelled: 1, right: 1, extra: 1}, []string{`call 1 air: days: extra, got 1`}},
		{"every kind", expect("weather", `{"a":1,"b":"x","c":"y","d":{"e":1}}`), []results.Call{call("weather", `{"b":2,"c":"z","d":{"e":2,"f":3},"g":0}`)}, "", false,
			counts{labelled: 4, missing: 1, kind: 1, value: 2, extra: 1}, []string{
				`call 1 weather: a: missing, want 1`, `call 1 weather: b: wrong type, want "x", got 2`, `call 1 weather: c: want "y", got "z"`,
				`call 1 weather: d.e: want 1, got 2`, `call 1 weather: d.f: extra, got 3`, `call 1 weather: g: extra, got 0`}},
		{"inside a value, another type or a missing key is a wrong value", expect("weather", `{"d":{"e":1,"f":2}}`), []results.Call{call("weather", `{"d":{"e":"1"}}`)}, "", false,
			counts{labelled: 1, value: 1}, []string{`call 1 weather: d.e: wrong type, want 1, got "1"`, `call 1 weather: d.f: missing, want 2`}},
		{"a key with a dot", expect("weather", `{"a.b":{"c":1},"a":1}`), []results.Call{call("weather", `{"a.b":{"c":2},"a":2}`)}, "", false,
			counts{labelled: 2, value: 2}, []string{`call 1 weather: ["a.b"].c: want 1, got 2`, `call 1 weather: a: want 1, got 2`}},
		{"labelled as absent, and given", expect("weather", `{"city":"Oslo","unit":{"$absent":true}}`), []results.Call{call("weather", `{"city":"Oslo","unit":"C","x":1}`)}, "", false,
			counts{labelled: 2, right: 1, value: 1, extra: 1}, []string{`call 1 weather: unit: extra, got "C"`, `call 1 weather: x: extra, got 1`}},
		{"labelled as empty, anything given", expect("weather", `{}`), []results.Call{call("weather", `{"q":"anything"}`)}, "", false,
			counts{extra: 1}, []string{`call 1 weather: q: extra, got "anything"`}},
		{"labelled as empty, empty", expect("weather", `{}`), []results.Call{call("weather", `{}`)}, "", true, counts{}, nil},
		{"labelled as empty, absent", expect("weather", `{}`), []results.Call{call("weather", ``)}, "", true, counts{}, nil},
		{"labelled as empty, blank", expect("weather", `{}`), []results.Call{call("weather", `  `)}, "", true, counts{}, nil},
		{"labelled as empty, null", expect("weather", `{}`), []results.Call{call("weather", `null`)}, "", true, counts{}, nil},
		{"not JSON is not empty", expect("weather", `{}`), []results.Call{invalid("weather", `not-json`)}, "invalid_arguments", false,
			counts{}, []string{`call 1 weather: the arguments are not a JSON object`}},
		{"a list is not empty arguments", expect("weather", `{}`), []results.Call{invalid("weather", `[]`)}, "invalid_arguments", false,
			counts{}, []string{`call 1 weather: the arguments are not a JSON object`}},
		{"malformed misses all", expect("weather", `{"city":"Oslo","days":1}`), []results.Call{invalid("weather", `{"city":`)}, "invalid_arguments", false,
			counts{labelled: 2, missing: 2}, []string{`call 1 weather: the arguments are not a JSON object`}},
		{"matches, but refused by the schema", expect("weather", `{"city":{"$any":true}}`), []results.Call{invalid("weather", `{"city":3}`)}, "invalid_arguments", false,
			counts{labelled: 1, right: 1}, []string{`call 1 weather: refused by the skill's schema: city: a string is expected`}},
		{"refused without a fault of the trial", expect("weather", `{"city":{"$any":true}}`), []results.Call{invalid("weather", `{"city":3}`)}, "", false,
			counts{labelled: 1, right: 1}, []string{`call 1 weather: refused by the skill's schema: city: a string is expected`}},
		{"the fault of an unlabelled call counts", expect("weather", `{"city":"Oslo"}`, "air", "-"), []results.Call{call("weather", `{"city":"Oslo"}`), invalid("air", `{}`)}, "invalid_arguments", false,
			counts{labelled: 1, right: 1}, nil},
		{"not called", expect("weather", `{"city":"Oslo","days":2}`), nil, "", false,
			counts{labelled: 2, missing: 2}, []string{`call 1 weather: not called`}},
		{"not called, no arguments", expect("weather", `{}`), nil, "", false, counts{}, []string{`call 1 weather: not called`}},
		{"another skill with the same arguments", expect("weather", `{"city":"Oslo"}`), []results.Call{call("air", `{"city":"Oslo"}`)}, "", false,
			counts{labelled: 1, missing: 1}, []string{`call 1 weather: not called`}},
		{"right, and a call too many", expect("weather", `{"city":"Oslo"}`), []results.Call{call("weather", `{"city":"Oslo"}`), call("air", `{}`)}, "", false,
			counts{labelled: 1, right: 1}, nil},
		{"identical calls, both made", expect("s", `{"q":"a"}`, "s", `{"q":"a"}`), []results.Call{call("s", `{"q":"a"}`), call("s", `{"q":"a"}`)}, "", true,
			counts{labelled: 2, right: 2}, nil},
		{"identical calls, one made", expect("s", `{"q":"a"}`, "s", `{"q":"a"}`), []results.Call{call("s", `{"q":"a"}`)}, "", false,
			counts{labelled: 2, right: 1, missing: 1}, []string{`call 2 s: not called`}},
		{"any order finds the partners", expect("s", `{"q":"a"}`, "s", `{"q":"b"}`), []results.Call{call("s", `{"q":"b"}`), call("s", `{"q":"a"}`)}, "", true,
			counts{labelled: 2, right: 2}, nil},
		{"strict order pairs by position", strict(expect("s", `{"q":"a"}`, "s", `{"q":"b"}`)), []results.Call{call("s", `{"q":"b"}`), call("s", `{"q":"a"}`)}, "", false,
			counts{labelled: 2, value: 2}, []string{`call 1 s: q: want "a", got "b"`, `call 2 s: q: want "b", got "a"`}},
		{"best assignment, not the first that fits", expect("s", `{"q":{"$any":true}}`, "s", `{"q":"a"}`), []results.Call{call("s", `{"q":"a"}`), call("s", `{"q":"b"}`)}, "", true,
			counts{labelled: 2, right: 2}, nil},
		{"exact before right arguments", expect("s", `{"a":1}`, "s", `{"a":2,"b":2,"c":2}`), []results.Call{call("s", `{"a":1}`), call("s", `{"a":1,"b":2,"c":2}`)}, "", false,
			counts{labelled: 4, right: 3, value: 1}, []string{`call 2 s: a: want 2, got 1`}},
		{"an unlabelled call takes what is left", expect("s", "-", "s", `{"q":"a"}`), []results.Call{call("s", `{"q":"a"}`), call("s", `{"q":"b"}`)}, "", true,
			counts{labelled: 1, right: 1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			trial := &results.Trial{Case: "c", Calls: c.calls}
			if c.fault != "" {
				trial.Fault = fault(c.fault)
			}
			s, err := NewScorer(schemas).Score(&datasets.Case{ID: "c", Expect: c.expect}, trial)
			require.NoError(t, err)
			require.NotNil(t, s.Args)
			assert.Equal(t, c.right, *s.Args)
			f := s.Faults
			assert.Equal(t, c.want, counts{s.Labelled, s.Right, f.Missing, f.Extra, f.Type, f.Value})
			assert.Equal(t, c.diffs, s.Diffs)
		})
	}
}

// Each pair says whether its own call's arguments are right: whatever another call's are, and in the order of the
// expected calls also where the best assignment crosses. A call that is not labelled says nothing.
func TestPairsSayWhoseArgumentsAreRight(t *testing.T) {
	e := expect("weather", `{"city":"Oslo"}`, "note", "-", "weather", `{"city":"Rome"}`, "search", `{"q":"x"}`)
	trial := results.Trial{Case: "c", Calls: []results.Call{call("weather", `{"city":"Rome"}`), call("note", `{"text":"t"}`), call("weather", `{"city":"Bonn"}`), call("air", `{}`)}}
	s, err := NewScorer(schemas).Score(&datasets.Case{ID: "c", Expect: e}, &trial)
	require.NoError(t, err)
	assert.Equal(t, []results.SkillPair{labelledPair("weather", "weather", false), pair("note", "note"), labelledPair("weather", "weather", true),
		labelledPair("search", "air", false)}, s.Pairs)
}

// Long answers do not make long lines without end.
func TestScoreBoundsDiffs(t *testing.T) {
	args := map[string]int{}
	for i := range 500 {
		args[string(rune('a'+i%26))+string(rune('a'+i/26))] = i
	}
	raw, err := json.Marshal(args)
	require.NoError(t, err)
	s, err := NewScorer(nil).Score(&datasets.Case{ID: "c", Expect: expect("w", `{}`)}, &results.Trial{Case: "c", Calls: []results.Call{call("w", string(raw))}})
	require.NoError(t, err)
	assert.Len(t, s.Diffs, maxDiffs+1)
	assert.Equal(t, "call 1 w: and 480 more", s.Diffs[maxDiffs])
	assert.Equal(t, 500, s.Faults.Extra)
}
