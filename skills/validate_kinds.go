package skills

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// collect adds the faults of one error and what caused it.
func (c *collector) collect(e *jsonschema.ValidationError) {
	if c.depth > maxDepth || len(c.faults) >= 10*maxFaults {
		return
	}
	c.depth++
	defer func() { c.depth-- }()
	path, value := c.place(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		c.alternatives(e, path, value, "anyOf")
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			c.addPath(path, "oneOf", "a value that fits exactly one of the allowed forms", given(value)+", which fits several")
			return
		}
		c.alternatives(e, path, value, "oneOf")
	case *kind.Required:
		c.required(e, path, k.Missing, "required")
	case *kind.DependentRequired:
		c.required(e, path, k.Missing, "dependentRequired")
	case *kind.Dependency:
		c.required(e, path, k.Missing, "dependencies")
	case *kind.AdditionalProperties:
		c.unknown(e, path, value, k.Properties)
	case *kind.PropertyNames:
		c.addPath(append(path, k.Property), "propertyNames", "a name that the schema allows", "the name "+strconv.Quote(clip(k.Property, maxGiven)))
	case *kind.FalseSchema:
		c.addPath(path, "false", "no value", given(value))
	default:
		keyword, expected := c.leaf(e.ErrorKind)
		if expected != "" {
			c.addPath(path, keyword, expected, given(value))
			return
		}
		if len(e.Causes) == 0 {
			c.addPath(path, keyword, "a value that the schema allows", given(value))
		}
		for _, cause := range e.Causes {
			c.collect(cause)
		}
	}
}

// leaf gives keyword and expectation of an error that concerns one value; "" where only its causes matter.
func (c *collector) leaf(e jsonschema.ErrorKind) (keyword, expected string) {
	switch k := e.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		return "", ""
	case *kind.Type:
		return "type", strings.Join(k.Want, " or ")
	case *kind.Enum:
		return "enum", oneOf(k.Want)
	case *kind.Const:
		return "const", clip(jsonText(k.Want), maxGiven)
	case *kind.Format:
		return "format", formatHint(k.Want)
	case *kind.Pattern:
		return "pattern", "text that matches " + clip(k.Want, maxGiven)
	case *kind.MinLength:
		return "minLength", fmt.Sprintf("at least %d characters", k.Want)
	case *kind.MaxLength:
		return "maxLength", fmt.Sprintf("at most %d characters", k.Want)
	case *kind.MinItems:
		return "minItems", fmt.Sprintf("at least %d items", k.Want)
	case *kind.MaxItems:
		return "maxItems", fmt.Sprintf("at most %d items", k.Want)
	case *kind.MinProperties:
		return "minProperties", fmt.Sprintf("at least %d members", k.Want)
	case *kind.MaxProperties:
		return "maxProperties", fmt.Sprintf("at most %d members", k.Want)
	case *kind.UniqueItems:
		return "uniqueItems", fmt.Sprintf("items that differ (items %d and %d are equal)", k.Duplicates[0], k.Duplicates[1])
	case *kind.Minimum:
		return "minimum", "at least " + decimal(k.Want)
	case *kind.Maximum:
		return "maximum", "at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "exclusiveMinimum", "more than " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "exclusiveMaximum", "less than " + decimal(k.Want)
	case *kind.MultipleOf:
		return "multipleOf", "a multiple of " + decimal(k.Want)
	case *kind.Not:
		return "not", "a value that the schema does not exclude"
	}
	if path := e.KeywordPath(); len(path) > 0 {
		keyword = path[0]
	}
	return keyword, "a value without this fault: " + e.LocalizedString(message.NewPrinter(language.English))
}

// alternatives reports a value that fits none of several forms: the faults inside the only form that has the
// right type, or else what the forms would accept.
func (c *collector) alternatives(e *jsonschema.ValidationError, path []any, value any, keyword string) {
	at := pointer(path)
	var near []located
	var expected []string
	branches := 0
	for _, cause := range e.Causes {
		sub := &collector{root: c.root, schema: c.schema, depth: c.depth}
		sub.collect(cause)
		wrongKind := false
		for _, f := range sub.faults {
			if f.pointer == at && f.Keyword != "required" {
				wrongKind = true
				if !slices.Contains(expected, f.Expected) {
					expected = append(expected, f.Expected)
				}
			}
		}
		if !wrongKind {
			branches++
			near = sub.faults
		}
	}
	if branches == 1 {
		c.faults = append(c.faults, near...)
		return
	}
	if branches > 1 || len(expected) == 0 {
		expected = append(expected, "a value that fits one of the allowed forms")
	}
	c.addPath(path, keyword, clip(strings.Join(expected, " or "), 2*maxGiven), given(value))
}

func (c *collector) required(e *jsonschema.ValidationError, path []any, missing []string, keyword string) {
	for _, name := range missing {
		expected := "a value"
		if props, ok := c.declared(e)[name].(map[string]any); ok {
			expected = c.schema.expectation(props, 0)
		}
		c.addPath(append(path, name), keyword, expected+" (required)", "nothing")
	}
}

// unknown reports members that the schema does not declare, with the name that may be meant.
func (c *collector) unknown(e *jsonschema.ValidationError, path []any, value any, extra []string) {
	names := c.declaredNames(e, len(path) == 0)
	expected := "no such member"
	if len(names) > 0 {
		expected = "only " + clip(strings.Join(names, ", "), 2*maxGiven)
	}
	for _, name := range extra {
		hint := ""
		if near, ok := nearest(name, names); ok {
			hint = "; did you mean " + near + "?"
		}
		v, _ := child(value, name)
		c.addPath(append(path, name), "additionalProperties", expected, given(v)+hint)
	}
}

// declared gives the properties of the schema object that an error comes from.
func (c *collector) declared(e *jsonschema.ValidationError) map[string]any {
	if c.schema == nil {
		return nil
	}
	v, _ := lookup(c.schema.doc, fragment(e.SchemaURL))
	obj, _ := v.(map[string]any)
	props, _ := obj["properties"].(map[string]any)
	return props
}

// declaredNames gives their names, in authored order for the arguments themselves.
func (c *collector) declaredNames(e *jsonschema.ValidationError, top bool) []string {
	props := c.declared(e)
	if !top {
		return slices.Sorted(maps.Keys(props))
	}
	var names []string
	for _, p := range c.schema.Properties() {
		if _, ok := props[p.Name]; ok {
			names = append(names, p.Name)
		}
	}
	return names
}

// place walks to an instance location and tells items from members.
func (c *collector) place(tokens []string) ([]any, any) {
	path := make([]any, 0, len(tokens)+1)
	v := c.root
	for _, tok := range tokens {
		if _, isArray := v.([]any); isArray {
			if i, err := strconv.Atoi(tok); err == nil {
				path = append(path, i)
				v, _ = child(v, tok)
				continue
			}
		}
		path = append(path, tok)
		v, _ = child(v, tok)
	}
	return path, v
}

func child(v any, tok string) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		c, ok := v[tok]
		return c, ok
	case []any:
		if i, err := strconv.Atoi(tok); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

func oneOf(values []any) string {
	var texts []string
	for i, v := range values {
		if i == 30 {
			texts = append(texts, fmt.Sprintf("… (%d in all)", len(values)))
			break
		}
		texts = append(texts, clip(jsonText(v), maxGiven))
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "one of " + strings.Join(texts, ", ")
}

// decimal writes a rational number exactly where a decimal can, and as a fraction where none can.
func decimal(r *big.Rat) string {
	if n, exact := r.FloatPrec(); exact && n <= maxGiven {
		return clip(r.FloatString(n), maxGiven)
	}
	return clip(r.RatString(), maxGiven)
}
