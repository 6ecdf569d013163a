package datasets

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/skills"
)

func catalogue() []*skills.Skill {
	return []*skills.Skill{
		{Name: "get_weather", Aliases: map[string]string{"town": "city"}, Parameters: json.RawMessage(`{"type":"object","properties":{
			"city":{"type":"string"},"days":{"type":"integer","minimum":1,"default":1},"unit":{"type":"string","enum":["C","F"]},
			"hours":{"type":"array","items":{"type":"integer"}},"price":{"type":"number"},"day":{"type":"string","format":"date"}},"required":["city"]}`)},
		{Name: "list_notes"},
		{Name: "open", Parameters: json.RawMessage(`{"type":"object","additionalProperties":true}`)},
		{Name: "broken", Parameters: json.RawMessage(`{"type":"object","properties":{"a":{"type":"strng"}}}`)},
		{Name: "mixed", Parameters: json.RawMessage(`{"type":"object","properties":{"v":{"anyOf":[{"type":"string","pattern":"^x"},{"type":"integer"}]},"o":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}},"additionalProperties":false}`)},
	}
}

// one makes a case from its expectation.
func one(t *testing.T, expect string) Case {
	t.Helper()
	c, err := Parse(json.RawMessage(`{"id":"c","input":"i","expect":` + expect + `}`))
	require.NoError(t, err)
	c.File, c.Line = "c.jsonl", 7
	return c
}

func TestCheckLabels(t *testing.T) {
	call := func(skill, args string) string {
		return fmt.Sprintf(`{"calls":[{"skill":%q,"args":%s}]}`, skill, args)
	}
	tests := []struct{ name, expect, rule, path, message string }{
		{"right", call("get_weather", `{"city":"Oslo","days":2,"unit":"C"}`), "", "", ""},
		{"not labelled", `{"skill":"get_weather"}`, "", "", ""},
		{"no arguments", call("list_notes", `{}`), "", "", ""},
		{"unknown skill", `{"skill":"getWeather"}`, "unknown-skill", "expect.calls[0].skill", `did you mean "get_weather"?`},
		{"unknown skill, nothing near", `{"skill":"xyzzy"}`, "unknown-skill", "expect.calls[0].skill", "known: broken, get_weather"},
		{"wrong type", call("get_weather", `{"city":5}`), "args-schema", "expect.calls[0].args.city", "string"},
		{"string for integer", call("get_weather", `{"city":"x","days":"5"}`), "args-schema", "expect.calls[0].args.days", "integer"},
		{"integer written as a fraction", call("get_weather", `{"city":"x","days":5.0}`), "", "", ""},
		{"out of range", call("get_weather", `{"city":"x","days":0}`), "args-schema", "expect.calls[0].args.days", "at least 1"},
		{"not in the enum", call("get_weather", `{"city":"x","unit":"c"}`), "args-schema", "expect.calls[0].args.unit", `"C"`},
		{"required one not labelled", call("get_weather", `{"days":2}`), "args-schema", "expect.calls[0].args.city", "city"},
		{"inside an array", call("get_weather", `{"city":"x","hours":[1,"2"]}`), "args-schema", "expect.calls[0].args.hours[1]", "integer"},
		{"not declared", call("get_weather", `{"city":"x","dayz":2}`), "undeclared-argument", "expect.calls[0].args.dayz", `did you mean "days"?`},
		{"an alias", call("get_weather", `{"city":"x","town":"y"}`), "undeclared-argument", "expect.calls[0].args.town", `label "city"`},
		{"no parameters at all", call("list_notes", `{"q":1}`), "undeclared-argument", "expect.calls[0].args.q", "takes no arguments"},
		{"closed schema, said once", call("mixed", `{"q":1}`), "undeclared-argument", "expect.calls[0].args.q", "declared: v"},
		{"open schema", call("open", `{"q":1}`), "", "", ""},
		{"schema that cannot be used", call("broken", `{"a":1}`), "schema", "", `"broken"`},
		// matchers
		{"anyOf, all valid", call("get_weather", `{"city":{"$anyOf":["a","b"]}}`), "", "", ""},
		{"anyOf, one refused", call("get_weather", `{"city":{"$anyOf":["a",5]}}`), "args-schema", "expect.calls[0].args.city", "string"},
		{"anyOf, absent", call("get_weather", `{"city":"x","days":{"$anyOf":[{"$absent":true},2]}}`), "", "", ""},
		{"regex on a string", call("get_weather", `{"city":{"$regex":"O.*"},"unit":{"$regex":"[CF]"}}`), "", "", ""},
		{"regex on an integer", call("get_weather", `{"city":"x","days":{"$regex":"1|2"}}`), "args-schema", "expect.calls[0].args.days", "integer"},
		{"range with a bound outside the schema", call("get_weather", `{"city":"x","days":{"$range":{"min":0,"max":3}}}`), "", "", ""},
		{"range of fractions on an integer", call("get_weather", `{"city":"x","days":{"$range":{"min":1.5}}}`), "", "", ""},
		{"range that holds no integer", call("get_weather", `{"city":"x","days":{"$range":{"min":1.2,"max":1.8}}}`), "args-schema", "expect.calls[0].args.days", "integer"},
		{"approx", call("get_weather", `{"city":"x","price":{"$approx":{"value":1.5,"abs":0.1}}}`), "", "", ""},
		{"approx on a string", call("get_weather", `{"city":{"$approx":{"value":1.5,"abs":0.1}}}`), "args-schema", "expect.calls[0].args.city", "string"},
		{"any", call("get_weather", `{"city":{"$any":true},"hours":{"$any":true}}`), "", "", ""},
		{"any in place of a required one that is misspelt", call("get_weather", `{"citi":{"$any":true},"city":"x"}`), "undeclared-argument", "expect.calls[0].args.citi", `"city"`},
		{"absent is not labelled as given", call("get_weather", `{"city":"x","town":{"$absent":true}}`), "", "", ""},
		{"ignoreCase in an enum", call("get_weather", `{"city":"x","unit":{"$ignoreCase":"c"}}`), "", "", ""},
		{"a matcher does not excuse an argument with a longer name", call("get_weather", `{"city":"x","day":{"$regex":".*"},"days":0}`), "args-schema", "expect.calls[0].args.days", "at least 1"},
		{"date with a layout", call("get_weather", `{"city":"x","day":{"$date":{"value":"5.10.2023","layouts":["2.1.2006"]}}}`), "", "", ""},
		{"subset of all arguments", call("get_weather", `{"$subset":{"days":2}}`), "", "", ""},
		{"subset of all arguments, wrong", call("get_weather", `{"$subset":{"days":"2"}}`), "args-schema", "expect.calls[0].args.days", "integer"},
		{"subset inside", call("mixed", `{"o":{"$subset":{"a":1}}}`), "", "", ""},
		{"not a subset inside", call("mixed", `{"o":{"a":1}}`), "args-schema", "expect.calls[0].args.o.b", "b"},
		{"extra inside", call("mixed", `{"o":{"a":1,"b":1,"c":1}}`), "args-schema", "expect.calls[0].args.o.c", "c"},
		{"unordered", call("get_weather", `{"city":"x","hours":{"$unordered":[1,2]}}`), "", "", ""},
		{"unordered, wrong", call("get_weather", `{"city":"x","hours":{"$unordered":[1,"a"]}}`), "args-schema", "expect.calls[0].args.hours[1]", "integer"},
		{"literal", call("get_weather", `{"city":{"$literal":"x"}}`), "", "", ""},
		{"contains", call("get_weather", `{"city":{"$contains":"x"}}`), "", "", ""},
		{"loose inside anyOf of the schema", call("mixed", `{"v":{"$regex":"x.*"}}`), "", "", ""},
		{"any arguments", call("get_weather", `{"$any":true}`), "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := Check([]Case{one(t, tt.expect)}, catalogue()).Errors()
			if tt.rule == "" {
				require.Empty(t, faults)
				return
			}
			require.Len(t, faults, 1, "%v", faults)
			f := faults[0]
			assert.Equal(t, [...]any{tt.rule, tt.path, "c.jsonl", 7, "c"}, [...]any{f.Rule, f.Path, f.File, f.Line, f.Case})
			assert.Contains(t, f.Message, tt.message)
		})
	}
	t.Run("accepted alternatives are checked too", func(t *testing.T) {
		c := one(t, `{"none":true}`)
		c.Accept = []Expectation{{Calls: []ExpectedCall{{Skill: "list_notes"}, {Skill: "get_weather", Args: json.RawMessage(`{"city":1}`)}}}}
		faults := Check([]Case{c}, catalogue()).Errors()
		require.Len(t, faults, 1)
		assert.Equal(t, "accept[0].calls[1].args.city", faults[0].Path)
	})
	t.Run("results", func(t *testing.T) {
		c := one(t, `{"none":true}`)
		c.Results = map[string]json.RawMessage{"get_wether": json.RawMessage(`1`), "list_notes": json.RawMessage(`1`)}
		faults := Check([]Case{c}, catalogue())
		require.Len(t, faults.Errors(), 1)
		assert.Equal(t, "unknown-result", faults.Errors()[0].Rule)
		assert.Contains(t, faults.Errors()[0].Message, `did you mean "get_weather"?`)
		assert.Equal(t, "none-with-results", rules(faults.Warnings())[0])
		c.Accept = []Expectation{{Calls: []ExpectedCall{{Skill: "list_notes"}}}}
		assert.NotContains(t, rules(Check([]Case{c}, catalogue())), "none-with-results")
	})
	t.Run("no cases", func(t *testing.T) {
		assert.Equal(t, []string{"no-cases"}, rules(Check(nil, catalogue()).Errors()))
	})
	t.Run("a case made by hand", func(t *testing.T) {
		assert.Contains(t, rules(Check([]Case{{ID: "x", Input: "i"}}, catalogue()).Errors()), "expect")
	})
	t.Run("sorted by file and line", func(t *testing.T) {
		a, b := one(t, `{"skill":"x"}`), one(t, `{"skill":"y"}`)
		a.Line, a.Input, b.Input = 9, "a", "b"
		faults := Check([]Case{a, b}, catalogue()).Errors()
		assert.Equal(t, []int{7, 9}, []int{faults[0].Line, faults[1].Line})
	})
}

func rules(f Faults) []string {
	out := []string{}
	for _, fault := range f {
		out = append(out, fault.Rule)
	}
	return out
}

func TestCheckInputs(t *testing.T) {
	type pair struct{ a, b string } // the rest of two cases with the same input
	tests := []struct {
		name string
		pair
		rule string
	}{
		{"same label", pair{`"expect":{"skill":"list_notes"}`, `"expect":{"skill":"list_notes"}`}, "duplicate-input"},
		{"other skill", pair{`"expect":{"skill":"list_notes"}`, `"expect":{"skill":"open"}`}, "contradictory-label"},
		{"none and a skill", pair{`"expect":{"skill":"list_notes"}`, `"expect":{"none":true}`}, "contradictory-label"},
		{"other arguments", pair{`"expect":{"skill":"open","args":{"a":1}}`, `"expect":{"skill":"open","args":{"a":2}}`}, "contradictory-label"},
		{"same arguments written differently", pair{`"expect":{"skill":"open","args":{"a":1,"b":2}}`, `"expect":{"skill":"open","args":{"b":2.0,"a":1}}`}, "duplicate-input"},
		{"arguments not labelled", pair{`"expect":{"skill":"open"}`, `"expect":{"skill":"open","args":{"b":2}}`}, "duplicate-input"},
		{"matcher that allows the other", pair{`"expect":{"skill":"open","args":{"a":{"$anyOf":[1,2]}}}`, `"expect":{"skill":"open","args":{"a":2}}`}, "duplicate-input"},
		{"each accepts the other", pair{`"expect":{"skill":"open"},"accept":[{"none":true}]`, `"expect":{"none":true},"accept":[{"skill":"open"}]`}, "duplicate-input"},
		{"only one accepts the other", pair{`"expect":{"skill":"open"},"accept":[{"none":true}]`, `"expect":{"none":true}`}, "contradictory-label"},
		{"other history", pair{`"expect":{"skill":"open"}`, `"history":[{"role":"user","content":"x"}],"expect":{"none":true}`}, ""},
		{"other context tags", pair{`"expect":{"skill":"open"}`, `"context_tags":["x"],"expect":{"none":true}`}, ""},
		{"same history", pair{`"history":[{"role":"user","content":"x"}],"expect":{"skill":"open"}`, `"history":[{"role":"user","content":"x"}],"expect":{"none":true}`}, "contradictory-label"},
		{"other order of free calls", pair{`"expect":{"calls":[{"skill":"open"},{"skill":"list_notes"}]}`, `"expect":{"calls":[{"skill":"list_notes"},{"skill":"open"}]}`}, "duplicate-input"},
		{"other order of strict calls", pair{`"expect":{"calls":[{"skill":"open"},{"skill":"list_notes"}],"order":"strict"}`, `"expect":{"calls":[{"skill":"list_notes"},{"skill":"open"}],"order":"strict"}`}, "contradictory-label"},
		{"calls are a multiset", pair{`"expect":{"calls":[{"skill":"open"},{"skill":"open"}]}`, `"expect":{"calls":[{"skill":"open"}]}`}, "contradictory-label"},
		{"best pairing of calls", pair{`"expect":{"calls":[{"skill":"open"},{"skill":"open","args":{"a":1}}]}`, `"expect":{"calls":[{"skill":"open","args":{"a":1}},{"skill":"open","args":{"a":2}}]}`}, "duplicate-input"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases := read(t, "c.jsonl", `{"id":"a","input":" same","group":"g",`+tt.a+"}\n"+`{"id":"b","input":"same ","group":"g",`+tt.b+"}")
			faults := Check(cases, catalogue())
			var got []string
			for _, f := range faults {
				if f.File != "" {
					got = append(got, f.Rule)
					assert.Equal(t, 2, f.Line)
					assert.Contains(t, f.Message, `case "a" (c.jsonl:1)`)
				}
			}
			assert.Equal(t, tt.rule, strings.Join(got, ","))
		})
	}
}

func TestBalance(t *testing.T) {
	var lines []string
	add := func(n int, expect string) {
		for range n {
			lines = append(lines, fmt.Sprintf(`{"id":"%d","input":"i%d","expect":%s}`, len(lines), len(lines), expect))
		}
	}
	add(60, `{"skill":"get_weather"}`)
	add(59, `{"skill":"list_notes"}`)
	add(5, `{"calls":[{"skill":"open"},{"skill":"open"}]}`)
	cases := read(t, "c.jsonl", strings.Join(lines, "\n"))
	faults := Check(cases, catalogue())
	assert.Empty(t, faults.Errors())
	assert.Equal(t, []string{"skill-without-case", "few-cases", "few-cases", "class-imbalance", "no-none-case"}, rules(faults))
	assert.Contains(t, faults[0].Message, "2 of 5 skills have no case")
	assert.Contains(t, faults[0].Message, "broken, mixed")
	assert.Equal(t, "open has 5 cases: with fewer than 60, a drop of 10 points cannot be told from chance", faults[1].Message)
	assert.Contains(t, faults[2].Message, "list_notes has 59 cases:")
	assert.Contains(t, faults[3].Message, `"get_weather" has 60 cases, "open" only 5`)

	stats := Describe(cases, catalogue())
	assert.Len(t, stats.Warnings, 3, "few cases are for Check to say")
	add(1, `{"none":true}`)
	assert.Len(t, Describe(read(t, "c.jsonl", strings.Join(lines, "\n")), catalogue()).Warnings, 2)

	many := make([]*skills.Skill, 3000)
	for i := range many {
		many[i] = &skills.Skill{Name: fmt.Sprintf("s%04d", i)}
	}
	out := Check([]Case{one(t, `{"none":true}`)}, many)
	require.Len(t, out, 1, "one warning, not thousands")
	assert.Contains(t, out[0].Message, "s0009 and 2990 more")

	lines = nil
	for i := range 12 {
		add(1+i%2, fmt.Sprintf(`{"skill":"s%04d"}`, i))
	}
	add(1, `{"none":true}`)
	few := Check(read(t, "c.jsonl", strings.Join(lines, "\n")), many[:12])
	require.Len(t, few, 11, "ten sentences and the rest in one")
	assert.Equal(t, "s0000 has 1 case: with fewer than 60, a drop of 10 points cannot be told from chance", few[0].Message)
	assert.Contains(t, few[6].Message, "s0001 has 2 cases:")
	assert.Equal(t, "2 more skills have fewer than 60 cases", few[10].Message)
}

// A label that names no skill is a mistake of its own: it is neither a skill without enough cases nor one of them all.
func TestBalanceLeavesTyposOut(t *testing.T) {
	faults := Check(read(t, "c.jsonl", `{"id":"1","input":"x","expect":{"skill":"get_wether"}}
{"id":"2","input":"y","expect":{"none":true}}`), catalogue())
	require.Equal(t, []string{"unknown-skill", "skill-without-case"}, rules(faults))
	assert.Contains(t, faults[1].Message, "5 of 5 skills have no case")
	assert.NotContains(t, faults[1].Message, "get_wether")
}

func TestDescribe(t *testing.T) {
	cases := read(t, "c.jsonl", `{"id":"1","input":"Wetter in Oslo","tags":["a","b"],"expect":{"skill":"get_weather","args":{"city":"Oslo","days":1}}}
{"id":"2","input":"今天杭州会不会下雨","tags":["b"],"group":"g","expect":{"calls":[{"skill":"get_weather"},{"skill":"get_weather","args":{}},{"skill":"elsewhere"}]}}
{"id":"3","input":"用 python 写一个爬虫","group":"g","history":[{"role":"user","content":"x"}],"expect":{"none":true}}
{"id":"g","input":"привет 123","expect":{"none":true}}
{"id":"5","input":"42","expect":{"skill":"open"}}`)
	s := Describe(cases, catalogue())
	s.Warnings = nil
	assert.Equal(t, Stats{
		Cases: 5, None: 2, Single: 2, Multi: 1, WithHistory: 1, LabelledCases: 2, LabelledArgs: 2, Clusters: 4,
		Tags:    []Count{{"b", 2}, {"a", 1}},
		Skills:  []Count{{"get_weather", 2}, {"list_notes", 0}, {"open", 1}, {"broken", 0}, {"mixed", 0}, {"elsewhere", 1}},
		Scripts: []Count{{"latin", 1}, {"han", 1}, {"other", 2}, {"mixed", 1}},
	}, s)
	assert.Len(t, Describe(cases, nil).Skills, 3)
	assert.Empty(t, Describe(nil, nil).Warnings)
}

func TestSelect(t *testing.T) {
	cases := read(t, "c.jsonl", `{"id":"rain-zh-1","input":"1","tags":["zh","golden"],"expect":{"skill":"get_weather"}}
{"id":"rain-en-1","input":"2","tags":["en"],"expect":{"skill":"get_weather"}}
{"id":"a/b:c","input":"3","tags":["zh"],"expect":{"calls":[{"skill":"open"},{"skill":"get_air"}]}}
{"id":"none-1","input":"4","expect":{"none":true}}`)
	tests := []struct {
		filter string
		limit  int
		ids    string
	}{
		{"", 0, "rain-zh-1 rain-en-1 a/b:c none-1"},
		{"", 2, "rain-zh-1 rain-en-1"},
		{"", 9, "rain-zh-1 rain-en-1 a/b:c none-1"},
		{"rain-*", 0, "rain-zh-1 rain-en-1"},
		{"rain-??-1", 0, "rain-zh-1 rain-en-1"},
		{"*", 0, "rain-zh-1 rain-en-1 a/b:c none-1"},
		{"a*c", 0, "a/b:c"},
		{"rain-en-1", 0, "rain-en-1"},
		{"tag:zh", 0, "rain-zh-1 a/b:c"},
		{"tag:zh  -tag:golden", 0, "a/b:c"},
		{"!tag:zh", 0, "rain-en-1 none-1"},
		{"skill:get_*", 0, "rain-zh-1 rain-en-1 a/b:c"},
		{"skill:open", 0, "a/b:c"},
		{"none", 0, "none-1"},
		{"-none", 1, "rain-zh-1"},
		{"-rain-*", 0, "a/b:c none-1"},
	}
	for _, tt := range tests {
		got, err := Select(cases, tt.filter, tt.limit)
		require.NoError(t, err, tt.filter)
		var ids []string
		for _, c := range got {
			ids = append(ids, c.ID)
		}
		assert.Equal(t, tt.ids, strings.Join(ids, " "), tt.filter)
	}
	for filter, message := range map[string]string{"tag:": "names nothing", "-": "names nothing", "tag:absent": "matches no case", "-tag:absent": "matches no case", "none skill:get_*": "keeps none of 4 cases", "x": "tag:NAME"} {
		_, err := Select(cases, filter, 0)
		assert.ErrorContains(t, err, message, filter)
	}
	_, err := Select(cases, "", -1)
	assert.ErrorContains(t, err, "negative")
	got, err := Select(nil, "", 0)
	assert.NoError(t, err)
	assert.Empty(t, got)
	assert.True(t, glob("*a*b*", "xxaxxbxx"))
	assert.False(t, glob(strings.Repeat("*a", 50)+"b", strings.Repeat("a", 5000)))
	assert.True(t, glob("今?杭*", "今天杭州"))
}

func TestMatcherNamesAsTextAreNoted(t *testing.T) {
	for args, want := range map[string]string{
		`{"city":"$any"}`:                "$any",
		`{"list":["a","$optional" ]}`:    "$optional",
		`{"city":{"$any":true}}`:         "",
		`{"city":{"$anyOf":["$other"]}}`: "",
		`{"city":"any"}`:                 "",
	} {
		assert.Equal(t, want, matcherText(json.RawMessage(args)), args)
	}
	cases, err := Read("c.jsonl", strings.NewReader(`{"id":"a","input":"x","expect":{"skill":"w","args":{"city":"$any"}}}`))
	require.NoError(t, err)
	rules := ""
	for _, f := range Check(cases, []*skills.Skill{{Name: "w", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`)}}) {
		rules += f.Rule + " "
	}
	assert.Contains(t, rules, "matcher-text")
}
