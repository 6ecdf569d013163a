package llm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
	"github.com/skilleval/skilleval/internal/llm"
	"github.com/skilleval/skilleval/internal/transport"
)

// A server that answers every question with a call.
var server = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, err := io.WriteString(w, `{"choices":[{"message":{"content":null,"tool_calls":[
		{"id":"","function":{"name":"get_weather","arguments":{"city":"杭州"}}}]},"finish_reason":"stop"}]}`)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
})

func Example() {
	s := httptest.NewServer(server)
	defer s.Close()
	model, err := llm.New(llm.Config{BaseURL: s.URL, Model: "any", CountTokens: func(text string) int { return len(text) / 4 }})
	if err != nil {
		fmt.Println(err)
		return
	}
	reply, err := model.Chat(context.Background(), &agent.Request{
		Messages: []agent.Message{{Role: "user", Content: "Will it rain in Hangzhou today?"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range reply.ToolCalls {
		fmt.Println(call.ID, call.Name, call.Arguments)
	}
	fmt.Println(reply.Usage.Estimated)
	// Output:
	// call_1 get_weather {"city":"杭州"}
	// true
}

// The whole client side: the retries of the transport are reported by the model, in success and in failure.
func TestRetriesAreReported(t *testing.T) {
	var failures atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case failures.Add(-1) < 0:
			server(w, r)
		default:
			w.Header().Set("Retry-After-Ms", "1")
			http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
		}
	}))
	defer s.Close()
	rt := transport.NewRetry(transport.NewLimit(transport.Base(2), transport.LimitConfig{RPM: 600_000, TPM: 60_000_000}),
		transport.RetryConfig{MaxAttempts: 3, BaseDelay: time.Millisecond, AttemptTimeout: time.Minute})
	m, err := llm.New(llm.Config{BaseURL: s.URL, Model: "any", HTTPClient: &http.Client{Transport: rt}, AttemptTimeout: time.Nanosecond})
	require.NoError(t, err)
	ask := func() (*agent.Reply, error) {
		return m.Chat(t.Context(), &agent.Request{Messages: []agent.Message{{Role: "user", Content: "hello"}}})
	}
	failures.Store(2)
	reply, err := ask()
	require.NoError(t, err)
	assert.Equal(t, 2, reply.Retries)

	failures.Store(100)
	_, err = ask()
	var e *agent.ModelError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, agent.ErrRateLimit, e.Class)
	assert.Equal(t, 2, e.Retries)
	assert.Contains(t, e.Message, "slow down")

	s.Close()
	_, err = ask()
	require.ErrorAs(t, err, &e)
	assert.Equal(t, agent.ErrNetwork, e.Class)
	assert.Equal(t, 2, e.Retries)
}

// What the transport reads at most is still too large for the client: no cut reply passes for a whole one.
func TestReplyLimitOfTheTransport(t *testing.T) {
	assert.Equal(t, llm.MaxReply+1, transport.MaxReplyBytes)
	assert.Equal(t, llm.AttemptsHeader, transport.AttemptsHeader)
}
