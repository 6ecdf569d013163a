package lint

import "slices"

func parameterFormat() Rule {
	return Rule{ID: "parameter-format", Title: "date, address or the like without a format", Severity: Note, unread: true, skill: checkParameterFormat,
		Doc: doc{what: "A text argument is called date, url, email or the like and has neither format nor pattern.", why: "\"Next Friday\" and 13/01/26 are valid then.",
			wrong: `"start_date": {"type": "string"}`, right: `"start_date": {"type": "string", "format": "date"}`, fix: "add the format.", source: jsonSchema + ", section 7.3 of validation"}.text()}
}

// formats maps the last word of an argument's name to the format it most likely has.
var formats = map[string]string{"date": "date", "day": "date", "birthday": "date", "datetime": "date-time", "timestamp": "date-time",
	"url": "uri", "uri": "uri", "email": "email", "mail": "email", "uuid": "uuid", "guid": "uuid", "ipv4": "ipv4", "ipv6": "ipv6", "hostname": "hostname"}

func checkParameterFormat(p *skillPass) {
	f := p.schema()
	if f == nil {
		return
	}
	var out []schemaPlace
	for _, a := range f.props {
		words := nameWords(a.name)
		if len(words) == 0 || !slices.Contains(a.types(), "string") || f.says(a.node, "format", "pattern", "enum", "const") {
			continue
		}
		if format := formats[words[len(words)-1]]; format != "" {
			out = append(out, schemaPlace{at: a.nameAt, key: a.path, message: "argument " + quote(a.path) + " takes any text", hint: `add "format": "` + format + `"`})
		}
	}
	p.reportSchema(out)
}
