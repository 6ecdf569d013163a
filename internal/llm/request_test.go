package llm

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/skilleval/skilleval/agent"
)

// sent returns the bytes that a request becomes.
func sent(t *testing.T, req *agent.Request, change ...func(*Config)) string {
	t.Helper()
	var body []byte
	m := modelOver(t, tripper(func(r *http.Request) (*http.Response, error) {
		var err error
		body, err = io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.EqualValues(t, len(body), r.ContentLength)
		return respond(200, "application/json", message(`{"content":"ok"}`)), nil
	}), change...)
	_, err := m.Chat(t.Context(), req)
	require.NoError(t, err)
	isJSON(t, body)
	return string(body)
}

// The bytes of a request are fixed: they are the key of the cache and of recordings.
func TestRequestBytes(t *testing.T) {
	schema := `{ "type":"object", "properties":{"città <&>":{"type":"string"}} }`
	full := &agent.Request{
		Messages: []agent.Message{
			{Role: "system", Content: "be <b>short</b> & \"good\"\n"},
			{Role: "user", Content: "今天下雨吗\u2028?"},
			{Role: "assistant", ToolCalls: []agent.ToolCall{{ID: "c1", Name: "get_weather", Arguments: `{"city":"杭州"}`}, {ID: "c2", Name: "now"}}},
			{Role: "tool", Content: "rain", ToolCallID: "c1"},
			{Role: "tool", Content: ""},
			{Role: "assistant", Content: ""},
		},
		Tools:      []agent.Tool{{Name: "get_weather", Description: "Weather.", Parameters: json.RawMessage(schema)}, {Name: "now"}},
		ToolChoice: "auto",
		Seed:       number(int64(-7)),
	}
	want := `{"model":"m","messages":[{"role":"system","content":"be <b>short</b> & \"good\"\n"},` +
		"{\"role\":\"user\",\"content\":\"今天下雨吗\u2028?\"}," +
		`{"role":"assistant","content":"","tool_calls":[` +
		`{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"杭州\"}"}},` +
		`{"id":"c2","type":"function","function":{"name":"now","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c1","content":"rain"},{"role":"tool","tool_call_id":"","content":""},` +
		`{"role":"assistant","content":""}],` +
		`"tools":[{"type":"function","function":{"name":"get_weather","description":"Weather.","parameters":` + schema + `}},` +
		`{"type":"function","function":{"name":"now","parameters":{"type":"object","properties":{}}}}],"tool_choice":"auto",` +
		`"temperature":0,"top_p":0.95,"max_tokens":64,"a":{"k":"<","l":[1,2]},"top_k":1,"seed":-7}`
	got := sent(t, full, func(c *Config) {
		c.Temperature, c.TopP, c.MaxTokens = number(0.0), number(0.95), number(64)
		c.Extra = map[string]any{"top_k": 1, "a": map[string]any{"l": []int{1, 2}, "k": "<"}}
	})
	assert.Equal(t, want, got)
}

func TestSmallRequestBytes(t *testing.T) {
	assert.Equal(t, `{"model":"m","messages":[{"role":"user","content":"hello"}]}`, sent(t, hello()))
	req := hello()
	req.ToolChoice = "auto" // without tools it would be refused
	assert.Equal(t, `{"model":"m","messages":[{"role":"user","content":"hello"}]}`, sent(t, req))
	assert.Equal(t, `{"model":"m","messages":[]}`, sent(t, &agent.Request{}))
}

func TestNullContent(t *testing.T) {
	req := &agent.Request{Messages: []agent.Message{
		{Role: "assistant", ToolCalls: []agent.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}}},
		{Role: "assistant", Content: "said", ToolCalls: []agent.ToolCall{{ID: "b", Name: "f", Arguments: " "}}},
		{Role: "user"},
	}}
	call := func(id string) string {
		return `"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"f","arguments":"{}"}}]`
	}
	for null, content := range map[bool]string{false: `""`, true: "null"} {
		assert.Equal(t, `{"model":"m","messages":[{"role":"assistant","content":`+content+`,`+call("a")+`},`+
			`{"role":"assistant","content":"said",`+call("b")+`},{"role":"user","content":""}]}`,
			sent(t, req, func(c *Config) { c.NullContent = null }))
	}
}

// Any text is sent as it is, and read back as it was; bytes that are not UTF-8 become U+FFFD.
func TestAnyTextIsSent(t *testing.T) {
	m, err := New(Config{Model: "m\"\x00\xff"})
	require.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		req := &agent.Request{
			Messages: []agent.Message{{Role: "user", Content: text, ToolCalls: []agent.ToolCall{{ID: text, Name: text, Arguments: text}}}},
			Tools:    []agent.Tool{{Name: text, Description: text}},
		}
		body := m.(*model).encode(req)
		var got struct {
			Model    string
			Messages []struct {
				Content   string
				ToolCalls []struct {
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
			Tools []struct {
				Function struct{ Name, Description string }
			}
		}
		if err := json.Unmarshal(body, &got); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		call := got.Messages[0].ToolCalls[0]
		if got.Messages[0].Content != text || call.ID != text || call.Function.Name != text || got.Tools[0].Function.Name != text ||
			!blank(text) && call.Function.Arguments != text || got.Model != "m\"\x00\uFFFD" {
			t.Fatalf("sent %q as %s", text, body)
		}
	})
	isJSON(t, m.(*model).encode(&agent.Request{Messages: []agent.Message{{Role: "user", Content: "\xff\xfe\x00"}}}))
}
