package offline

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzComplete sends any bytes as a body: there is an error or a well-formed reply, and never a panic.
func FuzzComplete(f *testing.F) {
	seeds := []string{
		``, `{}`, `null`, `[]`, `{"messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`,
		`{"messages":[{"role":"user","content":"\ud800"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"$ref":"#"}}}],"tool_choice":"required"}`,
		`{"messages":[{"role":"tool","content":"Error: x","tool_call_id":"1"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{"a":1}}}]}]}`,
		`{"messages":[{"role":"user","content":"q\n\n---\nSkills you can choose from:\n- a: b\nReply with only {\"skill\": \"NAME\", \"args\": {…}} x"}]}`,
		`{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"{"},{"role":"user","content":"You chose a.\n\nParameters (JSON Schema): {"}]}`,
	}
	for _, q := range []string{"2024-05-06T07:", "把", "《", "1,2,3k 3点半", "@a.b", "\xff\xfe", "https://", "half", "a", "十万亿"} {
		body, err := json.Marshal(object{"tools": []object{tool("f", "d", json.RawMessage(greedy))}, "tool_choice": "required", "messages": []object{msg("user", q)}})
		require.NoError(f, err)
		seeds = append(seeds, string(body))
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		data, refused := chat(body)
		if refused != nil {
			data = refused.body()
		}
		assert.True(t, json.Valid(data), body)
	})
}

// greedy has a parameter of every kind.
const greedy = `{"type":"object","required":["s","n","u","e","p","d","dt","b","l","o","x","t","pat","from","to"],"properties":{
"s":{"type":"string"},"n":{"type":"number"},"u":{"type":"string","format":"uri"},"e":{"type":"string","format":"email"},"p":{"type":"string","description":"file path"},
"d":{"type":"string","format":"date"},"dt":{"type":"string","format":"date-time"},"b":{"type":"boolean","description":"是否包含代码"},"l":{"type":"array","items":{"type":"string"}},
"o":{"type":"object","properties":{"i":{"type":"integer","description":"minutes"}},"required":["i"]},"x":{"enum":["a","b c",1,null]},"t":{"type":["string","null"],"examples":["x"],"description":"a (b), c = d"},
"pat":{"type":"string","pattern":"^[A-Z]+-[0-9]+$"},"from":{"type":"string"},"to":{"type":"string","minLength":3,"maxLength":4}}}`

// FuzzFillArguments fills a schema of every kind from any text, and any schema from a plain text.
func FuzzFillArguments(f *testing.F) {
	f.Add("from A to B at 3pm on May 6 with “x”, 'y' and z", greedy)
	f.Add("İstanbul'da 5 gün", `{"properties":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}},"required":["a"]}`)
	f.Add("x", `{"properties":{"a":{"type":"array","items":{"$ref":"#/properties/a"}}},"required":["a"]}`)
	f.Fuzz(func(t *testing.T, text, schema string) {
		for _, repair := range []bool{false, true} {
			for _, s := range []string{schema, greedy} {
				args := fillArguments(fillInput{schema: json.RawMessage(s), name: "n", about: "about 天气", text: text, question: text, earlier: []string{text}, system: text, repair: repair})
				assert.True(t, json.Valid([]byte(args)), args)
			}
		}
	})
}

func TestLargeInputsTakeBoundedTime(t *testing.T) {
	const size, whole = 1 << 17, 1 << 20
	schema := json.RawMessage(greedy)
	for name, text := range map[string]string{
		"letters": strings.Repeat("a", whole), "spaces": strings.Repeat(" ", size), "words": strings.Repeat("word and then ", whole/14), "Han": strings.Repeat("天气然后", whole/12),
		"digits": strings.Repeat("1", size), "numbers": strings.Repeat("1,234 ", size/6), "quotes": strings.Repeat(`"`, size), "apostrophes": strings.Repeat("'a ", whole/3), "at": strings.Repeat("a@", size/2),
		"urls": strings.Repeat("http://a ", size/9), "dates": strings.Repeat("May 6 ", size/6), "slashes": strings.Repeat("a/", size/2), "lines": strings.Repeat("\n", size), "brackets": strings.Repeat("“", size/3), "colons": strings.Repeat(":", size),
		"blocks": strings.Repeat(skillsHeader+"\n- a: b. Do not use c, d; e.\n", size/60), "capitals": strings.Repeat("Ab ", size/3),
	} {
		started := time.Now()
		body := marshal(t, object{"tools": []object{tool("f", "d", schema)}, "tool_choice": "required", "messages": []object{msg("system", text), msg("user", text)}})
		_, refused := chat(string(body))
		assert.Nil(t, refused)
		_, refused = chat(string(marshal(t, object{"messages": []object{msg("user", text+divider+skillsHeader+"\n- a: "+text+"\n"+textTwoLevel)}})))
		assert.Nil(t, refused)
		assert.Less(t, time.Since(started), 5*time.Second, name)
	}
	loop := `{"properties":{"a":{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"$ref":"#"},`, 50000), ",") + `]}},"required":["a"]}`
	started := time.Now()
	fillArguments(fillInput{schema: json.RawMessage(loop), text: "x", question: "x"})
	assert.Less(t, time.Since(started), 5*time.Second)
}
