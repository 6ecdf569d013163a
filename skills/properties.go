package skills

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Property is one declared argument.
type Property struct {
	Name        string
	Type        string // "string"; several are joined: "string or null"; "" when the schema does not say
	Description string
	Format      string
	Required    bool
	Default     json.RawMessage // nil when there is none
	Enum        []json.RawMessage
	Examples    []json.RawMessage
}

// Properties lists the arguments that the schema declares at its top level, in authored order; those that a local
// $ref or allOf brings in are among them.
func (s *Schema) Properties() []Property { return slices.Clone(s.properties) }

// AllowsExtra tells whether arguments that are not declared are expressly allowed: by additionalProperties that is
// true or a schema, or by patternProperties.
func (s *Schema) AllowsExtra() bool { return s.extra }

// member is one entry of a JSON object, in authored order.
type member struct {
	name string
	raw  json.RawMessage
}

// members cuts a JSON object into its entries; nil when raw is no object.
func members(raw json.RawMessage) []member {
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true))
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	var out []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return out
		}
		key := name.String()
		v, err := d.ReadValue()
		if err != nil {
			return out
		}
		out = append(out, member{key, json.RawMessage(bytes.Clone(v))})
	}
	return out
}

func get(list []member, name string) json.RawMessage {
	for _, m := range list {
		if m.name == name {
			return m.raw
		}
	}
	return nil
}

func texts(raw json.RawMessage) []string {
	var out []string
	if json.Unmarshal(raw, &out) != nil {
		var one string
		if json.Unmarshal(raw, &one) == nil {
			return []string{one}
		}
	}
	return out
}

// arguments gives the declared arguments: those of the compiled schema where there is one already or a place to
// keep it, else those that the text declares.
func (s *Skill) arguments() []Property {
	if s.schema.holder != nil {
		if schema, err := s.Schema(); err == nil {
			return schema.properties
		}
	}
	return declare(s.Parameters).list
}

// declaration gathers the declared arguments of a schema.
type declaration struct {
	root     []member
	list     []Property
	required []string
	extra    bool
	budget   int // schemas that may still be visited: references may go round in circles
}

// declare reads the top level of an argument schema without compiling it.
func declare(raw json.RawMessage) declaration {
	d := declaration{root: members(raw), budget: 200}
	d.visit(d.root)
	for i := range d.list {
		d.list[i].Required = slices.Contains(d.required, d.list[i].Name)
	}
	return d
}

func (d *declaration) visit(schema []member) {
	if d.budget--; d.budget < 0 {
		return
	}
	for _, p := range members(get(schema, "properties")) {
		if !slices.ContainsFunc(d.list, func(q Property) bool { return q.Name == p.name }) {
			d.list = append(d.list, d.property(p))
		}
	}
	d.required = append(d.required, texts(get(schema, "required"))...)
	switch extra := string(bytes.TrimSpace(get(schema, "additionalProperties"))); {
	case extra == "true", strings.HasPrefix(extra, "{"), len(members(get(schema, "patternProperties"))) > 0:
		d.extra = true
	}
	if target := d.follow(schema); target != nil {
		d.visit(target)
	}
	var all []json.RawMessage
	if json.Unmarshal(get(schema, "allOf"), &all) == nil {
		for _, s := range all {
			d.visit(members(s))
		}
	}
}

// follow gives the schema that a local $ref leads to.
func (d *declaration) follow(schema []member) []member {
	refs := texts(get(schema, "$ref"))
	if len(refs) != 1 || !strings.HasPrefix(refs[0], "#/") {
		return nil
	}
	at := d.root
	for _, tok := range strings.Split(fragment(refs[0]), "/")[1:] {
		at = members(get(at, strings.ReplaceAll(strings.ReplaceAll(tok, "~1", "/"), "~0", "~")))
	}
	return at
}

func (d *declaration) property(m member) Property {
	p := Property{Name: m.name}
	schema := members(m.raw)
	for i := 0; schema != nil && i < 8; i++ {
		p.fill(schema)
		schema = d.follow(schema)
	}
	if p.Type == "" {
		p.Type = d.branchTypes(members(m.raw))
	}
	return p
}

// fill sets what is not set yet: what stands beside a $ref wins over what it leads to.
func (p *Property) fill(schema []member) {
	first := func(to *string, raw json.RawMessage, sep string) {
		if *to == "" {
			*to = strings.Join(texts(raw), sep)
		}
	}
	first(&p.Type, get(schema, "type"), " or ")
	first(&p.Description, get(schema, "description"), " ")
	first(&p.Format, get(schema, "format"), " ")
	if p.Default == nil {
		p.Default = get(schema, "default")
	}
	if p.Enum == nil {
		_ = json.Unmarshal(get(schema, "enum"), &p.Enum) // not a list: none
	}
	if p.Examples == nil {
		_ = json.Unmarshal(get(schema, "examples"), &p.Examples)
	}
	if c := get(schema, "const"); c != nil && p.Enum == nil {
		p.Enum = []json.RawMessage{c}
	}
}

// branchTypes joins the types of anyOf and oneOf: "string or null".
func (d *declaration) branchTypes(schema []member) string {
	var types []string
	for _, keyword := range []string{"anyOf", "oneOf"} {
		var branches []json.RawMessage
		if json.Unmarshal(get(schema, keyword), &branches) != nil {
			continue
		}
		for _, raw := range branches {
			b := members(raw)
			if target := d.follow(b); target != nil {
				b = target
			}
			for _, t := range texts(get(b, "type")) {
				if !slices.Contains(types, t) {
					types = append(types, t)
				}
			}
		}
	}
	return strings.Join(types, " or ")
}
