package llm

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/skilleval/skilleval/agent"
)

// wireUsage is the usage of a reply, under the names of both protocols of the vendor.
type wireUsage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Total      count `json:"total_tokens"`
	Input      count `json:"input_tokens"`
	Output     count `json:"output_tokens"`
}

func (u *wireUsage) prompt() int { return int(max(u.Prompt, u.Input)) }

func (u *wireUsage) completion() int {
	if n := int(max(u.Completion, u.Output)); n > 0 {
		return n
	}
	if p := u.prompt(); p > 0 && int(u.Total) > p {
		return int(u.Total) - p
	}
	return 0
}

// count is a number of tokens: a number or the text of one; anything else, and less than 0, is 0.
type count int

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (n *count) UnmarshalJSON(b []byte) error {
	*n = 0
	v, err := strconv.ParseFloat(strings.Trim(string(b), `" `), 64)
	if err == nil && v > 0 && v < math.MaxInt32 {
		*n = count(v)
	}
	return nil
}

// completeUsage counts what the server did not report. Only the texts are counted: what a server's chat template
// adds is not known.
func (m *model) completeUsage(reply *agent.Reply, req *agent.Request) {
	u := &reply.Usage
	if u.Prompt == 0 {
		u.Prompt, u.Estimated = m.countRequest(req), true
	}
	if u.Completion == 0 {
		if n := m.countReply(reply); n > 0 || u.Estimated {
			u.Completion, u.Estimated = n, true
		}
	}
}

// countRequest counts the tokens of a request's texts.
func (m *model) countRequest(req *agent.Request) int {
	n := 0
	for i := range req.Messages {
		n += m.countText(req.Messages[i].Content) + m.countCalls(req.Messages[i].ToolCalls)
	}
	for i := range req.Tools {
		t := &req.Tools[i]
		n += m.countText(t.Name) + m.countText(t.Description) + m.countText(string(t.Parameters))
	}
	return n
}

// countReply counts the tokens of a reply's texts.
func (m *model) countReply(r *agent.Reply) int {
	return m.countText(r.Content) + m.countText(r.Refusal) + m.countText(r.Reasoning) + m.countCalls(r.ToolCalls)
}

func (m *model) countCalls(calls []agent.ToolCall) int {
	n := 0
	for i := range calls {
		n += m.countText(calls[i].Name) + m.countText(calls[i].Arguments)
	}
	return n
}

func (m *model) countText(s string) int {
	if s == "" {
		return 0
	}
	return m.count(s)
}

// estimateTokens counts a quarter of a token per ASCII byte and one per other rune.
func estimateTokens(s string) int {
	ascii := 0
	for i := 0; i < len(s); i++ {
		if s[i] < utf8.RuneSelf {
			ascii++
		}
	}
	other := utf8.RuneCountInString(s) - ascii
	return (ascii+3)/4 + other
}

// markTruncated sets the finish reason of a reply that was cut by the limit of tokens while the server calls it
// complete: as many tokens as were allowed, and arguments, or a text that is to be JSON, that do not parse.
func (m *model) markTruncated(reply *agent.Reply) {
	if m.limit == 0 || reply.Usage.Estimated || reply.Usage.Completion < m.limit {
		return
	}
	for i := range reply.ToolCalls {
		if a := reply.ToolCalls[i].Arguments; !blank(a) && !json.Valid([]byte(a)) {
			reply.FinishReason = "length"
			return
		}
	}
	if text := strings.TrimSpace(reply.Content); len(reply.ToolCalls) == 0 && strings.HasPrefix(text, "{") && !json.Valid([]byte(text)) {
		reply.FinishReason = "length"
	}
}
