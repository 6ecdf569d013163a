package datasets

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		oneCase, "[" + oneCase + "]", `{"cases":[` + oneCase + `]}`, "\ufeff" + oneCase + "\r\n\r" + oneCase,
		"- {id: 1, input: a, expect: {none: true}}\n", "cases:\n  - &a {input: a, expect: {skill: s, args: {x: *a}}}\n",
		"id,input,tags,skill,args\n1,a,x y,s,{}\n", `{"input":"a","history":[{"role":"user","content":"b"}],"expect":{"skill":"s","args":{"a":{"$anyOf":[1]}}}}`,
		`{"\u0069d":"a","input":"b","expect":[]}`, "- ? [a]\n  : b\n", "%YAML 1.1\n---\n- !!int x\n", "\xff\xfe", `{"a":"\ud83d"}`,
	} {
		for format := range byte(4) {
			f.Add(format, []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, format byte, data []byte) {
		name := "c" + []string{".jsonl", ".yaml", ".csv", ".json"}[format%4]
		cases, err := Read(name, bytes.NewReader(data))
		if err != nil {
			var faults Faults
			require.ErrorAs(t, err, &faults)
			require.NotEmpty(t, faults)
			Check(cases, catalogue()) // those without a fault are checked beside it
			return
		}
		require.NotEmpty(t, cases, "no case and no fault")
		Check(cases, catalogue())
		Describe(cases, nil)
		// What was read can be written and read again, with the same content.
		var b bytes.Buffer
		for i := range cases {
			raw, err := json.Marshal(cases[i])
			require.NoError(t, err)
			b.Write(append(raw, '\n'))
		}
		again, err := Read("c.jsonl", &b)
		require.NoError(t, err)
		require.Equal(t, Digest(cases), Digest(again))
	})
}

func manyCases(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":"case-%06d","input":"Please find out whether it is going to rain in city number %d next week and tell me what to pack for three days of hiking","tags":["en","confusable","weather"],"expect":{"calls":[{"skill":"get_weather","args":{"city":"City %d","days":3}}]},"group":"g%d"}`+"\n", i, i, i, i/4)
	}
	return b.Bytes()
}

func TestManyCasesAreCompact(t *testing.T) {
	const n = 25_000 // BenchmarkRead100k has the full number
	data := manyCases(n)
	assert.InDelta(t, 300, len(data)/n, 30)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	cases, err := Read("c.jsonl", bytes.NewReader(data))
	require.NoError(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Len(t, cases, n)
	heap := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) >> 20
	t.Logf("%d MiB for %d cases", heap, n)
	assert.LessOrEqual(t, heap, int64(15))
	runtime.KeepAlive(cases)
	runtime.KeepAlive(data)
}

func BenchmarkRead100k(b *testing.B) {
	data := manyCases(100_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		cases, err := Read("c.jsonl", bytes.NewReader(data))
		if err != nil || len(cases) != 100_000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck100k(b *testing.B) {
	cases, err := Read("c.jsonl", bytes.NewReader(manyCases(100_000)))
	require.NoError(b, err)
	list := catalogue()
	b.ReportAllocs()
	for b.Loop() {
		if f := Check(cases, list).Errors(); f != nil {
			b.Fatal(f)
		}
	}
}

func BenchmarkDigest100k(b *testing.B) {
	cases, err := Read("c.jsonl", bytes.NewReader(manyCases(100_000)))
	require.NoError(b, err)
	for b.Loop() {
		Digest(cases)
	}
}

func TestCaseRoundTrip(t *testing.T) {
	cases := read(t, "c.jsonl", `{"id":"a","input":"x < y & z","tags":["t"],"context_tags":["u"],"history":[{"role":"user","content":"h"}],"expect":{"calls":[{"skill":"s","args":{"q":8021929379916255508}},{"skill":"t","args":{}},{"skill":"u"}],"order":"strict"},"accept":[{"none":true}],"results":{"s":{"a":[1]}},"group":"g","notes":"n"}`)
	raw, err := json.Marshal(cases[0])
	require.NoError(t, err)
	var plain Case
	require.NoError(t, json.Unmarshal(raw, &plain))
	plain.File, plain.Line = cases[0].File, cases[0].Line
	assert.True(t, reflect.DeepEqual(cases[0], plain), "%s", raw)
	parsed, err := Parse(raw)
	require.NoError(t, err)
	assert.Equal(t, Digest(cases), Digest([]Case{parsed}))
	assert.Equal(t, "g", parsed.Cluster())
	parsed.Group = ""
	assert.Equal(t, "a", parsed.Cluster())
	assert.False(t, strings.Contains(string(raw), "File"))
}
