package offline

import (
	"encoding/json"
	"strings"
)

// readEvents reads what happened since the question.
func (p *prompt) readEvents(list []message) {
	calls := make(map[string]*toolCall)
	said := ""
	for i := range list {
		m := &list[i]
		switch m.Role {
		case "assistant":
			said = m.text
			for j := range m.ToolCalls {
				calls[m.ToolCalls[j].ID] = &m.ToolCalls[j]
			}
		case "tool":
			if call := calls[m.ToolCallID]; call != nil {
				p.event(call.Function.Name, call.arguments(), m.text)
			}
		case "user":
			p.textEvent(said, m.text)
		}
	}
}

// event takes in the answer to one native call.
func (p *prompt) event(name, args, answer string) {
	failed := strings.HasPrefix(answer, errorPrefix)
	p.failed = nil
	if name == selectSkill || name == selectCategory {
		value := ""
		for _, m := range members(json.RawMessage(args)) {
			value = plain(m.value)
		}
		switch {
		case failed:
			p.refused = append(p.refused, value)
		case name == selectSkill:
			p.chosen, p.detail = value, answer
		}
		return
	}
	if failed {
		p.failed = &attempt{name: name, args: args, message: answer}
		return
	}
	p.served = append(p.served, name)
	p.chosen, p.detail = "", ""
}

// textEvent takes in a user message of the text protocol that answers what the model said.
func (p *prompt) textEvent(said, answer string) {
	var call struct {
		Skill, Category string
		Args            json.RawMessage
	}
	_ = json.Unmarshal([]byte(strings.TrimSpace(said)), &call) // what cannot be read was no call of ours
	p.failed = nil
	switch {
	case strings.HasPrefix(answer, chosePrefix):
		p.text = true
		name, detail, _ := strings.Cut(strings.TrimPrefix(answer, chosePrefix), ".\n")
		p.chosen, p.detail = name, detail
		if i := strings.LastIndex(detail, schemaPrefix); i >= 0 {
			schema, _, _ := strings.Cut(detail[i+len(schemaPrefix):], "\n")
			p.detail, p.schema = detail[:i], json.RawMessage(schema)
		}
	case strings.HasPrefix(answer, resultPrefix):
		name, _, _ := strings.Cut(strings.TrimPrefix(answer, resultPrefix), ":\n")
		p.served = append(p.served, name)
		p.chosen, p.detail = "", ""
	case strings.HasPrefix(answer, errorPrefix) && call.Args != nil:
		p.failed = &attempt{name: call.Skill, args: string(call.Args), message: answer}
	case strings.HasPrefix(answer, errorPrefix) && call.Skill+call.Category != "":
		p.refused = append(p.refused, call.Skill+call.Category)
	}
}
