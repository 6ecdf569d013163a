package agent

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// The keys under which models give a call's parts, in the order of preference.
var (
	nameKeys     = []string{"skill", "name", "tool", "function", "skill_name", "tool_name", "function_name", "category"}
	argumentKeys = []string{"args", "arguments", "parameters", "params", "input"}
	otherKeys    = []string{"id", "type", "index", "answer", "reason", "reasoning", "thought", "explanation"}
)

// scanFactor bounds the bytes read while looking for values: so many times the length of the text.
const scanFactor = 8

// whole reads a text that is nothing but one call, or several one after another, or an answer in JSON
// (tier 1). It is not ok when the text is anything else.
func (p *parser) whole(text string) (reading, bool) {
	var calls []rawCall
	rest := text
	for rest != "" {
		if rest[0] != '{' && rest[0] != '[' {
			return reading{}, false
		}
		lit, ok := readLiteral(rest, 0)
		if !ok || !lit.strict {
			return reading{}, false
		}
		found, ok := p.shape(lit.json)
		if !ok {
			answer, isAnswer := jsonAnswer(lit.json)
			if isAnswer && !p.native && len(calls) == 0 && lit.end == len(rest) {
				return reading{tier: TierNone, answer: answer}, true
			}
			return reading{}, false
		}
		calls = append(calls, found...)
		rest = strings.TrimLeft(rest[lit.end:], " \t\r\n,;")
	}
	return reading{tier: TierJSON, calls: calls}, len(calls) > 0
}

// fragments collects the calls inside prose (tier 2). Where some stand in <tool_call> tags only those count,
// else those in code fences, else all: a call quoted in prose is then no call of its own. Every call of the
// region that is read counts, in order. lenient tells that one of them was near-JSON (tier 3).
func (p *parser) fragments(text string) (calls []rawCall, lenient bool) {
	for _, region := range []string{tagged(text), fenced(text), text} {
		if calls, lenient = p.scan(region); len(calls) > 0 {
			return calls, lenient
		}
	}
	return nil, false
}

// scan reads every value in a text that has the shape of a call.
func (p *parser) scan(text string) (calls []rawCall, lenient bool) {
	budget := scanFactor*len(text) + 1024
	for i := 0; i < len(text) && budget > 0; {
		next := strings.IndexAny(text[i:], "{[")
		if next < 0 {
			break
		}
		i += next
		if !opensCall(text[i:]) {
			i++
			continue
		}
		lit, ok := readLiteral(text, i)
		budget -= lit.end - i
		if !ok {
			i++
			continue
		}
		i = lit.end
		found, ok := p.shape(lit.json)
		if !ok {
			continue
		}
		for _, c := range found {
			if !lit.strict {
				c.flags = append(c.flags, flagRepaired)
				lenient = true
			}
			calls = append(calls, c)
		}
	}
	return calls, lenient
}

// opensCall tells whether a bracket can be the first of a call or of a list of calls.
func opensCall(text string) bool {
	rest := strings.TrimLeft(text[1:min(len(text), 64)], " \t\r\n")
	switch {
	case rest == "":
		return false
	case text[0] == '[':
		return rest[0] == '{'
	}
	return rest[0] == '"' || rest[0] == '\''
}

// bareArguments takes a text that starts with nothing but the arguments of the one skill on offer for its
// call.
func (p *parser) bareArguments(text string) (reading, bool) {
	text = unfenced(text)
	if p.own == nil || !strings.HasPrefix(text, "{") {
		return reading{}, false
	}
	lit, ok := readLiteral(text, 0)
	if !ok || !p.own(lit.json) {
		return reading{}, false
	}
	tier := TierJSON
	switch {
	case !lit.strict:
		tier = TierPattern
	case strings.TrimSpace(text[lit.end:]) != "":
		tier = TierFragment
	}
	return reading{tier: tier, calls: []rawCall{{args: string(lit.json), given: true, flags: []string{flagRepaired}}}}, true
}

// shape returns the calls that a JSON value holds: one object, a list of them, or a "tool_calls" list.
func (p *parser) shape(value []byte) ([]rawCall, bool) {
	if value[0] == '[' {
		return p.shapeList(value)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) != nil {
		return nil, false
	}
	if list := object["tool_calls"]; len(list) > 0 && list[0] == '[' {
		return p.shapeList(list)
	}
	if inner := object["function"]; len(inner) > 0 && inner[0] == '{' {
		object = nil // not merged with the wrapper's keys
		if json.Unmarshal(inner, &object) != nil {
			return nil, false
		}
	}
	c, ok := p.shapeObject(object)
	return []rawCall{c}, ok
}

// shapeList reads a list in which every item is a call.
func (p *parser) shapeList(value []byte) ([]rawCall, bool) {
	var items []json.RawMessage
	if json.Unmarshal(value, &items) != nil || len(items) == 0 {
		return nil, false
	}
	var calls []rawCall
	for _, item := range items {
		if item[0] != '{' {
			return nil, false
		}
		found, ok := p.shape(item)
		if !ok {
			return nil, false
		}
		calls = append(calls, found...)
	}
	return calls, true
}

// shapeObject reads one call. An object has the shape of one when it names something and either the name is
// known, or it also gives arguments, or the name stands under a key that nothing but a call has. Where text
// is only a fallback the name must be known.
func (p *parser) shapeObject(object map[string]json.RawMessage) (rawCall, bool) {
	key := firstKey(object, nameKeys)
	c := rawCall{category: key == "category"}
	argKey := firstKey(object, argumentKeys)
	if argKey != "" {
		c.given, c.args = true, string(object[argKey])
	}
	value := object[key]
	if key == "" || string(value) != "null" && json.Unmarshal(value, &c.name) != nil {
		return c, false
	}
	if p.known(c.name) { // in the native protocol text is a fallback: a record that happens to have a name is no call
		return c, !p.native || onlyKnownKeys(object)
	}
	if p.native || !onlyKnownKeys(object) {
		return c, false
	}
	if blankName(c.name) { // {"skill": null}
		c.none = true
		if answer, ok := textOf(object["answer"]); ok {
			c.args = answer
		}
		return c, key != "name"
	}
	return c, argKey != "" && holdsObject(object[argKey]) || key == "skill" || key == "category"
}

// firstKey returns the first of the keys that the object has.
func firstKey(object map[string]json.RawMessage, keys []string) string {
	for _, key := range keys {
		if _, ok := object[key]; ok {
			return key
		}
	}
	return ""
}

func onlyKnownKeys(object map[string]json.RawMessage) bool {
	for key := range object {
		if !slices.Contains(nameKeys, key) && !slices.Contains(argumentKeys, key) && !slices.Contains(otherKeys, key) {
			return false
		}
	}
	return true
}

// blankName tells whether a name says that there is none.
func blankName(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "", "none", "null", "no_skill", "n/a":
		return true
	}
	return false
}

// holdsObject tells whether a value is an object, or a string that holds one.
func holdsObject(value json.RawMessage) bool {
	if text, ok := textOf(value); ok {
		value = json.RawMessage(strings.TrimSpace(text))
	}
	return len(value) == 0 || value[0] == '{' || string(value) == "null"
}

// jsonAnswer is the text of {"answer": "…"}.
func jsonAnswer(value []byte) (string, bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) != nil {
		return "", false
	}
	return textOf(object["answer"])
}

func textOf(value json.RawMessage) (string, bool) {
	var text string
	if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return "", false
	}
	return text, true
}

// fieldsOf returns an object's fields as they were written, equal names included.
func fieldsOf(object []byte) ([]field, bool) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	var fields []field
	for dec.More() {
		token, err := dec.Token()
		name, ok := token.(string)
		f := field{name: name}
		if err != nil || !ok || dec.Decode(&f.value) != nil {
			return nil, false
		}
		fields = append(fields, f)
	}
	return fields, true
}

// field is one member of an object.
type field struct {
	name  string
	value json.RawMessage
}
