package skills

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// isWordRune tells whether a rune may stand in a path unquoted.
func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// pointerJoin adds a token to a JSON Pointer.
func pointerJoin(at string, token any) string { return at + "/" + escapePointer(fmt.Sprint(token)) }

// jsonType names the JSON Schema type of a decoded value.
func jsonType(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok && r.IsInt() {
			return "integer"
		}
	}
	return "number"
}

// jsonText is the JSON text of a decoded value, members in order of their names.
func jsonText(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// given shows a value in a fault: its type and the beginning of its text.
func given(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		v = clip(v, maxGiven)
		return "string " + oneLine(jsonText(v))
	}
	return jsonType(v) + " " + clip(jsonText(v), maxGiven)
}

// formatExamples shows what the formats of JSON Schema look like.
var formatExamples = map[string]string{
	"date": "2026-01-31", "time": "09:30:00Z", "date-time": "2026-01-31T09:30:00Z", "duration": "P1DT2H",
	"email": "name@example.com", "uri": "https://example.com/page", "uri-reference": "/page", "hostname": "example.com",
	"uuid": "123e4567-e89b-12d3-a456-426614174000", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "regex": "^a+$",
	"json-pointer": "/a/0",
}

func formatHint(format string) string {
	if example := formatExamples[format]; example != "" {
		return "text in format " + format + ", such as " + example
	}
	return "text in format " + clip(format, 40)
}

// expectation says in a few words what a property's schema accepts.
func (s *Schema) expectation(schema map[string]any, depth int) string {
	if depth > 8 {
		return "a value"
	}
	if ref, ok := schema["$ref"].(string); ok && strings.HasPrefix(ref, "#") {
		if target, ok := lookup(s.doc, fragment(ref)); ok {
			if obj, ok := target.(map[string]any); ok {
				return s.expectation(obj, depth+1)
			}
		}
	}
	if values, ok := schema["enum"].([]any); ok && len(values) > 0 {
		return oneOf(values)
	}
	if v, ok := schema["const"]; ok {
		return clip(jsonText(v), maxGiven)
	}
	types := typeNames(schema["type"])
	if format, ok := schema["format"].(string); ok && types == "string" {
		return formatHint(format)
	}
	if types != "" {
		return types
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		var parts []string
		branches, _ := schema[keyword].([]any)
		for _, b := range branches {
			if obj, ok := b.(map[string]any); ok {
				parts = append(parts, s.expectation(obj, depth+1))
			}
		}
		if len(parts) > 0 {
			return clip(strings.Join(parts, " or "), maxGiven)
		}
	}
	return "a value"
}

// typeNames joins the value of a type keyword: "string", "string or null".
func typeNames(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var names []string
		for _, t := range v {
			if s, ok := t.(string); ok {
				names = append(names, s)
			}
		}
		return strings.Join(names, " or ")
	}
	return ""
}
