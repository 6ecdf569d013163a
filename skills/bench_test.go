package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// manySkills writes n skills with a schema each and gives their root.
func manySkills(tb testing.TB, n int) string {
	tb.Helper()
	root := tb.TempDir()
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("group-%02d", i%40), fmt.Sprintf("skill-%05d", i))
		require.NoError(tb, os.MkdirAll(dir, 0o755))
		text := fmt.Sprintf("---\nname: skill-%05d\ndescription: >-\n  Looks up record %d in the register. Use when the user asks for record %d,\n"+
			"  its owner or its history. Do not use for invoices.\nmetadata:\n  tags: \"lookup,group-%d\"\n  version: \"1.0\"\n---\n\n# Record %d\n\nSteps.\n", i, i, i, i%40, i)
		require.NoError(tb, os.WriteFile(filepath.Join(dir, "SKILL.md"), []byte(text), 0o644))
		schema := fmt.Sprintf(`{"type":"object","properties":{"record":{"type":"string","description":"Number %d"},"depth":{"type":"integer","minimum":1,"maximum":9},
"owner":{"type":"object","properties":{"name":{"type":"string"},"since":{"type":"string","format":"date"}}}},"required":["record"],"additionalProperties":false}`, i)
		require.NoError(tb, os.WriteFile(filepath.Join(dir, "parameters.json"), []byte(schema), 0o644))
	}
	return root
}

func BenchmarkLoad5000(b *testing.B) {
	root := manySkills(b, 5000)
	b.ReportAllocs()
	for b.Loop() {
		c, err := Load([]string{root}, LoadOptions{})
		require.NoError(b, err)
		require.Len(b, c.Skills, 5000)
	}
}

func BenchmarkRender5000(b *testing.B) {
	c, err := Load([]string{manySkills(b, 5000)}, LoadOptions{})
	require.NoError(b, err)
	for _, limit := range []int{0, 100_000} {
		b.Run(fmt.Sprintf("limit=%d", limit), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := Render(c.Skills, RenderOptions{TokenLimit: limit})
				require.NotEmpty(b, r.Names)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	data := []byte("---\nname: get_weather\ndescription: Current weather for a city. Use when the user asks about rain. Do not use for air quality.\nmetadata:\n  tags: \"weather,travel\"\n---\n\n# Weather\n")
	b.ReportAllocs()
	for b.Loop() {
		_, err := Parse("get_weather/SKILL.md", data)
		require.NoError(b, err)
	}
}

func BenchmarkValidate(b *testing.B) {
	s, err := CompileSchema([]byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":10}},"required":["city"]}`))
	require.NoError(b, err)
	for name, args := range map[string]string{"valid": `{"city":"Hangzhou","days":3}`, "invalid": `{"days":"3"}`} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Validate([]byte(args))
			}
		})
	}
}
