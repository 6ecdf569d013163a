package match

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func compile(t *testing.T, label string) *Pattern {
	t.Helper()
	p, err := Compile(json.RawMessage(label))
	require.NoError(t, err, label)
	return p
}

func run(t *testing.T, label, given string) Result {
	t.Helper()
	r := compile(t, label).Match(json.RawMessage(given), nil)
	assert.Equal(t, len(r.Diffs) == 0, r.OK, "the verdict is that of the differences")
	return r
}

func TestMatch(t *testing.T) {
	// Each row wraps label and given in {"v": …}; diffs are "path kind", in order, "" for a match.
	tests := []struct{ name, label, given, diffs string }{
		// numbers: exact decimals at every depth
		{"float label, integer given", `12.0`, `12`, ""},
		{"exponent", `1`, `1e0`, ""},
		{"exponent of a fraction", `0.0015`, `15E-4`, ""},
		{"minus zero", `0`, `-0.0`, ""},
		{"zero with an exponent", `0`, `0e999999999999999999999`, ""},
		{"numbers in an array", `[12.0, 15.0]`, `[12, 15]`, ""},
		{"numbers deep inside", `{"a":[{"b":1.50}]}`, `{"a":[{"b":1.5}]}`, ""},
		{"last digit of a big integer", `8021929379916255508`, `8021929379916255509`, "v value"},
		{"big integer", `8021929379916255508`, `8021929379916255508.0`, ""},
		{"beyond 2^53", `9007199254740993`, `9007199254740992`, "v value"},
		{"tenth", `0.1`, `0.10000000000000000001`, "v value"},
		{"sign", `5`, `-5`, "v value"},
		{"huge exponent", `1`, `1e999999999`, "v value"},
		{"huge exponents are told apart", `1e999999999`, `1e999999998`, "v value"},
		{"huge exponents are equal", `1e999999999`, `10e999999998`, ""},
		{"exponent beyond any limit", `1`, `1e99999999999999999999`, "v value"},
		{"scalar values are compared", `10`, `999`, "v value"},
		// types
		{"number for string", `"5"`, `5`, "v type"},
		{"string for number", `5`, `"5"`, "v type"},
		{"boolean", `true`, `false`, "v value"},
		{"boolean for string", `"true"`, `true`, "v type"},
		{"null for string", `"x"`, `null`, "v type"},
		{"null", `null`, `null`, ""},
		{"null is not false", `null`, `false`, "v type"},
		{"array for object", `{}`, `[]`, "v type"},
		{"scalar for array", `["a"]`, `"a"`, "v type"},
		// strings
		{"case is kept", `"USD"`, `"usd"`, "v value"},
		{"path case is kept", `"/Data/A"`, `"/data/a"`, "v value"},
		{"NFC", `"café"`, `"cafe\u0301"`, ""},
		{"outer spaces", `"Oslo"`, `" Oslo\u3000"`, ""},
		{"inner spaces", `"New York"`, `"New  York"`, "v value"},
		{"punctuation is kept", `"v1.2"`, `"v12"`, "v value"},
		{"hyphen is kept", `"a-b"`, `"ab"`, "v value"},
		{"more is not equal", `"New York, NY"`, `"New York"`, "v value"},
		{"digits and width", `"123号"`, `"１２３号"`, "v value"},
		{"letters and width", `"ＡＢＣ"`, `"ABC"`, "v value"},
		{"compatibility forms", `"3 kg"`, `"3㎏"`, "v value"},
		{"escapes are decoded", `"a/b"`, `"a\/b"`, ""},
		{"date notation", `"2023-10-05"`, `"05.10.2023"`, "v value"},
		// objects and arrays
		{"by key", `{"a":1,"b":2}`, `{"b":2,"a":1}`, ""},
		{"missing inside", `{"a":1,"b":2}`, `{"a":1}`, "v.b missing"},
		{"extra inside", `{"a":1}`, `{"a":1,"b":null}`, "v.b extra"},
		{"absent is not null", `{"a":null}`, `{}`, "v.a missing"},
		{"every place is one difference", `{"a":1,"b":[1,2],"c":"x"}`, `{"a":2,"b":[1,"2"],"d":1}`, "v.a value, v.b[1] type, v.c missing, v.d extra"},
		{"arrays are ordered", `["1","2"]`, `["2","1"]`, "v[0] value, v[1] value"},
		{"shorter", `[1,2]`, `[1]`, "v[1] missing"},
		{"longer", `[1]`, `[1,1]`, "v[1] extra"},
		{"empty array", `[]`, `[]`, ""},
		{"odd key", `{"a.b":1}`, `{"a.b":2}`, `v["a.b"] value`},
		// matchers
		{"any", `{"$any":true}`, `{"x":[1]}`, ""},
		{"any takes null", `{"$any":true}`, `null`, ""},
		{"anyOf", `{"$anyOf":["go","golang"]}`, `"golang"`, ""},
		{"anyOf, other", `{"$anyOf":["go","golang"]}`, `"rust"`, "v value"},
		{"anyOf, type", `{"$anyOf":["go","golang"]}`, `1`, "v type"},
		{"anyOf over types", `{"$anyOf":["5",5]}`, `6`, "v value"},
		{"anyOf null", `{"$anyOf":["go",null]}`, `null`, ""},
		{"anyOf of matchers", `{"$anyOf":[{"$range":{"max":3}},{"$regex":"[a-z]+"}]}`, `"abc"`, ""},
		{"regex", `{"$regex":"[a-z]+\\d"}`, `" abc1 "`, ""},
		{"regex is whole", `{"$regex":"b|bc"}`, `"abcd"`, "v value"},
		{"regex alternation is inside the anchors", `{"$regex":"a|b"}`, `"ax"`, "v value"},
		{"regex takes the longest it needs", `{"$regex":"a|ab"}`, `"ab"`, ""},
		{"regex, type", `{"$regex":".*"}`, `1`, "v type"},
		{"regex over lines", `{"$regex":"a$"}`, `"a\nb"`, "v value"},
		{"contains", `{"$contains":"fox"}`, `"quick fox"`, ""},
		{"contains, case", `{"$contains":"Fox"}`, `"quick fox"`, "v value"},
		{"contains all", `{"$contains":["quick","fox"]}`, `"quick dog"`, "v value"},
		{"contains in a list", `{"$contains":"fox"}`, `["dog","fox"]`, ""},
		{"contains an element, not a part of one", `{"$contains":"fox"}`, `["foxes"]`, "v value"},
		{"contains an object", `{"$contains":{"id":1}}`, `[{"id":2},{"id":1.0}]`, ""},
		{"contains an object in a string", `{"$contains":{"id":1}}`, `"id"`, "v type"},
		{"contains one of", `{"$contains":{"$anyOf":["a","b"]}}`, `"xbx"`, ""},
		{"contains one of, none", `{"$contains":{"$anyOf":["a","b"]}}`, `"x"`, "v value"},
		{"contains, number given", `{"$contains":"1"}`, `1`, "v type"},
		{"ignoreCase", `{"$ignoreCase":"Straße"}`, `"STRASSE"`, ""},
		{"ignoreCase sigma", `{"$ignoreCase":"ΣΑΣ"}`, `"σας"`, ""},
		{"ignoreCase, other", `{"$ignoreCase":"Oslo"}`, `"Bergen"`, "v value"},
		{"ignoreCase inside", `{"$ignoreCase":{"$anyOf":["Go","Golang"]}}`, `"GOLANG"`, ""},
		{"ignoreCase contains", `{"$ignoreCase":{"$contains":"FOX"}}`, `"a fox"`, ""},
		{"ignoreCase regex", `{"$ignoreCase":{"$regex":"[a-z]+"}}`, `"FOX"`, ""},
		{"ignoreCase ends where it ends", `[{"$ignoreCase":"A"},"A"]`, `["a","a"]`, "v[1] value"},
		{"approx abs, edge", `{"$approx":{"value":3.5,"abs":0.1}}`, `3.6`, ""},
		{"approx abs, over", `{"$approx":{"value":3.5,"abs":0.1}}`, `3.6000000000000000001`, "v value"},
		{"approx rel, edge", `{"$approx":{"value":-200,"rel":0.05}}`, `-210`, ""},
		{"approx rel, over", `{"$approx":{"value":-200,"rel":0.05}}`, `-210.1`, "v value"},
		{"approx, type", `{"$approx":{"value":1,"abs":1}}`, `"1"`, "v type"},
		{"range", `{"$range":{"min":1,"max":3}}`, `3.0`, ""},
		{"range, below", `{"$range":{"min":1,"max":3}}`, `0.999`, "v value"},
		{"range, above", `{"$range":{"min":1,"max":3}}`, `1e999999999`, "v value"},
		{"range, open", `{"$range":{"min":1}}`, `1e99999999999999999999`, ""},
		{"range, far below", `{"$range":{"min":1}}`, `-1e99999999999999999999`, "v value"},
		{"range, tiny", `{"$range":{"max":0}}`, `1e-99999999999999999999`, "v value"},
		{"range of negatives", `{"$range":{"min":-3,"max":-1}}`, `-2`, ""},
		{"range of negatives, below", `{"$range":{"min":-3,"max":-1}}`, `-30`, "v value"},
		{"date", `{"$date":{"value":"2023-10-05"}}`, `"20231005"`, ""},
		{"date, short form", `{"$date":"2023-10-05"}`, `"2023-10-05T00:00:00Z"`, ""},
		{"date, other day", `{"$date":"2023-10-05"}`, `"2023-10-06"`, "v value"},
		{"date, time of day", `{"$date":"2023-10-05"}`, `"2023-10-05T15:00:00"`, "v value"},
		{"date, notation not listed", `{"$date":"2023-10-05"}`, `"05.10.2023"`, "v value"},
		{"date, notation listed", `{"$date":{"value":"2023-10-05","layouts":["02.01.2006","2006年1月2日"]}}`, `"05.10.2023"`, ""},
		{"date, Chinese notation", `{"$date":{"value":"2023-10-05","layouts":["02.01.2006","2006年1月2日"]}}`, `"2023年10月5日"`, ""},
		{"date, day and month changed", `{"$date":{"value":"2023-10-05","layouts":["02/01/2006"]}}`, `"10/05/2023"`, "v value"},
		{"date, ambiguous", `{"$date":{"value":"2023-10-05","layouts":["02/01/2006","01/02/2006"]}}`, `"05/10/2023"`, "v value"},
		{"date, ambiguous layouts, clear text", `{"$date":{"value":"2023-10-25","layouts":["02/01/2006","01/02/2006"]}}`, `"25/10/2023"`, ""},
		{"date in words", `{"$date":"2023-10-05"}`, `"next Thursday"`, "v value"},
		{"date, same instant", `{"$date":"2023-10-05T10:00:00Z"}`, `"2023-10-05T12:00:00+02:00"`, ""},
		{"date, zone left out", `{"$date":"2023-10-05T10:00:00Z"}`, `"2023-10-05T10:00:00"`, "v value"},
		{"date, type", `{"$date":"2023-10-05"}`, `20231005`, "v type"},
		{"unordered", `{"$unordered":["1","2"]}`, `["2","1"]`, ""},
		{"unordered is a multiset", `{"$unordered":["a","a"]}`, `["a"]`, "v[1] missing"},
		{"unordered is a multiset, the other way", `{"$unordered":["a"]}`, `["a","a"]`, "v[1] extra"},
		{"unordered, one wrong", `{"$unordered":["a","b"]}`, `["b","c"]`, "v[1] value"},
		{"unordered needs the best assignment", `{"$unordered":[{"$any":true},"a"]}`, `["a","b"]`, ""},
		{"unordered with optional", `{"$unordered":["a",{"$optional":"b"}]}`, `["a"]`, ""},
		{"unordered with optional, given", `{"$unordered":[{"$optional":{"$any":true}},"a"]}`, `["a"]`, ""},
		{"unordered nested", `{"$unordered":[{"$unordered":[1,2]},[3]]}`, `[[3],[2,1]]`, ""},
		{"unordered, type", `{"$unordered":[1]}`, `1`, "v type"},
		{"array with optional", `["a",{"$optional":"b"},"c"]`, `["a","c"]`, ""},
		{"array with optional, given", `["a",{"$optional":"b"},"c"]`, `["a","b","c"]`, ""},
		{"array with optional, order", `["a",{"$optional":"b"},"c"]`, `["c","a"]`, "v[1] value"},
		{"array with optional, wrong", `["a",{"$optional":"b"},"c"]`, `["a","x","c"]`, "v[1] extra"},
		{"subset", `{"$subset":{"a":1}}`, `{"a":1,"b":2}`, ""},
		{"subset, missing", `{"$subset":{"a":1}}`, `{"b":2}`, "v.a missing"},
		{"subset is shallow", `{"$subset":{"a":{"x":1}}}`, `{"a":{"x":1,"y":2}}`, "v.a.y extra"},
		{"similar", `{"$similar":{"text":"weekly report","min":0.8}}`, `"Weekly  Reports"`, ""},
		{"similar, too far", `{"$similar":{"text":"weekly report","min":0.8}}`, `"daily digest"`, "v value"},
		{"similar, Chinese", `{"$similar":{"text":"天气很好","min":0.5}}`, `"今天天气很好"`, ""},
		{"similar, one character", `{"$similar":{"text":"a","min":1}}`, `"b"`, "v value"},
		{"absent", `{"a":{"$absent":true}}`, `{}`, ""},
		{"absent, given", `{"a":{"$absent":true}}`, `{"a":null}`, "v.a extra"},
		{"absent or", `{"a":{"$anyOf":[{"$absent":true},1]}}`, `{}`, ""},
		{"absent or, given", `{"a":{"$anyOf":[{"$absent":true},1]}}`, `{"a":1}`, ""},
		{"absent or, other", `{"a":{"$anyOf":[{"$absent":true},1]}}`, `{"a":2}`, "v.a value"},
		{"optional, absent", `{"a":{"$optional":1}}`, `{}`, ""},
		{"optional, other", `{"a":{"$optional":1}}`, `{"a":2}`, "v.a value"},
		{"optional is not null", `{"a":{"$optional":1}}`, `{"a":null}`, "v.a type"},
		{"optional of anyOf", `{"a":{"$optional":{"$anyOf":[1,2]}}}`, `{"a":2}`, ""},
		{"literal", `{"$literal":{"$any":true}}`, `{"$any":true}`, ""},
		{"literal is not a matcher", `{"$literal":{"$any":true}}`, `1`, "v type"},
		{"literal goes all the way down", `{"$literal":{"a":[{"$any":true}]}}`, `{"a":[1]}`, "v.a[0] type"},
		{"several unknown $ keys are literal", `{"$ref":"x","a":1}`, `{"$ref":"x","a":1}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := run(t, `{"v":`+tt.label+`}`, `{"v":`+tt.given+`}`)
			var got []string
			for _, d := range r.Diffs {
				got = append(got, d.Path+" "+string(d.Kind))
			}
			assert.Equal(t, tt.diffs, strings.Join(got, ", "))
			assert.Equal(t, 1, r.Labelled)
			assert.Equal(t, r.OK, r.Right == 1)
		})
	}
}

func TestMatchRoot(t *testing.T) {
	t.Run("labelled as empty is not vacuous", func(t *testing.T) {
		r := run(t, `{}`, `{"q":"anything"}`)
		require.Len(t, r.Diffs, 1)
		assert.Equal(t, Diff{Path: "q", Kind: Extra, Got: `"anything"`}, r.Diffs[0])
		assert.True(t, run(t, `{}`, `{}`).OK)
		assert.True(t, run(t, `{}`, ``).OK, "no bytes are no arguments")
		assert.False(t, run(t, `{"a":1}`, ` `).OK)
	})
	t.Run("counts", func(t *testing.T) {
		r := run(t, `{"a":1,"b":"x","c":[1]}`, `{"a":1,"b":"y","c":[1,2]}`)
		assert.Equal(t, 3, r.Labelled)
		assert.Equal(t, 1, r.Right)
		assert.Equal(t, Diff{Path: "b", Kind: Value, Want: `"x"`, Got: `"y"`}, r.Diffs[0])
	})
	t.Run("explicit null and absent key", func(t *testing.T) {
		r := run(t, `{"loc":"NYC","units":null}`, `{"loc":"NYC"}`)
		assert.Equal(t, []Diff{{Path: "units", Kind: Missing, Want: "null"}}, r.Diffs)
	})
	t.Run("subset of all arguments", func(t *testing.T) {
		r := run(t, `{"$subset":{"a":1}}`, `{"a":1,"b":2}`)
		assert.True(t, r.OK)
		assert.Equal(t, 1, r.Labelled)
	})
	t.Run("alternatives for all arguments: the best one is shown", func(t *testing.T) {
		r := run(t, `{"$anyOf":[{"x":1},{"city":"Oslo","days":3}]}`, `{"city":"Oslo","days":4}`)
		assert.Equal(t, []Diff{{Path: "days", Kind: Value, Want: "3", Got: "4"}}, r.Diffs)
		assert.Equal(t, 2, r.Labelled)
		assert.Equal(t, 1, r.Right)
	})
	t.Run("any arguments", func(t *testing.T) {
		r := run(t, `{"$any":true}`, `{"city":"Oslo"}`)
		assert.True(t, r.OK)
		assert.Zero(t, r.Labelled)
	})
	for _, given := range []string{`[1]`, `"x"`, `null`, `{"a":1,"a":1}`, `{"a":`, `{"a":1} x`, `{"a":"\ud83d"}`, "{\"a\":\"\xff\"}", `{"a":NaN}`, strings.Repeat("[", 10000)} {
		r := run(t, `{"a":1}`, given)
		require.Len(t, r.Diffs, 1, given)
		assert.Equal(t, "", r.Diffs[0].Path)
		assert.Equal(t, Type, r.Diffs[0].Kind)
		assert.Zero(t, r.Right)
	}
	assert.Contains(t, run(t, `{"a":1}`, `{"a":1,"a":1}`).Diffs[0].Got, `duplicate key "a"`)
	assert.Equal(t, 1, run(t, `{"a":1}`, `{"a":`).Labelled)
}

func TestDefaults(t *testing.T) {
	d := Defaults(json.RawMessage(`{"properties":{"standardize":{"type":"boolean","default":false},"days":{"default": 3},"unit":{"default":null},"city":{"type":"string"},"x":true}}`))
	assert.Equal(t, map[string]json.RawMessage{"standardize": json.RawMessage("false"), "days": json.RawMessage("3"), "unit": json.RawMessage("null")}, d)
	assert.Nil(t, Defaults(nil))
	assert.Nil(t, Defaults(json.RawMessage(`{"properties":[]}`)))
	assert.Nil(t, Defaults(json.RawMessage(`[]`)))

	tests := []struct {
		name, label, given string
		diffs              int
		note               string
	}{
		{"labelled default, left out", `{"standardize":false}`, `{}`, 0, "standardize: left out, and the label equals the schema's default"},
		{"labelled other value, left out", `{"standardize":true}`, `{}`, 1, ""},
		{"default written out, not labelled", `{}`, `{"days":3.0}`, 0, "days: not labelled, and equal to the schema's default"},
		{"other value written out", `{}`, `{"days":4}`, 1, ""},
		{"labelled null, left out, default null", `{"unit":null}`, `{}`, 0, "unit: left out, and the label equals the schema's default"},
		{"a matcher that the default matches", `{"days":{"$range":{"min":1}}}`, `{}`, 0, "days: left out, and the label equals the schema's default"},
		{"explicitly absent is strict", `{"days":{"$absent":true}}`, `{"days":3}`, 1, ""},
		{"defaults are of the top level only", `{"o":{}}`, `{"o":{"days":3}}`, 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := compile(t, tt.label).Match(json.RawMessage(tt.given), d)
			assert.Len(t, r.Diffs, tt.diffs)
			assert.Equal(t, tt.diffs == 0, r.OK)
			if tt.note != "" {
				assert.Equal(t, []string{tt.note}, r.Notes)
			} else {
				assert.Empty(t, r.Notes)
			}
		})
	}
}

func TestNotesAndHints(t *testing.T) {
	notes := func(label, given string) []string { return run(t, label, given).Notes }
	assert.Equal(t, []string{"a: equal after trimming outer spaces and Unicode NFC"}, notes(`{"a":"x"}`, `{"a":"x "}`))
	assert.Equal(t, []string{"a: equal ignoring case"}, notes(`{"a":{"$ignoreCase":"x"}}`, `{"a":"X"}`))
	assert.Equal(t, []string{"a: the same date in another notation"}, notes(`{"a":{"$date":"2023-10-05"}}`, `{"a":"20231005"}`))
	assert.Equal(t, []string{"a: similarity 0.667"}, notes(`{"a":{"$similar":{"text":"ab","min":0.5}}}`, `{"a":"abc"}`))
	assert.Empty(t, notes(`{"a":{"$ignoreCase":"x"}}`, `{"a":"x"}`))

	hintOf := func(label, given string) string { return run(t, `{"a":`+label+`}`, `{"a":`+given+`}`).Diffs[0].Hint }
	assert.Equal(t, "differs only in case", hintOf(`"USD"`, `"usd"`))
	assert.Equal(t, "differs only in full-width or half-width forms", hintOf(`"123号"`, `"１２３号"`))
	assert.Equal(t, "differs only in inner spaces", hintOf(`"New York"`, `"NewYork"`))
	assert.Equal(t, "differs only in compatibility forms (NFKC)", hintOf(`"3kg"`, `"3㎏"`))
	assert.Equal(t, "differs only in case", hintOf(`{"$anyOf":["EUR","USD"]}`, `"usd"`))
	assert.Equal(t, "", hintOf(`"a"`, `"b"`))
	assert.Contains(t, hintOf(`{"$date":{"value":"2023-10-05","layouts":["02/01/2006","01/02/2006"]}}`, `"05/10/2023"`), "ambiguous")
	assert.Contains(t, hintOf(`{"$date":"2023-10-05"}`, `"next Thursday"`), "layout")
	assert.Equal(t, `any of "go", "golang"`, run(t, `{"a":{"$anyOf":["go","golang"]}}`, `{"a":"x"}`).Diffs[0].Want)
}

func TestCompileErrors(t *testing.T) {
	tests := []struct{ label, path, message string }{
		{`5`, "", "arguments are an object"},
		{`{"$regex":"x"}`, "", "arguments are an object"},
		{`{"$optional":{}}`, "", "$optional"},
		{`{"$absent":true}`, "", "only under a key"},
		{`{"a":1,"a":2}`, "", `duplicate key "a"`},
		{`{"a":`, "", "not valid JSON"},
		{``, "", "no JSON value"},
		{`{} {}`, "", "more text"},
		{`{"a":{"$regexp":"x"}}`, "a", `unknown matcher "$regexp"; did you mean "$regex"?; known: $any, $anyOf, $regex`},
		{`{"a":[{"$filter":"x"}]}`, "a[0]", `write {"$literal": {"$filter": …}}`},
		{`{"a":{"$regex":"x","flags":"i"}}`, "a", "a matcher is an object with one key"},
		{`{"a":{"$any":1}}`, "a.$any", "true is needed"},
		{`{"a":{"$any":false}}`, "a.$any", "true is needed"},
		{`{"a":[{"$absent":true}]}`, "a[0]", "only under a key"},
		{`{"a":{"$anyOf":[]}}`, "a.$anyOf", "at least one"},
		{`{"a":{"$anyOf":"x"}}`, "a.$anyOf", "at least one"},
		{`{"a":{"$regex":"(?!x)"}}`, "a.$regex", "RE2"},
		{`{"a":{"$regex":"a)|(b"}}`, "a.$regex", "RE2"},
		{`{"a":{"$regex":5}}`, "a.$regex", "RE2"},
		{`{"a":{"$contains":""}}`, "a.$contains", "empty"},
		{`{"a":{"$contains":["x"," "]}}`, "a.$contains[1]", "empty"},
		{`{"a":{"$contains":[]}}`, "a.$contains", "at least one"},
		{`{"a":{"$approx":3}}`, "a.$approx", `an object with "value", "abs", "rel"`},
		{`{"a":{"$approx":{"value":3}}}`, "a.$approx", "exactly one"},
		{`{"a":{"$approx":{"value":3,"abs":1,"rel":1}}}`, "a.$approx", "exactly one"},
		{`{"a":{"$approx":{"abs":1}}}`, "a.$approx", `"value" is needed`},
		{`{"a":{"$approx":{"value":"3","abs":1}}}`, "a.$approx.value", "a number is needed"},
		{`{"a":{"$approx":{"value":3,"abs":-1}}}`, "a.$approx", "negative"},
		{`{"a":{"$approx":{"value":1e999999999,"abs":1}}}`, "a.$approx.value", "out of range"},
		{`{"a":{"$approx":{"value":3,"tol":1}}}`, "a.$approx.tol", "unknown key"},
		{`{"a":{"$range":{}}}`, "a.$range", "min"},
		{`{"a":{"$range":{"min":3,"max":1}}}`, "a.$range", "greater than"},
		{`{"a":{"$date":5}}`, "a.$date", "an object"},
		{`{"a":{"$date":{"layouts":[]}}}`, "a.$date.value", "a date"},
		{`{"a":{"$date":"soon"}}`, "a.$date", "ISO 8601"},
		{`{"a":{"$date":{"value":"2023-10-05","layouts":["YYYY-MM-DD"]}}}`, "a.$date.layouts[0]", "Go layout"},
		{`{"a":{"$date":{"value":"2023-10-05","layouts":["Mon 2006"]}}}`, "a.$date.layouts[0]", "Go layout"},
		{`{"a":{"$date":{"value":"05/10/2023","layouts":["02/01/2006","01/02/2006"]}}}`, "a.$date.value", "ambiguous"},
		{`{"a":{"$unordered":{}}}`, "a.$unordered", "a list"},
		{`{"a":{"$subset":[]}}`, "a.$subset", "an object"},
		{`{"a":{"$subset":{"$any":true}}}`, "a.$subset", "not the matcher"},
		{`{"a":{"$similar":"x"}}`, "a.$similar", "an object"},
		{`{"a":{"$similar":{"text":"x"}}}`, "a.$similar", "min"},
		{`{"a":{"$similar":{"text":"x","min":0}}}`, "a.$similar.min", "above 0"},
		{`{"a":{"$similar":{"text":"x","min":1.1}}}`, "a.$similar.min", "above 0"},
		{`{"a":{"$similar":{"min":1}}}`, "a.$similar.text", "a string"},
		{`{"a":{"$optional":{"$any":0}}}`, "a.$optional.$any", "true is needed"},
		{`{"a":1e9999999999999999999}`, "a", "out of range"},
		{`{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, "", "nested deeper"},
		{`{"a":[` + strings.Repeat("1,", MaxValues) + `1]}`, "", "more than"},
	}
	for _, tt := range tests {
		name := tt.label[:min(len(tt.label), 60)]
		t.Run(name, func(t *testing.T) {
			_, err := Compile(json.RawMessage(tt.label))
			var errs Errors
			require.ErrorAs(t, err, &errs)
			require.Len(t, errs, 1)
			assert.Equal(t, tt.path, errs[0].Path)
			assert.Contains(t, errs[0].Message, tt.message)
		})
	}
	_, err := Compile(json.RawMessage(`{"a":{"$x":1},"b":{"$anyOf":[]}}`))
	assert.Len(t, err, 2, "every fault at once")
	assert.Contains(t, err.Error(), "a: unknown matcher")
}

func TestSamples(t *testing.T) {
	one := func(label string) Sample {
		all := compile(t, label).Samples()
		require.Len(t, all, 1)
		return all[0]
	}
	s := one(`{"a":1.50,"b":{"$optional":"x"},"c":{"$absent":true},"d":[{"$optional":1},2],"e":{"$unordered":[1]}}`)
	assert.Equal(t, `{"a":1.50,"b":"x","d":[1,2],"e":[1]}`, string(s.Value))
	assert.Empty(t, s.Loose)

	s = one(`{"a":{"$regex":"x+"},"b":[{"$range":{"min":1.5}}],"c":{"$any":true},"d":{"$subset":{"k":1}},"e":{"$ignoreCase":"USD"}}`)
	assert.Equal(t, `{"a":"","b":[2],"c":null,"d":{"k":1},"e":"USD"}`, string(s.Value))
	assert.Equal(t, []string{"a", "b[0]", "e"}, s.Loose)
	assert.Equal(t, []string{"c"}, s.Unknown)
	assert.Equal(t, []string{"d"}, s.Partial)

	s = one(`{"l":[{"$optional":{"$absent":true}},1,{"$optional":{"$absent":true}}],"s":{"$similar":{"text":"abc","min":0.5}},"d":{"$date":"2023-10-05"},"k":{"$contains":"x"}}`)
	assert.Equal(t, `{"l":[1],"s":"abc","d":"2023-10-05","k":null}`, string(s.Value))
	assert.Equal(t, []string{"s", "d"}, s.Loose)
	assert.Equal(t, []string{"k"}, s.Unknown)

	all := compile(t, `{"a":{"$anyOf":["x","y"]},"b":{"$anyOf":[1,2,{"$absent":true}]}}`).Samples()
	var got []string
	for _, s := range all {
		got = append(got, string(s.Value))
	}
	assert.Equal(t, []string{`{"a":"x","b":1}`, `{"a":"y","b":2}`, `{"a":"x"}`}, got)

	raw, ok := compile(t, `{"a":{"$anyOf":["x","y"]}}`).Literal()
	assert.True(t, ok)
	assert.JSONEq(t, `{"a":"x"}`, string(raw))
	_, ok = compile(t, `{"a":{"$regex":"x"}}`).Literal()
	assert.False(t, ok)
	_, ok = compile(t, `{"$subset":{"a":1}}`).Literal()
	assert.False(t, ok)
	for label, want := range map[string]string{
		`{"$approx":{"value":3.5,"abs":1}}`:    "4",
		`{"$approx":{"value":3.5,"abs":0.1}}`:  "3.5",
		`{"$approx":{"value":-3.5,"abs":0.5}}`: "-3",
		`{"$range":{"max":2.5}}`:               "2",
		`{"$range":{"min":1e-3,"max":2e-3}}`:   "0.001",
		`{"$range":{"min":1e30}}`:              "1" + strings.Repeat("0", 30),
	} {
		assert.Equal(t, `{"a":`+want+`}`, string(one(`{"a":`+label+`}`).Value), label)
	}
}

func TestHostileInputIsBounded(t *testing.T) {
	wide := func(n int) string {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf("%q", strings.Repeat("x", 200)+fmt.Sprint(i))
		}
		return strings.Join(items, ",")
	}
	r := run(t, `{"a":{"$unordered":[`+wide(300)+`]}}`, `{"a":[`+wide(300)+`]}`)
	assert.True(t, r.OK)
	r = run(t, `{"a":{"$unordered":[`+strings.Repeat(`"x",`, 499)+`"x"]}}`, `{"a":[`+strings.Repeat(`"x",`, 499)+`"x"]}`)
	assert.True(t, r.OK)
	r = run(t, `{"a":{"$unordered":[`+wide(20000)+`]}}`, `{"a":[`+wide(20000)+`]}`)
	require.False(t, r.OK)
	assert.Equal(t, "too large to compare", r.Diffs[len(r.Diffs)-1].Got)

	extra := make([]string, 50000)
	for i := range extra {
		extra[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	r = run(t, `{}`, `{`+strings.Join(extra, ",")+`}`)
	assert.Len(t, r.Diffs, 1000)
	assert.Equal(t, []string{"49000 more differences are not listed"}, r.Notes)
	r = run(t, `{`+strings.Join(extra, ",")+`}`, `{`+strings.Join(extra, ",")+`}`)
	assert.True(t, r.OK)
	assert.Equal(t, 50000, r.Right)

	r = run(t, `{"a":"x"}`, `{"a":"`+strings.Repeat("界", 1<<17)+`"}`)
	assert.LessOrEqual(t, len([]rune(r.Diffs[0].Got)), 200)
	nested := strings.Repeat(`{"$anyOf":[`, 60) + `1` + strings.Repeat(`]}`, 60)
	assert.False(t, run(t, `{"a":`+nested+`}`, `{"a":2}`).OK)
}
