package datasets

import (
	"slices"
	"strings"
)

const expectForms = `{"calls": [{"skill": …, "args": {…}}]}, {"none": true} when no skill should be used, or {"skill": …, "args": {…}} for one call`

// Skills returns the names of the expected calls in order, one for each call; nil for none.
func (e *Expectation) Skills() []string {
	var out []string
	for i := range e.Calls {
		out = append(out, e.Calls[i].Skill)
	}
	return out
}

// LabelsArgs reports whether the arguments of at least one call are labelled.
func (e *Expectation) LabelsArgs() bool {
	for i := range e.Calls {
		if e.Calls[i].Args != nil {
			return true
		}
	}
	return false
}

// expectation reads {"calls": …}, {"none": true}, the short form of one call, or a list of calls. An empty list is
// a label: nothing should be called. An absent or null one is not.
func (d *decoder) expectation(path place, val []byte, off int) Expectation {
	switch typeOf(val) {
	case "array":
		return d.calls(path.String(), val, off)
	case "object":
	default:
		d.fail(path.String(), off, "expect", "an expectation is %s; not %s", expectForms, typeOf(val))
		return Expectation{}
	}
	if hasKey(val, "skill") || hasKey(val, "args") {
		return Expectation{Calls: []ExpectedCall{d.call(path, val, off)}}
	}
	var e Expectation
	var calls, none bool
	members(val, off, func(key, val []byte, off int) {
		switch string(key) {
		case `"calls"`:
			calls = true
			if typeOf(val) != "array" {
				d.fail(path.String()+".calls", off, "expect", "a list of calls is needed, not %s", typeOf(val))
				return
			}
			order := e.Order
			e = d.calls(path.String()+".calls", val, off)
			e.Order = order
		case `"none"`:
			none = true
			if string(val) != "true" {
				d.fail(path.String()+".none", off, "expect", "only true is possible, not %s; to expect calls, write \"calls\" instead", short(string(val)))
			}
		case `"order"`:
			e.Order = d.order(path, val, off)
		default:
			d.unknown(path.String(), unquote(key), off, []string{"calls", "none", "order", "skill", "args"})
		}
	})
	switch {
	case calls == none:
		d.fail(path.String(), off, "expect", "exactly one of \"calls\" and \"none\" is needed: %s", expectForms)
	case none || e.None:
		if e.Order != "" {
			d.fail(path.String()+".order", off, "expect", "there is no order where nothing should be called")
		}
		return Expectation{None: true}
	}
	return e
}

func (d *decoder) order(path place, val []byte, off int) string {
	switch string(val) {
	case `"strict"`:
		return "strict"
	case `"any"`:
		return ""
	}
	d.fail(path.String()+".order", off, "expect", "unknown order %s; known: \"strict\", \"any\"", short(string(val)))
	return ""
}

func (d *decoder) calls(path string, val []byte, off int) Expectation {
	var e Expectation
	items(val, off, func(i int, item []byte, off int) {
		e.Calls = append(e.Calls, d.call(place{path, i}, item, off))
	})
	e.Calls = slices.Clip(e.Calls)
	e.None = len(e.Calls) == 0
	return e
}

func (d *decoder) call(path place, val []byte, off int) ExpectedCall {
	var c ExpectedCall
	if typeOf(val) != "object" {
		d.fail(path.String(), off, "expect", "a call is {\"skill\": …, \"args\": {…}}, not %s", typeOf(val))
		return c
	}
	skill := false
	members(val, off, func(key, val []byte, off int) {
		switch string(key) {
		case `"skill"`:
			skill = true
			c.Skill = d.skill(path, val, off)
		case `"args"`:
			c.Args = d.args(path, ".args", val, off)
		case `"order"`, `"none"`, `"calls"`:
			d.fail(path.String()+"."+unquote(key), off, "expect", "%s does not belong beside \"skill\"; write {\"calls\": […]} for more than one call", key)
		default:
			d.unknown(path.String(), unquote(key), off, []string{"skill", "args"})
		}
	})
	if !skill {
		d.fail(path.String()+".skill", off, "expect", "\"skill\" is missing: the name of the skill that should be called")
	}
	return c
}

func (d *decoder) skill(path place, val []byte, off int) string {
	if typeOf(val) != "string" || strings.TrimSpace(unquote(val)) == "" {
		d.fail(path.String()+".skill", off, "expect", "the name of a skill is needed, not %s", short(string(val)))
		return ""
	}
	return d.intern(strings.TrimSpace(unquote(val)))
}

func (d *decoder) accept(val []byte, off int) []Expectation {
	if typeOf(val) != "array" {
		d.fail("accept", off, "accept", "a list of expectations is needed, not %s", typeOf(val))
		return nil
	}
	var out []Expectation
	items(val, off, func(i int, item []byte, off int) {
		out = append(out, d.expectation(place{"accept", i}, item, off))
	})
	return slices.Clip(out)
}
