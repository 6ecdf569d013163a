package lint

func additionalProperties() Rule {
	return Rule{ID: "additional-properties", Title: "arguments that are not declared are valid", Severity: Note, unread: true, skill: checkAdditionalProperties,
		hint: `add "additionalProperties": false`,
		Doc: doc{what: "The schema does not refuse arguments that it does not declare.", why: "Arguments that a model invents pass the check; strict function calling demands the keyword.",
			wrong: `{"type": "object", "properties": {…}}`, right: `{"type": "object", "properties": {…}, "additionalProperties": false}`, fix: "add the keyword.", source: functions + " (strict mode)"}.text()}
}

func checkAdditionalProperties(p *skillPass) {
	f := p.schema()
	if f == nil || f.root.has("unevaluatedProperties", "patternProperties", "$ref", "allOf") {
		return
	}
	at, extra := f.root.at, f.root.get("additionalProperties")
	switch {
	case extra == nil:
	case extra.kind == 't':
		at = extra.nameAt
	default:
		return
	}
	p.reportSchema([]schemaPlace{{at: at, key: "additionalProperties", message: "arguments that are not declared are valid"}})
}
