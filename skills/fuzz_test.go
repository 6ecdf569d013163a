package skills

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{allFields, "", "---\n", "---\nname: a\ndescription: b: c\n---\n", "\ufeff---\r\nName: x\r\n---\r\n", "---\na: &a [*a]\n---\nx",
		"---\nname:\n\tx: y\nmetadata:\n  a: b: c\n---\ntext", "```skill\n---\ndescription: [x\n---\n", "---\ndescription: |2\n   a\n  b\n---\n", "\xff\xfe", "---\nname: \"\\ud800\\0\"\n---\nx"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("dir/SKILL.md", data)
		if err != nil {
			require.Nil(t, s)
			require.Contains(t, err.Error(), "dir/SKILL.md")
			return
		}
		require.NotEmpty(t, s.Name)
		require.NotEmpty(t, s.Description)
		require.True(t, utf8.ValidString(s.Description))
		lines := strings.Count(strings.ReplaceAll(string(data), "\r", "\n"), "\n") + 1
		for _, n := range s.Tolerated {
			require.LessOrEqual(t, n.Line, lines)
		}
		out, err := json.Marshal(s)
		require.NoError(t, err)
		require.Less(t, len(out), 200*len(data)+20_000, "no expansion")
		require.NotContains(t, Render([]*Skill{s}, RenderOptions{}).Text, "\n")
		_ = Render([]*Skill{s}, RenderOptions{Format: FormatXML, TokenLimit: 5})
		_ = Detail(s)
		_ = Digest([]*Skill{s})
	})
}

func FuzzSchema(f *testing.F) {
	for _, seed := range []string{`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`, `{"patternProperties":{"(?!x)":{}}}`,
		`{"$id":"x","anyOf":[{"$ref":"#"},{"not":{}}]}`, `{"properties":{"n":{"multipleOf":0.1}}}`, `{"$schema":"http://json-schema.org/draft-04/schema#","id":"#a"}`} {
		f.Add([]byte(seed), []byte(`{"a":1,"n":0.30000}`))
		f.Add([]byte(seed), []byte(`{"a":[{"b":null}],"a":1e999}`))
	}
	f.Fuzz(func(t *testing.T, schema, args []byte) {
		s, err := CompileSchema(schema)
		if err != nil {
			return
		}
		s.Properties()
		first := s.Validate(args)
		require.Equal(t, first, s.Validate(args))
		for _, fault := range first {
			require.NotContains(t, fault.Message, "\n")
		}
	})
}

func FuzzDescriptions(f *testing.F) {
	f.Add([]byte("a: x\nb: >\n  y\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := ParseDescriptions("set.yaml", data)
		require.Equal(t, err == nil, len(set) > 0)
	})
}
