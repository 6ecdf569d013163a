package skills

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// compactJSON writes JSON without white space and with as few escapes as can be; text that is not JSON stays.
func compactJSON(raw json.RawMessage) string {
	v := jsontext.Value(bytes.Clone(raw))
	if v.Format(jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(false), jsontext.SpaceAfterComma(false)) != nil {
		return string(raw)
	}
	return string(v)
}

// Digest identifies what the skills say to a model: "sha256:" and the hash of name, description, conditions of use,
// examples, parameters, aliases and body of each, in order of name. White space of the JSON Schema, the order of the
// list and everything that does not reach a model are left out.
func Digest(list []*Skill) string {
	type content struct {
		Name, Description           string
		UseWhen, DoNotUse, Examples []string          `json:",omitempty"`
		Parameters                  string            `json:",omitempty"`
		Aliases                     map[string]string `json:",omitempty"`
		Body                        string
	}
	lines := make([]string, len(list))
	for i, s := range list {
		// Marshalling text and maps of text cannot fail, and map keys come sorted.
		line, _ := json.Marshal(content{s.Name, s.Description, s.UseWhen, s.DoNotUseWhen, s.Examples,
			compactJSON(s.Parameters), s.Aliases, s.Body})
		lines[i] = string(line)
	}
	slices.Sort(lines)
	h := sha256.New()
	for _, l := range lines {
		h.Write([]byte(l))
		h.Write([]byte{'\n'})
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
