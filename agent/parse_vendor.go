package agent

import (
	"strings"
)

// dialect is one way in which models write calls as plain text when a server does not translate them.
type dialect struct {
	name   string
	marker string // what the text of such a call contains
	read   func(text string) []rawCall
}

// dialects lists the known ones. A dialect without a reader is JSON behind its marker, or Python.
var dialects = []dialect{
	{"Qwen3-Coder", "<function=", readFunctionTags},
	{"invoke tags", "<invoke name=", readInvokeTags},
	{"DeepSeek", "｜DSML｜", func(text string) []rawCall { return readInvokeTags(strings.ReplaceAll(text, "｜DSML｜", "")) }},
	{"DeepSeek", "<｜tool▁call▁begin｜>", readDeepSeek},
	{"Kimi", "<|tool_call_begin|>", readKimi},
	{"GLM", "<arg_key>", readArgumentTags},
	{"Mistral", "[TOOL_CALLS]", readMistral},
	{"Llama", "<|python_tag|>", nil},
}

// patterns reads calls in vendor markup and in Python's call syntax (tier 3).
func patterns(text string, known func(string) bool) []rawCall {
	for _, d := range dialects {
		if d.read == nil || !strings.Contains(text, d.marker) {
			continue
		}
		if calls := d.read(text); len(calls) > 0 {
			return calls
		}
	}
	_, tag, _ := strings.Cut(text, "<|python_tag|>")
	for _, region := range []string{tag, tagged(text), fenced(text), text} {
		if calls := pythonCalls(region, known); len(calls) > 0 {
			return calls
		}
	}
	return nil
}

// vendorMarkup names the dialect whose markup a text contains. Markup that is only spoken of does not count:
// in a code span, or a <tool_call> with prose behind it.
func vendorMarkup(text string) string {
	for _, d := range dialects {
		if i := strings.Index(text, d.marker); i >= 0 && (i == 0 || text[i-1] != '`') {
			return d.name
		}
	}
	for _, part := range strings.Split(text, "<tool_call>")[1:] {
		if part = strings.TrimSpace(part); part != "" && strings.IndexByte("{[<", part[0]) >= 0 {
			return "tool_call tags"
		}
	}
	return ""
}

// readFunctionTags reads <function=NAME><parameter=KEY>VALUE</parameter></function>, and the same with one
// JSON object in place of the parameters.
func readFunctionTags(text string) []rawCall {
	var calls []rawCall
	for _, part := range segments(text, "<function=", "</function>", "</tool_call>") {
		name, body, ok := strings.Cut(part, ">")
		if !ok {
			continue
		}
		c := rawCall{name: strings.Trim(name, `"' `), given: true, args: strings.TrimSpace(body)}
		if parameters := segments(body, "<parameter=", "</parameter>"); len(parameters) > 0 {
			var fields []field
			for _, p := range parameters {
				if key, value, ok := strings.Cut(p, ">"); ok {
					fields = append(fields, textField(strings.Trim(key, `"' `), value))
				}
			}
			c.args, c.textual = objectOf(fields), true
		}
		calls = append(calls, c)
	}
	return calls
}

// readInvokeTags reads <invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke>.
func readInvokeTags(text string) []rawCall {
	var calls []rawCall
	for _, part := range segments(text, "<invoke name=", "</invoke>") {
		name, body, ok := strings.Cut(part, ">")
		if !ok {
			continue
		}
		var fields []field
		for _, p := range segments(body, "<parameter name=", "</parameter>") {
			if head, value, ok := strings.Cut(p, ">"); ok {
				fields = append(fields, textField(attribute(head), value))
			}
		}
		calls = append(calls, rawCall{name: attribute(name), given: true, args: objectOf(fields), textual: true})
	}
	return calls
}

// attribute is a quoted attribute value at the beginning of a tag's rest.
func attribute(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return text
	}
	value, _, _ := strings.Cut(text[1:], text[:1])
	return value
}

// readArgumentTags reads <tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value></tool_call>.
func readArgumentTags(text string) []rawCall {
	var calls []rawCall
	for _, part := range segments(text, "<tool_call>", "</tool_call>") {
		name, _, ok := strings.Cut(part, "<arg_key>")
		if !ok {
			continue
		}
		var fields []field
		for _, p := range segments(part, "<arg_key>") {
			key, rest, _ := strings.Cut(p, "</arg_key>")
			if _, value, ok := strings.Cut(rest, "<arg_value>"); ok {
				value, _, _ = strings.Cut(value, "</arg_value>")
				fields = append(fields, textField(strings.TrimSpace(key), value))
			}
		}
		calls = append(calls, rawCall{name: strings.TrimSpace(name), given: true, args: objectOf(fields), textual: true})
	}
	return calls
}

// readDeepSeek reads a call whose name stands outside its JSON: NAME<｜tool▁sep｜>{…}, or
// function<｜tool▁sep｜>NAME and a code fence.
func readDeepSeek(text string) []rawCall {
	var calls []rawCall
	for _, part := range segments(text, "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>") {
		head, body, ok := strings.Cut(part, "<｜tool▁sep｜>")
		if !ok {
			continue
		}
		before, args := splitObject(body)
		name, _, _ := strings.Cut(strings.TrimSpace(before), "\n")
		if name == "" || strings.HasPrefix(name, "```") {
			name = head
		}
		args = strings.TrimSuffix(strings.TrimSpace(args), "```")
		calls = append(calls, rawCall{name: strings.TrimSpace(name), given: true, args: args})
	}
	return calls
}

// readKimi reads functions.NAME:INDEX<|tool_call_argument_begin|>{…}.
func readKimi(text string) []rawCall {
	var calls []rawCall
	for _, part := range segments(text, "<|tool_call_begin|>", "<|tool_call_end|>", "<|tool_calls_section_end|>") {
		head, args, _ := strings.Cut(part, "<|tool_call_argument_begin|>")
		name := strings.TrimPrefix(strings.TrimSpace(head), "functions.")
		if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
			name = name[:i]
		}
		calls = append(calls, rawCall{name: name, given: true, args: args})
	}
	return calls
}

// readMistral reads [TOOL_CALLS]NAME[ARGS]{…} and [TOOL_CALLS]NAME{…}.
func readMistral(text string) []rawCall {
	var calls []rawCall
	for _, part := range segments(text, "[TOOL_CALLS]") {
		before, args := splitObject(part)
		if name := identifier(strings.TrimSpace(before)); name != "" {
			calls = append(calls, rawCall{name: name, given: true, args: args})
		}
	}
	return calls
}

// splitObject parts a text at its first opening brace.
func splitObject(text string) (before, object string) {
	if i := strings.IndexByte(text, '{'); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// segments returns what follows each opening mark, up to the first of the closing marks, the next opening
// mark or the end.
func segments(text, opening string, closings ...string) []string {
	parts := strings.Split(text, opening)[1:]
	for i := range parts {
		for _, closing := range closings {
			parts[i], _, _ = strings.Cut(parts[i], closing)
		}
	}
	return parts
}

// textField is an argument whose value is text from markup, without the line breaks that frame it.
func textField(name, value string) field {
	value = strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n")
	return field{name, quoteJSON(value)}
}

// objectOf writes fields as a JSON object.
func objectOf(fields []field) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoteJSON(f.name))
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.String()
}
