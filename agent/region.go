package agent

import "strings"

// tagged joins what stands in <tool_call> tags; an unclosed tag lasts to the next one or to the end.
func tagged(text string) string {
	var b strings.Builder
	for _, part := range strings.Split(text, "<tool_call>")[1:] {
		inside, _, _ := strings.Cut(part, "</tool_call>")
		b.WriteString(inside)
		b.WriteByte('\n')
	}
	return b.String()
}

// fenced joins the contents of the code fences.
func fenced(text string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			inside = !inside
			continue
		}
		if inside {
			b.WriteString(line)
		}
	}
	return b.String()
}

// unfenced is a text that is one code fence without its first and last line; any other text as it is.
func unfenced(text string) string {
	if !strings.HasPrefix(text, "```") {
		return text
	}
	return strings.TrimSpace(fenced(text))
}
