package agent

import (
	"encoding/json"
	"strings"

	"github.com/skilleval/skilleval/skills"
)

// argumentNames is what a skill declares of its arguments.
type argumentNames struct {
	types   map[string]string // declared property → type
	aliases map[string]string // other spelling → declared property
	open    bool              // undeclared fields may stay
}

// declaredArguments reads the names of a skill's arguments from its schema. Where the schema is composed of
// others, the names are not known at this level and every field may stay.
func declaredArguments(s *skills.Skill, schema *skills.Schema) argumentNames {
	n := argumentNames{types: map[string]string{}, aliases: map[string]string{}}
	for _, p := range schema.Properties() {
		n.types[p.Name] = p.Type
	}
	for given, declared := range s.Aliases {
		if _, ok := n.types[declared]; ok {
			n.aliases[given] = declared
		}
	}
	var root map[string]json.RawMessage
	_ = json.Unmarshal(s.Parameters, &root) // compiled already; a boolean schema has no keywords
	composed := firstKey(root, []string{"anyOf", "oneOf", "if", "dependentSchemas", "$dynamicRef"}) != ""
	hidden := len(n.types) == 0 && firstKey(root, []string{"$ref", "allOf"}) != ""
	n.open = schema.AllowsExtra() || composed || hidden
	return n
}

// declares tells whether every field of an object, and at least one, is an argument of the skill.
func (n *argumentNames) declares(object []byte) bool {
	fields, ok := fieldsOf(object)
	for _, f := range fields {
		if _, declared := n.types[n.target(f.name)]; !declared {
			return false
		}
	}
	return ok && len(fields) > 0
}

// target is the declared name for a given one.
func (n *argumentNames) target(name string) string {
	if _, declared := n.types[name]; !declared {
		if other, ok := n.aliases[name]; ok {
			return other
		}
	}
	return name
}

// binding is arguments made to fit what a skill declares, with everything that was done to them.
type binding struct {
	args    json.RawMessage
	dropped []string // undeclared fields, and aliases of fields that are given as well
	aliased []string // "given→declared"
	flags   []string
	faults  []string // what is wrong, one line a fault; nil when valid
}

// bind decodes, renames, drops and validates the arguments of one call. It changes no value, except that text
// from markup gets the type that the schema declares.
func bind(e *entry, c rawCall) binding {
	decoded := decodeArguments(c.args)
	b := binding{flags: decoded.flags}
	if decoded.fault != "" {
		b.args, b.faults = asGiven(c.args), []string{decoded.fault}
		return b
	}
	fields, ok := fieldsOf(decoded.object)
	if !ok {
		b.args, b.faults = asGiven(c.args), []string{"the arguments are not valid JSON: expected one object"}
		return b
	}
	b.args = json.RawMessage(objectOf(b.fit(e, fields, c.textual)))
	for _, fault := range e.schema.Validate(b.args) {
		b.faults = append(b.faults, fault.Message)
	}
	return b
}

// fit renames aliases, drops undeclared fields and types text.
func (b *binding) fit(e *entry, fields []field, textual bool) []field {
	given := make(map[string]bool, len(fields))
	for _, f := range fields {
		given[f.name] = true
	}
	kept := make([]field, 0, len(fields))
	for _, f := range fields {
		declared := e.args.target(f.name)
		if declared != f.name {
			if given[declared] {
				b.dropped = append(b.dropped, f.name)
				continue
			}
			given[declared] = true
			b.aliased = append(b.aliased, f.name+"→"+declared)
		} else if _, known := e.args.types[f.name]; !known && !e.args.open {
			b.dropped = append(b.dropped, f.name)
			continue
		}
		value := compact(f.value)
		if textual {
			value = typed(value, e.args.types[declared])
		}
		kept = append(kept, field{declared, value})
	}
	return kept
}

// typed turns a string from markup into a value of the declared type. Text that is no such value stays text,
// for the schema to judge.
func typed(value json.RawMessage, declared string) json.RawMessage {
	text, ok := textOf(value)
	if !ok || declared == "" || strings.Contains(declared, "string") {
		return value
	}
	text = strings.TrimSpace(text)
	lit, ok := readLiteral(text, 0)
	if ok && lit.end == len(text) {
		for _, name := range typeNames(lit.json) {
			if strings.Contains(declared, name) {
				return lit.json
			}
		}
	}
	return value
}

// typeNames lists the JSON Schema types that a value may count as.
func typeNames(value []byte) []string {
	switch value[0] {
	case '{':
		return []string{"object"}
	case '[':
		return []string{"array"}
	case '"':
		return []string{"string"}
	case 't', 'f':
		return []string{"boolean"}
	case 'n':
		return []string{"null"}
	}
	return []string{"integer", "number"}
}
