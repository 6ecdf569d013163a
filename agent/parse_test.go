package agent

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func knows(names ...string) func(string) bool {
	return func(name string) bool { return slices.Contains(names, name) }
}

// written is a reading as text: tier, then NAME(ARGS) for each call, or the answer, or why it is broken.
func written(rd reading) string {
	parts := []string{string(rd.tier)}
	for _, c := range rd.calls {
		switch {
		case c.none:
			parts = append(parts, "none("+c.args+")")
		case c.category:
			parts = append(parts, "category:"+c.name)
		case c.given:
			parts = append(parts, c.name+"("+c.args+")")
		default:
			parts = append(parts, c.name)
		}
	}
	if rd.broken != "" {
		parts = append(parts, "BROKEN")
	}
	if rd.answer != "" {
		parts = append(parts, "“"+rd.answer+"”")
	}
	return strings.Join(parts, " ")
}

func TestTextShapes(t *testing.T) {
	for content, want := range map[string]string{
		`{"skill":"a"}`:                              `json a`,
		"\ufeff {\"skill\":\"a\"} \n":                `json a`,
		`{"skill":"a","args":{"x":1}}`:               `json a({"x":1})`,
		`{"tool":"a","input":{"x":1}}`:               `json a({"x":1})`,
		`{"name":"a","parameters":{"x":1}}`:          `json a({"x":1})`,
		`{"function":"a","arguments":{"x":1}}`:       `json a({"x":1})`,
		`{"name":"a"}`:                               `json a`,
		`{"function":{"name":"a","arguments":"{}"}}`: `json a("{}")`,
		`{"id":"1","type":"function","function":{"name":"zz","arguments":{}}}`:                    `json zz({})`,
		`{"tool_calls":[{"function":{"name":"a","arguments":"{}"}},{"name":"b","arguments":{}}]}`: `json a("{}") b({})`,
		`[{"skill":"a"},{"skill":"b"}]`:                       `json a b`,
		"{\"skill\":\"a\"}\n{\"skill\":\"b\"}":                `json a b`,
		`{"skill":"a"}, {"skill":"b"};`:                       `json a b`,
		`{"category":"c"}`:                                    `json category:c`,
		`{"skill":null}`:                                      `json none()`,
		`{"skill":"None"}`:                                    `json none()`,
		`{"skill":"","answer":"Hi"}`:                          `json none(Hi)`,
		`{"tool":null}`:                                       `json none()`,
		`{"answer":"Hi"}`:                                     `none “Hi”`,
		`{"skill":"unknown"}`:                                 `json unknown`,
		`{"skill":"unknown","level":3}`:                       `none BROKEN`,
		`{"name":"Ada"}`:                                      `none BROKEN`,
		`{"name":null}`:                                       `none BROKEN`,
		`{"name":"Ada","arguments":"x"}`:                      `none BROKEN`,
		`{"name":"Ada","arguments":{}}`:                       `json Ada({})`,
		`{"type":"object"}`:                                   `none BROKEN`,
		`[]`:                                                  `none “[]”`,
		`[{"skill":"a"},{"x":1}]`:                             `none BROKEN`,
		`{skill: a}`:                                          `none BROKEN`,
		"{\"skill\":\"a\"} because":                           `fragment a`,
		"I choose {\"skill\":\"a\"}.":                         `fragment a`,
		"```json\n{\"skill\":\"a\"}\n```":                     `fragment a`,
		"```json\n{\"skill\":\"a\"\n```":                      `none BROKEN`,
		"Not {\"skill\":\"b\"}:\n```\n{\"skill\":\"a\"}\n```": `fragment a`,
		"```\n{\"skill\":\"b\"}\n```\n<tool_call>{\"skill\":\"a\"}</tool_call>": `fragment a`,
		`<tool_call>{"skill":"a"}`:                     `fragment a`,
		`{"plan":{"skill":"a"}} then {"skill":"b"}`:    `fragment b`,
		`{'skill': 'a'}`:                               `pattern a`,
		"{\"skill\":\"a\",\"args\":{\"x\":\"1\n2\"},}": "pattern a({\"x\":\"1\\n2\"})",
		`a()`:            `pattern a({})`,
		`[unknown(x=1)]`: `pattern unknown({"x":1})`,
		`unknown(x=1)`:   `none “unknown(x=1)”`,
		"a(x='it\\'s', y=[1, 2.5e3], z={'k': None})": `pattern a({"x":"it's","y":[1, 2.5e3],"z":{"k":null}})`,
		"a(x=1)\nb(y=True)":                          `pattern a({"x":1}) b({"y":true})`,
		"a(x=f())":                                   `none “a(x=f())”`,
		"a(1":                                        `none “a(1”`,
		`[TOOL_CALLS]a{"x":1}[TOOL_CALLS]b[CALL_ID]9[ARGS]{}`: `pattern a({"x":1}) b({})`,
		`<function=a></function>`:                             `pattern a()`,
		"":                                                    `none`,
		`{{"skill":"a"}}`:                                     `fragment a`,
		`<invoke name='a'><parameter name='x'>'1'</parameter></invoke><invoke name=b>`: `pattern a({"x":"'1'"}) b({})`,
		`<|tool_call_begin|>ns:a<|tool_call_argument_begin|>{}`:                        `pattern ns:a({})`,
		`<invoke name=b <invoke name="a"></invoke>`:                                    `pattern a({})`,
		`<function=b <function=a></function>`:                                          `pattern a()`,
		"<think>x</think><think>y</think>z":                                            `none “z”`,
		"ab<think>x</think>c":                                                          `none “abc”`,
		"abc<think>x</think>d":                                                         `none “abcd”`,
		`{"tool_calls":[],"answer":"Hi"}`:                                              `none “Hi”`,
		"no braces":                                                                    `none “no braces”`,
		`"a quoted answer"`:                                                            `none “"a quoted answer"”`,
		"{}":                                                                           `none BROKEN`,
		"<think>x</think>":                                                             `none`,
		"<think>x</think>y<thinking>z</thinking>":                                      `none “y”`,
		"a < b and <think> c":                                                          `none “a < b and”`,
		"x</think>y</think>z":                                                          `none “y</think>z”`,
	} {
		p := parser{known: knows("a", "b"), strict: true}
		assert.Equal(t, want, written(p.read(&Reply{Content: content})), "content: %s", content)
	}
}

// TestTextIsAFallbackInTheNativeProtocol holds that only names that resolve count there.
func TestTextIsAFallbackInTheNativeProtocol(t *testing.T) {
	for content, want := range map[string]string{
		`{"skill":"a"}`:                    `json a`,
		`{"skill":"zz"}`:                   `none “{"skill":"zz"}”`,
		`{"skill":null}`:                   `none “{"skill":null}”`,
		`{"answer":"Hi"}`:                  `none “{"answer":"Hi"}”`,
		`[unknown(x=1)]`:                   `none “[unknown(x=1)]”`,
		`{"broken":`:                       `none “{"broken":` + `”`,
		`<tool_call>{"name":"zz"}`:         `none BROKEN`,
		`<tool_call>{"name":"a"}`:          `fragment a`,
		`<function=zz></function>`:         `none BROKEN`,
		`{"name":"zz","arguments":{}} hmm`: `none “{"name":"zz","arguments":{}} hmm”`,
	} {
		p := parser{known: knows("a", "b"), native: true, strict: true}
		assert.Equal(t, want, written(p.read(&Reply{Content: content})), "content: %s", content)
	}
}

func TestBareArgumentsNeedTheirOwnSkill(t *testing.T) {
	own := func(object []byte) bool { return strings.Contains(string(object), `"city"`) }
	for content, want := range map[string]string{
		`{"city":"Oslo"}`:                   `json ({"city":"Oslo"})`,
		"```json\n{\"city\":\"Oslo\"}\n```": `json ({"city":"Oslo"})`,
		`{'city':'Oslo'}`:                   `pattern ({"city":"Oslo"})`,
		`{"town":"Oslo"}`:                   `none BROKEN`,
		`Perhaps {"city":"Oslo"}`:           `none “Perhaps {"city":"Oslo"}”`,
	} {
		p := parser{known: knows(), own: own}
		assert.Equal(t, want, written(p.read(&Reply{Content: content})), "content: %s", content)
	}
}

func TestLiterals(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": [1, -2.5e-3, true, null]}`: `{"a": [1, -2.5e-3, true, null]}`,
		`{'a': "it's", "b": 'say "x"'}`:   `{"a":"it's","b":"say \"x\""}`,
		`{'a': '\x41\u00e9\n\''}`:         `{"a":"\u0041\u00e9\n'"}`,
		`[True, False, None, ]`:           `[true,false,null]`,
		"\"a\tb\"":                        `"a\tb"`,
		"\"a\x01b\"":                      `"a\u0001b"`,
		`12`:                              `12`,
		`1e999`:                           `1e999`,
		`{}`:                              `{}`,
		`NaN`:                             ``, `Infinity`: ``, `-Infinity`: ``, `[NaN]`: ``,
		`{'a','b'}`: ``, `(1,2)`: ``, `3+`: `3`, `01`: ``, `1.`: ``, `.5`: ``, `1e`: ``, `-`: ``, `[,]`: ``, `[1,,2]`: ``,
		`{a: 1}`: ``, `{"a" 1}`: ``, `{"a":1`: ``, `"abc`: ``, `"\q"`: ``, `"\u12"`: ``, `"\`: ``, `'''a'''`: `""`, `truely`: ``, ``: ``,
		strings.Repeat("[", 200): ``,
		strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth): strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth),
	} {
		lit, ok := readLiteral(text, 0)
		if !ok {
			lit.json = nil
		}
		assert.Equal(t, want, string(lit.json), "text: %s", text)
		assert.Equal(t, want != "", ok, "text: %s", text)
	}
}

// hostile texts are long and built to make a careless parser slow. At this size anything quadratic takes minutes.
func hostile() map[string]string {
	const size = 1 << 18
	repeat := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	return map[string]string{
		"1 MiB":      strings.Repeat("{", 1<<20),
		"braces":     repeat("{"),
		"brackets":   repeat("["),
		"quotes":     repeat(`{"`),
		"keys":       repeat(`{"a":`),
		"lists":      repeat("[1,"),
		"wide":       strings.Repeat("[", maxDepth-1) + repeat("1,"),
		"strings":    strings.Repeat("[", maxDepth-1) + `"` + repeat("x"),
		"tags":       repeat("<tool_call>"),
		"thinking":   repeat("<think></think>"),
		"unclosed":   repeat("<think>"),
		"functions":  repeat("<function=a>"),
		"parameters": "<function=a>" + repeat("<parameter=b>"),
		"invoke":     repeat(`<invoke name="a">`),
		"deepseek":   repeat("<｜tool▁call▁begin｜>a<｜tool▁sep｜>"),
		"kimi":       repeat("<|tool_call_begin|>"),
		"mistral":    repeat("[TOOL_CALLS]a{"),
		"glm":        repeat("<tool_call>a<arg_key>"),
		"python":     repeat("a("),
		"prints":     repeat("print("),
		"calls":      repeat("a()"),
		"fences":     repeat("```\n{"),
		"wrapped":    repeat(`{"function":`),
		"shapes":     repeat(`{"skill":"a"}`),
		"backslash":  `{"` + repeat(`\`),
	}
}

func TestHostileTextTakesLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("single-threaded and long: the race detector has nothing to see here")
	}
	for name, content := range hostile() {
		t.Run(name, func(t *testing.T) {
			started := time.Now()
			p := parser{known: knows("a"), own: func([]byte) bool { return true }}
			p.read(&Reply{Content: content})
			p.native = true
			p.read(&Reply{Reasoning: content})
			decodeArguments(content)
			Summarize(content, 100)
			require.Less(t, time.Since(started), 10*time.Second)
		})
	}
}

func FuzzReadReply(f *testing.F) {
	for _, seed := range []string{
		`{"skill":"a","args":{"x":1}}`, "<think>x</think>{'skill': 'a'}", "[a(x='1')]", "print(a.b(1))", "```json\n[{\"name\":\"a\"}]\n```",
		"<tool_call>\n<function=a>\n<parameter=x>\n1\n</parameter></function></tool_call>", `<invoke name='a'><parameter name="x">`,
		deepSeek + "function<｜tool▁sep｜>a\n```json\n{}\n```", "<|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>{}",
		"[TOOL_CALLS]a[ARGS]{", "<|python_tag|>a.call(x=1)", "<tool_call>a<arg_key>k</arg_key><arg_value>v</arg_value>", "{\"\xff\":\"\\ud83d\"}", "{{{{[[[[",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, content string, isNative bool) {
		p := parser{native: isNative, known: knows("a", "get_weather")}
		if !isNative {
			p.own = func([]byte) bool { return true }
		}
		rd := p.read(&Reply{Content: content, Reasoning: content})
		text := validUTF8(content)
		for _, c := range rd.calls {
			decoded := decodeArguments(c.args)
			if decoded.fault == "" {
				require.True(t, json.Valid(decoded.object), "arguments: %s", decoded.object)
				require.EqualValues(t, '{', decoded.object[0])
			}
			require.True(t, json.Valid(asGiven(c.args)))
			if !strings.ContainsRune(text, '\\') && !strings.Contains(text, "｜DSML｜") {
				require.Contains(t, text, c.name, "no name is invented")
			}
			if isNative {
				require.True(t, p.known(c.name))
			}
		}
		if len(rd.calls) > 0 {
			require.Empty(t, rd.answer)
			require.NotEqual(t, TierNone, rd.tier)
		}
	})
}

func FuzzDecodeArguments(f *testing.F) {
	for _, seed := range []string{``, `null`, `{}`, `[]`, `"{\"a\":1}"`, `{"a":1} x`, `{'a': True}`, `{"a":1e999}`, `"\"\\\"\""`, "\xff", `{"a":"\ud83d"}`, `{"a":1,"a":2}`} {
		f.Add(seed)
	}
	e, err := newEntry(weather(), "get_weather")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		a := decodeArguments(text)
		require.Equal(t, a.fault == "", a.object != nil)
		if a.fault == "" && !slices.Contains(a.flags, flagRepaired) && !slices.Contains(a.flags, flagDoubleEncoded) {
			if trimmed := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")); trimmed != "" && trimmed != "null" {
				require.Equal(t, validUTF8(trimmed), string(a.object), "JSON is taken as it is")
			}
		}
		b := bind(e, rawCall{name: "get_weather", args: text, given: true})
		require.True(t, json.Valid(b.args), "%s", b.args)
		b = bind(e, rawCall{name: "get_weather", args: text, given: true, textual: true})
		require.True(t, json.Valid(b.args), "%s", b.args)
	})
}
