package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSummarize(t *testing.T) {
	require.Equal(t, "short", Summarize("short", 5))
	require.Equal(t, "天气很好啊", Summarize("天气很好啊", 5), "characters are counted, not bytes")
	require.Equal(t, strings.Repeat("x", 20)+"\n… (80 more characters)", Summarize(strings.Repeat("x", 100), 44))
	require.Equal(t, "xxxxx", Summarize(strings.Repeat("x", 100), 5), "a limit too small for the remark")
	require.Equal(t, "a\uFFFDb", Summarize("a\xffb", 10))
}

func TestSummarizeKeepsJSON(t *testing.T) {
	long, err := json.Marshal(map[string]any{"title": "Report", "text": strings.Repeat("长", 9000), "n": json.Number("8021929379916255508")})
	require.NoError(t, err)
	short := Summarize(string(long), 1000)
	require.LessOrEqual(t, utf8.RuneCountInString(short), 1000)
	require.True(t, json.Valid([]byte(short)))
	require.Contains(t, short, `"n":8021929379916255508,"text":"长长`)
	require.Regexp(t, `长… \(\d+ more characters\)","title":"Report"}$`, short)

	var b strings.Builder
	b.WriteString(`[`)
	for range 500 {
		b.WriteString(`{"id":1,"tags":["<a>","b"],"ok":true,"none":null},`)
	}
	list := strings.TrimSuffix(b.String(), ",") + "]"
	short = Summarize(list, 1500)
	require.LessOrEqual(t, utf8.RuneCountInString(short), 1500)
	var items []any
	require.NoError(t, json.Unmarshal([]byte(short), &items))
	require.Equal(t, "… 480 more items", items[len(items)-1])
	require.Contains(t, short, `{"id":1,"tags":["<a>","b"],"ok":true,"none":null}`, "nothing is escaped for HTML")

	object := `{"k0":0`
	for i := range 500 {
		object += `,"key_` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + `":"value"`
	}
	short = Summarize(object+"}", 400)
	require.True(t, json.Valid([]byte(short)))
	require.Regexp(t, `"…":"\d+ more fields"}$`, short)

	notJSON := strings.Repeat(`{"a":1}`, 100)
	require.Contains(t, Summarize(notJSON, 100), "more characters)")
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	require.LessOrEqual(t, utf8.RuneCountInString(Summarize(deep, 100)), 100)
}

func TestCutsBetweenCharactersAsReadersSeeThem(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		n    int
		want string
	}{
		"plain":         {"abcdef", 3, "abc"},
		"everything":    {"abc", 9, "abc"},
		"accent":        {"abe\u0301f", 3, "ab"},
		"accent inside": {"abe\u0301f", 4, "abe\u0301"},
		"skin tone":     {"a👍🏽b", 2, "a"},
		"family":        {"a👨‍👩‍👧b", 3, "a"},
		"flags":         {"🇳🇴🇸🇪", 3, "🇳🇴"},
		"first flag":    {"🇳🇴🇸🇪", 2, "🇳🇴"},
		"line end":      {"a\r\nb", 2, "a"},
		"variation":     {"a❤\ufe0fb", 2, "a"},
		"hangul":        {"a\u1112\u1161\u11abb", 3, "a"},
		"marks only":    {"a" + strings.Repeat("\u0301", 200), 100, "a" + strings.Repeat("\u0301", 99)},
		"nothing":       {"abc", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, c.text[:cutAt(c.text, c.n)])
		})
	}
}

func TestSummarizeNeverExceedsItsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if rapid.Bool().Draw(t, "json") {
			encoded, err := json.Marshal(rapid.SliceOf(rapid.MapOf(rapid.String(), rapid.String())).Draw(t, "value"))
			require.NoError(t, err)
			text = string(encoded)
		}
		limit := rapid.IntRange(1, 300).Draw(t, "limit")
		short := Summarize(text, limit)
		require.LessOrEqual(t, utf8.RuneCountInString(short), limit)
		require.True(t, utf8.ValidString(short))
		if utf8.RuneCountInString(text) <= limit {
			require.Equal(t, text, short)
		}
	})
}
