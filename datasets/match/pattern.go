package match

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Match compares given arguments with the expectation. No bytes at all stand for {}. Defaults are the schema's
// defaults of top-level arguments (see [Defaults]): an argument that was left out matches a label that its
// default matches, and one that no label names is no fault when it equals its default; both are noted.
//
// Strings are compared trimmed and in NFC, numbers by exact decimal value, objects by key, arrays in order; an
// absent key is not null. Arguments that are not one valid JSON value are one difference at the root.
func (p *Pattern) Match(given json.RawMessage, defaults map[string]json.RawMessage) Result {
	if len(bytes.TrimSpace(given)) == 0 {
		given = json.RawMessage("{}")
	}
	steps := 0
	c := &comparison{steps: &steps, defaults: defaults}
	v, err := parse(given)
	if err != nil {
		c = c.labelOf(p.root)
		c.fail(nil, Type, "a JSON object", err.Error(), "")
	} else {
		c = c.root(p.root, &v)
	}
	if c.exhausted() {
		c.right = 0
		c.fail(nil, Value, "", "too large to compare", "")
	}
	if more := c.found - len(c.diffs); more > 0 {
		c.notes = append(c.notes, fmt.Sprintf("%d more differences are not listed", more))
	}
	return Result{OK: c.found == 0, Labelled: c.labelled, Right: c.right, Diffs: c.diffs, Notes: c.notes}
}

// root compares the arguments as a whole. Where they are labelled by alternatives, the result is that of the
// best one: a match, else most arguments right, else fewest differences, else the first.
func (c *comparison) root(n node, v *value) *comparison {
	alternatives, ok := n.(*anyOf)
	if !ok {
		out := &comparison{steps: c.steps, defaults: c.defaults}
		n.match(out, nil, v)
		return out
	}
	var best *comparison
	for _, item := range alternatives.items {
		out := c.root(item, v)
		if best == nil || out.better(best) {
			best = out
		}
	}
	return best
}

func (c *comparison) better(than *comparison) bool {
	if (c.found == 0) != (than.found == 0) {
		return c.found == 0
	}
	if c.right != than.right {
		return c.right > than.right
	}
	return c.found < than.found
}

// labelOf counts what is labelled when there is nothing to compare it with.
func (c *comparison) labelOf(n node) *comparison {
	out := &comparison{steps: c.steps}
	for {
		switch t := n.(type) {
		case *record:
			out.labelled = len(t.keys)
			return out
		case *anyOf:
			n = t.items[0]
		default:
			return out
		}
	}
}

// Defaults returns the "default" of each property at the top of a JSON Schema; nil when there are none or the
// schema cannot be read.
func Defaults(schema json.RawMessage) map[string]json.RawMessage {
	v, err := parse(schema)
	if err != nil {
		return nil
	}
	properties, ok := v.get("properties")
	if !ok {
		return nil
	}
	var out map[string]json.RawMessage
	for i, name := range properties.keys {
		d, ok := properties.items[i].get("default")
		if !ok {
			continue
		}
		if out == nil {
			out = make(map[string]json.RawMessage)
		}
		out[name] = d.append(nil)
	}
	return out
}
