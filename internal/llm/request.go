package llm

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skilleval/skilleval/agent"
)

// encode writes a request in a fixed order of fields. The parameters of tools are copied as they are.
func (m *model) encode(req *agent.Request) []byte {
	b := make([]byte, 0, m.size(req))
	b = append(b, m.head...)
	for i := range req.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = m.appendMessage(b, &req.Messages[i])
	}
	b = append(b, ']')
	if len(req.Tools) > 0 {
		b = append(b, `,"tools":[`...)
		for i := range req.Tools {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendTool(b, &req.Tools[i])
		}
		b = append(b, ']')
		if req.ToolChoice != "" { // without tools, servers refuse it
			b = appendString(append(b, `,"tool_choice":`...), req.ToolChoice)
		}
	}
	b = append(b, m.tail...)
	if req.Seed != nil {
		b = strconv.AppendInt(append(b, `,"seed":`...), *req.Seed, 10)
	}
	return append(b, '}')
}

// size guesses the length of the encoded request, with room for escapes.
func (m *model) size(req *agent.Request) int {
	n := len(m.head) + len(m.tail) + 64
	for i := range req.Messages {
		n += 64 + len(req.Messages[i].Content)
		for j := range req.Messages[i].ToolCalls {
			n += 96 + len(req.Messages[i].ToolCalls[j].Arguments)
		}
	}
	for i := range req.Tools {
		n += 96 + len(req.Tools[i].Name) + len(req.Tools[i].Description) + len(req.Tools[i].Parameters)
	}
	return n + n/8
}

// appendMessage writes one message. The content is always there: an empty text where there is none, or null by
// setting.
func (m *model) appendMessage(b []byte, msg *agent.Message) []byte {
	b = appendString(append(b, `{"role":`...), msg.Role)
	if msg.Role == "tool" || msg.ToolCallID != "" {
		b = appendString(append(b, `,"tool_call_id":`...), msg.ToolCallID)
	}
	b = append(b, `,"content":`...)
	if msg.Content == "" && len(msg.ToolCalls) > 0 && m.config.NullContent {
		b = append(b, "null"...)
	} else {
		b = appendString(b, msg.Content)
	}
	if len(msg.ToolCalls) > 0 {
		b = append(b, `,"tool_calls":[`...)
		for i := range msg.ToolCalls {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCall(b, &msg.ToolCalls[i])
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

// appendCall writes a call of the assistant's. Arguments that were absent are sent as an empty object: servers
// that parse them refuse an empty text.
func appendCall(b []byte, call *agent.ToolCall) []byte {
	b = appendString(append(b, `{"id":`...), call.ID)
	b = appendString(append(b, `,"type":"function","function":{"name":`...), call.Name)
	arguments := call.Arguments
	if blank(arguments) {
		arguments = "{}"
	}
	b = appendString(append(b, `,"arguments":`...), arguments)
	return append(b, `}}`...)
}

// appendTool writes a function. One without parameters gets the schema of no arguments, which some servers need.
func appendTool(b []byte, tool *agent.Tool) []byte {
	b = appendString(append(b, `{"type":"function","function":{"name":`...), tool.Name)
	if tool.Description != "" {
		b = appendString(append(b, `,"description":`...), tool.Description)
	}
	b = append(b, `,"parameters":`...)
	if len(tool.Parameters) == 0 {
		b = append(b, `{"type":"object","properties":{}}`...)
	} else {
		b = append(b, tool.Parameters...)
	}
	return append(b, `}}`...)
}

// appendString writes a JSON string. Bytes that are not UTF-8 become U+FFFD, as in encoding/json; the error
// that says so is of no use here.
func appendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

// blank reports whether a text is empty or white space.
func blank(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\r':
		default:
			return false
		}
	}
	return true
}
