package agent

import (
	"context"
	"encoding/json"
	"fmt"
)

// Model answers one chat request. Implementations must be safe for concurrent use and must return a
// *[ModelError] for every failure that concerns the server or the transport.
type Model interface {
	Chat(ctx context.Context, req *Request) (*Reply, error)
}

// Request is one Chat Completions request, without the model's name and sampling parameters: those belong
// to the Model.
type Request struct {
	Messages   []Message
	Tools      []Tool // empty in the text protocol
	ToolChoice string // "", "auto", "required" or "none"; "" leaves it out
	// Seed is sent to the server when not nil.
	Seed *int64
}

// Message is one chat message. Role is "system", "user", "assistant" or "tool".
type Message struct {
	Role       string
	Content    string
	ToolCalls  []ToolCall // assistant only
	ToolCallID string     // tool only
}

// Tool is one function offered to the model. Parameters is its JSON Schema, sent unchanged.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage
}

// ToolCall is a function call as the server reported it: Arguments is the text it sent ("" when absent or
// null; an object sent in place of a string arrives as its JSON text).
type ToolCall struct {
	ID        string
	Name      string
	Arguments string
}

// Reply is one assistant message.
type Reply struct {
	Content      string // text parts joined in order; "" when null or absent
	Refusal      string
	Reasoning    string // reasoning_content or reasoning, when the server gives it
	ToolCalls    []ToolCall
	FinishReason string
	Usage        Usage
	Retries      int // attempts beyond the first that it took to get this reply
}

// Usage counts tokens. Estimated is set when the server reported none and they were counted locally.
type Usage struct {
	Prompt     int
	Completion int
	Estimated  bool
}

// Add sums two usages; the sum is estimated if either is.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Prompt + v.Prompt, u.Completion + v.Completion, u.Estimated || v.Estimated}
}

// ErrorClass names why a trial could not be scored.
type ErrorClass string

// The error classes. Whatever happens to a request is exactly one of these.
const (
	ErrTimeout   ErrorClass = "timeout"        // the attempt, the trial or the run ran out of time
	ErrNetwork   ErrorClass = "network"        // no HTTP reply at all
	ErrRateLimit ErrorClass = "rate_limit"     // 429 after retries
	ErrServer    ErrorClass = "server"         // 5xx, or an error object inside a 200
	ErrAuth      ErrorClass = "auth"           // 401, 403
	ErrRequest   ErrorClass = "bad_request"    // other 4xx
	ErrReply     ErrorClass = "invalid_reply"  // not JSON, no choices, wrong shape
	ErrTruncated ErrorClass = "truncated"      // finish_reason length, or as many tokens as were allowed
	ErrFiltered  ErrorClass = "content_filter" // refused by a filter
	ErrCancelled ErrorClass = "cancelled"      // interrupted by the user: not finished, never recorded
)

// ModelError is a failure of the server or the transport: an error, never an answer.
type ModelError struct {
	Class   ErrorClass
	Status  int    // HTTP status; 0 when there was no reply
	Message string // what was asked and what came; secrets already redacted
	Retries int
	Err     error
}

// Error implements error.
func (e *ModelError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d): %s", e.Class, e.Status, e.Message)
	}
	return fmt.Sprintf("%s: %s", e.Class, e.Message)
}

// Unwrap returns the cause.
func (e *ModelError) Unwrap() error { return e.Err }
