package llm

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
)

// Every shape that servers give a message.
func TestMessages(t *testing.T) {
	type call = agent.ToolCall
	for name, c := range map[string]struct {
		message string
		want    agent.Reply
	}{
		"text":            {`{"role":"assistant","content":"hi\n"}`, agent.Reply{Content: "hi\n"}},
		"null content":    {`{"content":null}`, agent.Reply{}},
		"absent content":  {`{}`, agent.Reply{}},
		"number content":  {`{"content":12}`, agent.Reply{Content: "12"}},
		"parts":           {`{"content":[{"type":"text","text":"a"},{"type":"output_text","text":"b"},"c",null,{"type":"image_url"}]}`, agent.Reply{Content: "abc"}},
		"one part":        {`{"content":{"type":"text","text":"a"}}`, agent.Reply{Content: "a"}},
		"value parts":     {`{"content":[{"type":"text","text":{"value":"a"}}]}`, agent.Reply{Content: "a"}},
		"no parts":        {`{"content":[]}`, agent.Reply{}},
		"call in parts":   {`{"content":[{"type":"text","text":"{\"name\":\"f\",\"arguments\":{}}"},{"type":"refusal","refusal":"no"}]}`, agent.Reply{Content: `{"name":"f","arguments":{}}`, Refusal: "no"}},
		"refusal":         {`{"content":null,"refusal":"I cannot"}`, agent.Reply{Refusal: "I cannot"}},
		"null refusal":    {`{"content":"x","refusal":null}`, agent.Reply{Content: "x"}},
		"refusal as text": {`{"content":[{"type":"refusal","text":"no"}]}`, agent.Reply{Refusal: "no"}},
		"thinking parts": {`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"reasoning","text":"m"},{"type":"text","text":"a"}]}`,
			agent.Reply{Content: "a", Reasoning: "hmm"}},
		"reasoning_content": {`{"content":null,"reasoning_content":"why"}`, agent.Reply{Reasoning: "why"}},
		"reasoning":         {`{"content":"x","reasoning":"why","reasoning_content":null}`, agent.Reply{Content: "x", Reasoning: "why"}},

		"no arguments key": {`{"content":null,"tool_calls":[{"id":"a","function":{"name":"list_scopes"}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "list_scopes"}}}},
		"empty arguments":  {`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":""}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f"}}}},
		"blank arguments":  {`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"  "}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f", Arguments: "  "}}}},
		"null arguments":   {`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":null}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f"}}}},
		"object arguments": {`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"n": 8021929379916255508}}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f", Arguments: `{"n": 8021929379916255508}`}}}},
		"array arguments":  {`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":[]}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f", Arguments: `[]`}}}},
		"encoded twice":    {`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"\"{\\\"n\\\": 2}\""}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f", Arguments: `"{\"n\": 2}"`}}}},
		"not JSON":         {`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"not-json"}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f", Arguments: `not-json`}}}},

		"no index": {`{"tool_calls":[{"id":"a","function":{"name":"get_weather","arguments":"{\"c\":1}"}},{"id":"b","function":{"name":"get_time","arguments":"{\"t\":2}"}}]}`,
			agent.Reply{ToolCalls: []call{{ID: "a", Name: "get_weather", Arguments: `{"c":1}`}, {ID: "b", Name: "get_time", Arguments: `{"t":2}`}}}},
		"all index 0": {`{"tool_calls":[{"index":0,"id":"call_a","function":{"name":"f","arguments":"{}"}},{"index":0,"id":"call_b","function":{"name":"f","arguments":"{}"}}]}`,
			agent.Reply{ToolCalls: []call{{ID: "call_a", Name: "f", Arguments: `{}`}, {ID: "call_b", Name: "f", Arguments: `{}`}}}},
		"text index":    {`{"tool_calls":[{"index":"a","type":7,"id":"a","function":{"name":"f","arguments":"{}","extra":[]}}],"extra":{"x":1}}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f", Arguments: `{}`}}}},
		"empty id":      {`{"tool_calls":[{"id":"","function":{"name":"f","arguments":"{}"}}]}`, agent.Reply{ToolCalls: []call{{ID: "call_1", Name: "f", Arguments: `{}`}}}},
		"no ids":        {`{"tool_calls":[{"function":{"name":"f"}},{"id":null,"function":{"name":"g"}}]}`, agent.Reply{ToolCalls: []call{{ID: "call_1", Name: "f"}, {ID: "call_2", Name: "g"}}}},
		"equal ids":     {`{"tool_calls":[{"id":"x","function":{"name":"f"}},{"id":"x","function":{"name":"g"}}]}`, agent.Reply{ToolCalls: []call{{ID: "x", Name: "f"}, {ID: "call_2", Name: "g"}}}},
		"taken id":      {`{"tool_calls":[{"id":"call_2","function":{"name":"f"}},{"function":{"name":"g"}}]}`, agent.Reply{ToolCalls: []call{{ID: "call_2", Name: "f"}, {ID: "call_3", Name: "g"}}}},
		"number id":     {`{"tool_calls":[{"id":7,"function":{"name":"f"}}]}`, agent.Reply{ToolCalls: []call{{ID: "7", Name: "f"}}}},
		"null calls":    {`{"content":"x","tool_calls":null,"function_call":null}`, agent.Reply{Content: "x"}},
		"no calls":      {`{"content":"x","tool_calls":[]}`, agent.Reply{Content: "x"}},
		"null call":     {`{"content":"x","tool_calls":[null,{}]}`, agent.Reply{Content: "x"}},
		"one call":      {`{"tool_calls":{"id":"a","function":{"name":"f"}}}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f"}}}},
		"flat call":     {`{"tool_calls":[{"id":"a","name":"f","arguments":{"x":1}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f", Arguments: `{"x":1}`}}}},
		"no name":       {`{"tool_calls":[{"id":"a","function":{"arguments":"{}"}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Arguments: `{}`}}}},
		"function_call": {`{"content":null,"function_call":{"name":"f","arguments":"{}"}}`, agent.Reply{ToolCalls: []call{{ID: "call_1", Name: "f", Arguments: `{}`}}}},
		"both":          {`{"function_call":{"name":"g"},"tool_calls":[{"id":"a","function":{"name":"f"}}]}`, agent.Reply{ToolCalls: []call{{ID: "a", Name: "f"}}}},
		"surrogate":     {`{"content":"\ud83d"}`, agent.Reply{Content: "\uFFFD"}},
		"wrong types":   {`{"content":"x","tool_calls":"none","function_call":7,"refusal":[],"reasoning":{}}`, agent.Reply{Content: "x", Refusal: "[]", Reasoning: "{}"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := modelOver(t, answer(200, "application/json", message(c.message))).Chat(t.Context(), hello())
			require.NoError(t, err)
			c.want.FinishReason, c.want.Usage = "stop", agent.Usage{Prompt: 11, Completion: 7}
			assert.Equal(t, c.want, *got)
		})
	}
}

func TestReplies(t *testing.T) {
	for body, want := range map[string]agent.Reply{
		`{"choices":[{"text":"old"}]}`:                               {Content: "old"},
		`{"choices":[{"delta":{"content":"d"}}]}`:                    {Content: "d"},
		`{"choices":[{"message":{"content":"x"},"text":"y"}]}`:       {Content: "x"},
		`{"choices":{"message":{"content":"x"}}}`:                    {Content: "x"},
		`{"choices":[{"message":{"content":"x"}},{"message":null}]}`: {Content: "x"},
		`{"error":null,"choices":[{"message":{"content":"x"}}]}`:     {Content: "x"},
		`{"error":{},"choices":[{"error":null,"message":{}}]}`:       {},
		"\r\n {\"choices\":[{\"message\":{\"content\":\"x\"}}]}\n":   {Content: "x"},
		`{"choices":[{"finish_reason":"content_filter"}]}`:           {FinishReason: "content_filter"},
		`{"choices":[{"message":{},"finish_reason":null}]}`:          {},
		`{"choices":[{"message":{},"finish_reason":3}]}`:             {FinishReason: "3"},
		`{"choices":[{"message":{},"finish_reason":"MAX_TOKENS"}]}`:  {FinishReason: "length"},
		`{"choices":[{"message":{},"finish_reason":"length"}]}`:      {FinishReason: "length"},
		`{"choices":[{"message":{},"finish_reason":"SAFETY"}]}`:      {FinishReason: "content_filter"},
		`{"choices":[{"message":{},"finish_reason":"end_turn"}]}`:    {FinishReason: "stop"},
		`{"choices":[{"message":{},"finish_reason":"tool_use"}]}`:    {FinishReason: "tool_calls"},
		`{"choices":[{"message":{},"finish_reason":"odd"}]}`:         {FinishReason: "odd"},
	} {
		got, err := decodeReply([]byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, want, *got, body)
	}
	// The content type is not looked at when the body is a reply.
	for _, contentType := range []string{"", "text/plain", "text/html", "application/problem+json"} {
		got, err := modelOver(t, answer(200, contentType, message(`{"content":"ok"}`))).Chat(t.Context(), hello())
		require.NoError(t, err)
		assert.Equal(t, "ok", got.Content)
	}
}

// Only a sensible number of attempts is believed.
func TestAttemptsOfTheTransport(t *testing.T) {
	for header, want := range map[string]int{"": 0, "1": 0, "3": 2, "0": 0, "-5": 0, "many": 0} {
		got, err := modelOver(t, answer(200, "", message(`{}`), attemptsHeader, header)).Chat(t.Context(), hello())
		require.NoError(t, err)
		assert.Equal(t, want, got.Retries, header)
	}
}

// Ids of calls stay apart over the whole conversation, and depend on it alone.
func TestNamesOfCalls(t *testing.T) {
	before := []agent.Message{
		{Role: "assistant", ToolCalls: []agent.ToolCall{{ID: "x"}, {ID: "call_4"}}},
		{Role: "tool", ToolCallID: "x"},
		{Role: "assistant", ToolCalls: []agent.ToolCall{{ID: "call_1"}}},
	}
	calls := []agent.ToolCall{{}, {ID: "x"}, {ID: "new"}, {ID: "call_1"}}
	nameCalls(calls, before)
	assert.Equal(t, []agent.ToolCall{{ID: "call_5"}, {ID: "call_6"}, {ID: "new"}, {ID: "call_7"}}, calls)
}

func TestUsage(t *testing.T) {
	counted := func(s string) int { return 100 * len(s) }
	req := &agent.Request{
		Messages: []agent.Message{{Role: "user", Content: "1234"}, {Role: "assistant", ToolCalls: []agent.ToolCall{{Name: "12", Arguments: "1"}}}},
		Tools:    []agent.Tool{{Name: "1", Description: "12", Parameters: json.RawMessage("{}")}},
	} // 4 + 3 + 5 bytes
	const said = `{"content":"12","refusal":"1","reasoning":"1","tool_calls":[{"id":"i","function":{"name":"1","arguments":"{}"}}]}` // 7
	for usage, want := range map[string]agent.Usage{
		``:              {Prompt: 1200, Completion: 700, Estimated: true},
		`,"usage":null`: {Prompt: 1200, Completion: 700, Estimated: true},
		`,"usage":{}`:   {Prompt: 1200, Completion: 700, Estimated: true},
		`,"usage":[]`:   {Prompt: 1200, Completion: 700, Estimated: true},
		`,"usage":{"prompt_tokens":0,"completion_tokens":0}`:        {Prompt: 1200, Completion: 700, Estimated: true},
		`,"usage":{"prompt_tokens":-5,"completion_tokens":-1}`:      {Prompt: 1200, Completion: 700, Estimated: true},
		`,"usage":{"prompt_tokens":5,"completion_tokens":3}`:        {Prompt: 5, Completion: 3},
		`,"usage":{"prompt_tokens":"5","completion_tokens":3.0}`:    {Prompt: 5, Completion: 3},
		`,"usage":{"prompt_tokens":{},"completion_tokens":3}`:       {Prompt: 1200, Completion: 3, Estimated: true},
		`,"usage":{"prompt_tokens":5,"total_tokens":9}`:             {Prompt: 5, Completion: 4},
		`,"usage":{"prompt_tokens":5}`:                              {Prompt: 5, Completion: 700, Estimated: true},
		`,"usage":{"input_tokens":5,"output_tokens":3}`:             {Prompt: 5, Completion: 3},
		`,"usage":{"prompt_tokens":1e99,"completion_tokens":1e400}`: {Prompt: 1200, Completion: 700, Estimated: true},
	} {
		body := `{"choices":[{"message":` + said + `}]` + usage + `}`
		got, err := modelOver(t, answer(200, "application/json", body), func(c *Config) { c.CountTokens = counted }).Chat(t.Context(), req)
		require.NoError(t, err, usage)
		assert.Equal(t, want, got.Usage, usage)
	}
	// An empty reply has no completion tokens: nothing is missing.
	got, err := modelOver(t, answer(200, "", `{"choices":[{"message":{}}],"usage":{"prompt_tokens":5}}`)).Chat(t.Context(), req)
	require.NoError(t, err)
	assert.Equal(t, agent.Usage{Prompt: 5}, got.Usage)
	got, err = modelOver(t, answer(200, "", `{"choices":[{"message":{"content":"今天 abcd"}}]}`)).Chat(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, agent.Usage{Prompt: 2, Completion: 4, Estimated: true}, got.Usage)
}

// Arguments that were cut by the limit of tokens are not the model's fault, whatever the finish reason says.
func TestCutByTheLimit(t *testing.T) {
	reply := func(arguments string, completion int) string {
		args, err := json.Marshal(arguments)
		require.NoError(t, err)
		n, err := json.Marshal(completion)
		require.NoError(t, err)
		return `{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":` + string(args) +
			`}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":` + string(n) + `}}`
	}
	for _, c := range []struct {
		body string
		want string
	}{
		{reply(`{"text":"abc`, 64), "length"},
		{reply(`{"text":"abc`, 65), "length"},
		{reply(`{"text":"abc`, 63), "tool_calls"},
		{reply(`{"text":"abc"}`, 64), "tool_calls"},
		{reply(``, 64), "tool_calls"},
		{reply(`{"text":"abc`, 0), "tool_calls"}, // counted here: says nothing
	} {
		for _, limit := range []func(*Config){
			func(c *Config) { c.MaxTokens = number(64) },
			func(c *Config) { c.Extra = map[string]any{"max_completion_tokens": 64} },
		} {
			count := func(c *Config) { c.CountTokens = func(string) int { return 1000 } }
			got, err := modelOver(t, answer(200, "", c.body), limit, count).Chat(t.Context(), hello())
			require.NoError(t, err)
			assert.Equal(t, c.want, got.FinishReason, c.body)
		}
	}
	got, err := modelOver(t, answer(200, "", reply(`{"text":"abc`, 64))).Chat(t.Context(), hello())
	require.NoError(t, err)
	assert.Equal(t, "tool_calls", got.FinishReason, "without a limit nothing is known")
	assert.Zero(t, tokenLimit(&Config{Extra: map[string]any{"max_completion_tokens": "many"}}))
}

func FuzzDecodeReply(f *testing.F) {
	for _, s := range []string{message(`{"content":[{"type":"text","text":{"value":[1]}}]}`), `{"choices":[null]}`, `{"choices":[[]]}`,
		message(`{"tool_calls":[{"function":[]}]}`), `{"usage":{"prompt_tokens":"\u0000"}}`, `{"error":"x"}`, `[{"error":{"code":1e999}}]`,
		strings.Repeat("[", 200), `{"choices":[{"message":{"content":[{"text":[{"text":3}]}]}}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		reply, err := decodeReply(body)
		if (reply == nil) == (err == nil) {
			t.Fatalf("%v, %v", reply, err)
		}
		failure := readFailure(body)
		failure.class(failure.status())
		cutTo(string(body))
	})
}
