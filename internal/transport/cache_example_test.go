package transport

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func ExampleNewCache() {
	dir, err := os.MkdirTemp("", "cache")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	cache, err := OpenCache(dir, 100<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	server := tripper(func(*http.Request) (*http.Response, error) { return respond(200, good), nil })
	client := &http.Client{Transport: NewCache(NewRetry(server, RetryConfig{}), cache, CacheOn)}
	for range 2 {
		resp, err := client.Post("http://model.invalid/v1/chat/completions", "application/json", strings.NewReader("{}"))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d %q %v\n", resp.StatusCode, resp.Header.Get(CacheHeader), resp.Body.Close())
	}
	stats, err := cache.Stats()
	fmt.Println(stats.Entries, stats.Hits, stats.Misses, err, cache.Close())
	// Output:
	// 200 "" <nil>
	// 200 "hit" <nil>
	// 1 1 1 <nil> <nil>
}

func ExampleNewReplay() {
	dir, err := os.MkdirTemp("", "recording")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	server := tripper(func(*http.Request) (*http.Response, error) { return respond(200, good), nil })
	record, err := NewRecord(server, dir, Redact("sk-test-abc123"))
	if err != nil {
		fmt.Println(err)
		return
	}
	post := func(rt http.RoundTripper, body string) (*http.Response, error) {
		return (&http.Client{Transport: rt}).Post("http://model.invalid/v1/chat/completions", "application/json", strings.NewReader(body))
	}
	if _, err := post(record, `{"messages":[{"role":"user","content":"hello"}]}`); err != nil {
		fmt.Println(err)
		return
	}
	replay, err := NewReplay(dir, Redact("sk-test-abc123"))
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := post(replay, `{"messages":[{"role":"user","content":"hello"}]}`)
	fmt.Println(resp.Status, err)
	var missing *NotRecordedError
	_, err = post(replay, `{"messages":[{"role":"user","content":"good morning"}]}`)
	fmt.Println(errors.As(err, &missing), missing.Method, missing.Path, missing.Prompt)
	// Output:
	// 200 OK <nil>
	// true POST /v1/chat/completions good morning
}
