package agent

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestGoldenRequests holds the exact requests of one whole task in every mode.
func TestGoldenRequests(t *testing.T) {
	nativeRun := []*Reply{choose("get_weather"), calls("get_weather", `{"city":"Oslo"}`), says("Rain at noon.")}
	textRun := []*Reply{says(`{"skill": "get_weather"}`), says(`{"skill": "get_weather", "args": {"city": "Oslo"}}`), says("Rain at noon.")}
	category := calls("select_category", `{"name":"outdoors"}`)
	for name, c := range map[string]struct {
		o       Options
		replies []*Reply
	}{
		"two-level_native":         {Options{}, nativeRun},
		"two-level_native_catalog": {Options{Order: "catalog-first"}, nativeRun},
		"two-level_native_system":  {Options{Placement: "system", System: "Today is 2026-01-01."}, nativeRun},
		"two-level_native_xml":     {Options{Rendering: "xml", LevelTwoChoice: "required"}, nativeRun},
		"two-level_native_preload": {Options{Preload: []string{"take_note"}}, nativeRun},
		"two-level_text":           {Options{Protocol: "text"}, textRun},
		"two-level_text_catalog":   {Options{Protocol: "text", Order: "catalog-first"}, textRun},
		"two-level_text_system":    {Options{Protocol: "text", Placement: "system"}, textRun},
		"two-level_text_preload":   {Options{Protocol: "text", Preload: []string{"take_note"}}, textRun},
		"flat_native":              {Options{Catalog: "flat"}, nativeRun[1:]},
		"flat_text":                {Options{Catalog: "flat", Protocol: "text"}, textRun[1:]},
		"flat_text_system":         {Options{Catalog: "flat", Protocol: "text", Placement: "system"}, textRun[1:]},
		"grouped_native":           {Options{Catalog: "grouped"}, append([]*Reply{category}, nativeRun...)},
		"grouped_native_catalog":   {Options{Catalog: "grouped", Order: "catalog-first"}, append([]*Reply{category}, nativeRun...)},
		"grouped_text":             {Options{Catalog: "grouped", Protocol: "text"}, append([]*Reply{says(`{"category": "outdoors"}`)}, textRun...)},
		"grouped_text_system":      {Options{Catalog: "grouped", Protocol: "text", Placement: "system"}, append([]*Reply{says(`{"category": "outdoors"}`)}, textRun...)},
	} {
		t.Run(name, func(t *testing.T) {
			task := Task{Input: "Will it rain in Oslo?", History: []Message{
				{Role: "user", Content: "Hello"}, {Role: "assistant", Content: "Hello, what can I do?"}}}
			out, m := perform(t, c.o, task, c.replies...)
			require.Equal(t, `get_weather{"city":"Oslo"}`, callsOf(out))
			require.Equal(t, "Rain at noon.", out.Answer)
			var b strings.Builder
			for i, req := range m.requests {
				requireConversation(t, req)
				writeRequest(&b, i+1, req)
			}
			golden(t, filepath.Join("testdata", name+".golden"), b.String())
		})
	}
}

func writeRequest(b *strings.Builder, n int, req *Request) {
	fmt.Fprintf(b, "===== request %d, tool_choice %q\n", n, req.ToolChoice)
	for _, m := range req.Messages {
		fmt.Fprintf(b, "--- %s", m.Role)
		if m.ToolCallID != "" {
			fmt.Fprintf(b, " of %s", m.ToolCallID)
		}
		fmt.Fprintf(b, "\n%s\n", m.Content)
		for _, c := range m.ToolCalls {
			fmt.Fprintf(b, "[call %s: %s %s]\n", c.ID, c.Name, c.Arguments)
		}
	}
	for _, tool := range req.Tools {
		fmt.Fprintf(b, "--- tool %s\n%s\n%s\n", tool.Name, tool.Description, tool.Parameters)
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run go test ./agent -update")
	require.Equal(t, string(want), got)
}
