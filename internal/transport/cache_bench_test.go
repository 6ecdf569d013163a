package transport

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkCache measures what the cache costs a request with a catalogue of 20 kB.
func BenchmarkCache(b *testing.B) {
	catalogue := strings.Repeat("- name: a skill that does something\\n", 550)
	body := func(i int) string {
		return fmt.Sprintf(`{"model":"m","messages":[{"role":"user","content":"%d %s"}],"temperature":0}`, i, catalogue)
	}
	next := tripper(func(*http.Request) (*http.Response, error) { return respond(200, good), nil })
	run := func(b *testing.B, mode string, body func(i int) string) {
		rt := NewCache(next, openCache(b, b.TempDir(), 1<<30), mode)
		ask(b, rt, body(0))
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			resp, err := rt.RoundTrip(request(b, chatURL, body(i)))
			if err != nil || resp.StatusCode != 200 {
				b.Fatal(resp, err)
			}
		}
	}
	same := body(0)
	b.Run("off", func(b *testing.B) { run(b, CacheOff, func(int) string { return same }) })
	b.Run("hit", func(b *testing.B) { run(b, CacheOn, func(int) string { return same }) })
	b.Run("miss", func(b *testing.B) { run(b, CacheOn, func(i int) string { return body(i + 1) }) })
}
