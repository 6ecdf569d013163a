package lint

func requiredUnknown() Rule {
	return Rule{ID: "required-unknown", Title: "required argument that is not declared", Severity: Warning, unread: true, skill: checkRequiredUnknown,
		hint: "declare it under properties, or correct the name",
		Doc: doc{what: "required names an argument that properties does not have.", why: "A model is asked for something it is told nothing about, and every call without it is refused.",
			wrong: `"properties": {"city": {…}}, "required": ["town"]`, right: `"properties": {"city": {…}}, "required": ["city"]`, fix: "correct the name.", source: jsonSchema + ", section 6.5.3 of validation"}.text()}
}

func checkRequiredUnknown(p *skillPass) {
	f := p.schema()
	if f == nil {
		return
	}
	var out []schemaPlace
	f.each(f.root, "", func(n *node, at string) {
		if n.get("required") == nil || n.get("properties") == nil || n.has("$ref", "allOf", "patternProperties") {
			return
		}
		for _, item := range n.get("required").items {
			if item.kind == '"' && n.get("properties").get(item.text) == nil {
				out = append(out, schemaPlace{at: item.at, key: join(at, item.text), message: "required argument " + quote(join(at, item.text)) + " is not under properties"})
			}
		}
	})
	p.reportSchema(out)
}
