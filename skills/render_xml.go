package skills

import (
	"strings"
	"unicode"
)

// xml writes one skill as a single line.
func (m summary) xml(s *Skill) string {
	var b strings.Builder
	available := "true"
	if s.Unavailable != "" {
		available = "false"
	}
	b.WriteString(`<skill available="` + available + `">`)
	element(&b, "name", s.Name)
	element(&b, "description", m.description)
	element(&b, "use-when", joinConditions(m.use))
	element(&b, "do-not-use-when", joinConditions(m.not))
	element(&b, "arguments", m.arguments)
	element(&b, "parameters", m.schema)
	if !m.brief {
		element(&b, "location", s.Path)
		element(&b, "requires", s.Requires.String())
	}
	b.WriteString("</skill>")
	return b.String()
}

// String lists what is required: "program git, one of rg or grep, environment variable TOKEN".
func (r Requires) String() string {
	var parts []string
	for _, b := range r.Bins {
		parts = append(parts, "program "+b)
	}
	if len(r.AnyBins) > 0 {
		parts = append(parts, "one of "+strings.Join(r.AnyBins, " or "))
	}
	for _, e := range r.Env {
		parts = append(parts, "environment variable "+e)
	}
	return strings.Join(parts, ", ")
}

// element writes an element with escaped text; empty text is left out.
func element(b *strings.Builder, name, text string) {
	if text = oneLine(text); text == "" {
		return
	}
	b.WriteString("<" + name + ">")
	for _, r := range text {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == 0xfffe || r == 0xffff || unicode.Is(unicode.Cs, r):
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteString("</" + name + ">")
}
