package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/skilleval/skilleval/skills"
)

func entryOf(t testing.TB, s *skills.Skill) *entry {
	t.Helper()
	e, err := newEntry(s, s.Name)
	require.NoError(t, err)
	return e
}

func withSchema(schema string) *skills.Skill {
	return &skills.Skill{Name: "s", Description: "d", Parameters: json.RawMessage(schema), Aliases: map[string]string{"b": "a", "c": "a", "z": "gone"}}
}

func TestBind(t *testing.T) {
	closed := `{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}}}`
	for name, c := range map[string]struct {
		schema, given, args string
		dropped, aliased    []string
		faults              int
	}{
		"as given":              {closed, `{"a":"x","n":1}`, `{"a":"x","n":1}`, nil, nil, 0},
		"order is kept":         {closed, `{"n":1,"a":"x"}`, `{"n":1,"a":"x"}`, nil, nil, 0},
		"alias":                 {closed, `{"b":"x"}`, `{"a":"x"}`, nil, []string{"b→a"}, 0},
		"alias beside its name": {closed, `{"b":"x","a":"y"}`, `{"a":"y"}`, []string{"b"}, nil, 0},
		"two aliases":           {closed, `{"b":"x","c":"y"}`, `{"a":"x"}`, []string{"c"}, []string{"b→a"}, 0},
		"alias of nothing":      {closed, `{"z":1}`, `{}`, []string{"z"}, nil, 0},
		"undeclared":            {closed, `{"a":"x","q":{"y":1},"r":2}`, `{"a":"x"}`, []string{"q", "r"}, nil, 0},
		"no coercion of text":   {closed, `{"n":"1"}`, `{"n":"1"}`, nil, nil, 1},
		"no coercion of number": {closed, `{"a":1}`, `{"a":1}`, nil, nil, 1},
		"null is a value":       {closed, `{"a":null}`, `{"a":null}`, nil, nil, 1},
		"case matters":          {closed, `{"A":"x"}`, `{}`, []string{"A"}, nil, 0},
		"given twice":           {closed, `{"a":"x","a":"y"}`, `{"a":"x","a":"y"}`, nil, nil, 1},
		"digits are kept":       {closed, `{"n":8021929379916255508}`, `{"n":8021929379916255508}`, nil, nil, 0},
		"extra allowed":         {`{"type":"object","properties":{"a":{}},"additionalProperties":true}`, `{"q":1}`, `{"q":1}`, nil, nil, 0},
		"pattern properties":    {`{"type":"object","patternProperties":{"^x":{"type":"integer"}}}`, `{"x1":1}`, `{"x1":1}`, nil, nil, 0},
		"composed schema":       {`{"type":"object","anyOf":[{"properties":{"q":{"type":"integer"}}}]}`, `{"q":1}`, `{"q":1}`, nil, nil, 0},
		"white space":           {closed, " { \"a\" : \"x  y\" , \"n\" : 1 } ", `{"a":"x  y","n":1}`, nil, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := bind(entryOf(t, withSchema(c.schema)), rawCall{args: c.given, given: true})
			assert.Equal(t, c.args, string(b.args))
			assert.Equal(t, c.dropped, b.dropped)
			assert.Equal(t, c.aliased, b.aliased)
			assert.Len(t, b.faults, c.faults)
		})
	}
	b := bind(entryOf(t, listScopes()), rawCall{args: `{"q":1}`})
	require.Equal(t, "{}", string(b.args), "a skill without arguments")
	require.Equal(t, []string{"q"}, b.dropped)
	require.Empty(t, b.faults)
}

func TestTextFromMarkupGetsTheDeclaredType(t *testing.T) {
	for _, c := range []struct{ declared, text, want string }{
		{"integer", "3", "3"}, {"integer", " 3\n", "3"}, {"integer", "3.5", "3.5"}, {"integer", "three", `"three"`},
		{"number", "1e3", "1e3"}, {"boolean", "True", "true"}, {"boolean", "yes", `"yes"`}, {"string", "3", `"3"`},
		{"array", "[1, 2]", "[1, 2]"}, {"object", "{'a': 1}", `{"a":1}`}, {"null", "None", "null"},
		{"string or integer", "3", `"3"`}, {"integer or null", "null", "null"}, {"", "3", `"3"`}, {"array", "3", `"3"`},
		{"integer", "3 4", `"3 4"`}, {"integer", "", `""`},
	} {
		assert.Equal(t, c.want, string(typed(quoteJSON(c.text), c.declared)), "%s %q", c.declared, c.text)
	}
	require.Equal(t, "7", string(typed(json.RawMessage("7"), "integer")))
}

// TestBindKeepsValidArguments holds for any arguments made of declared fields: nothing is lost or changed.
func TestBindKeepsValidArguments(t *testing.T) {
	e := entryOf(t, withSchema(`{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"},"l":{"type":"array","items":{"type":"string"}}}}`))
	rapid.Check(t, func(t *rapid.T) {
		args, err := json.Marshal(map[string]any{
			"a": rapid.String().Draw(t, "a"), "n": rapid.Int64().Draw(t, "n"), "l": rapid.SliceOf(rapid.String()).Draw(t, "l"),
		})
		require.NoError(t, err)
		if strings.Contains(string(args), "null") {
			t.Skip("an empty list")
		}
		b := bind(e, rawCall{args: string(args)})
		require.Empty(t, b.faults)
		require.Equal(t, string(args), string(b.args))
		encoded, err := json.Marshal(string(args))
		require.NoError(t, err)
		twice := bind(e, rawCall{args: string(encoded)})
		require.Equal(t, string(args), string(twice.args))
		require.Equal(t, []string{flagDoubleEncoded}, twice.flags)
	})
}

func TestFunctionNames(t *testing.T) {
	long := strings.Repeat("x", 65)
	list := []string{"get_weather", "a.b", "a b", "天气", "select_skill", "select_category", long, strings.Repeat("x", 64), "-", "a_b_" + "deadbeef"}
	functions := functionNames(list)
	seen := map[string]string{}
	for _, name := range list {
		f := functions[name]
		require.Regexp(t, functionName, f)
		require.Empty(t, seen[f], "%s and %s have the same function", name, seen[f])
		require.NotEqual(t, selectSkill, f)
		require.NotEqual(t, selectCategory, f)
		seen[f] = name
	}
	require.Equal(t, "get_weather", functions["get_weather"])
	require.Equal(t, functions, functionNames(list))
	require.Regexp(t, `^a_b_[0-9a-f]{8}$`, functions["a.b"])
	require.Regexp(t, `^skill_[0-9a-f]{8}$`, functions["天气"])
	require.Equal(t, "AZ-az_09_", acceptable("AZ-az  09!."))
	collision := functionNames([]string{"a.b", functions["a.b"]})
	require.Equal(t, functions["a.b"], collision[functions["a.b"]], "a name that servers accept is never taken away")
	require.NotEqual(t, functions["a.b"], collision["a.b"])
}

func TestFindName(t *testing.T) {
	x := newIndex[int](false)
	for i, name := range []string{"search_orders", "caf\u00e9", "Sum", "sum", "shop.find", "Find"} {
		x.add(i, name)
	}
	for name, want := range map[string]struct {
		item       int
		normalized bool
	}{
		"search_orders": {0, false}, "functions.search_orders": {0, true}, "a/b:search_orders": {0, true}, "SEARCH_ORDERS": {0, true},
		"cafe\u0301": {1, true}, "Sum": {2, false}, "sum": {3, false}, "shop.find": {4, false}, "SHOP.FIND": {4, true},
		" search_orders ": {0, true}, "x.find": {5, true}, "x.Search_Orders": {0, true},
	} {
		item, normalized, ok := x.find(name)
		require.True(t, ok, name)
		require.Equal(t, want.item, item, name)
		require.Equal(t, want.normalized, normalized, name)
	}
	for _, name := range []string{"", ".", "SUM", "x.SUM", "orders", "search-orders", "search_orders.x"} {
		_, _, ok := x.find(name)
		require.False(t, ok, name)
	}
	x.strict = true
	_, _, ok := x.find("functions.search_orders")
	require.False(t, ok)
	_, _, ok = x.find("search_orders")
	require.True(t, ok)
}
