package offline

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHTTPErrors(t *testing.T) {
	ok := `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
	for name, c := range map[string]struct {
		method, path, body string
		status             int
		message            string
	}{
		"path":            {"POST", "/v1/embeddings", ok, 404, "unknown path"},
		"method":          {"GET", "/v1/chat/completions", "", 405, "use POST"},
		"empty":           {"POST", "/v1/chat/completions", "", 400, "not a Chat Completions request"},
		"not JSON":        {"POST", "/v1/chat/completions", "{", 400, "not a Chat Completions request"},
		"array":           {"POST", "/v1/chat/completions", "[]", 400, "not a Chat Completions request"},
		"no messages":     {"POST", "/v1/chat/completions", `{"model":"m"}`, 400, "messages is missing or empty"},
		"null messages":   {"POST", "/v1/chat/completions", `{"messages":[]}`, 400, "messages is missing or empty"},
		"role":            {"POST", "/v1/chat/completions", `{"messages":[{"role":"robot","content":"x"}]}`, 400, `role \"robot\" is unknown`},
		"content":         {"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":7}]}`, 400, "content must be"},
		"parts":           {"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":[7]}]}`, 400, "array of something else"},
		"stream":          {"POST", "/v1/chat/completions", `{"stream":true,"messages":[{"role":"user","content":"x"}]}`, 400, "stream is not supported"},
		"n":               {"POST", "/v1/chat/completions", `{"n":2,"messages":[{"role":"user","content":"x"}]}`, 400, "n is 2"},
		"tools":           {"POST", "/v1/chat/completions", `{"tools":{},"messages":[{"role":"user","content":"x"}]}`, 400, "tools must be an array"},
		"nameless":        {"POST", "/v1/chat/completions", `{"tools":[{"type":"function","function":{}}],"messages":[{"role":"user","content":"x"}]}`, 400, "no name"},
		"no function":     {"POST", "/v1/chat/completions", `{"tools":[{"type":"function"}],"messages":[{"role":"user","content":"x"}]}`, 400, "function is missing"},
		"choice":          {"POST", "/v1/chat/completions", `{"tool_choice":"maybe","messages":[{"role":"user","content":"x"}]}`, 400, "tool_choice"},
		"choice shape":    {"POST", "/v1/chat/completions", `{"tool_choice":{"type":"x"},"messages":[{"role":"user","content":"x"}]}`, 400, "tool_choice must be"},
		"required, none":  {"POST", "/v1/chat/completions", `{"tool_choice":"required","messages":[{"role":"user","content":"x"}]}`, 400, "there are no tools"},
		"named, not here": {"POST", "/v1/chat/completions", `{"tool_choice":{"type":"function","function":{"name":"f"}},"messages":[{"role":"user","content":"x"}]}`, 400, "not among the tools"},
		"fine":            {"POST", "/any/base/chat/completions", ok, 200, "chat.completion"},
		"developer":       {"POST", "/v1/chat/completions", `{"messages":[{"role":"developer","content":"x"},{"role":"user","content":null}]}`, 200, "chat.completion"},
		"unknown tool":    {"POST", "/v1/chat/completions", `{"tools":[{"type":"custom","custom":{"name":"x"}}],"messages":[{"role":"user","content":"x"}]}`, 200, "chat.completion"},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := http.NewRequest(c.method, "http://offline.invalid"+c.path, strings.NewReader(c.body))
			require.NoError(t, err)
			resp, err := Lexical().RoundTrip(req)
			require.NoError(t, err)
			defer resp.Body.Close()
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			assert.Equal(t, c.status, resp.StatusCode, string(body))
			assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
			assert.Contains(t, string(body), c.message)
			assert.True(t, json.Valid(body))
			assert.Same(t, req, resp.Request)
			if c.status != 200 {
				var e struct {
					Error struct{ Message, Type string }
				}
				require.NoError(t, json.Unmarshal(body, &e))
				assert.Equal(t, "invalid_request_error", e.Error.Type)
			}
		})
	}
}

// closing notes that it was closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

// failing cannot be read.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("cut off") }

func TestBodyAndContext(t *testing.T) {
	body := &closing{Reader: strings.NewReader(`{"messages":[{"role":"user","content":"hi"}]}`)}
	req, err := http.NewRequest("POST", "http://offline.invalid/chat/completions", body)
	require.NoError(t, err)
	resp, err := Lexical().RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	assert.True(t, body.closed)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	body.closed = false
	_, err = Lexical().RoundTrip(req.WithContext(ctx))
	assert.ErrorIs(t, err, context.Canceled)
	assert.True(t, body.closed, "also when the context has ended")

	req.Body = nil
	resp, err = Lexical().RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, 400, resp.StatusCode)
	require.NoError(t, resp.Body.Close())

	req.Body = io.NopCloser(failing{})
	resp, err = Lexical().RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, 400, resp.StatusCode)
	require.NoError(t, resp.Body.Close())

	req.Body = io.NopCloser(strings.NewReader(strings.Repeat(" ", maxBody+1)))
	resp, err = Lexical().RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, 413, resp.StatusCode)
	require.NoError(t, resp.Body.Close())
}

func TestSameBytesWhateverCameBefore(t *testing.T) {
	bodies := []string{}
	for _, q := range []string{"What is the air like in Lyon?", "remind me to water the plants", "今天上海会下雨吗", "hello"} {
		data, err := json.Marshal(object{"model": "m", "tools": []object{selector(garden)}, "messages": []object{
			msg("system", systemText), msg("user", q+divider+block(garden)+"\n"+nativeTwoLevel)}})
		require.NoError(t, err)
		bodies = append(bodies, string(data))
	}
	want := make([]string, len(bodies))
	for i, b := range bodies {
		_, want[i] = post(t, Lexical(), b)
	}
	assert.NotContains(t, want[0], "usage")
	model := Lexical()
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 40 {
				k := (i + worker) % len(bodies)
				_, got := post(t, model, bodies[k])
				assert.Equal(t, want[k], got)
			}
		})
	}
	group.Wait()
}

func TestCacheIsBoundedAndOnlyACache(t *testing.T) {
	c := newIndexCache(2, 10)
	built := 0
	get := func(text string) *index {
		return c.get(text, func() []entry { built++; return []entry{{name: text}} })
	}
	assert.Equal(t, "aaa", get("aaa").entries[0].name)
	assert.Equal(t, "aaa", get("aaa").entries[0].name)
	assert.Equal(t, 1, built)
	get("bbb")
	get("ccc")
	assert.Len(t, c.order, 2)
	get("aaa")
	assert.Equal(t, 4, built, "the oldest left")
	get("dddddddd")
	assert.LessOrEqual(t, c.bytes, 10)
	get("larger than all that is kept")
	assert.LessOrEqual(t, c.bytes, 10)
	assert.Len(t, c.byText, len(c.order))
}
