package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/skilleval/skilleval/agent"
)

// wireReply is a Chat Completions reply as servers really send it: every field may be absent, null or of another
// type. encoding/json goes on after a field of the wrong type, which then counts as absent.
type wireReply struct {
	Choices list[wireChoice] `json:"choices"`
	Usage   wireUsage        `json:"usage"`
	Error   json.RawMessage  `json:"error"`
}

type wireChoice struct {
	Message      *wireMessage    `json:"message"`
	Delta        *wireMessage    `json:"delta"` // of servers that answer a plain request like a stream
	Text         looseText       `json:"text"`  // of the older completions protocol
	FinishReason looseText       `json:"finish_reason"`
	Error        json.RawMessage `json:"error"` // of gateways whose server failed half-way
}

type wireMessage struct {
	Content          content        `json:"content"`
	Refusal          looseText      `json:"refusal"`
	ReasoningContent looseText      `json:"reasoning_content"`
	Reasoning        looseText      `json:"reasoning"`
	ToolCalls        list[wireCall] `json:"tool_calls"`
	FunctionCall     *wireFunction  `json:"function_call"` // the protocol before tools
}

type wireCall struct {
	ID       looseText     `json:"id"`
	Function *wireFunction `json:"function"`
	wireFunction
}

type wireFunction struct {
	Name      looseText `json:"name"`
	Arguments looseText `json:"arguments"`
}

// errorReply is an error object in the place of an answer.
type errorReply struct{ raw json.RawMessage }

func (e *errorReply) Error() string { return "an error object in a 200 reply" }

// decodeReply reads a 2xx reply. Its error is an *errorReply, or says what is wrong with the reply's shape.
func decodeReply(body []byte) (*agent.Reply, error) {
	var w wireReply
	if b := bytes.TrimLeft(body, " \t\r\n"); len(b) == 0 {
		return nil, errors.New("the reply is empty")
	} else if b[0] != '{' {
		return nil, errors.New("the reply is not a JSON object")
	}
	if err := unmarshal(body, &w); err != nil {
		return nil, fmt.Errorf("the reply is not complete JSON: %w", err)
	}
	if len(w.Choices) == 0 {
		if isSet(w.Error) {
			return nil, &errorReply{w.Error}
		}
		return nil, errors.New("the reply has no choices")
	}
	c := &w.Choices[0]
	if isSet(c.Error) {
		return nil, &errorReply{c.Error}
	}
	msg := c.Message
	if msg == nil {
		msg = c.Delta
	}
	if msg == nil {
		if c.Text == "" && c.FinishReason == "" {
			return nil, errors.New("the reply's first choice has no message")
		}
		msg = &wireMessage{Content: content{text: string(c.Text)}}
	}
	reply := &agent.Reply{
		Content:      msg.Content.text,
		Refusal:      firstOf(string(msg.Refusal), msg.Content.refusal),
		Reasoning:    firstOf(string(msg.ReasoningContent), string(msg.Reasoning), msg.Content.reasoning),
		ToolCalls:    msg.calls(),
		FinishReason: finishReason(string(c.FinishReason)),
		Usage:        agent.Usage{Prompt: w.Usage.prompt(), Completion: w.Usage.completion()},
	}
	return reply, nil
}

// unmarshal is json.Unmarshal that does not mind fields of the wrong type.
func unmarshal(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		return nil
	}
	return err
}

// calls lists the calls of a message, in order. A position or an index that a server sends with them means
// nothing in a reply that is not streamed, and is not read.
func (m *wireMessage) calls() []agent.ToolCall {
	var calls []agent.ToolCall
	for _, c := range m.ToolCalls {
		f := c.wireFunction
		if c.Function != nil {
			f = *c.Function
		}
		if f == (wireFunction{}) && c.ID == "" {
			continue // null, or an empty object
		}
		calls = append(calls, agent.ToolCall{ID: string(c.ID), Name: string(f.Name), Arguments: string(f.Arguments)})
	}
	if f := m.FunctionCall; len(calls) == 0 && f != nil && *f != (wireFunction{}) {
		calls = append(calls, agent.ToolCall{Name: string(f.Name), Arguments: string(f.Arguments)})
	}
	return calls
}

// finishReason maps what servers write to the names of the protocol; others stay as they are.
func finishReason(s string) string {
	switch strings.ToLower(s) {
	case "length", "max_tokens", "model_length", "max_output_tokens":
		return "length"
	case "content_filter", "content-filter", "safety", "content_filtered":
		return "content_filter"
	case "stop", "eos", "end_turn", "eos_token", "stop_sequence":
		return "stop"
	case "tool_calls", "function_call", "tool_use":
		return "tool_calls"
	}
	return s
}

// isSet reports whether an error field says anything.
func isSet(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "{}", "[]", "false":
		return false
	}
	return true
}

// firstOf is the first text that is not empty.
func firstOf(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
