package offline

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// resolve finds the target of a reference inside the schema; nil when there is none.
func (s *schemaReader) resolve(ref string) json.RawMessage {
	pointer, local := strings.CutPrefix(ref, "#/")
	s.budget -= len(s.root)
	if !local || s.budget < 0 {
		return nil
	}
	node := s.root
	for step := range strings.SplitSeq(pointer, "/") {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		var object map[string]json.RawMessage
		if json.Unmarshal(node, &object) == nil {
			node = object[step]
			continue
		}
		var list []json.RawMessage
		i, err := strconv.Atoi(step)
		if err != nil || json.Unmarshal(node, &list) != nil || i < 0 || i >= len(list) {
			return nil
		}
		node = list[i]
	}
	return node
}

// member is one member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members lists the members of a JSON object in order; nil for anything else.
func members(raw json.RawMessage) []member {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var list []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return list
		}
		m := member{name: name.(string)} // the names of an object are strings
		if dec.Decode(&m.value) != nil {
			return list
		}
		list = append(list, m)
	}
	return list
}

// plain is the text of a JSON string, and the JSON text of anything else.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil && len(raw) > 0 && raw[0] == '"' {
		return s
	}
	return strings.TrimSpace(string(raw))
}
