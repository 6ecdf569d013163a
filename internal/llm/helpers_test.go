package llm

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
)

// tripper is a RoundTripper made of a function.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// respond makes a reply; headers are name, value, name, value.
func respond(status int, contentType, body string, headers ...string) *http.Response {
	h := http.Header{}
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

// answer is a RoundTripper that always gives the same reply.
func answer(status int, contentType, body string, headers ...string) tripper {
	return func(*http.Request) (*http.Response, error) {
		return respond(status, contentType, body, headers...), nil
	}
}

// over makes a client of a RoundTripper.
func over(rt http.RoundTripper) *http.Client { return &http.Client{Transport: rt} }

// modelOver makes a model that asks a RoundTripper.
func modelOver(t testing.TB, rt http.RoundTripper, change ...func(*Config)) agent.Model {
	t.Helper()
	c := Config{BaseURL: "http://model.invalid/v1", Model: "m", HTTPClient: over(rt)}
	for _, f := range change {
		f(&c)
	}
	m, err := New(c)
	require.NoError(t, err)
	return m
}

// hello is a small request.
func hello() *agent.Request {
	return &agent.Request{Messages: []agent.Message{{Role: "user", Content: "hello"}}}
}

// message wraps a message's JSON into a reply.
func message(msg string) string {
	return `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":` + msg +
		`,"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}`
}

// failed asserts the class of an error and returns it.
func failed(t *testing.T, err error, class agent.ErrorClass) *agent.ModelError {
	t.Helper()
	var e *agent.ModelError
	require.ErrorAs(t, err, &e)
	require.Equal(t, class, e.Class, "%v", err)
	return e
}

// number makes a pointer.
func number[T any](v T) *T { return &v }

// isJSON asserts that text is JSON.
func isJSON(t require.TestingT, text []byte) {
	require.True(t, json.Valid(text), "%s", text)
}
