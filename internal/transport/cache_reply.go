package transport

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// endpoint is what a request asks for; other requests are neither cached nor looked into.
type endpoint int

const (
	otherEndpoint endpoint = iota
	chatEndpoint
	embeddingsEndpoint
)

// endpointOf tells the endpoint by method and path.
func endpointOf(req *http.Request) endpoint {
	switch {
	case req.Method != http.MethodPost:
	case strings.HasSuffix(req.URL.Path, "/chat/completions"):
		return chatEndpoint
	case strings.HasSuffix(req.URL.Path, "/embeddings"):
		return embeddingsEndpoint
	}
	return otherEndpoint
}

// fitToStore reports whether a reply is a complete answer: a 2xx with the JSON that the endpoint promises, without an
// error object, and, of a chat, nothing cut, filtered or empty. What is doubtful does not fit: to ask again costs
// less than a bad reply given back for ever.
func fitToStore(e endpoint, status int, request, reply []byte) bool {
	if status/100 != 2 || len(reply) >= MaxReplyBytes {
		return false
	}
	switch e {
	case chatEndpoint:
		return fitChat(request, reply)
	case embeddingsEndpoint:
		return fitEmbeddings(reply)
	}
	return false
}

// chatReply is as much of a chat reply as shows whether it is complete.
type chatReply struct {
	Error   failure      `json:"error"`
	Choices []chatChoice `json:"choices"`
	Usage   struct {
		Completion any `json:"completion_tokens"`
	} `json:"usage"`
}

type chatChoice struct {
	Error        failure `json:"error"`
	FinishReason string  `json:"finish_reason"` // some servers leave it out or null
	Message      struct {
		Content      any        `json:"content"`
		ToolCalls    []chatCall `json:"tool_calls"`
		FunctionCall *chatName  `json:"function_call"`
	} `json:"message"`
}

type chatCall struct {
	chatName
	Function chatName `json:"function"`
}

type chatName struct {
	Name      string `json:"name"`
	Arguments any    `json:"arguments"` // a text by the protocol
}

// fitChat looks at every choice of a chat reply.
func fitChat(request, body []byte) bool {
	var r chatReply
	if json.Unmarshal(body, &r) != nil || r.Error.set || len(r.Choices) == 0 {
		return false
	}
	full := usedUp(request, r.Usage.Completion)
	for i := range r.Choices {
		c := &r.Choices[i]
		if c.Error.set || !finished(c.FinishReason) || !c.says() || full && c.brokenArguments() {
			return false
		}
	}
	return true
}

// finished reports a reason that a complete answer ends for; none given is one, a reason nobody knows is not.
func finished(reason string) bool {
	switch strings.ToLower(reason) {
	case "", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "complete", "completed",
		"tool_calls", "tool_call", "tool_use", "function_call":
		return true
	}
	return false
}

// says reports whether a choice has content or a call.
func (c *chatChoice) says() bool {
	if f := c.Message.FunctionCall; f != nil && f.Name != "" {
		return true
	}
	for _, call := range c.Message.ToolCalls {
		if call.Name != "" || call.Function.Name != "" {
			return true
		}
	}
	switch content := c.Message.Content.(type) {
	case string:
		return strings.TrimSpace(content) != ""
	case []any:
		for _, p := range content {
			part, _ := p.(map[string]any)
			if text, _ := part["text"].(string); strings.TrimSpace(text) != "" {
				return true
			}
		}
	}
	return false
}

// brokenArguments reports a call whose arguments are not JSON.
func (c *chatChoice) brokenArguments() bool {
	broken := func(n chatName) bool {
		text, ok := n.Arguments.(string)
		return ok && strings.TrimSpace(text) != "" && !json.Valid([]byte(text))
	}
	for _, call := range c.Message.ToolCalls {
		if broken(call.chatName) || broken(call.Function) {
			return true
		}
	}
	return c.Message.FunctionCall != nil && broken(*c.Message.FunctionCall)
}

// usedUp reports whether a reply used all the tokens that the request allowed. Some servers call such a reply
// complete.
func usedUp(request []byte, completion any) bool {
	used, ok := completion.(float64)
	if !ok {
		return false
	}
	var limits struct {
		Max    json.Number `json:"max_tokens"`
		Newest json.Number `json:"max_completion_tokens"`
	}
	if json.Unmarshal(request, &limits) != nil {
		return false
	}
	for _, limit := range []json.Number{limits.Max, limits.Newest} {
		if n, err := strconv.ParseFloat(limit.String(), 64); err == nil && n > 0 && used >= n {
			return true
		}
	}
	return false
}

// fitEmbeddings reports whether a reply holds vectors, and no empty one.
func fitEmbeddings(body []byte) bool {
	var r struct {
		Error failure `json:"error"`
		Data  []struct {
			Embedding any `json:"embedding"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &r) != nil || r.Error.set || len(r.Data) == 0 {
		return false
	}
	for _, d := range r.Data {
		switch v := d.Embedding.(type) {
		case []any:
			if len(v) == 0 {
				return false
			}
		case string: // base64
			if v == "" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
