package lint

import "strings"

func parameterDescription() Rule {
	return Rule{ID: "parameter-description", Title: "argument without a description", Severity: Warning, unread: true, skill: checkParameterDescription,
		hint: `add "description": what the argument means, in which form`,
		Doc: doc{what: "An argument in parameters.json, at any depth, has no description, or, which is a note, one that only repeats its name.", why: "The description is what a model fills the argument by.",
			wrong: `"city": {"type": "string"}`, right: `"city": {"type": "string", "description": "City without its country."}`, fix: "add the description.", source: functions}.text()}
}

func checkParameterDescription(p *skillPass) {
	f := p.schema()
	if f == nil {
		return
	}
	var out []schemaPlace
	for _, a := range f.props {
		if a.kind != '{' {
			continue
		}
		text := a.get("description").str()
		if text == "" {
			text = f.resolve(a.node).get("description").str()
		}
		if plain := strings.Join(nameWords(strings.Trim(text, " .")), " "); strings.TrimSpace(text) == "" {
			out = append(out, schemaPlace{at: a.nameAt, key: a.path, message: "argument " + quote(a.path) + " has no description"})
		} else if plain == strings.Join(nameWords(a.name), " ") {
			out = append(out, schemaPlace{at: a.nameAt, key: a.path, message: "description of argument " + quote(a.path) + " repeats its name", severity: Note})
		}
	}
	p.reportSchema(out)
}
