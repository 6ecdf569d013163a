package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The flags of a call: tolerances that were applied to it.
const (
	flagDoubleEncoded = "double_encoded"  // arguments were JSON inside a JSON string
	flagNormalized    = "normalized_name" // the name was taken in another spelling
	flagReasoning     = "reasoning"       // the call stood in the reasoning alone
	flagDirect        = "direct"          // called without being selected first
	flagRepaired      = "repaired"        // the text was near-JSON, or had something behind it
)

// maxUnwrap bounds how often JSON inside a JSON string is unwrapped.
const maxUnwrap = 3

// arguments is what a call's argument text holds.
type arguments struct {
	object json.RawMessage // nil when fault is set
	flags  []string
	fault  string // why the text is no object: what came, and what is expected
}

// decodeArguments reads the arguments of a call as a model or server wrote them. Absent, null and blank are
// no arguments, {}. An object inside a string is unwrapped. An object with prose behind it counts; a second
// value behind it, a list, a scalar or broken text is a fault, and nothing is completed or guessed.
func decodeArguments(text string) arguments {
	var a arguments
	text = strings.TrimSpace(strings.TrimPrefix(validUTF8(text), "\ufeff"))
	for range maxUnwrap {
		inner, ok := textOf(json.RawMessage(text))
		if !ok {
			break
		}
		text = strings.TrimSpace(inner)
		a.flag(flagDoubleEncoded)
	}
	if text == "" || text == "null" {
		a.object = json.RawMessage("{}")
		return a
	}
	lit, ok := readLiteral(text, 0)
	rest := strings.TrimSpace(text[min(lit.end, len(text)):])
	switch {
	case !ok:
		a.fault = "the arguments are not valid JSON: expected one object, given " + clip(text, 200)
	case lit.json[0] != '{':
		a.fault = fmt.Sprintf("the arguments must be one JSON object, given %s: %s", kindOf(lit.json), clip(text, 200))
	case strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "["):
		a.fault = "the arguments must be one JSON object, given several values: " + clip(text, 200)
	default:
		a.object = lit.json
		if !lit.strict || rest != "" {
			a.flag(flagRepaired)
		}
	}
	return a
}

func (a *arguments) flag(name string) {
	if !slices.Contains(a.flags, name) {
		a.flags = append(a.flags, name)
	}
}

// kindOf names the JSON type of a value.
func kindOf(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// asGiven is argument text that is no object, as JSON: the value itself where it is one, else a string.
func asGiven(text string) json.RawMessage {
	if lit, ok := readLiteral(text, 0); ok && lit.strict && strings.TrimSpace(text[lit.end:]) == "" {
		return lit.json
	}
	return quoteJSON(clip(text, 4096))
}
