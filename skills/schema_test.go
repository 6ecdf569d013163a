package skills

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func compileText(t *testing.T, text string) *Schema {
	t.Helper()
	s, err := CompileSchema(json.RawMessage(text))
	require.NoError(t, err)
	return s
}

// object is the schema of arguments with these properties.
func object(properties string) string {
	return `{"type":"object","properties":` + properties + `}`
}

func messages(faults []SchemaFault) []string {
	var out []string
	for _, f := range faults {
		out = append(out, f.Message)
	}
	return out
}

func TestValidate(t *testing.T) {
	tests := []struct {
		what, schema, args string
		want               []string
	}{
		{"valid", object(`{"city":{"type":"string"}}`), `{"city":"Hangzhou"}`, nil},
		{"no coercion", object(`{"n":{"type":"integer"},"s":{"type":"string"},"b":{"type":"boolean"}}`), `{"n":"5","s":5,"b":"true"}`,
			[]string{`b: expected boolean, given string "true"`, `n: expected integer, given string "5"`, `s: expected string, given integer 5`}},
		{"missing", `{"type":"object","properties":{"city":{"type":"string","format":"date"},"unit":{"enum":["C","F"]}},"required":["city","unit","other"]}`, `{}`,
			[]string{"city: expected text in format date, such as 2026-01-31 (required), given nothing", "other: expected a value (required), given nothing",
				`unit: expected one of "C", "F" (required), given nothing`}},
		{"unknown", `{"type":"object","properties":{"city":{},"days":{}},"additionalProperties":false}`, `{"citty":"x","zzzzzz":1}`,
			[]string{`citty: expected only city, days, given string "x"; did you mean city?`, `zzzzzz: expected only city, days, given integer 1`}},
		{"no arguments", "", `{"a":1}`, []string{"a: expected no such member, given integer 1"}},
		{"no arguments, none given", "", `{}`, nil},
		{"enum", object(`{"unit":{"enum":["C",1,null]}}`), `{"unit":"K"}`, []string{`unit: expected one of "C", 1, null, given string "K"`}},
		{"const", object(`{"v":{"const":{"a":1}}}`), `{"v":2}`, []string{`v: expected {"a":1}, given integer 2`}},
		{"nested path", object(`{"to":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`),
			`{"to":[{"name":1},{}]}`, []string{`to[0].name: expected string, given integer 1`, `to[1].name: expected string (required), given nothing`}},
		{"odd names", object(`{"a.b":{"type":"string"},"x y":{"type":"string"},"城市":{"type":"string"},"0":{"type":"string"}}`), `{"a.b":1,"x y":2,"城市":3,"0":4}`,
			[]string{`0: expected string, given integer 4`, `["a.b"]: expected string, given integer 1`, `["x y"]: expected string, given integer 2`, `城市: expected string, given integer 3`}},
		{"bounds", object(`{"a":{"minimum":1.5},"b":{"maximum":10},"c":{"exclusiveMinimum":0},"d":{"exclusiveMaximum":1},"e":{"minLength":2},"f":{"maxLength":1},"g":{"minItems":1},"h":{"maxItems":0},"i":{"minProperties":1},"j":{"uniqueItems":true}}`),
			`{"a":1,"b":11,"c":0,"d":1,"e":"x","f":"中文","g":[],"h":[1],"i":{},"j":[1,1.0]}`,
			[]string{"a: expected at least 1.5, given integer 1", "b: expected at most 10, given integer 11", "c: expected more than 0, given integer 0",
				"d: expected less than 1, given integer 1", `e: expected at least 2 characters, given string "x"`, `f: expected at most 1 characters, given string "中文"`,
				"g: expected at least 1 items, given array []", "h: expected at most 0 items, given array [1]", "i: expected at least 1 members, given object {}",
				"j: expected items that differ (items 0 and 1 are equal), given array [1,1.0]"}},
		{"pattern and format", object(`{"a":{"pattern":"^a+$"},"b":{"format":"email"},"c":{"format":"uri"}}`), `{"a":"b","b":"x","c":"nowhere"}`,
			[]string{`a: expected text that matches ^a+$, given string "b"`, `b: expected text in format email, such as name@example.com, given string "x"`,
				`c: expected text in format uri, such as https://example.com/page, given string "nowhere"`}},
		{"nullable", object(`{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}`), `{"a":5}`, []string{"a: expected string or null, given integer 5"}},
		{"the branch of the right type", object(`{"a":{"oneOf":[{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]},{"type":"null"}]}}`), `{"a":{"x":"1"}}`,
			[]string{`a.x: expected integer, given string "1"`}},
		{"several branches", object(`{"a":{"anyOf":[{"type":"object","required":["x"]},{"type":"object","required":["y"]}]}}`), `{"a":{}}`,
			[]string{"a: expected a value that fits one of the allowed forms, given object {}"}},
		{"too many branches", object(`{"a":{"oneOf":[{"type":"integer"},{"minimum":1}]}}`), `{"a":2}`,
			[]string{"a: expected a value that fits exactly one of the allowed forms, given integer 2, which fits several"}},
		{"not, false, names, dependents", `{"type":"object","properties":{"a":{"not":{"const":1}},"b":false},"propertyNames":{"maxLength":3},"dependentRequired":{"a":["c"]}}`,
			`{"a":1,"b":2,"long":3}`, []string{"a: expected a value that the schema does not exclude, given integer 1", "b: expected no value, given integer 2",
				"c: expected a value (required), given nothing", `long: expected a name that the schema allows, given the name "long"`}},
		{"contains", object(`{"a":{"contains":{"const":1}}}`), `{"a":[2]}`, []string{"a: expected a value without this fault: no items match contains schema, given array [2]"}},
		{"both allOf", `{"type":"object","allOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`,
			[]string{"a: expected a value (required), given nothing", "b: expected a value (required), given nothing"}},
		{"not an object", object(`{}`), `[1]`, []string{"arguments: expected an object with the arguments, given array [1]"}},
		{"null", object(`{}`), `null`, []string{"arguments: expected an object with the arguments, given null"}},
		{"a text with JSON in it", object(`{}`), `"{}"`, []string{`arguments: expected an object with the arguments, given string "{}"`}},
		{"empty", object(`{}`), ` `, []string{"arguments: expected a JSON object with the arguments, given no text"}},
		{"not JSON", object(`{}`), "{\"a\": oops\n}", []string{"arguments: expected a JSON object with the arguments, given text that is not JSON (invalid character 'o' at start of value at character 7): {\"a\": oops }"}},
		{"not a number", object(`{"p":{"minimum":20,"maximum":100}}`), `{"p": NaN}`, []string{"arguments: expected a JSON object with the arguments, given text that is not JSON (invalid character 'N' at start of value at character 7): {\"p\": NaN}"}},
		{"two values", object(`{}`), `{} {}`, []string{"arguments: expected a JSON object with the arguments, given text that is not JSON (more text behind the JSON value at character 5): {} {}"}},
		{"overflow", object(`{"p":{"type":"number"}}`), `{"p":1e999}`, []string{"p: expected a number within the range of a 64-bit float, given number 1e999"}},
		{"underflow", object(`{"p":{"multipleOf":2}}`), `{"p":1e-999999999}`, []string{"p: expected a number within the range of a 64-bit float, given number 1e-999999999"}},
		{"giant exponent", object(`{"p":{"type":"integer"}}`), `{"p":1e999999999,"q":0e999999999}`,
			[]string{"p: expected a number within the range of a 64-bit float, given number 1e999999999"}},
		{"given twice", object(`{"p":{"type":"integer"}}`), `{"p":1,"p":"2","o":{"x":1,"x":1}}`, []string{"o.x: expected one value, given the same name twice", "p: expected one value, given the same name twice"}},
		{"whole numbers of any size are exact", object(`{"id":{"const":8021929379916255508}}`), `{"id":8021929379916255509}`, []string{"id: expected 8021929379916255508, given integer 8021929379916255509"}},
		{"whole numbers of any size are integers", object(`{"id":{"type":"integer"}}`), `{"id":8021929379916255508}`, nil},
		{"multipleOf is exact", object(`{"a":{"multipleOf":0.001},"b":{"multipleOf":11.0}}`), `{"a":2.001,"b":9007199254740995}`, nil},
		{"multipleOf is exact in refusing", object(`{"a":{"multipleOf":0.001},"b":{"multipleOf":11.0}}`), `{"a":2.0015,"b":9007199254740996}`,
			[]string{"a: expected a multiple of 0.001, given number 2.0015", "b: expected a multiple of 11, given integer 9007199254740996"}},
		{"1.0 is an integer", object(`{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}}`), `{"a":1.0,"b":1e2,"c":1.5}`, []string{"c: expected integer, given number 1.5"}},
		{"line ends do not break the line", object(`{"a":{"enum":["x"]}}`), `{"a":"p\nq\u2028r"}`, []string{`a: expected "x", given string "p\nq\u2028r"`}},
		{"what is expected of a missing value", `{"type":"object","properties":{"a":{"$ref":"#/$defs/U"},"b":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/U"}]},"c":{"const":true},"d":{"type":["integer","null"]},
			"e":{"$ref":"#/$defs/L"},"f":{"type":"string","format":"own"}},"required":["a","b","c","d","e","f"],"$defs":{"U":{"enum":["C"]},"L":{"$ref":"#/$defs/L"}}}`, `{}`,
			[]string{`a: expected "C" (required), given nothing`, `b: expected string or "C" (required), given nothing`, "c: expected true (required), given nothing",
				"d: expected integer or null (required), given nothing", "e: expected a value (required), given nothing", "f: expected text in format own (required), given nothing"}},
		{"a third", object(`{"a":{"minimum":0.125}}`), `{"a":-1}`, []string{"a: expected at least 0.125, given integer -1"}},
		{"root reference", `{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}}`, `{}`, []string{"n: expected integer (required), given nothing"}},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			s := compileText(t, tt.schema)
			for range 3 {
				got := s.Validate(json.RawMessage(tt.args))
				assert.Equal(t, tt.want, messages(got))
				for _, f := range got {
					assert.NotContains(t, f.Message, "\n")
					assert.NotEmpty(t, f.Keyword)
				}
			}
		})
	}
}

func TestFaultParts(t *testing.T) {
	s := compileText(t, `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)
	assert.Equal(t, []SchemaFault{
		{Path: "city", Keyword: "required", Expected: "string (required)", Given: "nothing", Message: "city: expected string (required), given nothing"},
		{Path: "x", Keyword: "additionalProperties", Expected: "only city", Given: "null", Message: "x: expected only city, given null"},
	}, s.Validate([]byte(`{"x":null}`)))
	long := strings.Repeat("汉", 500)
	f := s.Validate([]byte(`{"city":["` + long + `"]}`))
	require.Len(t, f, 1)
	assert.Equal(t, len([]rune("array "))+maxGiven+1, len([]rune(f[0].Given)))
	many := compileText(t, object(`{"a":{"items":{"type":"string"}}}`)).Validate([]byte(`{"a":[` + strings.Repeat("1,", 500) + `1]}`))
	require.Len(t, many, maxFaults)
	assert.Equal(t, "arguments: 402 more faults", many[maxFaults-1].Message)
}

// Two values that differ only in a lone surrogate must not compare equal.
func TestValidateRefusesBrokenText(t *testing.T) {
	s := compileText(t, object(`{"a":{"type":"string"}}`))
	for _, args := range []string{`{"a":"\ud83d"}`, "{\"a\":\"\xff\"}", "\ufeff{}", "{\"a\":'x'}"} {
		f := s.Validate([]byte(args))
		require.Len(t, f, 1, args)
		assert.Equal(t, "json", f[0].Keyword)
	}
	assert.NotPanics(t, func() { s.Validate([]byte(strings.Repeat("[", 100_000))) })
}

func TestDrafts(t *testing.T) {
	draft7 := `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"o":{"$ref":"#/definitions/O","properties":{"n":{"type":"integer"}}}},"definitions":{"O":{"type":"object"}}}`
	args := json.RawMessage(`{"o":{"n":"25"}}`)
	assert.Empty(t, compileText(t, draft7).Validate(args), "draft 7 ignores what stands beside $ref")
	for _, newer := range []string{"", `"$schema":"https://json-schema.org/draft/2020-12/schema",`, `"$schema":"https://json-schema.org/draft/2019-09/schema",`} {
		s := strings.Replace(draft7, `"$schema":"http://json-schema.org/draft-07/schema#",`, newer, 1)
		assert.Len(t, compileText(t, s).Validate(args), 1, newer)
	}
	draft4 := `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"n":{"maximum":5,"exclusiveMaximum":true}}}`
	assert.Equal(t, []string{"n: expected less than 5, given integer 5"}, messages(compileText(t, draft4).Validate([]byte(`{"n":5}`))))
}

func TestReferences(t *testing.T) {
	for _, place := range []string{"$defs", "definitions"} {
		s := compileText(t, `{"type":"object","properties":{"b":{"$ref":"#/`+place+`/x"}},"`+place+`":{"x":{"type":"string"}}}`)
		assert.Equal(t, []string{"b: expected string, given integer 1"}, messages(s.Validate([]byte(`{"b":1}`))))
	}
	s := compileText(t, `{"type":"object","properties":{"b":{"$ref":"#word"}},"$defs":{"x":{"$anchor":"word","type":"string"}}}`)
	assert.Len(t, s.Validate([]byte(`{"b":1}`)), 1)
	loop := compileText(t, `{"type":"object","properties":{"b":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/x"}}}`)
	assert.NotEmpty(t, loop.Validate([]byte(`{"b":1}`)), "a circle validates nothing")
	tree := compileText(t, `{"type":"object","properties":{"next":{"$ref":"#"}},"required":["v"],"additionalProperties":{}}`)
	assert.Equal(t, []string{"next.next.v: expected a value (required), given nothing"}, messages(tree.Validate([]byte(`{"v":1,"next":{"v":1,"next":{}}}`))))
}

func TestSchemasThatCannotBeUsed(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	tests := []struct{ schema, pointer, says string }{
		{object(`{"b":{"$ref":"#/$defs/x"}}`), "/properties/b/$ref", `"#/$defs/x": nothing stands at this reference`},
		{object(`{"b":{"$ref":"#nowhere"}}`), "/properties/b/$ref", `"#nowhere": no $anchor of this name`},
		{object(`{"b":{"$ref":"` + server.URL + `/x.json"}}`), "/properties/b/$ref", "never fetched"},
		{object(`{"b":{"$ref":"file:///etc/hostname"}}`), "/properties/b/$ref", "never fetched"},
		{object(`{"b":{"$ref":"other.json#/a"}}`), "", "never fetched"},
		{`{"$schema":"https://example.com/own","type":"object"}`, "/$schema", "not a draft that is known"},
		{object(`{"x":{"type":"dict","properties":{"y":{"type":"float"}}}}`), "/properties/x/properties/y/type", `"float" is not a JSON Schema type; write "number"`},
		{`{"type":"dict"}`, "/type", `"dict" is not a JSON Schema type; write "object"`},
		{object(`{"x":{"type":"any"}}`), "/properties/x/type", "leave type out"},
		{object(`{"x":{"type":"tuple"}}`), "/properties/x/type", `write "array"`},
		{object(`{"x":{"type":"strng"}}`), "/properties/x/type", "write one of object, array"},
		{object(`{"x":{"minLength":"3"}}`), "/properties/x/minLength", `expected integer, given string "3"`},
		{object(`{"x":{"required":true}}`), "/properties/x/required", "expected array, given boolean true"},
		{object(`{"x":{"pattern":"("}}`), "/properties/x/pattern", "expected text in format regex"},
		{object(`{"x":{"pattern":"[z-a]"}}`), "/properties/x/pattern", "regex"},
		{`{"type":"string"}`, "/type", `write "type": "object", not "string"`},
		{`{"type":"number"}`, "/type", `not "number"`},
		{`{"type":"boolean"}`, "/type", `not "boolean"`},
		{`{"type":"null"}`, "/type", `not "null"`},
		{`{"type":"array"}`, "/type", `not "array"`},
		{`{"type":"integer"}`, "/type", `not "integer"`},
		{`{"type":"function","function":{"name":"x","parameters":{}}}`, "/type", `keep only the value of its "parameters"`},
		{`true`, "", "must be an object"},
		{`[]`, "", "not array"},
		{`{"type":"object",}`, "", "not JSON"},
		{object(`{"x":{"maximum":1e999999999}}`), "/properties/x/maximum", "number out of range"},
		{`{"type":"object","type":"object"}`, "/type", "given twice"},
		{`{"type":"object","description":"` + strings.Repeat("x", maxSchemaSize) + `"}`, "", "at most"},
	}
	for _, tt := range tests {
		t.Run(tt.schema[:min(len(tt.schema), 80)], func(t *testing.T) {
			_, err := CompileSchema(json.RawMessage(tt.schema))
			var e *SchemaError
			require.ErrorAs(t, err, &e)
			assert.Contains(t, e.Error(), tt.says)
			if tt.pointer != "" {
				assert.Equal(t, tt.pointer, e.Pointer)
				assert.Contains(t, e.Error(), tt.pointer)
			}
			assert.NotContains(t, e.Error(), schemaURL)
		})
	}
	assert.Zero(t, asked, "no request leaves the program")
}

func TestPatternsBeyondGo(t *testing.T) {
	s := compileText(t, `{"type":"object","properties":{"a":{"type":"string","pattern":"^(?!.*-abc$)[a-z]*$","maxLength":3},"b":{"pattern":"(a)\\1"},"pattern":{"type":"string"}},
		"patternProperties":{"^(?=x)":{"type":"integer"},"^y":{"type":"integer"}},"additionalProperties":false,"default":{"pattern":"(?!x)"}}`)
	require.Len(t, s.Notes, 3)
	assert.Contains(t, s.Notes[0].Message, "/patternProperties")
	assert.Contains(t, s.Notes[1].Message, "/properties/a/pattern")
	assert.Contains(t, s.Notes[2].Message, "/properties/b/pattern")
	assert.Empty(t, s.Validate([]byte(`{"a":"x1","b":"zz","xx":"not checked"}`)))
	assert.Equal(t, []string{`a: expected at most 3 characters, given string "long"`, `ya: expected integer, given string "1"`},
		messages(s.Validate([]byte(`{"a":"long","ya":"1"}`))), "the rest is checked")
}

func TestTranslatePattern(t *testing.T) {
	for pattern, cases := range map[string][2]string{ // matches, does not match
		`^\u4e2d\u{6587}$`:      {"中文", "中"},
		`^[\u0041-\u0043]+$`:    {"ABC", "D"},
		`^\p{Script=Han}+$`:     {"汉字", "a"},
		`^\u{41}b$`:             {"Ab", "Abc"},
		`^a[^]b$`:               {"a\nb", "ab"},
		`^x[]|^y$`:              {"y", "x"},
		`^[a[]+$`:               {"a[", "b"},
		`^\cJ\cj$`:              {"\n\n", "J"},
		`^\/\d+\\u0041$`:        {`/12\u0041`, "/12A"},
		`^(?<year>\d{4})$`:      {"2026", "26"},
		`^[\]\-]+$`:             {"]-", "a"},
		`^\cZ\cA$`:              {"\x1a\x01", "ZA"},
		`^\p{L}\P{gc=L}[\p{N}]`: {"a11", "aaa"},
	} {
		re, err := regexpEngine(pattern)
		require.NoError(t, err, pattern)
		require.NotEqual(t, anyText(pattern), re, "checked, not waved through")
		assert.True(t, re.MatchString(cases[0]), pattern)
		assert.False(t, re.MatchString(cases[1]), pattern)
	}
	for _, pattern := range []string{`\u12`, `\u{}`, `(?=x)`, `(a)\1`, `a{2000}`, `\p{Script=Nowhere}`} {
		re, err := regexpEngine(pattern)
		require.NoError(t, err, pattern)
		assert.Equal(t, anyText(pattern), re)
	}
	_, err := regexpEngine("(")
	assert.Error(t, err)
	re, err := regexpEngine(`(?!x)`)
	require.NoError(t, err)
	assert.True(t, re.MatchString("anything"))
	assert.Equal(t, `(?!x)`, re.String())
}

func TestProperties(t *testing.T) {
	s := compileText(t, `{"type":"object","properties":{
		"zeta":{"type":"string","description":"Last letter","format":"date","default":"2026-01-01","examples":["2026-02-02"]},
		"alpha":{"type":["integer","null"],"enum":[1,2.50]},
		"ref":{"$ref":"#/$defs/unit","description":"own words"},
		"any":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/num"},{"type":"null"}]},
		"k":{"const":"x"}, "one":{"oneOf":[{"type":"string"},{"type":"string"}]}, "bare":true},
		"required":["ref","zeta"],"allOf":[{"properties":{"extra":{"type":"boolean"}},"required":["extra"]}],
		"$defs":{"unit":{"type":"string","description":"hidden","enum":["C","F"]},"num":{"type":"number"}}}`)
	raw := func(texts ...string) []json.RawMessage {
		var out []json.RawMessage
		for _, x := range texts {
			out = append(out, json.RawMessage(x))
		}
		return out
	}
	want := []Property{
		{Name: "zeta", Type: "string", Description: "Last letter", Format: "date", Required: true, Default: json.RawMessage(`"2026-01-01"`), Examples: raw(`"2026-02-02"`)},
		{Name: "alpha", Type: "integer or null", Enum: raw("1", "2.50")},
		{Name: "ref", Type: "string", Description: "own words", Required: true, Enum: raw(`"C"`, `"F"`)},
		{Name: "any", Type: "string or number or null"},
		{Name: "k", Enum: raw(`"x"`)},
		{Name: "one", Type: "string"},
		{Name: "bare"},
		{Name: "extra", Type: "boolean", Required: true},
	}
	assert.Equal(t, want, s.Properties())
	s.Properties()[0].Name = "changed"
	assert.Equal(t, want, s.Properties(), "what was given out is a copy")
	loop := compileText(t, `{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"properties":{"p":{"$ref":"#/$defs/c"}}},"c":{"$ref":"#/$defs/c"}}}`)
	require.Len(t, loop.Properties(), 1)
	assert.Equal(t, "p", loop.Properties()[0].Name)
	assert.Empty(t, compileText(t, "").Properties())
}

func TestAllowsExtra(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object"}`: false, `{"type":"object","additionalProperties":false}`: false, `{"type":"object","additionalProperties":true}`: true,
		`{"type":"object","additionalProperties":{"type":"string"}}`: true, `{"type":"object","patternProperties":{"^x":{}}}`: true,
		`{"type":"object","allOf":[{"additionalProperties":true}]}`: true, "": false,
	} {
		assert.Equal(t, want, compileText(t, schema).AllowsExtra(), schema)
	}
}

func TestSchemaIsShared(t *testing.T) {
	root := writeTree(t, map[string]string{"a/SKILL.md": "", "a/parameters.json": object(`{"x":{"type":"string"}}`)})
	s := load(t, root).Skills[0]
	first, err := s.Schema()
	require.NoError(t, err)
	dup := *s
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			other, err := dup.Schema()
			assert.NoError(t, err)
			assert.Same(t, first, other, "a copy shares its schema")
			assert.Empty(t, other.Validate([]byte(`{"x":"y"}`)))
		})
	}
	wg.Wait()
	dup.Parameters = json.RawMessage(object(`{"x":{"type":"integer"}}`))
	changed, err := dup.Schema()
	require.NoError(t, err)
	assert.Len(t, changed.Validate([]byte(`{"x":"y"}`)), 1, "other parameters, another schema")
	hand := Skill{Parameters: json.RawMessage(`{"type":"strng"}`)}
	_, err = hand.Schema()
	assert.Error(t, err)
}
