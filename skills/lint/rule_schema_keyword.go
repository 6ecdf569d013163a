package lint

import (
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

func schemaKeyword() Rule {
	return Rule{ID: "schema-keyword", Title: "misspelt keyword in parameters.json", Severity: Warning, unread: true, skill: checkSchemaKeyword,
		Doc: doc{what: "A key of the schema is no keyword and nearly one, such as requierd, desciption, min_length or example.", why: "JSON Schema ignores keys it does not know, so what is meant never counts.",
			wrong: `"requierd": ["city"]`, right: `"required": ["city"]`, fix: "correct the keyword.", source: jsonSchema}.text()}
}

// keywords of JSON Schema 2020-12 and of the drafts before it.
var keywords = strings.Fields(`$schema $id $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment $defs definitions id
	type enum const title description default examples deprecated readOnly writeOnly format
	multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern contentEncoding contentMediaType contentSchema
	items prefixItems additionalItems contains maxItems minItems uniqueItems maxContains minContains unevaluatedItems
	properties patternProperties additionalProperties propertyNames maxProperties minProperties required dependentRequired dependentSchemas dependencies unevaluatedProperties
	allOf anyOf oneOf not if then else`)

// vendorKeys are keys of related formats that are meant as they are.
var vendorKeys = strings.Fields(`nullable discriminator xml externalDocs strict name order propertyOrdering`)

func checkSchemaKeyword(p *skillPass) {
	f := p.schema()
	if f == nil {
		return
	}
	var out []schemaPlace
	f.each(f.root, "", func(n *node, at string) {
		for _, m := range n.members {
			if slices.Contains(keywords, m.name) || slices.Contains(vendorKeys, m.name) || strings.HasPrefix(m.name, "x-") {
				continue
			}
			if near := nearKeyword(m.name); near != "" {
				out = append(out, schemaPlace{at: m.nameAt, key: join(at, m.name), message: quote(m.name) + " is no keyword of JSON Schema and is ignored", hint: "write " + near})
			} else if m.kind == '{' && m.has("type") && n.get("properties") == nil && slices.Contains(n.types(), "object") {
				out = append(out, schemaPlace{at: m.nameAt, key: join(at, m.name), message: quote(m.name) + " looks like an argument and stands outside properties", hint: `move it under "properties"`})
			}
		}
	})
	p.reportSchema(out)
}

// nearKeyword gives the keyword that was meant, or "".
func nearKeyword(name string) string {
	if len(name) > 40 {
		return ""
	}
	if name == "example" {
		return "examples, with a list"
	}
	flat := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	most := 1
	if len(name) > 5 {
		most = 2
	}
	best := ""
	for _, k := range keywords {
		if flat(k) == flat(name) {
			return k
		}
		if len(k) > 4 && len(name) > 3 {
			if d := smetrics.WagnerFischer(name, k, 1, 1, 1); d <= most {
				best, most = k, d-1
			}
		}
	}
	return best
}
