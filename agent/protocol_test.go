package agent

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// level2 is a task whose first reply has chosen get_weather already.
func atWeather(replies ...*Reply) []*Reply {
	return append([]*Reply{choose("get_weather")}, replies...)
}

func atWeatherText(replies ...*Reply) []*Reply {
	return append([]*Reply{says(`{"skill":"get_weather"}`)}, replies...)
}

func atNote(replies ...*Reply) []*Reply { return append([]*Reply{choose("take_note")}, replies...) }

// finished ends with the answer "ok".
func finished(replies []*Reply) []*Reply { return append(replies, says("ok")) }

func reasons(reasoning string) *Reply { return &Reply{Reasoning: reasoning, FinishReason: "stop"} }

const deepSeek = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>"

// TestOddReplies is what servers and models have been seen to send, each with what must come of it.
func TestOddReplies(t *testing.T) {
	oslo := `get_weather{"city":"Oslo"}`
	for name, c := range map[string]struct {
		o       Options
		replies []*Reply
		calls   string // as callsOf writes them
		flags   []string
		tier    Tier // of the last call
		fault   FaultClass
		repairs int
		answer  string
	}{
		"empty arguments":           {native, finished([]*Reply{choose("list_scopes"), calls("list_scopes", "")}), `list_scopes{}`, nil, TierNative, "", 0, "ok"},
		"blank arguments":           {native, finished([]*Reply{choose("list_scopes"), calls("list_scopes", "  ")}), `list_scopes{}`, nil, TierNative, "", 0, "ok"},
		"null arguments":            {native, finished([]*Reply{choose("list_scopes"), calls("list_scopes", "null")}), `list_scopes{}`, nil, TierNative, "", 0, "ok"},
		"null arguments in text":    {text, finished([]*Reply{says(`{"skill":"list_scopes"}`), says(`{"skill":"list_scopes","args":null}`)}), `list_scopes{}`, nil, TierJSON, "", 0, "ok"},
		"no arguments in text":      {text, finished([]*Reply{says(`{"skill":"list_scopes"}`), says(`{"skill":"list_scopes"}`)}), `list_scopes{}`, nil, TierJSON, "", 0, "ok"},
		"arguments missing":         {native, finished(atWeather(calls("get_weather", ""), calls("get_weather", `{"city":"Oslo"}`))), oslo, nil, TierNative, "", 1, "ok"},
		"arguments are no JSON":     {native, atWeather(calls("get_weather", "not-json"), calls("get_weather", "not-json"), calls("get_weather", "not-json")), `get_weather"not-json"!`, nil, TierNative, FaultInvalidArgs, 2, ""},
		"arguments are a list":      {native, atWeather(calls("get_weather", "[]"), calls("get_weather", "[]"), calls("get_weather", "[]")), `get_weather[]!`, nil, TierNative, FaultInvalidArgs, 2, ""},
		"a list is not empty":       {native, finished([]*Reply{choose("list_scopes"), calls("list_scopes", "[]"), calls("list_scopes", "{}")}), `list_scopes{}`, nil, TierNative, "", 1, "ok"},
		"double-encoded":            {native, finished(atNote(calls("take_note", `"{\"id\": 2}"`))), `take_note{"id":2}`, []string{flagDoubleEncoded}, TierNative, "", 0, "ok"},
		"double-encoded in text":    {text, finished(atWeatherText(says(`{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}`))), oslo, []string{flagDoubleEncoded}, TierJSON, "", 0, "ok"},
		"encoded without end":       {native, atWeather(calls("get_weather", `"\"\\\"\\\\\\\"x\\\\\\\"\\\"\""`), says("Which city?")), "get_weather\"\\\"\\\\\\\"\\\\\\\\\\\\\\\"x\\\\\\\\\\\\\\\"\\\\\\\"\\\"\"!", []string{flagDoubleEncoded}, TierNative, "", 1, "Which city?"},
		"text behind the arguments": {native, finished(atWeather(calls("get_weather", `{"city":"Oslo"} Done!`))), oslo, []string{flagRepaired}, TierNative, "", 0, "ok"},
		"two objects as arguments":  {native, finished(atWeather(calls("get_weather", `{"city":"Oslo"}{"city":"Rome"}`), calls("get_weather", `{"city":"Oslo"}`))), oslo, nil, TierNative, "", 1, "ok"},
		"several calls in one tag": {text, finished(atWeatherText(says("<tool_call>\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Rome\"}}\n</tool_call>"))),
			oslo + ` get_weather{"city":"Rome"}`, nil, TierFragment, "", 0, "ok"},
		"bare arguments and text": {text, finished(atWeatherText(says(`{"city":"Oslo"} Done!`))), oslo, []string{flagRepaired}, TierFragment, "", 0, "ok"},
		"fence and prose with braces": {text, finished(atWeatherText(says("```json\n{\"a\":1}\n```\nThis fits {\"type\":\"object\"}, so {\"skill\":\"get_weather\",\"args\":{\"city\":\"Oslo\"}}"))),
			oslo, nil, TierFragment, "", 0, "ok"},
		"placeholder in prose": {text, finished(atWeatherText(says(`Set {title}: {"name":"get_weather","arguments":{"city":"Oslo"}}`))), oslo, nil, TierFragment, "", 0, "ok"},
		"nested object in a fence": {text, finished([]*Reply{says(`{"skill":"take_note"}`), says("```json\n{\"name\":\"take_note\",\"arguments\":{\"x\":{\"y\":{\"z\":1}}}}\n```")}),
			`take_note{"x":{"y":{"z":1}}}`, nil, TierFragment, "", 0, "ok"},
		"fence inside a string": {text, finished([]*Reply{says(`{"skill":"take_note"}`), says("Here:\n{\"skill\":\"take_note\",\"args\":{\"text\":\"a } b { ``` c\"}}")}),
			"take_note{\"text\":\"a } b { ``` c\"}", nil, TierFragment, "", 0, "ok"},
		"draft while thinking": {text, finished(atWeatherText(says(`<think>maybe <tool_call>{"name":"list_scopes","arguments":{}}</tool_call></think><tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`))),
			oslo, nil, TierFragment, "", 0, "ok"},
		"thinking speaks of markup": {native, []*Reply{says("<think>some models use <tool_call>{</think>It is fine.")}, "", nil, "", "", 0, "It is fine."},
		"thinking began in the prompt": {text, finished(atWeatherText(says(`perhaps {"skill":"list_scopes"}</think>{"skill":"get_weather","args":{"city":"Oslo"}}`))),
			oslo, nil, TierJSON, "", 0, "ok"},
		"think tags inside an argument": {text, finished([]*Reply{says(`{"skill":"take_note"}`), says(`{"skill":"take_note","args":{"text":"<think>a</think>b"}}`)}),
			`take_note{"text":"<think>a</think>b"}`, nil, TierJSON, "", 0, "ok"},
		"only call in the reasoning": {native, finished(atWeather(reasons("so <tool_call>{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}</tool_call>"))),
			oslo, []string{flagReasoning}, TierFragment, "", 0, "ok"},
		"thinking is never closed": {text, finished(atWeatherText(says(`<think>so <tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`))),
			oslo, []string{flagReasoning}, TierFragment, "", 0, "ok"},
		"reasoning beside an answer":   {native, []*Reply{{Content: "No.", Reasoning: `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`}}, "", nil, "", "", 0, "No."},
		"reasoning when strict":        {Options{Strict: true}, []*Reply{reasons(`<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`)}, "", nil, "", FaultEmpty, 0, ""},
		"reasoning without a call":     {native, []*Reply{reasons(`maybe {"skill":"unheard_of"}`)}, "", nil, "", FaultEmpty, 0, ""},
		"invented namespace":           {native, finished(atWeather(calls("functions.get_weather", `{"city":"Oslo"}`))), oslo, []string{flagNormalized}, TierNative, "", 0, "ok"},
		"invented namespace, strict":   {Options{Strict: true}, finished(atWeather(calls("functions.get_weather", `{"city":"Oslo"}`), calls("get_weather", `{"city":"Oslo"}`))), oslo, nil, TierNative, "", 1, "ok"},
		"namespace before select":      {native, finished([]*Reply{calls("default_api:select_skill", `{"name":"skills/Get_Weather"}`), calls("get_weather", `{"city":"Oslo"}`)}), oslo, []string{flagNormalized}, TierNative, "", 0, "ok"},
		"printed Python call":          {text, finished([]*Reply{says(`{"skill":"take_note"}`), says(`print(default_api.take_note(id=7))`)}), `take_note{"id":7}`, []string{flagNormalized, flagRepaired}, TierPattern, "", 0, "ok"},
		"printed Python call, native":  {native, finished(atNote(says("```tool_code\nprint(default_api.take_note(id=7))\n```"))), `take_note{"id":7}`, []string{flagNormalized, flagRepaired}, TierPattern, "", 0, "ok"},
		"stop with tool calls, no ids": {native, finished(atWeather(&Reply{FinishReason: "stop", ToolCalls: []ToolCall{{Name: "get_weather", Arguments: `{"city":"Oslo"}`}}})), oslo, nil, TierNative, "", 0, "ok"},
		"same id twice": {native, finished(atWeather(&Reply{ToolCalls: []ToolCall{{"a", "get_weather", `{"city":"Oslo"}`}, {"a", "get_weather", `{"city":"Rome"}`}}})),
			oslo + ` get_weather{"city":"Rome"}`, nil, TierNative, "", 0, "ok"},
		"Qwen3-Coder markup": {native, finished(atWeather(says("<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=metric>True</parameter>\n</function>\n</tool_call>"))),
			`get_weather{"city":"Oslo","days":3,"metric":true}`, nil, TierPattern, "", 0, "ok"},
		"text that looks like a number": {native, finished(atNote(says("<function=take_note><parameter=text>42</parameter><parameter=id>42</parameter><parameter=tags>['a']</parameter></function>"))),
			`take_note{"text":"42","id":42,"tags":["a"]}`, nil, TierPattern, "", 0, "ok"},
		"function tag with JSON": {text, finished(atWeatherText(says(`<function=get_weather>{"city":"Oslo"}</function>`))), oslo, nil, TierPattern, "", 0, "ok"},
		"DeepSeek": {native, finished(atWeather(says(deepSeek + "function<｜tool▁sep｜>get_weather\n```json\n{\"city\":\"Oslo\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"))),
			oslo, nil, TierPattern, "", 0, "ok"},
		"DeepSeek, later form": {text, finished(atWeatherText(says(deepSeek + "get_weather<｜tool▁sep｜>{\"city\":\"Oslo\"}<｜tool▁call▁end｜>"))), oslo, nil, TierPattern, "", 0, "ok"},
		"DeepSeek invoke": {text, finished(atWeatherText(says(`<｜DSML｜function_calls><｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter></｜DSML｜invoke>`))),
			oslo, nil, TierPattern, "", 0, "ok"},
		"invoke tags": {native, finished(atWeather(says(`<invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke>`))), oslo, nil, TierPattern, "", 0, "ok"},
		"Kimi": {native, finished(atWeather(says(`<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>`))),
			oslo, nil, TierPattern, "", 0, "ok"},
		"Mistral":              {native, finished(atWeather(says(`[TOOL_CALLS]get_weather[ARGS]{"city":"Oslo"}`))), oslo, nil, TierPattern, "", 0, "ok"},
		"Mistral list":         {native, finished(atWeather(says(`[TOOL_CALLS] [{"name":"get_weather","arguments":{"city":"Oslo"}}]`))), oslo, nil, TierFragment, "", 0, "ok"},
		"Llama":                {native, finished(atWeather(says(`<|python_tag|>{"name":"get_weather","parameters":{"city":"Oslo"}}`))), oslo, nil, TierFragment, "", 0, "ok"},
		"Llama Python":         {native, finished(atWeather(says(`<|python_tag|>get_weather.call(city="Oslo")`))), oslo, []string{flagRepaired}, TierPattern, "", 0, "ok"},
		"GLM":                  {text, finished(atWeatherText(says("<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>"))), oslo, nil, TierPattern, "", 0, "ok"},
		"unread vendor markup": {Options{MaxRepairs: -1}, []*Reply{says(deepSeek + "gibberish")}, "", nil, "", FaultUnparsable, 0, ""},
		"markup of an unknown name, repaired": {native, finished([]*Reply{says("<function=fly></function>"), choose("list_scopes"), calls("list_scopes", "{}")}),
			"list_scopes{}", nil, TierNative, "", 1, "ok"},
		"Python dict": {text, finished(atWeatherText(says(`{'name': 'get_weather', 'arguments': {'city': 'Rome', 'metric': True, 'days': 2}}`))),
			`get_weather{"city":"Rome","metric":true,"days":2}`, []string{flagRepaired}, TierPattern, "", 0, "ok"},
		"Python dict as arguments": {native, finished(atWeather(calls("get_weather", `{'city': "L'Aquila", 'metric': True,}`))),
			`get_weather{"city":"L'Aquila","metric":true}`, []string{flagRepaired}, TierNative, "", 0, "ok"},
		"None is null": {native, finished(atWeather(calls("get_weather", `{'city': 'Rome', 'days': None}`), calls("get_weather", `{"city":"Rome"}`))),
			`get_weather{"city":"Rome"}`, []string{flagRepaired}, TierNative, "", 1, "ok"},
		"list of Python calls": {text, finished(atWeatherText(says(`[get_weather(location='Rome', days=3)]`))), `get_weather{"city":"Rome","days":3}`, []string{flagRepaired}, TierPattern, "", 0, "ok"},
		"Python set":           {native, finished(atWeather(calls("get_weather", `{'a','b'}`), calls("get_weather", `{"city":"Rome"}`))), `get_weather{"city":"Rome"}`, nil, TierNative, "", 1, "ok"},
		"Python complex":       {native, finished(atNote(calls("take_note", `{'id': 3+2j}`), calls("take_note", `{"id":3}`))), `take_note{"id":3}`, nil, TierNative, "", 1, "ok"},
		"arguments by position": {text, finished(atWeatherText(says(`get_weather('Oslo')`), says(`get_weather(city='Oslo')`))),
			oslo, []string{flagRepaired}, TierPattern, "", 1, "ok"},
		"NaN":                            {native, finished(atNote(calls("take_note", `{"price": NaN}`), calls("take_note", `{"price": Infinity}`), calls("take_note", `{"price": 20.5}`))), `take_note{"price":20.5}`, nil, TierNative, "", 2, "ok"},
		"number out of range":            {native, finished(atNote(calls("take_note", `{"price": 1e999}`), calls("take_note", `{"price": 20}`))), `take_note{"price":20}`, nil, TierNative, "", 1, "ok"},
		"large whole number":             {native, finished(atNote(calls("take_note", `{"id": 8021929379916255508}`))), `take_note{"id":8021929379916255508}`, nil, TierNative, "", 0, "ok"},
		"JSON answer, native":            {native, []*Reply{says(`{"city": "Oslo", "rain": true}`)}, "", nil, "", "", 0, `{"city": "Oslo", "rain": true}`},
		"JSON about someone":             {text, []*Reply{says(`The record is {"name": "Ada", "input": "x", "age": 36}.`)}, "", nil, "", "", 0, `The record is {"name": "Ada", "input": "x", "age": 36}.`},
		"answer in JSON":                 {text, []*Reply{says(`{"answer": "It is dry."}`)}, "", nil, "", "", 0, "It is dry."},
		"no skill":                       {text, []*Reply{says(`{"skill": null, "answer": "Hello!"}`)}, "", nil, "", "", 0, "Hello!"},
		"no skill, in a word":            {text, []*Reply{says(`{"skill": "none"}`)}, "", nil, "", "", 0, `{"skill": "none"}`},
		"prose that starts like a list":  {text, []*Reply{says("[1] says so, [see](there).")}, "", nil, "", "", 0, "[1] says so, [see](there)."},
		"prose that starts with a brace": {text, []*Reply{says("{title} is a placeholder.")}, "", nil, "", "", 0, "{title} is a placeholder."},
		"markup in a code span":          {text, []*Reply{says("Write `[TOOL_CALLS]` or <tool_call> for that.")}, "", nil, "", "", 0, "Write `[TOOL_CALLS]` or <tool_call> for that."},
		"code as an answer":              {text, []*Reply{says("print('hello')")}, "", nil, "", "", 0, "print('hello')"},
		"cut object":                     {text, atWeatherText(says(`{"skill":"get_weather","args":{"city":"Os`), says(`{"skill":"get_weather","args":{"city":"Os`), says(`{"skill":`)), "", nil, "", FaultUnparsable, 2, ""},
		"JSON of no shape, repaired":     {text, finished([]*Reply{says(`{"result": 42}`), says(`{"skill":"list_scopes"}`), says(`{"skill":"list_scopes","args":{}}`)}), "list_scopes{}", nil, TierJSON, "", 1, "ok"},
		"select_skill in text":           {text, finished([]*Reply{says(`{"name":"select_skill","arguments":{"name":"get_weather"}}`), says(`{"skill":"get_weather","args":{"city":"Oslo"}}`)}), oslo, nil, TierJSON, "", 0, "ok"},
		"selection as text, native":      {native, finished([]*Reply{says(`{"skill": "get_weather"}`), calls("get_weather", `{"city":"Oslo"}`)}), oslo, nil, TierNative, "", 0, "ok"},
		"neither text nor call":          {native, []*Reply{says("  ")}, "", nil, "", FaultEmpty, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			out, m := perform(t, c.o, rain, c.replies...)
			assert.Equal(t, c.calls, callsOf(out))
			if c.fault == "" {
				require.Nil(t, out.Fault)
			} else {
				require.NotNil(t, out.Fault)
				assert.Equal(t, c.fault, out.Fault.Class)
			}
			assert.Equal(t, c.repairs, out.Repairs)
			assert.Equal(t, c.answer, out.Answer)
			if n := len(out.Calls); n > 0 {
				assert.ElementsMatch(t, c.flags, flagsOf(out.Calls[n-1]))
				assert.Equal(t, c.tier, out.Calls[n-1].Tier)
			}
			assert.Len(t, m.requests, len(c.replies), "every reply was asked for, and no more")
			total := 0
			for _, n := range out.Tiers {
				total += n
			}
			assert.Equal(t, out.Rounds, total, "one tier a reply")
			for _, req := range m.requests {
				requireConversation(t, req)
			}
		})
	}
}

func TestFaultNamesTheDialect(t *testing.T) {
	out, _ := perform(t, Options{MaxRepairs: -1}, rain, says(deepSeek+"gibberish"))
	require.Contains(t, out.Fault.Message, "unparsed vendor markup (DeepSeek)")
}

// TestUnscorableReplies holds that a reply which was cut or withheld is an error, whatever it holds.
func TestUnscorableReplies(t *testing.T) {
	for reason, class := range map[string]ErrorClass{"length": ErrTruncated, "content_filter": ErrFiltered} {
		whole := calls("get_weather", `{"city":"Oslo"}`)
		whole.FinishReason = reason
		cut := calls("get_weather", `{"text":"abc`)
		cut.FinishReason = reason
		for _, reply := range []*Reply{whole, cut, {Content: "Hello", FinishReason: reason}, {FinishReason: reason}} {
			out, err := agentOf(t, scripted(choose("get_weather"), reply), native).Run(t.Context(), rain)
			var me *ModelError
			require.ErrorAs(t, err, &me)
			require.Equal(t, class, me.Class)
			require.Empty(t, out.Calls)
			require.Nil(t, out.Fault)
			require.Equal(t, 2, out.Rounds)
			require.Equal(t, []string{"get_weather"}, out.Selected, "what happened before stays")
		}
	}
}

func TestRefusalIsAnAnswerOfItsOwn(t *testing.T) {
	out, _ := perform(t, native, rain, &Reply{Refusal: "I cannot help with that."})
	require.Nil(t, out.Fault)
	require.Equal(t, "I cannot help with that.", out.Refusal)
	require.Empty(t, out.Calls)
}
