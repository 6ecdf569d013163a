package offline

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"
)

// chatRequest is what is read of a Chat Completions request.
type chatRequest struct {
	Model      string          `json:"model"`
	Messages   []message       `json:"messages"`
	RawTools   json.RawMessage `json:"tools"`
	ToolChoice json.RawMessage `json:"tool_choice"`
	N          *int            `json:"n"`
	Stream     bool            `json:"stream"`

	tools  []function // functions of RawTools, in order
	choice string     // auto, none, required or named
	named  string     // the function to call, when choice is "named"
}

// message is one chat message; Content is text, an array of parts or null.
type message struct {
	Role       string     `json:"role"`
	Content    any        `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls"`
	ToolCallID string     `json:"tool_call_id"`

	text string // of Content
}

// toolCall is a function call of an earlier reply.
type toolCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string by the protocol, an object from lax clients
	} `json:"function"`
}

// arguments is the JSON text of the arguments.
func (c *toolCall) arguments() string {
	var s string
	if json.Unmarshal(c.Function.Arguments, &s) == nil {
		return s
	}
	return string(c.Function.Arguments)
}

// function is one tool of type function.
type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

// decodeRequest reads and checks a request body; every error is an [apiError].
func decodeRequest(body []byte) (*chatRequest, error) {
	chat := new(chatRequest)
	if err := json.Unmarshal(body, chat); err != nil {
		return nil, badRequest("", "the body is not a Chat Completions request: %v", err)
	}
	if len(chat.Messages) == 0 {
		return nil, badRequest("messages", "messages is missing or empty: at least one message is expected")
	}
	if chat.Stream {
		return nil, badRequest("stream", "stream is not supported by this model: leave it out or set it to false")
	}
	if chat.N != nil && *chat.N != 1 {
		return nil, badRequest("n", "n is %d: this model gives one choice, leave n out or set it to 1", *chat.N)
	}
	for i := range chat.Messages {
		if err := chat.Messages[i].check(i); err != nil {
			return nil, err
		}
	}
	if err := chat.decodeTools(); err != nil {
		return nil, err
	}
	if err := chat.decodeChoice(); err != nil {
		return nil, err
	}
	return chat, nil
}

// check validates role and content of the message at an index and reads its text.
func (m *message) check(i int) error {
	param := "messages[" + strconv.Itoa(i) + "]"
	switch m.Role {
	case "system", "developer", "user", "assistant", "tool", "function":
	default:
		return badRequest(param+".role", "role %q is unknown: system, developer, user, assistant or tool is expected", m.Role)
	}
	switch content := m.Content.(type) {
	case nil:
	case string:
		m.text = content
	case []any:
		var texts []string
		for _, p := range content {
			part, ok := p.(map[string]any)
			if !ok {
				return badRequest(param+".content", "content is an array of something else than parts: objects with type and text are expected")
			}
			if text, _ := part["text"].(string); text != "" {
				texts = append(texts, text)
			}
		}
		m.text = strings.Join(texts, "\n")
	default:
		return badRequest(param+".content", "content must be a string, an array of parts or null")
	}
	return nil
}

// decodeTools reads the functions among the tools. Tools of other kinds cannot be called by this model and are
// passed over; a function without a name is refused.
func (c *chatRequest) decodeTools() error {
	if len(c.RawTools) == 0 || bytes.Equal(c.RawTools, []byte("null")) {
		return nil
	}
	var tools []struct {
		Type     string          `json:"type"`
		Function json.RawMessage `json:"function"`
	}
	if json.Unmarshal(c.RawTools, &tools) != nil {
		return badRequest("tools", "tools must be an array of objects with type and function")
	}
	for i, t := range tools {
		if t.Type != "function" && (t.Type != "" || t.Function == nil) {
			continue
		}
		param := "tools[" + strconv.Itoa(i) + "].function"
		var f function
		if err := json.Unmarshal(t.Function, &f); err != nil {
			return badRequest(param, "function is missing or has fields of the wrong type: an object with name, description and parameters is expected")
		}
		if f.Name == "" {
			return badRequest(param+".name", "the function has no name")
		}
		c.tools = append(c.tools, f)
	}
	return nil
}

// decodeChoice reads tool_choice.
func (c *chatRequest) decodeChoice() error {
	c.choice = "auto"
	if len(c.ToolChoice) == 0 || bytes.Equal(c.ToolChoice, []byte("null")) {
		return nil
	}
	var named struct {
		Type     string `json:"type"`
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	switch {
	case json.Unmarshal(c.ToolChoice, &c.choice) == nil:
		if c.choice != "auto" && c.choice != "none" && c.choice != "required" {
			return badRequest("tool_choice", "tool_choice %q is unknown: auto, none, required or a named function is expected", c.choice)
		}
	case json.Unmarshal(c.ToolChoice, &named) == nil && named.Type == "function" && named.Function.Name != "":
		c.choice, c.named = "named", named.Function.Name
		for _, t := range c.tools {
			if t.Name == c.named {
				return nil
			}
		}
		return badRequest("tool_choice", "tool_choice names the function %q, which is not among the tools", c.named)
	default:
		return badRequest("tool_choice", "tool_choice must be auto, none, required or {\"type\":\"function\",\"function\":{\"name\":…}}")
	}
	if c.choice == "required" && len(c.tools) == 0 {
		return badRequest("tool_choice", "tool_choice is required, but there are no tools")
	}
	return nil
}

// reply is one assistant message: a call when name is not empty, text otherwise.
type reply struct {
	text string
	name string
	args string // JSON
}

// encodeReply writes the response body. Ids are derived from the request, so that equal requests get equal bytes.
func encodeReply(c *chatRequest, body []byte, r reply) []byte {
	type call struct {
		ID       string            `json:"id"`
		Type     string            `json:"type"`
		Function map[string]string `json:"function"`
	}
	type assistant struct {
		Role      string  `json:"role"`
		Content   *string `json:"content"`
		ToolCalls []call  `json:"tool_calls,omitempty"`
	}
	type choice struct {
		Index        int       `json:"index"`
		Message      assistant `json:"message"`
		FinishReason string    `json:"finish_reason"`
	}
	m, finish := assistant{Role: "assistant"}, "stop"
	if r.name != "" {
		finish = "tool_calls"
		m.ToolCalls = []call{{ID: "call_" + strconv.Itoa(c.callsSoFar()+1), Type: "function",
			Function: map[string]string{"name": r.name, "arguments": r.args}}}
	} else {
		m.Content = &r.text
	}
	h := fnv.New64a()
	h.Write(body)
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		ID      string   `json:"id"`
		Object  string   `json:"object"`
		Created int64    `json:"created"`
		Model   string   `json:"model"`
		Choices []choice `json:"choices"`
	}{"chatcmpl-" + strconv.FormatUint(h.Sum64(), 16), "chat.completion", 0, c.Model, []choice{{Message: m, FinishReason: finish}}})
	if err != nil { // strings always marshal
		return []byte(`{"choices":[]}`)
	}
	return out.Bytes()
}

// callsSoFar counts the calls of earlier replies, so that ids stay unique in a conversation.
func (c *chatRequest) callsSoFar() int {
	n := 0
	for i := range c.Messages {
		n += len(c.Messages[i].ToolCalls)
	}
	return n
}
