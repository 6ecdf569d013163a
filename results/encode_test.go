package results

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whatever a model sent, the line that is written can be read.
func TestHostileArguments(t *testing.T) {
	deep := strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999)
	for _, c := range []struct{ name, args, want string }{
		{"plain", `{"b": 1.0e+02, "a": "x<y"}`, `{"b":1.0e+02,"a":"x<y"}`},
		{"absent", ``, `null`},
		{"repeated key", `{"a":1,"a":2}`, `{"a":2}`},
		{"repeated key, big number", `{"a":1,"a":8021929379916255508}`, `{"a":8021929379916255508}`},
		{"lone surrogate", `{"a":"\ud83d"}`, `{"a":"�"}`},
		{"broken UTF-8", "{\"a\":\"\xff\"}", `{"a":"�"}`},
		{"out of range", `{"a":1e999}`, `{"a":1e999}`},
		{"no JSON", `{"a":`, `"{\"a\":"`},
		{"two values", `{} {}`, `"{} {}"`},
		{"prose with broken UTF-8", "sure! \xff", `"sure! �"`},
		{"too deep", deep, `"` + deep + `"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			trial := testTrial("c")
			trial.Calls = []Call{{Skill: "s", Args: json.RawMessage(c.args)}, {Skill: "t", Args: json.RawMessage(`{}`)}}
			got := all(t, newRun(t, testHeader(), trial))[0]
			assert.Equal(t, c.want, string(got.Calls[0].Args))
			assert.Equal(t, c.args, string(trial.Calls[0].Args), "the caller's trial is left alone")
		})
	}
}

func TestHostileTexts(t *testing.T) {
	trial := testTrial("c\x00\n\u2028")
	trial.Answer, trial.Tags = "a\xffb\"\\\r\n</script>", []string{"\xf0\x9f"}
	trial.Tiers = map[string]int{"json": 1, "native": 2}
	got := all(t, newRun(t, testHeader(), trial))[0]
	assert.Equal(t, "c\x00\n\u2028", got.Case)
	assert.Equal(t, "a\ufffdb\"\\\r\n</script>", got.Answer)
	assert.Equal(t, trial.Tiers, got.Tiers)
}

func TestHostileHeader(t *testing.T) {
	h := testHeader()
	h.Skills = []json.RawMessage{json.RawMessage(`{"name":"a","parameters":{"type":"object","type":"object"}}`)}
	run, err := Open(newRun(t, h))
	require.NoError(t, err)
	assert.JSONEq(t, `{"name":"a","parameters":{"type":"object"}}`, string(run.Header().Skills[0]))
	assert.Contains(t, string(h.Skills[0]), `"type":"object","type"`, "the caller's header is left alone")
}

func TestTooLarge(t *testing.T) {
	trial := testTrial("c")
	var buf bytes.Buffer
	require.NoError(t, encodeTrial(&buf, trial, 1<<10))
	size := buf.Len()
	buf.Reset()
	require.NoError(t, encodeTrial(&buf, trial, size))
	buf.Reset()
	err := encodeTrial(&buf, trial, size-1)
	require.ErrorIs(t, err, ErrTooLarge)
	assert.ErrorContains(t, err, "c/main/0")
}

func FuzzEncodeTrial(f *testing.F) {
	f.Add([]byte(`{"a":1,"a":2}`), "answer")
	f.Add([]byte("\xff"), "\xff")
	f.Add([]byte(`"\ud800"`), "")
	f.Add([]byte("null x"), "")
	f.Fuzz(func(t *testing.T, args []byte, text string) {
		trial := testTrial("c")
		trial.Answer, trial.Calls = text, []Call{{Skill: text, Args: args}}
		var buf bytes.Buffer
		require.NoError(t, encodeTrial(&buf, trial, maxLine))
		require.True(t, jsontext.Value(buf.Bytes()).IsValid())
		require.Equal(t, 1, bytes.Count(buf.Bytes(), []byte("\n")))
		ix, err := buildIndex("f", &buf, []Arm{{Name: "main"}})
		require.NoError(t, err)
		require.Len(t, ix.entries, 1)
	})
}
