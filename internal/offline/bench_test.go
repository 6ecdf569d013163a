package offline

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/internal/prose"
)

// many makes a catalogue of n skills of usual size.
func many(n int) []skill {
	subjects := []string{"weather forecast", "air quality", "calendar events", "shell commands", "invoices", "unit conversion", "currency rates", "source code", "web pages", "style guides"}
	verbs := []string{"Search", "Create", "Summarise", "Translate", "Delete", "Compare", "Export", "Validate"}
	list := make([]skill, n)
	for i := range list {
		s, v := subjects[i%len(subjects)], verbs[i/len(subjects)%len(verbs)]
		list[i] = skill{fmt.Sprintf("skill_%d_%s", i, prose.Stem(v)), fmt.Sprintf("%s %s number %d for the user. Use when the user asks about %s. Do not use for other things; use skill_%d.", v, s, i, s, (i+1)%n),
			`{"type":"object","required":["query"],"properties":{"query":{"type":"string","description":"What to look for"},"limit":{"type":"integer","description":"Maximum number of results"},"language":{"type":"string","enum":["en","zh","fr"]}}}`}
	}
	return list
}

func levelOne(b testing.TB, list []skill, question string) []byte {
	data, err := json.Marshal(object{"model": "builtin:lexical", "tools": []object{selector(list)}, "tool_choice": "auto", "messages": []object{
		msg("system", systemText), msg("user", question+divider+block(list)+"\n"+nativeTwoLevel)}})
	require.NoError(b, err)
	return data
}

func benchmark(b *testing.B, body []byte) {
	model := lexicalModel()
	_, refused := model.complete(body)
	require.Nil(b, refused)
	b.ReportAllocs()
	for b.Loop() {
		if _, refused := model.complete(body); refused != nil {
			b.Fatal(refused)
		}
	}
}

func BenchmarkSelect30(b *testing.B) {
	benchmark(b, levelOne(b, many(30), "Compare the currency rates of the euro and the yen, then export the invoices as a table"))
}

func BenchmarkSelect30Chinese(b *testing.B) {
	benchmark(b, levelOne(b, many(30), "帮我查一下明天杭州会不会下雨，然后把结果翻译成英文"))
}

func BenchmarkSelect5000(b *testing.B) {
	benchmark(b, levelOne(b, many(5000), "Compare the currency rates of the euro and the yen, then export the invoices as a table"))
}

func BenchmarkFill(b *testing.B) {
	s := many(30)[6]
	data, err := json.Marshal(object{"tools": []object{tool(s.name, s.description, s.schema())}, "messages": []object{
		msg("system", systemText), msg("user", "Compare the currency rates of the euro and the yen in French, top 5 results"),
		{"role": "assistant", "content": nil, "tool_calls": []object{{"id": "call_1", "type": "function", "function": object{"name": selectSkill, "arguments": `{"name":"` + s.name + `"}`}}}},
		{"role": "tool", "tool_call_id": "call_1", "content": s.description}}})
	require.NoError(b, err)
	benchmark(b, data)
}

func BenchmarkIndex30(b *testing.B) {
	entries := parseBlock(block(many(30)))
	b.ReportAllocs()
	for b.Loop() {
		newIndex(entries)
	}
}
