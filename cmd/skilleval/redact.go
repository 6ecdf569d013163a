package main

import (
	"encoding/json"
	"reflect"

	"github.com/skilleval/skilleval/runner"
)

// rawJSON is the type of JSON that is kept as it is written.
var rawJSON = reflect.TypeFor[json.RawMessage]()

// redactAll takes the known secrets out of every text of the value that p points to: fields, elements, keys of maps, and
// JSON. What the value shares with others is copied first and not changed. Digests and numbers stay as they are.
func (a *app) redactAll(p any) {
	if len(a.keys) > 0 {
		redactValue(reflect.ValueOf(p).Elem(), a.redactData)
	}
}

// redactValue redacts one value in its place; one that cannot be set, such as an unexported field, stays as it is.
func redactValue(v reflect.Value, redact func(string) string) {
	if !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.Type() != reflect.TypeFor[json.Number]() { // a text is no number
			v.SetString(redact(v.String()))
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			v.Set(redactedCopy(v, redact))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			redactValue(v.Field(i), redact)
		}
	case reflect.Array:
		for i := range v.Len() {
			redactValue(v.Index(i), redact)
		}
	case reflect.Slice:
		switch {
		case v.Type() == rawJSON:
			v.Set(reflect.ValueOf(runner.RedactJSON(v.Bytes(), redact)))
		case v.Len() > 0 && v.Type().Elem().Kind() != reflect.Uint8:
			list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(list, v)
			for i := range list.Len() {
				redactValue(list.Index(i), redact)
			}
			v.Set(list)
		}
	case reflect.Map:
		if v.Len() > 0 {
			v.Set(redactedMap(v, redact))
		}
	}
}

// redactedCopy is a copy of what a pointer or an interface holds.
func redactedCopy(v reflect.Value, redact func(string) string) reflect.Value {
	inner := reflect.New(v.Elem().Type())
	inner.Elem().Set(v.Elem())
	redactValue(inner.Elem(), redact)
	if v.Kind() == reflect.Pointer {
		return inner
	}
	return inner.Elem()
}

func redactedMap(v reflect.Value, redact func(string) string) reflect.Value {
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for entries := v.MapRange(); entries.Next(); {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		key.Set(entries.Key())
		value.Set(entries.Value())
		redactValue(key, redact)
		redactValue(value, redact)
		out.SetMapIndex(key, value)
	}
	return out
}
