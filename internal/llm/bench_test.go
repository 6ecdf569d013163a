package llm_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/internal/llm"
	"github.com/skilleval/skilleval/internal/transport"
)

const reply = `{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"m","choices":[{"index":0,"message":{"role":"assistant",` +
	`"content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"select_skill","arguments":"{\"name\":\"get_weather\"}"}}]},` +
	`"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":2400,"completion_tokens":12,"total_tokens":2412},"system_fingerprint":"fp"}`

// request is about 10 kB: a catalogue in the prompt and tools with schemas.
func request() *agent.Request {
	var catalogue strings.Builder
	req := &agent.Request{ToolChoice: "auto"}
	for i := range 24 {
		fmt.Fprintf(&catalogue, "- skill_%d: Does the thing number %d \"well\" for a user who asks for it. Use when: it is needed, 今天.\n", i, i)
		req.Tools = append(req.Tools, agent.Tool{Name: fmt.Sprintf("skill_%d", i), Description: "Does the thing for a user who asks for it.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string","description":"The city."},"days":{"type":"integer"}},"required":["city"]}`)})
	}
	req.Messages = []agent.Message{{Role: "system", Content: "Answer."}, {Role: "user", Content: "Will it rain?\n\n---\n" + catalogue.String()}}
	return req
}

// inProcess answers without a network.
type inProcess struct{}

func (inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(reply)), ContentLength: int64(len(reply))}, nil
}

func BenchmarkChat(b *testing.B) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		if _, err := io.WriteString(w, reply); err != nil {
			panic(http.ErrAbortHandler)
		}
	}))
	defer s.Close()
	for _, c := range []struct {
		name string
		rt   http.RoundTripper
	}{
		{"in-process", inProcess{}},
		{"in-process-retry", transport.NewRetry(inProcess{}, transport.RetryConfig{AttemptTimeout: 1e12})},
		{"loopback-retry", transport.NewRetry(transport.Base(8), transport.RetryConfig{AttemptTimeout: 1e12})},
	} {
		b.Run(c.name, func(b *testing.B) {
			m, err := llm.New(llm.Config{BaseURL: s.URL, Model: "m", APIKey: "sk-none", HTTPClient: &http.Client{Transport: c.rt}})
			if err != nil {
				b.Fatal(err)
			}
			req := request()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Chat(b.Context(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
