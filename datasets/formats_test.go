package datasets

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadYAML(t *testing.T) {
	cases := read(t, "c.yaml", `
# comment
- id: 007
  input: |-
    two
    lines
  tags: [zh, no, yes, 2026-01-01]
  history:
    - {role: user, content: a}
  expect:
    calls:
      - skill: get_weather
        args: {city: 杭州, days: 3, zip: "5", ratio: 1.10, big: 8021929379916255508, exp: 1e3, day: 2026-01-01, time: 12:30:45, on: yes, off: no, t: true, n: null, e: , lit: !!str 5, q: 'true'}
- input: b
  expect: {none: true}
`)
	require.Len(t, cases, 2)
	c := cases[0]
	assert.Equal(t, "007", c.ID)
	assert.Equal(t, 3, c.Line)
	assert.Equal(t, "two\nlines", c.Input)
	assert.Equal(t, []string{"zh", "no", "yes", "2026-01-01"}, c.Tags)
	assert.Equal(t, `{"city":"杭州","days":3,"zip":"5","ratio":1.10,"big":8021929379916255508,"exp":1e3,"day":"2026-01-01","time":"12:30:45","on":"yes","off":"no","t":true,"n":null,"e":null,"lit":"5","q":"true"}`, string(c.Expect.Calls[0].Args))
	assert.Regexp(t, "^case-", cases[1].ID)

	cases = read(t, "c.yaml", `- {id: "null", input: "~", expect: {skill: s, args: {a: !!int 5, b: !!float 1.5, c: !!bool true, d: !!null '', e: "", f: "null", g: True}}}`)
	assert.Equal(t, [2]string{"null", "~"}, [2]string{cases[0].ID, cases[0].Input})
	assert.Equal(t, `{"a":5,"b":1.5,"c":true,"d":null,"e":"","f":"null","g":true}`, string(cases[0].Expect.Calls[0].Args))
	cases = read(t, "c.yml", "cases:\n- &a {id: a, input: x, expect: &e {none: true}}\n- id: b\n  input: y\n  expect: *e\n---\n- {id: c, input: z, expect: {skill: s}}\n")
	require.Len(t, cases, 3)
	assert.True(t, cases[1].Expect.None)
	assert.Equal(t, 7, cases[2].Line)
}

func TestFaultsOfYAML(t *testing.T) {
	bomb := "- id: x\n  input: i\n  expect: {skill: s, args: {a: &a [1,1,1,1,1,1,1,1,1,1]"
	for c := 'b'; c < 'm'; c++ {
		bomb += ", " + string(c) + ": &" + string(c) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c-1)+",", 10), ",") + "]"
	}
	bomb += "}}\n"
	tests := []struct {
		name, text   string
		line, column int
		path         string
		message      string
	}{
		{"broken", "- id: a\n  input: [\n", 3, 1, "", "not valid YAML"},
		{"not a list", "5", 1, 1, "", "a list of cases"},
		{"mapping without cases", "case: []\n", 1, 1, "", `"case" is not understood`},
		{"duplicate key", "- id: a\n  id: b\n  input: i\n  expect: {none: true}\n", 2, 3, "id", "duplicate key"},
		{"octal or not", "- id: a\n  input: i\n  expect: {skill: s, args: {zip: 012}}\n", 3, 34, "expect.args.zip", `"012" in quotes`},
		{"hexadecimal", "- id: a\n  input: i\n  expect: {skill: s, args: {x: 0x1F}}\n", 3, 32, "expect.args.x", "readers of YAML disagree"},
		{"infinity", "- id: a\n  input: i\n  expect: {skill: s, args: {x: .inf}}\n", 3, 32, "expect.args.x", "readers of YAML disagree"},
		{"merge", "- &a {id: a, input: i, expect: {none: true}}\n- {<<: *a, id: b}\n", 2, 4, "", "merge keys"},
		{"list as key", "- {id: a, input: i, expect: {none: true}, [a]: b}\n", 1, 43, "", "a key is"},
		{"tag", "- {id: a, input: !!binary aGk=, expect: {none: true}}\n", 1, 18, "input", "!!binary"},
		{"number in disguise", "- id: a\n  input: i\n  expect: {skill: s, args: {x: !!int five}}\n", 3, 32, "expect.args.x", "not !!int"},
		{"number as input", "- id: a\n  input: 42\n  expect: {none: true}\n", 2, 10, "input", `write "42"`},
		{"position inside", "- id: a\n  input: i\n  expect:\n    calls:\n      - skill: s\n        args:\n          q: {$rgex: x}\n", 7, 14, "expect.calls[0].args.q", "did you mean"},
		{"unknown key", "- id: a\n  input: i\n  expect: {none: true}\n  tag: x\n", 4, 8, "tag", `did you mean "tags"`},
		{"missing key", "- id: a\n  input: i\n", 1, 3, "expect", "missing"},
		{"alias bomb", bomb, 0, 0, "-", "too large"},
		{"alias to itself", "- &a\n  id: x\n  input: i\n  expect: *a\n", 0, 0, "-", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := faultsOf(t, "c.yaml", tt.text)
			require.Len(t, faults, 1, "%v", faults)
			if tt.path != "-" {
				assert.Equal(t, tt.path, faults[0].Path)
				assert.Equal(t, [2]int{tt.line, tt.column}, [2]int{faults[0].Line, faults[0].Column}, "%v", faults)
			}
			assert.Contains(t, faults[0].Message, tt.message)
		})
	}
	assert.Equal(t, "no-cases", faultsOf(t, "c.yaml", "# nothing\n")[0].Rule)
	assert.Len(t, faultsOf(t, "c.yaml", "- {id: a}\n- {id: b, input: 5, expect: {none: no}}\n"), 4)
}

func TestReadCSV(t *testing.T) {
	cases := read(t, "c.csv", `id,input,tags,skill,args,none,order,group,notes,expect,accept,history,context_tags,results
1,"rain, or
not?",zh; confusable,get_weather,"{""city"":""杭州""}",,,g,n,,,,,
2,thanks,,,,true,,,,,"[{""skill"":""a""}]",,,
3,two,,,,,,,,"{""calls"":[{""skill"":""a""},{""skill"":""b""}],""order"":""strict""}",,"[{""role"":""user"",""content"":""x""}]",web,"{""a"":1}"
,four,,a,,false,any,,,,,,,
`)
	require.Len(t, cases, 4)
	assert.Equal(t, Case{ID: "1", Input: "rain, or\nnot?", Tags: []string{"zh", "confusable"}, Group: "g", Notes: "n", File: "c.csv", Line: 2,
		Expect: Expectation{Calls: []ExpectedCall{{Skill: "get_weather", Args: []byte(`{"city":"杭州"}`)}}}}, cases[0])
	assert.True(t, cases[1].Expect.None)
	assert.Len(t, cases[1].Accept, 1)
	assert.Equal(t, 4, cases[1].Line, "a cell over two lines counts as two")
	assert.Equal(t, "strict", cases[2].Expect.Order)
	assert.Equal(t, []Turn{{"user", "x"}}, cases[2].History)
	assert.Equal(t, []string{"web"}, cases[2].ContextTags)
	assert.Regexp(t, "^case-", cases[3].ID)
	assert.Nil(t, cases[3].Expect.Calls[0].Args)
}

func TestFaultsOfCSV(t *testing.T) {
	tests := []struct {
		name, text   string
		line, column int
		message      string
	}{
		{"unknown column", "id,inputs\n", 1, 4, `did you mean "input"?`},
		{"column twice", "input,id,id\n", 1, 10, "twice"},
		{"no input column", "id,skill\n", 1, 1, `"input" is missing`},
		{"too few cells", "id,input,skill\na,b\n", 2, 0, "2 cells where the header has 3"},
		{"bad quotes", "id,input,none\na,b\"c,true\n", 2, 4, "not valid CSV"},
		{"bad JSON", "id,input,skill,args\na,b,s,{x}\n", 2, 7, "args: JSON is needed"},
		{"args not an object", "id,input,skill,args\na,b,s,5\n", 2, 7, "an object is needed"},
		{"unknown matcher", "id,input,skill,args\na,b,s,\"{\"\"q\"\":{\"\"$rgex\"\":1}}\"\n", 2, 7, "did you mean"},
		{"args without skill", "id,input,skill,args\na,b,,{}\n", 2, 5, "the name of the skill is missing"},
		{"none is a word", "id,input,none\na,b,maybe\n", 2, 5, "true, false or nothing"},
		{"none and skill", "id,input,skill,none\na,b,s,true\n", 2, 7, "leave skill, args and order empty"},
		{"expect and skill", "id,input,skill,expect\na,b,s,{}\n", 2, 7, "leave skill, args, none and order empty"},
		{"unknown order", "id,input,skill,order\na,b,s,sorted\n", 2, 5, `"strict", "any"`},
		{"no label", "id,input,skill\na,b,\n", 2, 5, `"expect" is missing`},
		{"no input", "id,input,none\na,,true\n", 2, 3, "empty"},
		{"not UTF-8", "id,input,none\na,\xff,true\n", 2, 3, "UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := faultsOf(t, "c.csv", tt.text)
			assert.Equal(t, [2]int{tt.line, tt.column}, [2]int{faults[0].Line, faults[0].Column}, "%v", faults)
			assert.Contains(t, faults.Error(), tt.message)
		})
	}
	assert.Equal(t, "no-cases", faultsOf(t, "c.csv", "")[0].Rule)
	assert.Equal(t, "no-cases", faultsOf(t, "c.csv", "id,input\n")[0].Rule)
	assert.Len(t, faultsOf(t, "c.csv", "id,input,skill\na,b,\nc,d\ne,f,s\ng,,s\n"), 3, "every row is looked at")
}

func TestReadJSONArray(t *testing.T) {
	text := "[\n  " + oneCase + ",\n  {\n    \"id\": \"c2\",\n    \"input\": 5,\n    \"expect\": {\"none\": true}\n  }\n]"
	f := faultsOf(t, "c.json", text)
	require.Len(t, f, 1)
	assert.Equal(t, [2]int{5, 14}, [2]int{f[0].Line, f[0].Column})
	f = faultsOf(t, "c.json", `  [{"id":"é","input":5,"expect":{"none":true}}]`)
	assert.Equal(t, [2]int{1, 22}, [2]int{f[0].Line, f[0].Column})
	cases := read(t, "c.json", `{"cases":[`+oneCase+`]}`)
	require.Len(t, cases, 1)
	for text, message := range map[string]string{
		`"x"`:                             "a JSON array",
		`{"items":[]}`:                    `"items" is not understood`,
		`[` + oneCase + `,`:               "cut short",
		`[` + oneCase + `] x`:             "not valid JSON",
		oneCase + "\n" + oneCase:          "not understood",
		`[` + oneCase + `]` + "\n[]":      "name a file with one case a line .jsonl",
		`[` + oneCase + `,{"a":1,"a":2}]`: `duplicate key "a"`,
		`{"cases":[` + oneCase + `,}`:     "not valid JSON",
		"":                                "no case",
		"[]":                              "no case",
	} {
		assert.Contains(t, faultsOf(t, "c.json", text).Error(), message, text)
	}
	f = faultsOf(t, "c.json", "[\n"+oneCase+",\n{x}]")
	assert.Equal(t, 3, f[0].Line)
	assert.Contains(t, faultsOf(t, "c.jsonl", "[\n"+oneCase+"\n]").Error(), "name the file .json")
}

func TestDigest(t *testing.T) {
	jsonl := read(t, "a.jsonl", `{"id":"a","input":"x","tags":["t"],"expect":{"skill":"s","args":{"p":1,"q":[2]}}}
{"id":"b","input":"y","expect":{"none":true}}`)
	yaml := read(t, "b.yaml", "- {expect: {calls: []}, input: y, id: b}\n- expect: {calls: [{args: {q: [2], p: 1}, skill: s}], order: any}\n  tags: [t]\n  input: x\n  id: a\n")
	csv := read(t, "c.csv", "id,input,tags,skill,args,none\na,x,t,s,\"{ \"\"q\"\": [2], \"\"p\"\": 1}\",\nb,y,,,,true\n")
	assert.Equal(t, Digest(jsonl), Digest(yaml))
	assert.Equal(t, Digest(jsonl), Digest(csv))
	assert.Regexp(t, `^sha256:[0-9a-f]{64}$`, Digest(jsonl))
	seen := map[string]bool{Digest(jsonl): true}
	for _, change := range []func(c *Case){
		func(c *Case) { c.ID = "z" },
		func(c *Case) { c.Input = "z" },
		func(c *Case) { c.Tags = nil },
		func(c *Case) { c.ContextTags = []string{"t"} },
		func(c *Case) { c.Group = "g" },
		func(c *Case) { c.Notes = "n" },
		func(c *Case) { c.History = []Turn{{"user", "u"}} },
		func(c *Case) { c.Expect.Calls[0].Args = []byte(`{"p":1,"q":[3]}`) },
		func(c *Case) { c.Expect.Calls[0].Args = nil },
		func(c *Case) { c.Expect.Calls[0].Args = []byte(`{}`) },
		func(c *Case) { c.Accept = []Expectation{{None: true}} },
		func(c *Case) { c.Results = map[string]json.RawMessage{"s": json.RawMessage(`1`)} },
		func(c *Case) { c.Expect.Calls[0].Args = []byte(`{"p":9007199254740993,"q":[2]}`) },
		func(c *Case) { c.Expect.Calls[0].Args = []byte(`{"p":9007199254740992,"q":[2]}`) },
	} {
		changed := read(t, "a.jsonl", `{"id":"a","input":"x","tags":["t"],"expect":{"skill":"s","args":{"p":1,"q":[2]}}}
{"id":"b","input":"y","expect":{"none":true}}`)
		change(&changed[0])
		d := Digest(changed)
		assert.False(t, seen[d], "a change that the digest does not show")
		seen[d] = true
	}
}
