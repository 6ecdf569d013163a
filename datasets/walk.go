package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// The walker steps through JSON that jsontext has already found valid, without building anything: cases by the
// hundred thousand need no map and no tree each.

// members calls f with each key (still quoted and escaped) and value of an object, and the value's offset.
func members(raw []byte, base int, f func(key, val []byte, off int)) {
	i := bytes.IndexByte(raw, '{') + 1
	for {
		if i = gap(raw, i); raw[i] == '}' {
			return
		}
		end := skip(raw, i)
		key := raw[i:end]
		i = gap(raw, end)
		end = skip(raw, i)
		f(key, raw[i:end], base+i)
		i = end
	}
}

// items calls f with each element of an array.
func items(raw []byte, base int, f func(i int, val []byte, off int)) {
	i := bytes.IndexByte(raw, '[') + 1
	for n := 0; ; n++ {
		if i = gap(raw, i); raw[i] == ']' {
			return
		}
		end := skip(raw, i)
		f(n, raw[i:end], base+i)
		i = end
	}
}

// gap skips white space, commas and colons.
func gap(raw []byte, i int) int {
	for i < len(raw) {
		switch raw[i] {
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
		default:
			return i
		}
	}
	return i
}

// skip returns the end of the value that starts at i.
func skip(raw []byte, i int) int {
	depth := 0
	for i < len(raw) {
		switch raw[i] {
		case '"':
			i = skipString(raw, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + boolInt(depth == 0) // below zero: the end of a scalar inside an outer value
			}
		case ' ', '\t', '\n', '\r', ',', ':':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

func skipString(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return i
}

// unquote decodes a JSON string.
func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	out, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return ""
	}
	return string(out)
}

// typeOf names the JSON type of a valid value.
func typeOf(raw []byte) string {
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// syntaxFault says why raw is not one JSON value, and at which byte.
func syntaxFault(raw []byte) (message string, offset int) {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	_, err := dec.ReadValue()
	var syn *jsontext.SyntacticError
	switch {
	case err == nil:
		offset = int(dec.InputOffset())
		rest := bytes.TrimSpace(raw[offset:])
		if len(rest) == 0 {
			return "not valid JSON", offset
		}
		return fmt.Sprintf("more text after the JSON value: %q; one value is expected", short(string(rest))), len(raw) - len(bytes.TrimLeft(raw[offset:], " \t\r\n"))
	case errors.As(err, &syn):
		return wordSyntax(syn), int(syn.ByteOffset)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the JSON text is cut short", len(raw)
	}
	return err.Error(), int(dec.InputOffset())
}

func wordSyntax(syn *jsontext.SyntacticError) string {
	where := ""
	if syn.JSONPointer != "" {
		where = fmt.Sprintf(" at %s", short(string(syn.JSONPointer)))
	}
	switch {
	case errors.Is(syn.Err, jsontext.ErrDuplicateName):
		return fmt.Sprintf("duplicate key %q%s; keep one of the two", syn.JSONPointer.LastToken(), where)
	case errors.Is(syn.Err, io.ErrUnexpectedEOF):
		return "the JSON text is cut short" + where
	}
	return fmt.Sprintf("not valid JSON%s: %v", where, syn.Err)
}
