package offline

import (
	"encoding/json"
	"html"
	"strings"
)

// The first lines of the two kinds of catalogue block.
const (
	skillsHeader     = "Skills you can choose from:"
	categoriesHeader = "Categories you can choose from:"
)

// entry is one skill, or one category, as the prompt shows it.
type entry struct {
	name        string
	description string
	useWhen     string
	doNot       string
	arguments   string // as listed: "city (required), days"
	schema      json.RawMessage
}

// parseBlock reads a catalogue block, with or without its first line, in either rendering. What it does not
// understand it passes over.
func parseBlock(block string) []entry {
	var list []entry
	for line := range strings.Lines(block) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "- "):
			if e := parseLine(line[2:]); e.name != "" {
				list = append(list, e)
			}
		case strings.HasPrefix(line, "  Parameters: ") && len(list) > 0:
			list[len(list)-1].schema = json.RawMessage(strings.TrimPrefix(line, "  Parameters: "))
		case strings.HasPrefix(strings.TrimSpace(line), "<skill ") || strings.HasPrefix(strings.TrimSpace(line), "<skill>"):
			if e, ok := parseElement(line); ok {
				list = append(list, e)
			}
		}
	}
	return list
}

// parseLine reads "NAME: DESCRIPTION Use when: … Do not use when: … Arguments: …".
func parseLine(line string) entry {
	var e entry
	name, rest, _ := strings.Cut(line, ": ")
	e.name = strings.TrimSuffix(strings.TrimSpace(name), ":")
	rest, e.arguments = cutLast(rest, "Arguments: ")
	rest, e.doNot = cutLast(rest, "Do not use when: ")
	e.description, e.useWhen = cutLast(rest, "Use when: ")
	e.arguments = strings.TrimSuffix(e.arguments, ".")
	return e
}

// cutLast cuts s at the last mark that starts s or follows a space.
func cutLast(s, mark string) (before, after string) {
	i := strings.LastIndex(s, mark)
	if i < 0 || i > 0 && s[i-1] != ' ' {
		return s, ""
	}
	return strings.TrimSpace(s[:i]), s[i+len(mark):]
}

// parseElement reads one <skill> element that stands on one line; ok is false for a skill that is not available.
func parseElement(line string) (e entry, ok bool) {
	head, _, _ := strings.Cut(line, ">")
	if strings.Contains(head, `available="false"`) {
		return e, false
	}
	e = entry{
		name: element(line, "name"), description: element(line, "description"), useWhen: element(line, "use-when"),
		doNot: element(line, "do-not-use-when"), arguments: element(line, "arguments"),
	}
	if p := element(line, "parameters"); p != "" {
		e.schema = json.RawMessage(p)
	}
	return e, e.name != ""
}

// element is the unescaped text of the first element of a name; "" when there is none.
func element(line, name string) string {
	_, rest, found := strings.Cut(line, "<"+name+">")
	if !found {
		return ""
	}
	text, _, found := strings.Cut(rest, "</"+name+">")
	if !found {
		return ""
	}
	return html.UnescapeString(text)
}

// entriesOf makes entries of the functions that are offered directly.
func entriesOf(tools []function) []entry {
	list := make([]entry, 0, len(tools))
	for _, t := range tools {
		list = append(list, entry{name: t.Name, description: t.Description, schema: t.Parameters})
	}
	return list
}
