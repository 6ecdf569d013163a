package skills

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// readJSON reads a file beside SKILL.md, without its byte order mark.
func (ld *loader) readJSON(s *Skill, f skillFile, name string) ([]byte, *LoadError) {
	at := path.Join(f.dir, name)
	data, err := ld.files.ReadFile(at)
	if err != nil {
		return nil, loadError(CodeUnreadable, at, 0, 0, "cannot be read: %s", reason(err))
	}
	if bytes.HasPrefix(data, []byte(bom)) {
		data = data[len(bom):]
		s.Tolerated = append(s.Tolerated, Note{Code: CodeBOM, Path: at, Line: 1, Column: 1,
			Message: "byte order mark in front of the file; save it as UTF-8 without one"})
	}
	return data, nil
}

// parameters reads and compiles parameters.json.
func (ld *loader) parameters(s *Skill, f skillFile) *LoadError {
	if f.parameters == "" {
		return nil
	}
	at := path.Join(f.dir, f.parameters)
	data, fault := ld.readJSON(s, f, f.parameters)
	if fault != nil {
		return fault
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return loadError(CodeSchema, at, 1, 1, `file is empty; write {"type":"object","properties":{}} or delete it`)
	}
	s.Parameters = json.RawMessage(data)
	schema, err := s.Schema()
	if err != nil {
		return schemaFailure(at, data, err)
	}
	for _, n := range schema.Notes {
		n.Path = at
		s.Tolerated = append(s.Tolerated, n)
	}
	for _, spelling := range slices.Sorted(maps.Keys(s.Aliases)) {
		target := s.Aliases[spelling]
		if !slices.ContainsFunc(schema.properties, func(p Property) bool { return p.Name == target }) {
			s.Tolerated = append(s.Tolerated, Note{Code: CodeAliasTarget, Path: s.Path, Line: s.Lines["aliases"],
				Message: "alias " + spelling + " stands for " + target + ", which parameters.json does not declare"})
		}
	}
	return nil
}

// schemaFailure gives a schema error its place in the file.
func schemaFailure(at string, data []byte, err error) *LoadError {
	var e *SchemaError
	if !errors.As(err, &e) {
		return loadError(CodeSchema, at, 0, 0, "%v", err)
	}
	offset := e.Offset
	if offset > 0 {
		offset += len(data) - len(bytes.TrimLeft(data, " \t\r\n"))
	} else if e.Pointer != "" {
		offset = pointerOffset(data, jsontext.Pointer(e.Pointer))
	}
	line, column := position(data, offset)
	return loadError(CodeSchema, at, line, column, "%s", e.Error())
}

// pointerOffset finds where the value at a JSON Pointer begins; 0 when it is not there.
func pointerOffset(data []byte, want jsontext.Pointer) int {
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	for {
		before := int(d.InputOffset())
		if _, err := d.ReadToken(); err != nil {
			return 0
		}
		kind, n := d.StackIndex(d.StackDepth())
		if isName := kind == '{' && n%2 == 1; !isName && d.StackPointer() == want {
			for before < len(data) && bytes.IndexByte([]byte(" \t\r\n:,"), data[before]) >= 0 {
				before++
			}
			return before
		}
	}
}

// result reads result.json, the declared stub result; it wins over metadata.
func (ld *loader) result(s *Skill, f skillFile) *LoadError {
	if f.result == "" {
		return nil
	}
	at := path.Join(f.dir, f.result)
	data, fault := ld.readJSON(s, f, f.result)
	if fault != nil {
		return fault
	}
	if err := checkJSON(data); err != nil {
		var j *jsonFault
		offset, why := 0, err.Error()
		if errors.As(err, &j) {
			offset, why = j.offset, jsonAdvice(data, j)
		}
		line, column := position(data, offset)
		return loadError(CodeResult, at, line, column, "not JSON: %s", why)
	}
	s.Result = json.RawMessage(bytes.TrimSpace(data))
	return nil
}
