package skills

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	maxGiven  = 200 // characters of a value that a fault shows
	maxFaults = 100 // faults that one set of arguments can have
)

// SchemaFault is one way in which arguments break their schema. Message is one line that a model can act on: field,
// what was expected, what was given.
type SchemaFault struct {
	Path     string `json:"path"`    // "city", "to[0].name"; "" for the arguments as a whole
	Keyword  string `json:"keyword"` // of JSON Schema, or "json", "duplicate", "range"
	Message  string `json:"message"`
	Expected string `json:"expected,omitempty"`
	Given    string `json:"given,omitempty"` // type and JSON text, at most 200 characters of it
}

// Validate checks arguments: the JSON text of one object. It never changes or converts a value. nil means valid;
// faults come in order of their path, at most 100. Text that is not JSON, a value that is no object, a member given
// twice and a number that a float64 cannot hold are faults, too.
func (s *Schema) Validate(args json.RawMessage) []SchemaFault {
	t, err := decodeTree(args)
	if err != nil {
		return []SchemaFault{syntaxProblem(err, args)}
	}
	if _, ok := t.value.(map[string]any); !ok {
		return []SchemaFault{newFault(nil, "type", "an object with the arguments", given(t.value))}
	}
	c := &collector{root: t.value, schema: s}
	for _, r := range t.repeats {
		c.addPath(r.path, "duplicate", "one value", "the same name twice")
	}
	for _, n := range t.overflow {
		c.addPath(n.path, "range", "a number within the range of a 64-bit float", "number "+clip(n.text, maxGiven))
	}
	c.run(s.compiled, t.value)
	return c.sorted()
}

func syntaxProblem(err error, args json.RawMessage) SchemaFault {
	var f *jsonFault
	errors.As(err, &f)
	reason := fmt.Sprintf("text that is not JSON (%s at character %d)", f.reason, len([]rune(string(args[:f.offset])))+1)
	if strings.TrimSpace(string(args)) == "" {
		reason = "no text"
	} else {
		reason += ": " + clip(oneLine(strings.ToValidUTF8(string(args), "\ufffd")), maxGiven)
	}
	return newFault(nil, "json", "a JSON object with the arguments", reason)
}

func newFault(path []any, keyword, expected, given string) SchemaFault {
	f := SchemaFault{Path: pathText(path), Keyword: keyword, Expected: expected, Given: given}
	field := f.Path
	if field == "" {
		field = "arguments"
	}
	f.Message = field + ": expected " + expected + ", given " + given
	return f
}

// located is a fault with the place of the value as a JSON Pointer.
type located struct {
	SchemaFault
	pointer string
}

// collector turns the library's tree of errors into faults.
type collector struct {
	root   any
	schema *Schema // nil while a schema itself is checked
	faults []located
	depth  int
}

func (c *collector) addPath(path []any, keyword, expected, given string) {
	if len(c.faults) < 10*maxFaults {
		c.faults = append(c.faults, located{newFault(path, keyword, expected, given), pointer(path)})
	}
}

// run validates. The library panics on nothing that is known; if it does, the arguments are not called valid.
func (c *collector) run(compiled *jsonschema.Schema, v any) {
	defer func() {
		if r := recover(); r != nil {
			c.addPath(nil, "schema", "arguments that the schema can be applied to", given(v))
		}
	}()
	err := compiled.Validate(v)
	var e *jsonschema.ValidationError
	if errors.As(err, &e) {
		c.collect(e)
	}
}

// sorted gives the faults in order of path, keyword and message, each once.
func (c *collector) sorted() []SchemaFault {
	slices.SortStableFunc(c.faults, func(a, b located) int {
		return strings.Compare(a.Path+"\x00"+a.Keyword+"\x00"+a.Message, b.Path+"\x00"+b.Keyword+"\x00"+b.Message)
	})
	var out []SchemaFault
	for _, f := range c.faults {
		special := func(k string) bool { return k == "range" || k == "duplicate" }
		if n := len(out); n > 0 && (out[n-1] == f.SchemaFault || out[n-1].Path == f.Path && special(out[n-1].Keyword)) {
			continue
		}
		out = append(out, f.SchemaFault)
	}
	if len(out) > maxFaults {
		more := len(out) - maxFaults + 1
		out = append(out[:maxFaults-1], SchemaFault{Keyword: "more", Message: fmt.Sprintf("arguments: %d more faults", more)})
	}
	return out
}
