package metrics

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/datasets"
	"github.com/skilleval/skilleval/results"
)

// call is a call made, valid unless said otherwise.
func call(skill, args string) results.Call {
	return results.Call{Skill: skill, Args: json.RawMessage(args), Valid: true, FirstValid: true, Tier: "native"}
}

func invalid(skill, args string) results.Call {
	c := call(skill, args)
	c.Valid, c.FirstValid, c.Faults = false, false, []string{"city: a string is expected"}
	return c
}

// expect is an expectation: pairs of skill and arguments, "-" for arguments that are not labelled.
func expect(skillArgs ...string) datasets.Expectation {
	var e datasets.Expectation
	for i := 0; i < len(skillArgs); i += 2 {
		c := datasets.ExpectedCall{Skill: skillArgs[i]}
		if skillArgs[i+1] != "-" {
			c.Args = json.RawMessage(skillArgs[i+1])
		}
		e.Calls = append(e.Calls, c)
	}
	e.None = len(e.Calls) == 0
	return e
}

func strict(e datasets.Expectation) datasets.Expectation {
	e.Order = "strict"
	return e
}

func fault(class string) *results.Problem { return &results.Problem{Class: class, Message: "said so"} }

func pair(want, got string) results.SkillPair { return results.SkillPair{Want: want, Got: got} }

// labelledPair is that of a call whose arguments are labelled.
func labelledPair(want, got string, right bool) results.SkillPair {
	return results.SkillPair{Want: want, Got: got, Args: &right}
}

var schemas = map[string]json.RawMessage{
	"weather": json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","default":1}},"required":["city"]}`),
}

func TestScoreSelection(t *testing.T) {
	oslo, free := `{"city":"Oslo"}`, "-"
	for _, c := range []struct {
		name   string
		expect datasets.Expectation
		calls  []results.Call
		fault  string
		right  bool
		pairs  []results.SkillPair
	}{
		{"none, silent", expect(), nil, "", true, []results.SkillPair{pair("", "")}},
		{"none, called", expect(), []results.Call{call("weather", oslo)}, "", false, []results.SkillPair{pair("", "weather")}},
		{"none, unparsable", expect(), nil, "unparsable", false, nil},
		{"none, empty reply", expect(), nil, "empty_reply", false, nil},
		{"none, invalid call", expect(), []results.Call{invalid("weather", `{}`)}, "invalid_arguments", false, []results.SkillPair{pair("", "weather")}},
		{"one, right", expect("weather", free), []results.Call{call("weather", oslo)}, "", true, []results.SkillPair{pair("weather", "weather")}},
		{"one, other", expect("weather", free), []results.Call{call("air", oslo)}, "", false, []results.SkillPair{pair("weather", "air")}},
		{"one, silent", expect("weather", free), nil, "", false, []results.SkillPair{pair("weather", "")}},
		{"one, called twice", expect("weather", free), []results.Call{call("weather", oslo), call("weather", oslo)}, "", false,
			[]results.SkillPair{pair("weather", "weather"), pair("", "weather")}},
		{"invalid arguments keep the selection", expect("weather", free), []results.Call{invalid("weather", `{}`)}, "invalid_arguments", true,
			[]results.SkillPair{pair("weather", "weather")}},
		{"unparsable", expect("weather", free), []results.Call{call("weather", oslo)}, "unparsable", false, []results.SkillPair{pair("weather", "weather")}},
		{"unknown skill", expect("weather", free), []results.Call{call("weather", oslo)}, "unknown_skill", false, []results.SkillPair{pair("weather", "weather")}},
		{"maximum of rounds", expect("weather", free), []results.Call{call("weather", oslo)}, "max_rounds", false, []results.SkillPair{pair("weather", "weather")}},
		{"empty reply", expect("weather", free), []results.Call{call("weather", oslo)}, "empty_reply", false, []results.SkillPair{pair("weather", "weather")}},
		{"any order", expect("a", free, "b", free), []results.Call{call("b", `{}`), call("a", `{}`)}, "", true,
			[]results.SkillPair{pair("a", "a"), pair("b", "b")}},
		{"strict order, right", strict(expect("a", free, "b", free)), []results.Call{call("a", `{}`), call("b", `{}`)}, "", true,
			[]results.SkillPair{pair("a", "a"), pair("b", "b")}},
		{"strict order, swapped", strict(expect("a", free, "b", free)), []results.Call{call("b", `{}`), call("a", `{}`)}, "", false,
			[]results.SkillPair{pair("a", "a"), pair("b", "b")}},
		{"a look round before is an extra call", expect("b", free), []results.Call{call("list", `{}`), call("b", `{}`)}, "", false,
			[]results.SkillPair{pair("b", "b"), pair("", "list")}},
		{"the same skill twice, both made", expect("a", free, "a", free), []results.Call{call("a", `{}`), call("a", `{}`)}, "", true,
			[]results.SkillPair{pair("a", "a"), pair("a", "a")}},
		{"the same skill twice, one made", expect("a", free, "a", free), []results.Call{call("a", `{}`)}, "", false,
			[]results.SkillPair{pair("a", "a"), pair("a", "")}},
		{"multisets, not sets", expect("a", free, "a", free, "b", free), []results.Call{call("a", `{}`), call("b", `{}`), call("b", `{}`)}, "", false,
			[]results.SkillPair{pair("a", "a"), pair("a", "b"), pair("b", "b")}},
		{"left over in order", expect("a", free, "b", free, "c", free), []results.Call{call("x", `{}`), call("b", `{}`), call("y", `{}`), call("z", `{}`)}, "", false,
			[]results.SkillPair{pair("a", "x"), pair("b", "b"), pair("c", "y"), pair("", "z")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			trial := &results.Trial{Case: "c", Calls: c.calls}
			if c.fault != "" {
				trial.Fault = fault(c.fault)
			}
			s, err := NewScorer(nil).Score(&datasets.Case{ID: "c", Expect: c.expect}, trial)
			require.NoError(t, err)
			assert.Equal(t, c.right, s.Selection)
			assert.Equal(t, c.pairs, s.Pairs)
			assert.Nil(t, s.Args, "nothing is labelled")
		})
	}
}

func TestScoreLevel1(t *testing.T) {
	for _, c := range []struct {
		name     string
		expect   datasets.Expectation
		accept   []datasets.Expectation
		selected []string
		fault    string
		right    bool
	}{
		{"right", expect("a", "-"), nil, []string{"a"}, "", true},
		{"right, though no call came of it", expect("a", "-"), nil, []string{"a"}, "unparsable", true},
		{"other", expect("a", "-"), nil, []string{"b"}, "", false},
		{"one too many", expect("a", "-"), nil, []string{"a", "b"}, "", false},
		{"nothing named", expect("a", "-"), nil, nil, "", false},
		{"named twice", expect("a", "-"), nil, []string{"a", "a"}, "", true},
		{"expected twice, named once", expect("a", "-", "a", "-"), nil, []string{"a"}, "", true},
		{"a set", expect("a", "-", "b", "-"), nil, []string{"b", "a", "b"}, "", true},
		{"strict: order of first naming", strict(expect("a", "-", "b", "-", "a", "-")), nil, []string{"a", "a", "b"}, "", true},
		{"strict: swapped", strict(expect("a", "-", "b", "-")), nil, []string{"b", "a"}, "", false},
		{"none, nothing named", expect(), nil, nil, "", true},
		{"none, named", expect(), nil, []string{"a"}, "", false},
		{"none, unparsable is not silence", expect(), nil, nil, "unparsable", false},
		{"accepted", expect("a", "-"), []datasets.Expectation{expect("b", "-")}, []string{"b"}, "", true},
		{"neither", expect("a", "-"), []datasets.Expectation{expect("b", "-")}, []string{"c"}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			trial := &results.Trial{Case: "c", Arm: "main", Selected: c.selected}
			if c.fault != "" {
				trial.Fault = fault(c.fault)
			}
			cs := &datasets.Case{ID: "c", Expect: c.expect, Accept: c.accept}
			scorer := NewScorer(nil)
			s, err := scorer.Score(cs, trial)
			require.NoError(t, err)
			require.NotNil(t, s.Level1)
			assert.Equal(t, c.right, *s.Level1)

			scorer.Flat = func(arm string) bool { return arm == "main" }
			s, err = scorer.Score(cs, trial)
			require.NoError(t, err)
			assert.Nil(t, s.Level1, "a flat catalogue has no level 1")
			trial.Arm = "other"
			s, _ = scorer.Score(cs, trial)
			assert.NotNil(t, s.Level1)
		})
	}
}

// A skill that is called at once, without select_skill, is chosen at level 1: the agent notes it among the choices. What is
// called in the end does not make a choice, and a choice is one though nothing is called.
func TestLevel1IsTheChoiceMadeThere(t *testing.T) {
	direct := call("weather", `{"city":"Oslo"}`)
	direct.Level1, direct.Flags = "weather", []string{"direct"}
	for _, c := range []struct {
		name              string
		expect            datasets.Expectation
		selected          []string
		calls             []results.Call
		level1, selection bool
	}{
		{"called at once", expect("weather", "-"), []string{"weather"}, []results.Call{direct}, true, true},
		{"the wrong one called at once", expect("air", "-"), []string{"weather"}, []results.Call{direct}, false, false},
		{"called at once where none fits", expect(), []string{"weather"}, []results.Call{direct}, false, false},
		{"chosen again: the first choice was one too", expect("weather", "-"), []string{"air", "weather"}, []results.Call{direct}, false, true},
		{"chosen and not called", expect("weather", "-"), []string{"weather"}, nil, true, false},
		{"called without a choice", expect("weather", "-"), nil, []results.Call{call("weather", `{}`)}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewScorer(nil).Score(&datasets.Case{ID: "c", Expect: c.expect}, &results.Trial{Case: "c", Selected: c.selected, Calls: c.calls})
			require.NoError(t, err)
			assert.Equal(t, []bool{c.level1, c.selection}, []bool{*s.Level1, s.Selection})
		})
	}
}

func TestScoreUsesTheBestExpectation(t *testing.T) {
	oslo := []results.Call{call("weather", `{"city":"Oslo","days":3}`)}
	for _, c := range []struct {
		name     string
		expect   datasets.Expectation
		accept   []datasets.Expectation
		calls    []results.Call
		full     bool
		args     *bool
		labelled int
		right    int
		pairs    []results.SkillPair
	}{
		{"its own", expect("weather", `{"city":"Oslo","days":3}`), []datasets.Expectation{expect("weather", `{"city":"Oslo","days":{"$any":true}}`)}, oslo,
			true, new(true), 2, 2, []results.SkillPair{labelledPair("weather", "weather", true)}},
		{"an accepted one", expect("air", `{"city":"Oslo"}`), []datasets.Expectation{expect("x", "-"), expect("weather", `{"city":"Oslo","days":3}`)}, oslo,
			true, new(true), 2, 2, []results.SkillPair{labelledPair("weather", "weather", true)}},
		{"an accepted one without labels", expect("air", `{"city":"Oslo"}`), []datasets.Expectation{expect("weather", "-")}, oslo,
			true, nil, 0, 0, []results.SkillPair{pair("weather", "weather")}},
		{"accepted: no call", expect("air", `{"city":"Oslo"}`), []datasets.Expectation{expect()}, nil,
			true, nil, 0, 0, []results.SkillPair{pair("", "")}},
		{"none is right: the selection, then most arguments", expect("air", `{"city":"Oslo"}`), []datasets.Expectation{
			expect("weather", `{"city":"Rome","days":4}`), expect("weather", `{"city":"Oslo","days":5}`), expect("weather", `{"city":"Bonn","days":3}`)}, oslo,
			false, new(false), 2, 1, []results.SkillPair{labelledPair("weather", "weather", false)}},
		{"none is right: its own before as good ones", expect("weather", `{"city":"Oslo","days":5,"unit":"C"}`), []datasets.Expectation{expect("weather", `{"city":"Oslo","days":6}`)}, oslo,
			false, new(false), 3, 1, []results.SkillPair{labelledPair("weather", "weather", false)}},
		{"no selection is right: its own", expect("air", `{"city":"Oslo"}`), []datasets.Expectation{expect("x", `{"city":"Oslo","days":3}`)}, oslo,
			false, new(false), 1, 0, []results.SkillPair{labelledPair("air", "weather", false)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewScorer(schemas).Score(&datasets.Case{ID: "c", Expect: c.expect, Accept: c.accept}, &results.Trial{Case: "c", Calls: c.calls})
			require.NoError(t, err)
			assert.Equal(t, c.full, s.Selection && (s.Args == nil || *s.Args))
			assert.Equal(t, c.args, s.Args)
			assert.Equal(t, c.labelled, s.Labelled)
			assert.Equal(t, c.right, s.Right)
			assert.Equal(t, c.pairs, s.Pairs)
		})
	}
}

func TestScoreRefuses(t *testing.T) {
	good := expect("weather", `{"city":"Oslo"}`)
	both := good
	both.None = true
	for _, c := range []struct {
		name  string
		c     datasets.Case
		trial results.Trial
		says  string
	}{
		{"an error is never an answer", datasets.Case{ID: "c", Expect: good},
			results.Trial{Case: "c", Calls: []results.Call{call("weather", `{"city":"Oslo"}`)}, Error: &results.Problem{Class: "truncated"}}, "truncated"},
		{"another case's trial", datasets.Case{ID: "c", Expect: good}, results.Trial{Case: "d"}, "case d"},
		{"no expectation", datasets.Case{ID: "c"}, results.Trial{Case: "c"}, "neither calls nor none"},
		{"two expectations", datasets.Case{ID: "c", Expect: both}, results.Trial{Case: "c"}, "both calls and none"},
		{"a bad one is accepted", datasets.Case{ID: "c", Expect: good, Accept: []datasets.Expectation{expect(), {}}}, results.Trial{Case: "c"}, "accept[1]"},
		{"a bad matcher", datasets.Case{ID: "c", Expect: expect("weather", `{"city":{"$nearly":1}}`)}, results.Trial{Case: "c"}, "call 1 weather"},
		{"a bad matcher in what is accepted", datasets.Case{ID: "c", Expect: good, Accept: []datasets.Expectation{expect("weather", `{"a":{"$regex":"("}}`)}}, results.Trial{Case: "c"}, "accept[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewScorer(schemas).Score(&c.c, &c.trial)
			require.Error(t, err)
			assert.Nil(t, s)
			assert.Contains(t, err.Error(), "case c: ")
			assert.Contains(t, err.Error(), c.says)
		})
	}
}
