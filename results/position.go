package results

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	json2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error is a fault of a run file at a place. Line and Column are 1-based; Column counts characters.
type Error struct {
	File         string
	Line, Column int
	Message      string
	Err          error // the cause; nil when Message is all
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// jsonError places an error of the JSON reader on its line.
func jsonError(file string, number int, line []byte, err error) *Error {
	return &Error{File: file, Line: number, Column: column(line, errorOffset(err)), Message: errorText(err), Err: err}
}

// errorOffset is the byte at which the JSON reader stopped.
func errorOffset(err error) int {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return int(syntax.ByteOffset)
	}
	var meaning *json2.SemanticError
	if errors.As(err, &meaning) {
		return int(meaning.ByteOffset)
	}
	return 0
}

// errorText says what the JSON reader refused, without the library's own wording of places.
func errorText(err error) string {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && syntax.Err != nil {
		return strings.TrimPrefix(syntax.Err.Error(), "jsontext: ") + within(syntax.JSONPointer)
	}
	var meaning *json2.SemanticError
	if errors.As(err, &meaning) {
		return fmt.Sprintf("%s stands where %s belongs%s", jsonWord(meaning.JSONKind), goWord(meaning.GoType), within(meaning.JSONPointer))
	}
	return err.Error()
}

// jsonWord names a kind of JSON value.
func jsonWord(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	}
	return k.String()
}

// goWord names the kind of JSON value that a field takes.
func goWord(t reflect.Type) string {
	if t == nil {
		return "another type"
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "an array"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Pointer:
		return goWord(t.Elem())
	}
	return "another type"
}

func within(p jsontext.Pointer) string {
	if p == "" {
		return ""
	}
	return fmt.Sprintf(" (at %s)", p)
}

// column counts characters up to a byte of a line, from 1. A byte that is not UTF-8 counts as one.
func column(line []byte, offset int) int {
	return utf8.RuneCount(line[:max(0, min(offset, len(line)))]) + 1
}
