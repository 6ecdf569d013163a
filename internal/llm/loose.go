package llm

import (
	"bytes"
	"encoding/json"
	"strings"
)

// looseText is a string field. Null is "", any other value is its JSON text: arguments sent as an object arrive
// as the object's text.
type looseText string

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (t *looseText) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0 || string(b) == "null":
		*t = ""
	case b[0] == '"':
		var s string
		if json.Unmarshal(b, &s) == nil {
			*t = looseText(s)
		}
	default:
		*t = looseText(b)
	}
	return nil
}

// list is an array field. Null is empty, and one object stands for an array of one.
type list[T any] []T

// UnmarshalJSON implements json.Unmarshaler; an element of the wrong type is the zero value.
func (l *list[T]) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) > 0 && b[0] == '[':
		var items []T
		if err := unmarshal(b, &items); err != nil {
			return nil
		}
		*l = items
	case len(b) > 0 && b[0] == '{':
		var item T
		if err := unmarshal(b, &item); err != nil {
			return nil
		}
		*l = list[T]{item}
	default:
		*l = nil
	}
	return nil
}

// content is a message's content: null, a text, or an array of parts of which the texts are joined in order and
// refusals and reasoning kept apart.
type content struct {
	text, refusal, reasoning string
}

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (c *content) UnmarshalJSON(b []byte) error {
	*c = content{}
	b = bytes.TrimSpace(b)
	if len(b) == 0 || b[0] != '[' && b[0] != '{' {
		var t looseText
		err := t.UnmarshalJSON(b)
		c.text = string(t)
		return err
	}
	var parts list[part]
	if err := parts.UnmarshalJSON(b); err != nil {
		return err
	}
	var text, refusal, reasoning strings.Builder
	for _, p := range parts {
		text.WriteString(p.text)
		refusal.WriteString(p.refusal)
		reasoning.WriteString(p.reasoning)
	}
	c.text, c.refusal, c.reasoning = text.String(), refusal.String(), reasoning.String()
	return nil
}

// part is one part of a content array.
type part struct {
	text, refusal, reasoning string
}

// UnmarshalJSON implements json.Unmarshaler; it never fails.
func (p *part) UnmarshalJSON(b []byte) error {
	*p = part{}
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '"' {
		var t looseText
		err := t.UnmarshalJSON(b)
		p.text = string(t)
		return err
	}
	var w struct {
		Type     looseText       `json:"type"`
		Text     json.RawMessage `json:"text"`
		Refusal  looseText       `json:"refusal"`
		Thinking json.RawMessage `json:"thinking"`
		Reason   json.RawMessage `json:"reasoning"`
	}
	if err := unmarshal(b, &w); err != nil {
		return nil
	}
	p.refusal = string(w.Refusal)
	p.reasoning = partText(w.Thinking) + partText(w.Reason)
	switch text := partText(w.Text); w.Type {
	case "reasoning", "thinking", "reasoning_text":
		p.reasoning += text
	case "refusal":
		p.refusal += text
	default:
		p.text = text
	}
	return nil
}

// partText is the text of a part: a string, {"value": "…"}, or parts again.
func partText(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '[':
		var items []struct {
			Text looseText `json:"text"`
		}
		if unmarshal(raw, &items) != nil {
			return ""
		}
		var b strings.Builder
		for _, item := range items {
			b.WriteString(string(item.Text))
		}
		return b.String()
	case '{':
		var item struct {
			Value looseText `json:"value"`
		}
		if unmarshal(raw, &item) != nil {
			return ""
		}
		return string(item.Value)
	}
	var t looseText
	if t.UnmarshalJSON(raw) != nil {
		return ""
	}
	return string(t)
}
