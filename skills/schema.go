package skills

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// noArguments is the schema of a skill without parameters.
const noArguments = `{"type":"object","additionalProperties":false}`

// schemaURL is the base that references inside a schema resolve against; nothing is ever loaded from it.
const schemaURL = "skill:///parameters.json"

// maxSchemaSize is the largest JSON Schema that is compiled, in bytes.
const maxSchemaSize = 1 << 20

// Schema is the compiled JSON Schema of a skill's arguments. It is safe for concurrent use.
type Schema struct {
	// Notes lists what the schema demands and this program cannot check.
	Notes []Note

	compiled   *jsonschema.Schema
	doc        map[string]any // as decoded, for messages
	properties []Property
	extra      bool
}

// SchemaError says where a JSON Schema cannot be used.
type SchemaError struct {
	Pointer string // RFC 6901, of the keyword at fault; "" for the whole schema
	Offset  int    // in bytes, where the text is not JSON; else 0
	Message string
}

// Error implements error.
func (e *SchemaError) Error() string {
	if e.Pointer == "" {
		return "schema: " + e.Message
	}
	return "schema at " + e.Pointer + ": " + e.Message
}

// schemaOnce is what all copies of one Skill share: the schema, compiled at most once. The zero value holds no
// cache; a Skill that was loaded or decoded from JSON always has one.
type schemaOnce struct{ holder *schemaHolder }

type schemaHolder struct {
	once   sync.Once
	raw    json.RawMessage
	schema *Schema
	err    error
}

func newSchemaHolder() schemaOnce { return schemaOnce{&schemaHolder{}} }

// Schema gives the compiled schema of the skill's arguments. A skill that was loaded, or decoded from JSON,
// compiles it once and shares it with its copies, whichever goroutine asks first; one that was put together by
// hand, or whose Parameters were replaced, compiles on every call.
func (s *Skill) Schema() (*Schema, error) {
	h := s.schema.holder
	if h == nil {
		return CompileSchema(s.Parameters)
	}
	h.once.Do(func() {
		h.raw = s.Parameters
		h.schema, h.err = CompileSchema(h.raw)
	})
	if !bytes.Equal(h.raw, s.Parameters) {
		return CompileSchema(s.Parameters)
	}
	return h.schema, h.err
}

// UnmarshalJSON decodes a skill as it stands in a run file.
func (s *Skill) UnmarshalJSON(data []byte) error {
	type plain Skill
	p := plain{schema: newSchemaHolder()}
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("skill: %w", err)
	}
	*s = Skill(p)
	return nil
}

// denyLoader refuses every reference that leaves the schema.
type denyLoader struct{}

var errExternal = errors.New("references outside the schema are never fetched; move what it needs into $defs")

func (denyLoader) Load(string) (any, error) { return nil, errExternal }

// CompileSchema compiles the JSON Schema of a skill's arguments. Drafts 4 to 2020-12 are honoured by $schema, 2020-12
// is the default, formats are asserted. nil (or null) means that no arguments are allowed. References outside the
// schema are refused. A pattern that needs look-around or back references cannot be checked: the rest of the
// schema counts and [Schema.Notes] says so. The error is a [*SchemaError].
func CompileSchema(raw json.RawMessage) (*Schema, error) {
	text := bytes.TrimSpace(raw)
	if len(text) == 0 || bytes.Equal(text, []byte("null")) {
		text = []byte(noArguments)
	}
	if len(text) > maxSchemaSize {
		return nil, &SchemaError{Message: fmt.Sprintf("has %d bytes; at most %d are compiled", len(text), maxSchemaSize)}
	}
	doc, err := schemaDocument(text)
	if err != nil {
		return nil, err
	}
	s := &Schema{doc: doc}
	s.Notes = uncheckable(doc, "", 0, nil)
	if s.compiled, err = compile(doc); err != nil {
		return nil, err
	}
	declared := declare(text)
	s.properties, s.extra = declared.list, declared.extra
	return s, nil
}

// schemaDocument decodes a schema and refuses what no argument schema can be.
func schemaDocument(text []byte) (map[string]any, error) {
	t, err := decodeTree(text)
	var f *jsonFault
	if errors.As(err, &f) {
		return nil, &SchemaError{Pointer: f.pointer, Offset: f.offset, Message: "not JSON: " + jsonAdvice(text, f)}
	}
	if len(t.repeats) > 0 {
		return nil, &SchemaError{Pointer: pointer(t.repeats[0].path), Message: "this key is given twice"}
	}
	if len(t.overflow) > 0 {
		n := t.overflow[0]
		return nil, &SchemaError{Pointer: pointer(n.path), Message: "number out of range: " + clip(n.text, 40)}
	}
	doc, ok := t.value.(map[string]any)
	if !ok {
		return nil, &SchemaError{Message: "must be an object such as {\"type\":\"object\",\"properties\":{}}, not " + jsonType(t.value)}
	}
	switch typ := doc["type"].(type) {
	case string:
		if typ == "function" || doc["parameters"] != nil && doc["properties"] == nil && typ != "object" {
			return nil, &SchemaError{Pointer: "/type", Message: "this is a whole function definition; keep only the value of its \"parameters\""}
		}
		if typ != "object" && jsonTypes[typ] {
			return nil, &SchemaError{Pointer: "/type", Message: "arguments are always an object: write \"type\": \"object\", not \"" + typ + "\""}
		}
	}
	return doc, nil
}

// compile runs the library. It has been seen to panic on odd input, which must not end a run.
func compile(doc map[string]any) (out *jsonschema.Schema, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, &SchemaError{Message: fmt.Sprintf("cannot be compiled: %v", r)}
		}
	}()
	c := jsonschema.NewCompiler()
	c.UseLoader(denyLoader{})
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseRegexpEngine(regexpEngine)
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, schemaError(err, doc)
	}
	out, err = c.Compile(schemaURL)
	if err != nil {
		return nil, schemaError(err, doc)
	}
	return out, nil
}

func pointer(path []any) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteByte('/')
		b.WriteString(escapePointer(fmt.Sprint(p)))
	}
	return b.String()
}

func escapePointer(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}
