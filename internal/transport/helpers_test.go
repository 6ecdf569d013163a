package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// tripper is a RoundTripper made of a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// good is a complete reply.
const good = `{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`

// respond makes a reply; headers are name, value, name, value.
func respond(status int, body string, headers ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

// script answers the first requests by the given replies and the others by good.
func script(replies ...func() (*http.Response, error)) (next tripper, asked *int) {
	asked = new(int)
	var mu sync.Mutex
	return func(r *http.Request) (*http.Response, error) {
		mu.Lock()
		n := *asked
		*asked++
		mu.Unlock()
		if n < len(replies) {
			return replies[n]()
		}
		return respond(200, good), nil
	}, asked
}

// replies repeats one reply n times.
func replies(n, status int, body string, headers ...string) []func() (*http.Response, error) {
	list := make([]func() (*http.Response, error), n)
	for i := range list {
		list[i] = func() (*http.Response, error) { return respond(status, body, headers...), nil }
	}
	return list
}

// failing repeats one error n times.
func failing(n int, err error) []func() (*http.Response, error) {
	list := make([]func() (*http.Response, error), n)
	for i := range list {
		list[i] = func() (*http.Response, error) { return nil, err }
	}
	return list
}

// post makes a chat request.
func post(t *testing.T, ctx context.Context) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://model.invalid/v1/chat/completions", bytes.NewReader([]byte(`{"model":"m"}`)))
	require.NoError(t, err)
	return r
}

// read returns a reply's body.
func read(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return string(b)
}
