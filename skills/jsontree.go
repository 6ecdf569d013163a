package skills

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxNumber is the longest number that is accepted, in characters; with the exponent limited by the range of a
// float64 it keeps exact arithmetic small.
const maxNumber = 1000

// jsonFault is a place where bytes are not the JSON that is wanted.
type jsonFault struct {
	offset  int    // in bytes
	pointer string // RFC 6901
	reason  string
}

func (f *jsonFault) Error() string { return f.reason }

// repeat is an object member that was given more than once.
type repeat struct{ path []any }

// tree is a decoded JSON text: objects are map[string]any, numbers json.Number, as the schema library wants.
type tree struct {
	value    any
	repeats  []repeat
	overflow []numberFault // numbers that cannot be computed with
}

type numberFault struct {
	path []any // string for a member, int for an item
	text string
}

// decodeTree reads exactly one JSON value. Duplicate members and numbers out of range are collected, not
// refused; everything else that RFC 8259 and UTF-8 forbid is a *jsonFault.
func decodeTree(data []byte) (*tree, error) {
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	t := &tree{}
	v, err := t.read(d, nil)
	if err != nil {
		return nil, syntaxFault(err, data)
	}
	t.value = v
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		at := int(d.InputOffset())
		for at < len(data) && strings.IndexByte(" \t\r\n", data[at]) >= 0 {
			at++
		}
		return nil, &jsonFault{offset: at, reason: "more text behind the JSON value"}
	}
	return t, nil
}

func (t *tree) read(d *jsontext.Decoder, path []any) (any, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return tok.Bool(), nil
	case '"':
		return tok.String(), nil
	case '0':
		text := tok.String()
		if len(text) > maxNumber || outOfRange(text) {
			t.overflow = append(t.overflow, numberFault{clonePath(path), text})
			return json.Number("0"), nil
		}
		return json.Number(text), nil
	case '[':
		return t.readArray(d, path)
	}
	return t.readObject(d, path)
}

func (t *tree) readArray(d *jsontext.Decoder, path []any) (any, error) {
	out := []any{}
	for d.PeekKind() != ']' {
		v, err := t.read(d, append(path, len(out)))
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := d.ReadToken()
	return out, err
}

func (t *tree) readObject(d *jsontext.Decoder, path []any) (any, error) {
	out := map[string]any{}
	for d.PeekKind() != '}' {
		key, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := key.String()
		v, err := t.read(d, append(path, name))
		if err != nil {
			return nil, err
		}
		if _, twice := out[name]; twice {
			t.repeats = append(t.repeats, repeat{clonePath(append(path, name))})
		}
		out[name] = v
	}
	_, err := d.ReadToken()
	return out, err
}

func clonePath(path []any) []any { return append([]any(nil), path...) }

// outOfRange tells whether a number is beyond what a float64 holds, in either direction: exact arithmetic with
// 1e999999999 would not end.
func outOfRange(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return true
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	return f == 0 && strings.ContainsAny(mantissa, "123456789")
}

// syntaxFault turns an error of the JSON reader into one with a plain reason.
func syntaxFault(err error, data []byte) *jsonFault {
	f := &jsonFault{offset: len(data), reason: err.Error()}
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		f.offset, f.pointer = int(s.ByteOffset), string(s.JSONPointer)
		if s.Err != nil {
			f.reason = strings.TrimPrefix(s.Err.Error(), "jsontext: ")
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		f.reason = "unexpected end of text"
	}
	f.offset = min(f.offset, len(data))
	return f
}

// checkJSON tells whether data is one JSON value, without duplicate members.
func checkJSON(data []byte) error {
	t, err := decodeTree(data)
	if err != nil {
		return err
	}
	if len(t.repeats) > 0 {
		return &jsonFault{reason: fmt.Sprintf("%s is given twice", pathText(t.repeats[0].path))}
	}
	return nil
}

// pathText writes a path as to[0].name. Names that are not plain words are quoted: ["a b"].
func pathText(path []any) string {
	var b strings.Builder
	for _, p := range path {
		switch p := p.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", p)
		case string:
			if !plainWord(p) {
				fmt.Fprintf(&b, "[%s]", strconv.Quote(clip(p, maxGiven)))
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(p)
		}
	}
	return b.String()
}

func plainWord(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > maxGiven {
		return false
	}
	for _, r := range s {
		if r != '_' && r != '-' && r != '$' && !isWordRune(r) {
			return false
		}
	}
	return true
}
