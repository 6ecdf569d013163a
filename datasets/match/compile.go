package match

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/xrash/smetrics"
)

// Known lists the matchers, in the order in which errors name them.
func Known() []string {
	return []string{
		"$any", "$anyOf", "$regex", "$contains", "$ignoreCase", "$approx", "$range", "$date",
		"$unordered", "$subset", "$similar", "$absent", "$optional", "$literal",
	}
}

// Error is one fault of an expected value. Path is a JSON path such as "to[0].name", "" for the whole value.
type Error struct {
	Path    string
	Message string
}

// Error implements error.
func (e Error) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Errors is every fault of one expected value.
type Errors []Error

// Error implements error: one line a fault.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Pattern is a compiled expectation. It is safe for concurrent use.
type Pattern struct{ root node }

// Compile reads the expected arguments of one call: an object whose values may be, or hold at any depth,
// matchers; or a matcher that an object can match. The error is an [Errors] with every fault.
func Compile(expected json.RawMessage) (*Pattern, error) {
	v, err := parse(expected)
	if err != nil {
		return nil, Errors{{Message: err.Error()}}
	}
	var c compiler
	root := c.node(nil, &v, inRoot)
	if len(c.errs) == 0 && root.kinds()&object == 0 {
		c.fail(nil, "arguments are an object, and %s can never match one", root.want())
	}
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	return &Pattern{root}, nil
}

// place says what surrounds a value: it decides where an absent value makes sense.
type place int

const (
	inRoot place = iota
	inField
	inArray
	inOptional // an alternative or the inside of $optional: may be absent where the outer place allows it
)

// compiler turns parsed labels into nodes and collects every fault.
type compiler struct {
	errs Errors
	fold bool // inside $ignoreCase
}

const maxErrors = 100

func (c *compiler) fail(at *path, format string, args ...any) node {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, Error{at.String(), fmt.Sprintf(format, args...)})
	}
	return anything{}
}

func (c *compiler) node(at *path, v *value, in place) node {
	switch v.kind {
	case object:
		if name, arg := matcherOf(v); name != "" {
			return c.matcher(at, name, arg, in)
		}
		for _, k := range v.keys {
			if len(v.keys) > 1 && known(k) {
				return c.fail(at, "a matcher is an object with one key, and this one has %q and %d more; write {\"$literal\": {…}} if it is meant as it stands", k, len(v.keys)-1)
			}
		}
		return c.record(at, v, false)
	case array:
		return c.list(at, v, false)
	default:
		return c.scalar(at, v)
	}
}

// matcherOf returns the key and argument of an object with one key that starts with "$".
func matcherOf(v *value) (string, *value) {
	if len(v.keys) == 1 && strings.HasPrefix(v.keys[0], "$") {
		return v.keys[0], &v.items[0]
	}
	return "", nil
}

func known(name string) bool {
	for _, k := range Known() {
		if k == name {
			return true
		}
	}
	return false
}

func (c *compiler) record(at *path, v *value, open bool) node {
	n := &record{keys: v.keys, open: open}
	for i := range v.items {
		n.fields = append(n.fields, c.node(at.at(v.keys[i]), &v.items[i], inField))
	}
	return n
}

func (c *compiler) list(at *path, v *value, unordered bool) node {
	n := &list{unordered: unordered}
	for i := range v.items {
		n.items = append(n.items, c.node(at.item(i), &v.items[i], inArray))
	}
	return n
}

func (c *compiler) scalar(at *path, v *value) node {
	n := &scalar{v: *v}
	switch v.kind {
	case text:
		n.fold = c.fold
		if n.canon = canonical(v.text); n.fold {
			n.canon = folded(v.text)
		}
	case number:
		if n.num = parseDecimal(v.text); n.num.huge {
			return c.fail(at, "the exponent of %s is out of range (±%d)", clip(v.text), int64(maxExponent))
		}
	}
	return n
}

// literal compiles a value in which nothing is a matcher.
func literal(v *value) (node, error) {
	var c compiler
	n := c.literal(nil, v)
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	return n, nil
}

func (c *compiler) literal(at *path, v *value) node {
	switch v.kind {
	case object:
		n := &record{keys: v.keys}
		for i := range v.items {
			n.fields = append(n.fields, c.literal(at.at(v.keys[i]), &v.items[i]))
		}
		return n
	case array:
		n := &list{}
		for i := range v.items {
			n.items = append(n.items, c.literal(at.item(i), &v.items[i]))
		}
		return n
	default:
		return c.scalar(at, v)
	}
}

// unknown refuses a matcher that does not exist.
func (c *compiler) unknown(at *path, name string) node {
	best, distance := "", 4
	for _, k := range Known() {
		if d := smetrics.WagnerFischer(strings.ToLower(k), strings.ToLower(clip(name)), 1, 1, 1); d < distance {
			best, distance = k, d
		}
	}
	nearest := ""
	if best != "" {
		nearest = fmt.Sprintf("; did you mean %q?", best)
	}
	return c.fail(at, "unknown matcher %q%s; known: %s; write {\"$literal\": {%q: …}} for an object that has such a key",
		clip(name), nearest, strings.Join(Known(), ", "), clip(name))
}
