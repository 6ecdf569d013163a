package skills

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxDepth is how deep schemas and values are walked for messages.
const maxDepth = 1000

var jsonTypes = map[string]bool{"object": true, "array": true, "string": true, "number": true, "integer": true, "boolean": true, "null": true}

// typeHints maps type names of other languages to what JSON Schema calls them.
var typeHints = map[string]string{
	"dict": "object", "map": "object", "hashmap": "object", "struct": "object", "json": "object",
	"float": "number", "double": "number", "decimal": "number", "real": "number",
	"int": "integer", "long": "integer", "short": "integer", "bigint": "integer", "int32": "integer", "int64": "integer",
	"str": "string", "text": "string", "char": "string", "date": "string", "datetime": "string", "url": "string", "uuid": "string",
	"list": "array", "tuple": "array", "set": "array", "arraylist": "array",
	"bool": "boolean", "none": "null", "nil": "null",
}

// typeHint says what to write in place of a type that JSON Schema does not know.
func typeHint(typ string) string {
	if hint := typeHints[strings.ToLower(typ)]; hint != "" {
		return fmt.Sprintf("write %q", hint)
	}
	if strings.EqualFold(typ, "any") {
		return "leave type out to accept any value"
	}
	return "write one of object, array, string, number, integer, boolean, null"
}

// schemaError turns an error of the library into one that names the place in the document.
func schemaError(err error, doc map[string]any) *SchemaError {
	var (
		invalid *jsonschema.SchemaValidationError
		missing *jsonschema.JSONPointerNotFoundError
		bad     *jsonschema.InvalidJsonPointerError
		anchor  *jsonschema.AnchorNotFoundError
		load    *jsonschema.LoadURLError
		pattern *jsonschema.InvalidRegexError
	)
	switch {
	case errors.As(err, &invalid):
		return invalidSchema(invalid, doc)
	case errors.As(err, &missing):
		return refError(doc, fragment(missing.URL), "nothing stands at this reference")
	case errors.As(err, &bad):
		return refError(doc, fragment(bad.URL), "not a JSON Pointer")
	case errors.As(err, &anchor):
		return refError(doc, fragment(anchor.Reference), "no $anchor of this name")
	case errors.As(err, &load):
		e := refError(doc, load.URL, errExternal.Error())
		if strings.HasSuffix(e.Pointer, "/$schema") {
			e.Message = fmt.Sprintf("%q is not a draft that is known: leave $schema out, or write https://json-schema.org/draft/2020-12/schema", load.URL)
		}
		return e
	case errors.As(err, &pattern):
		return &SchemaError{Pointer: fragment(pattern.URL), Message: fmt.Sprintf("pattern %q is broken: %v", clip(pattern.Regex, 80), pattern.Err)}
	}
	return &SchemaError{Message: strings.ReplaceAll(err.Error(), schemaURL, "the schema")}
}

func fragment(ref string) string {
	_, f, _ := strings.Cut(ref, "#")
	if plain, err := url.PathUnescape(f); err == nil {
		return plain
	}
	return f
}

// refError finds the $ref (or $schema) that points at target.
func refError(doc map[string]any, target, reason string) *SchemaError {
	at, ref, ok := findRef(doc, "", target, 0)
	if !ok {
		return &SchemaError{Pointer: target, Message: reason}
	}
	return &SchemaError{Pointer: at, Message: fmt.Sprintf("%q: %s", clip(ref, 120), reason)}
}

func findRef(v any, at, target string, depth int) (pointer, ref string, ok bool) {
	if depth > maxDepth {
		return "", "", false
	}
	switch v := v.(type) {
	case []any:
		for i, c := range v {
			if pointer, ref, ok = findRef(c, pointerJoin(at, i), target, depth+1); ok {
				return pointer, ref, ok
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if s, isText := v[k].(string); isText && strings.HasPrefix(k, "$") && k != "$id" && k != "$comment" {
				base, _, _ := strings.Cut(s, "#")
				if target != "" && (s == target || base == target || fragment(s) == target) {
					return pointerJoin(at, k), s, true
				}
			}
			if pointer, ref, ok = findRef(v[k], pointerJoin(at, k), target, depth+1); ok {
				return pointer, ref, ok
			}
		}
	}
	return "", "", false
}

// invalidSchema names the first keyword, in order of its place, that the meta-schema refuses.
func invalidSchema(e *jsonschema.SchemaValidationError, doc map[string]any) *SchemaError {
	base := fragment(e.URL)
	var v *jsonschema.ValidationError
	if !errors.As(e.Err, &v) {
		return &SchemaError{Pointer: base, Message: e.Err.Error()}
	}
	root, _ := lookup(doc, base)
	c := &collector{root: root}
	c.collect(v)
	if len(c.faults) == 0 {
		return &SchemaError{Pointer: base, Message: "is not a valid JSON Schema"}
	}
	f := slices.MinFunc(c.faults, func(a, b located) int { return strings.Compare(a.pointer, b.pointer) })
	at := base + f.pointer
	value, _ := lookup(doc, at)
	if name, isText := value.(string); isText && strings.HasSuffix(at, "/type") {
		return &SchemaError{Pointer: at, Message: fmt.Sprintf("%q is not a JSON Schema type; %s", clip(name, 40), typeHint(name))}
	}
	return &SchemaError{Pointer: at, Message: "expected " + f.Expected + ", given " + f.Given}
}

// lookup follows a JSON Pointer.
func lookup(v any, ptr string) (any, bool) {
	if ptr == "" {
		return v, true
	}
	for _, tok := range strings.Split(ptr, "/")[1:] {
		tok = strings.ReplaceAll(strings.ReplaceAll(tok, "~1", "/"), "~0", "~")
		var ok bool
		if v, ok = child(v, tok); !ok {
			return nil, false
		}
	}
	return v, true
}
