package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// The fixed texts of the prompt. The offline models read them, so they are part of the prompt format.
const (
	instructions = "You answer requests with the help of skills. Use a skill only when the latest request needs it, " +
		"and take its arguments from the conversation. If none fits, answer directly."

	skillsTitle     = "Skills you can choose from:"
	categoriesTitle = "Categories you can choose from:"
	loadedTitle     = "Skills that are loaded and can be called at once:"

	chooseSkill        = "Call select_skill with the name of the one skill that fits. If none fits, answer directly."
	chooseCategory     = "Call select_category with the name of the category that fits. If none fits, answer directly."
	callSkill          = "Call the skill that fits. If none fits, answer directly."
	chooseSkillText    = `Reply with only {"skill": "NAME"} to choose one skill. If none fits, answer directly.`
	chooseCategoryText = `Reply with only {"category": "NAME"} to choose one category. If none fits, answer directly.`
	callSkillText      = `Reply with only {"skill": "NAME", "args": {…}} to call one skill. If none fits, answer directly.`

	chooseAgain = "Choose again if the request needs another skill; otherwise answer."
)

// selectionStage asks for one of the offered skills.
func (a *Agent) selectionStage(rendering string, offered, loaded []*entry) *stage {
	s := &stage{level: 1, names: namesOf(offered)}
	instruction := chooseSkillText
	if a.native() {
		instruction = chooseSkill
		s.tools = append(s.tools, chooser(selectSkill, "Choose the skill that fits the request.", s.names))
		s.tools = append(s.tools, functions(loaded)...)
	}
	a.frame(s, skillsTitle+"\n"+rendering, instruction, loaded)
	return s
}

// categoryStage asks for one of the categories.
func (a *Agent) categoryStage(lines string, categories []string, loaded []*entry) *stage {
	s := &stage{level: 0, names: categories}
	instruction := chooseCategoryText
	if a.native() {
		instruction = chooseCategory
		s.tools = append(s.tools, chooser(selectCategory, "Choose the category that fits the request.", categories))
		s.tools = append(s.tools, functions(loaded)...)
	}
	a.frame(s, categoriesTitle+"\n"+lines, instruction, loaded)
	return s
}

// flatStage offers every skill's function, or in the text protocol its schema, at once.
func (a *Agent) flatStage(rendering string, offered, loaded []*entry) *stage {
	s := &stage{level: 2, names: namesOf(offered)}
	if a.native() {
		s.tools = functions(offered)
		a.frame(s, "", callSkill, loaded)
		return s
	}
	a.frame(s, skillsTitle+"\n"+rendering, callSkillText, loaded)
	return s
}

// argumentStage asks for the arguments of one skill. The catalogue is not there: it would only cost tokens.
func (a *Agent) argumentStage(e *entry) *stage {
	s := &stage{level: 2, system: a.systemText(nil), names: []string{e.name()}}
	if a.native() {
		s.tools, s.choice = e.tools, a.opts.LevelTwoChoice
	}
	return s
}

// frame sets the texts around the question, in the order and at the place that the options ask for.
func (a *Agent) frame(s *stage, block, instruction string, loaded []*entry) {
	s.system = a.systemText(loaded)
	if len(s.names) == 0 { // nothing to choose from
		s.tools = nil
		return
	}
	if a.native() {
		s.choice = "auto"
	}
	const rule = "\n\n---\n"
	switch {
	case block == "":
		s.after = rule + instruction
	case a.opts.Placement == "system":
		s.system += "\n\n" + block
		s.after = rule + instruction
	case a.opts.Order == "catalog-first":
		s.before, s.after = block+rule, rule+instruction
	default:
		s.after = rule + block + "\n" + instruction
	}
}

// systemText is the system message without a catalogue, with the detail of loaded skills.
func (a *Agent) systemText(loaded []*entry) string {
	parts := []string{instructions}
	if a.opts.System != "" {
		parts = append(parts, a.opts.System)
	}
	if len(loaded) > 0 {
		parts = append(parts, loadedTitle)
	}
	for _, e := range loaded {
		if a.native() {
			parts = append(parts, e.detail)
			continue
		}
		parts = append(parts, e.name()+"\n"+e.how)
	}
	return strings.Join(parts, "\n\n")
}

// howToCall is the detail of a skill as the text protocol shows it: with its schema and the form of a call.
func howToCall(e *entry) string {
	return fmt.Sprintf("%s\nParameters (JSON Schema): %s\nReply with only {\"skill\": %s, \"args\": {…}}.",
		strings.TrimRight(e.detail, "\n"), compact(e.tools[0].Parameters), quoteJSON(e.name()))
}

// chooser is the function that names one of a list.
func chooser(function, description string, names []string) Tool {
	enum := make([]json.RawMessage, len(names))
	for i, name := range names {
		enum[i] = quoteJSON(name)
	}
	list := bytes.Join(rawBytes(enum), []byte(","))
	schema := fmt.Sprintf(`{"type":"object","properties":{"name":{"type":"string","enum":[%s]}},`+
		`"required":["name"],"additionalProperties":false}`, list)
	return Tool{Name: function, Description: description, Parameters: json.RawMessage(schema)}
}

func rawBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, raw := range list {
		out[i] = raw
	}
	return out
}

func functions(list []*entry) []Tool {
	tools := make([]Tool, len(list))
	for i, e := range list {
		tools[i] = e.tools[0]
	}
	return tools
}

func namesOf(list []*entry) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.name()
	}
	return out
}

// compact is JSON without white space between its parts; text that is no JSON stays as it is.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// user is the user message of a stage.
func (s *stage) user(question string) string { return s.before + question + s.after }

// cutHistory drops the oldest turns until the rest has at most limit tokens (0: no limit). A turn is a user
// message with what followed it, so that no answer is kept without its question.
func cutHistory(history []Message, limit int, count func(string) int) []Message {
	if limit <= 0 {
		return history
	}
	keep, total := len(history), 0
	for i := len(history) - 1; i >= 0; i-- {
		if total += count(history[i].Content); total > limit {
			return history[keep:]
		}
		if history[i].Role == "user" {
			keep = i
		}
	}
	return history
}
