package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of one JSON document, expected or given. They bound memory and time on hostile input.
const (
	MaxBytes  = 16 << 20 // length of the JSON text
	MaxDepth  = 200      // nesting of arrays and objects
	MaxValues = 200_000  // values in it, at every depth
)

// kind is a JSON type. It is a bit, so that a set of types is a kinds.
type kind uint8

const (
	null kind = 1 << iota
	boolean
	number
	text
	array
	object
)

// kinds is a set of JSON types.
type kinds = kind

const anyKind kinds = null | boolean | number | text | array | object

// value is a parsed JSON value. Numbers keep their text: no value passes through a float.
type value struct {
	kind  kind
	text  string   // decoded text of a string; literal text of a number, bool or null
	keys  []string // of an object, in authored order; values stand in items
	items []value
}

// get returns the value of a key of an object.
func (v *value) get(key string) (*value, bool) {
	for i, k := range v.keys {
		if k == key {
			return &v.items[i], true
		}
	}
	return nil, false
}

// parser reads a document that jsontext has found to be valid: it need not check grammar, only limits.
type parser struct {
	src    string
	pos    int
	values int
	// err is the first limit passed; once set, the tree is not used.
	err error
}

// parse reads one JSON document. Duplicate keys, invalid UTF-8 and lone surrogates are errors: each would let
// two different documents compare equal.
func parse(raw []byte) (value, error) {
	if len(raw) > MaxBytes {
		return value{}, fmt.Errorf("%d bytes of JSON, more than the limit of %d", len(raw), MaxBytes)
	}
	if !jsontext.Value(raw).IsValid() {
		return value{}, syntaxError(raw)
	}
	p := parser{src: string(raw)}
	v := p.value(0)
	return v, p.err
}

// syntaxError says why raw is not one valid JSON value.
func syntaxError(raw []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	_, err := dec.ReadValue()
	if err == nil {
		return errors.New("more text after the JSON value")
	}
	if errors.Is(err, io.EOF) {
		return errors.New("no JSON value")
	}
	var syn *jsontext.SyntacticError
	if errors.As(err, &syn) && errors.Is(err, jsontext.ErrDuplicateName) {
		return fmt.Errorf("duplicate key %q", syn.JSONPointer.LastToken())
	}
	return fmt.Errorf("not valid JSON: %w", err)
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) value {
	p.space()
	p.values++
	switch {
	case p.err != nil:
		return value{}
	case depth > MaxDepth:
		p.err = fmt.Errorf("nested deeper than %d levels", MaxDepth)
		return value{}
	case p.values > MaxValues:
		p.err = fmt.Errorf("more than %d values", MaxValues)
		return value{}
	}
	switch c := p.src[p.pos]; c {
	case '{':
		return p.members(depth)
	case '[':
		return p.elements(depth)
	case '"':
		return value{kind: text, text: p.str()}
	case 'n':
		return value{kind: null, text: p.word()}
	case 't', 'f':
		return value{kind: boolean, text: p.word()}
	default:
		return value{kind: number, text: p.word()}
	}
}

// word reads a number, true, false or null.
func (p *parser) word() string {
	start := p.pos
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r', ',', ']', '}', ':':
			return p.src[start:p.pos]
		}
		p.pos++
	}
	return p.src[start:p.pos]
}

func (p *parser) str() string {
	start := p.pos
	escaped := false
	for p.pos++; p.src[p.pos] != '"'; p.pos++ {
		if p.src[p.pos] == '\\' {
			escaped = true
			p.pos++
		}
	}
	p.pos++
	if !escaped {
		return p.src[start+1 : p.pos-1]
	}
	out, err := jsontext.AppendUnquote(nil, p.src[start:p.pos])
	if err != nil {
		p.err = err
	}
	return string(out)
}

func (p *parser) elements(depth int) value {
	v := value{kind: array}
	p.pos++
	for p.err == nil {
		p.space()
		switch p.src[p.pos] {
		case ']':
			p.pos++
			return v
		case ',':
			p.pos++
		}
		if p.space(); p.src[p.pos] != ']' {
			v.items = append(v.items, p.value(depth+1))
		}
	}
	return v
}

func (p *parser) members(depth int) value {
	v := value{kind: object}
	p.pos++
	for p.err == nil {
		p.space()
		switch p.src[p.pos] {
		case '}':
			p.pos++
			return v
		case ',':
			p.pos++
			p.space()
		}
		key := p.str()
		p.space()
		p.pos++ // the colon
		v.keys = append(v.keys, key)
		v.items = append(v.items, p.value(depth+1))
	}
	return v
}

// append writes v as compact JSON.
func (v *value) append(b []byte) []byte {
	switch v.kind {
	case text:
		return appendQuoted(b, v.text)
	case array:
		b = append(b, '[')
		for i := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.items[i].append(b)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendQuoted(b, v.keys[i]), ':')
			b = v.items[i].append(b)
		}
		return append(b, '}')
	default:
		return append(b, v.text...)
	}
}

// appendQuoted writes s as a JSON string.
func appendQuoted(b []byte, s string) []byte {
	out, err := jsontext.AppendQuote(b, s)
	if err != nil { // invalid UTF-8; parse lets none through
		return append(b, `""`...)
	}
	return out
}

// kindNames lists the JSON types of a set in words: "string or number".
func kindNames(k kinds) string {
	names := ""
	for _, n := range []struct {
		k    kind
		name string
	}{{text, "string"}, {number, "number"}, {boolean, "boolean"}, {array, "array"}, {object, "object"}, {null, "null"}} {
		if k&n.k == 0 {
			continue
		}
		if names != "" {
			names += " or "
		}
		names += n.name
	}
	return names
}
