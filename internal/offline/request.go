package offline

import (
	"encoding/json"
	"slices"
	"strings"
)

// step is what the model is being asked for.
type step int

const (
	stepAnswer   step = iota // text: nothing is offered, or calls are forbidden
	stepCategory             // the name of a category
	stepSelect               // the name of a skill
	stepCall                 // a skill and its arguments (flat)
	stepFill                 // the arguments of a skill that is already chosen
)

// The functions and marks of the prompt format.
const (
	selectSkill    = "select_skill"
	selectCategory = "select_category"
	divider        = "\n\n---\n"
	chosePrefix    = "You chose "
	resultPrefix   = "Result of "
	errorPrefix    = "Error:"
	schemaPrefix   = "\nParameters (JSON Schema): "
)

// instructions are the starts of the instruction lines, with the step each asks for in the text protocol.
var instructions = []struct {
	start string
	step  step
	text  bool
}{
	{`Call select_skill `, stepSelect, false},
	{`Call select_category `, stepCategory, false},
	{`Call the skill `, stepCall, false},
	{`Reply with only {"skill": "NAME", "args"`, stepCall, true},
	{`Reply with only {"skill": "NAME"}`, stepSelect, true},
	{`Reply with only {"category": "NAME"}`, stepCategory, true},
}

// prompt is what a request asks, read from its messages and tools.
type prompt struct {
	step     step
	text     bool // text protocol
	must     bool // a call is required
	question string
	earlier  []string // user turns before the question, latest first
	system   string
	block    string     // catalogue text; "" when there is none
	offered  []string   // names that select_skill or select_category takes
	argument string     // the name of its parameter
	direct   []function // functions that can be called at once
	rawTools string

	chosen string // stepFill: the skill, its details and the schema of its arguments
	detail string
	schema json.RawMessage

	served  []string // skills called since the question, with a result
	refused []string // names that select_skill was given and that were answered by an error
	failed  *attempt // the last call, when it was answered by an error
}

// attempt is a call that was answered by an error.
type attempt struct{ name, args, message string }

// readPrompt reads a request.
func readPrompt(c *chatRequest) *prompt {
	p := &prompt{argument: "name", must: c.choice == "required" || c.choice == "named", rawTools: string(c.RawTools)}
	at := questionIndex(c.Messages)
	asked, known := stepAnswer, false
	for i := range c.Messages {
		m := &c.Messages[i]
		switch {
		case m.Role == "system" || m.Role == "developer":
			p.system += m.text + "\n"
		case i == at:
			asked, known = p.readQuestion(m.text)
		case i < at && m.Role == "user":
			p.earlier = append(p.earlier, m.text)
		}
	}
	slices.Reverse(p.earlier)
	if p.block == "" {
		p.block = lastBlock(c.Messages)
	}
	p.readEvents(c.Messages[at+1:])
	p.offer(c)
	p.step = p.decideStep(c, asked, known)
	return p
}

// questionIndex finds the message that holds the current question: the last user message that is not a result,
// an error or a detail that the agent gave back. It is -1 when there is no user message.
func questionIndex(list []message) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Role == "user" && !isGivenBack(list, i) {
			return i
		}
	}
	return -1
}

// isGivenBack reports whether the user message at i was written by the agent in answer to a call.
func isGivenBack(list []message, i int) bool {
	if i == 0 || list[i-1].Role != "assistant" {
		return false
	}
	text := list[i].text
	switch {
	case strings.HasPrefix(text, chosePrefix), strings.HasPrefix(text, resultPrefix):
		return true
	case strings.HasPrefix(text, errorPrefix):
		_, asks := splitInstruction(text)
		return asks == "" && strings.ContainsAny(list[i-1].text, "{<[")
	}
	return false
}

// splitInstruction takes the instruction line off the end of a user message.
func splitInstruction(text string) (rest, instruction string) {
	at := strings.LastIndexByte(text, '\n')
	last := text[at+1:]
	for _, in := range instructions {
		if strings.HasPrefix(last, in.start) {
			return text[:max(at, 0)], last
		}
	}
	return text, ""
}

// readQuestion takes a user message apart: question, catalogue, instruction. known is false without instruction.
func (p *prompt) readQuestion(text string) (asked step, known bool) {
	rest, instruction := splitInstruction(text)
	for _, in := range instructions {
		if instruction != "" && strings.HasPrefix(instruction, in.start) {
			asked, known, p.text = in.step, true, in.text
			break
		}
	}
	p.question = text
	if !known {
		return asked, false
	}
	for _, header := range []string{skillsHeader, categoriesHeader} {
		if strings.HasPrefix(rest, header) { // catalog-first
			if block, question, found := strings.Cut(rest, divider); found {
				p.block = block
				p.question = strings.TrimSuffix(strings.TrimSuffix(question, divider[:len(divider)-1]), divider)
				return asked, true
			}
		}
		if i := strings.LastIndex(rest, divider+header); i >= 0 { // question-first
			p.question, p.block = rest[:i], rest[i+len(divider):]
			return asked, true
		}
	}
	p.question = strings.TrimSuffix(rest, divider[:len(divider)-1])
	return asked, true
}

// lastBlock finds a catalogue in a system message or in what the agent gave back; the latest counts.
func lastBlock(list []message) string {
	for i := len(list) - 1; i >= 0; i-- {
		text := list[i].text
		for _, header := range []string{skillsHeader, categoriesHeader} {
			at := strings.LastIndex(text, header)
			if at < 0 || at > 0 && text[at-1] != '\n' {
				continue
			}
			block, _, _ := strings.Cut(text[at:], "\n\n")
			return block
		}
	}
	return ""
}

// offer reads the tools.
func (p *prompt) offer(c *chatRequest) {
	for _, t := range c.tools {
		if t.Name != selectSkill && t.Name != selectCategory {
			p.direct = append(p.direct, t)
			continue
		}
		for _, prop := range readSchema(t.Parameters).properties {
			p.argument = prop.name
			for _, value := range prop.enum {
				p.offered = append(p.offered, value.text)
			}
			break
		}
	}
}

// decideStep joins tools, tool_choice, instruction and history into the step that is asked for. A call that
// failed while a selection is asked again is over.
func (p *prompt) decideStep(c *chatRequest, asked step, known bool) step {
	has := func(name string) bool {
		return (c.named == "" || c.named == name) && slices.ContainsFunc(c.tools, func(t function) bool { return t.Name == name })
	}
	switch {
	case c.choice == "none":
		return stepAnswer
	case has(selectCategory):
		return p.selecting(stepCategory)
	case has(selectSkill):
		return p.selecting(stepSelect)
	case c.named != "":
		i := slices.IndexFunc(p.direct, func(t function) bool { return t.Name == c.named })
		return p.filling(p.direct[i])
	case len(p.direct) > 0 && p.chosen != "" && asked != stepCall:
		i := slices.IndexFunc(p.direct, func(t function) bool { return t.Name == p.chosen })
		return p.filling(p.direct[max(i, 0)])
	case len(p.direct) > 0:
		return stepCall
	case known && p.text && asked != stepCall:
		return p.selecting(asked)
	case known && p.text:
		return stepCall
	case p.text && p.chosen != "":
		return stepFill
	}
	return stepAnswer
}

// selecting is a selection step; a call that failed before it counts as made.
func (p *prompt) selecting(s step) step {
	if p.failed != nil {
		p.served = append(p.served, p.failed.name)
		p.failed = nil
	}
	return s
}

// filling is the step that fills the arguments of a function.
func (p *prompt) filling(f function) step {
	p.chosen, p.schema = f.Name, f.Parameters
	p.detail = f.Description + "\n" + p.detail
	return stepFill
}
