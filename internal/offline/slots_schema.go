package offline

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
)

// maxSchemaDepth bounds nesting and chains of references.
const maxSchemaDepth = 6

// param is what is read of the schema of one argument, or of the arguments as a whole.
type param struct {
	name        string
	description string
	kinds       []string // JSON types allowed; empty: any
	required    bool
	enum        []choice
	format      string
	pattern     string
	minimum     *float64
	maximum     *float64
	minLength   int
	maxLength   int // 0: none
	minItems    int
	maxItems    int // 0: none
	fallback    json.RawMessage
	examples    []string
	items       *param
	properties  []*param

	re    *regexp.Regexp // of pattern, once tried
	tried bool
}

// choice is one value of an enumeration and what the schema says of it.
type choice struct {
	raw         json.RawMessage
	text        string
	description string
}

// rawSchema holds the keywords that are read.
type rawSchema struct {
	Ref              string            `json:"$ref"`
	Type             json.RawMessage   `json:"type"`
	Title            string            `json:"title"`
	Description      string            `json:"description"`
	Enum             []json.RawMessage `json:"enum"`
	Const            json.RawMessage   `json:"const"`
	Format           string            `json:"format"`
	Pattern          string            `json:"pattern"`
	Minimum          *float64          `json:"minimum"`
	Maximum          *float64          `json:"maximum"`
	ExclusiveMinimum *float64          `json:"exclusiveMinimum"`
	ExclusiveMaximum *float64          `json:"exclusiveMaximum"`
	MinItems         int               `json:"minItems"`
	MaxItems         int               `json:"maxItems"`
	Default          json.RawMessage   `json:"default"`
	Examples         json.RawMessage   `json:"examples"`
	Example          json.RawMessage   `json:"example"`
	Items            json.RawMessage   `json:"items"`
	Properties       json.RawMessage   `json:"properties"`
	Required         json.RawMessage   `json:"required"`
	AnyOf            []json.RawMessage `json:"anyOf"`
	OneOf            []json.RawMessage `json:"oneOf"`
	AllOf            []json.RawMessage `json:"allOf"`
	MinLen           int               `json:"minLength"`
	MaxLen           int               `json:"maxLength"`
}

// schemaReader resolves references within one schema. Its budget, in bytes read, keeps schemas that refer to
// themselves many times over from costing more than a large plain one.
type schemaReader struct {
	root   json.RawMessage
	budget int
}

// readSchema reads a schema of arguments. What cannot be read counts as a schema without properties.
func readSchema(raw json.RawMessage) *param {
	if len(raw) == 0 {
		return &param{}
	}
	return (&schemaReader{root: raw, budget: 64*len(raw) + 1<<16}).read(raw, "", 0)
}

// read reads one schema node.
func (s *schemaReader) read(raw json.RawMessage, name string, depth int) *param {
	p := &param{name: name}
	s.merge(p, raw, depth)
	return p
}

// merge adds what a schema node says to p.
func (s *schemaReader) merge(p *param, raw json.RawMessage, depth int) {
	s.budget -= len(raw)
	if depth > maxSchemaDepth || s.budget < 0 {
		return
	}
	var r rawSchema
	var mistyped *json.UnmarshalTypeError // of one keyword: the others are read all the same
	if err := json.Unmarshal(raw, &r); err != nil && !errors.As(err, &mistyped) {
		return
	}
	if r.Ref != "" {
		if target := s.resolve(r.Ref); target != nil {
			s.merge(p, target, depth+1)
		}
	}
	p.addAnnotations(&r)
	p.addLimits(&r)
	p.addChoices(&r)
	if len(r.Items) > 0 {
		p.items = s.read(r.Items, p.name, depth+1)
		if p.items.description == "" {
			p.items.description = p.description
		}
	}
	var required []string
	_ = json.Unmarshal(r.Required, &required) // a draft-3 boolean is passed over
	s.addProperties(p, r.Properties, required, depth)
	for _, part := range r.AllOf {
		s.merge(p, part, depth+1)
	}
	s.addAlternatives(p, append(r.AnyOf, r.OneOf...), depth)
}

// addAnnotations takes over description, default, examples and types.
func (p *param) addAnnotations(r *rawSchema) {
	if r.Description != "" {
		p.description = r.Description
	} else if p.description == "" {
		p.description = r.Title
	}
	if r.Default != nil {
		p.fallback = r.Default
	}
	var examples []json.RawMessage
	if json.Unmarshal(r.Examples, &examples) == nil {
		for _, e := range examples {
			p.examples = append(p.examples, plain(e))
		}
	}
	if r.Example != nil {
		p.examples = append(p.examples, plain(r.Example))
	}
	var one string
	var many []string
	switch {
	case len(r.Type) == 0:
	case json.Unmarshal(r.Type, &one) == nil:
		p.kinds = []string{one}
	case json.Unmarshal(r.Type, &many) == nil:
		p.kinds = slices.DeleteFunc(many, func(k string) bool { return k == "null" })
	}
	if r.Format != "" {
		p.format = r.Format
	}
	if r.Pattern != "" {
		p.pattern = r.Pattern
	}
}

// addLimits takes over bounds of numbers, texts and arrays.
func (p *param) addLimits(r *rawSchema) {
	for _, bound := range []*float64{r.Minimum, r.ExclusiveMinimum} {
		if bound != nil {
			p.minimum = bound
		}
	}
	for _, bound := range []*float64{r.Maximum, r.ExclusiveMaximum} {
		if bound != nil {
			p.maximum = bound
		}
	}
	p.minLength, p.maxLength = max(p.minLength, r.MinLen), max(p.maxLength, r.MaxLen)
	p.minItems, p.maxItems = max(p.minItems, r.MinItems), max(p.maxItems, r.MaxItems)
}

// addChoices takes over enum and const.
func (p *param) addChoices(r *rawSchema) {
	values := r.Enum
	if r.Const != nil {
		values = []json.RawMessage{r.Const}
	}
	for _, v := range values {
		if text := plain(v); text != "null" {
			description := ""
			if r.Const != nil {
				description = strings.TrimSpace(r.Title + " " + r.Description)
			}
			p.enum = append(p.enum, choice{raw: v, text: text, description: description})
		}
	}
}

// addAlternatives takes over anyOf and oneOf: constants make an enumeration, of other alternatives the first that
// is not null counts.
func (s *schemaReader) addAlternatives(p *param, list []json.RawMessage, depth int) {
	taken := false
	for _, raw := range list {
		a := s.read(raw, p.name, depth+1)
		switch {
		case len(a.kinds) == 0 && strings.Contains(string(raw), `"null"`) && len(a.enum) == 0:
		case len(a.enum) > 0:
			p.enum = append(p.enum, a.enum...)
			if len(p.kinds) == 0 {
				p.kinds = a.kinds
			}
		case !taken && len(p.kinds) == 0:
			description := p.description
			s.merge(p, raw, depth+1)
			if description != "" {
				p.description = description
			}
			taken = true
		}
	}
}

// addProperties reads the properties of an object in their authored order.
func (s *schemaReader) addProperties(p *param, raw json.RawMessage, required []string, depth int) {
	for _, m := range members(raw) {
		child := s.read(m.value, m.name, depth+1)
		child.required = slices.Contains(required, m.name)
		p.properties = append(p.properties, child)
	}
}

// schemaTexts lists the words of a schema that say what a skill is about: names, descriptions and enumerations.
func schemaTexts(raw json.RawMessage) []string {
	if len(raw) == 0 {
		return nil
	}
	var texts []string
	for _, p := range readSchema(raw).properties {
		texts = append(texts, p.name, p.description)
		for _, c := range p.enum {
			texts = append(texts, c.text)
		}
	}
	return texts
}

// allows reports whether a JSON type is allowed; an absent type allows strings only, the safest guess.
func (p *param) allows(kind string) bool {
	if len(p.kinds) == 0 {
		return kind == "string" && len(p.properties) == 0 || kind == "object" && len(p.properties) > 0
	}
	return slices.Contains(p.kinds, kind)
}
