package lint

import "slices"

func requiredMissing() Rule {
	return Rule{ID: "required-missing", Title: "no argument is required", Severity: Note, unread: true, skill: checkRequiredMissing,
		hint: `add "required": ["…"], or give every argument a default`,
		Doc: doc{what: "The schema declares arguments and requires none of them. Where each has a default, that is meant.", why: "A call without any argument is valid then.",
			wrong: `{"type": "object", "properties": {"city": {"type": "string"}}}`, right: `{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}`, fix: "list what is required."}.text()}
}

func checkRequiredMissing(p *skillPass) {
	f := p.schema()
	if f == nil {
		return
	}
	props := f.root.get("properties").list()
	if len(props) == 0 || f.root.has("required", "allOf", "anyOf", "oneOf", "$ref", "dependentRequired") {
		return
	}
	if slices.ContainsFunc(props, func(n *node) bool { return !n.has("default") }) {
		p.reportSchema([]schemaPlace{{at: f.root.get("properties").nameAt, key: "required", message: "no argument is required"}})
	}
}
