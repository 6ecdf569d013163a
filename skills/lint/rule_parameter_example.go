package lint

import "slices"

func parameterExample() Rule {
	return Rule{ID: "parameter-example", Title: "argument without example, choice, default or form", Severity: Note, unread: true, skill: checkParameterExample,
		hint: `add "examples", "enum", "default", "format" or a range`,
		Doc: doc{what: "A text argument has no examples, enum, const, default, format or pattern, or a number no range either.", why: "Nothing shows a model which form is wanted: \"Paris\" or \"Paris, France\".",
			wrong: `"city": {"type": "string", "description": "City."}`, right: `"city": {"type": "string", "description": "City.", "examples": ["Lisbon"]}`, fix: "add an example."}.text()}
}

func checkParameterExample(p *skillPass) {
	f := p.schema()
	if f == nil {
		return
	}
	forms := []string{"examples", "enum", "const", "default", "format", "pattern", "$ref", "anyOf", "oneOf", "allOf"}
	ranges := []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
	var out []schemaPlace
	for _, a := range f.props {
		types := a.types()
		text := slices.Contains(types, "string")
		number := slices.Contains(types, "number") || slices.Contains(types, "integer")
		if text && !a.has(forms...) || number && !text && !a.has(append(ranges, forms...)...) {
			out = append(out, schemaPlace{at: a.nameAt, key: a.path, message: "argument " + quote(a.path) + " shows no example of its form"})
		}
	}
	p.reportSchema(out)
}
