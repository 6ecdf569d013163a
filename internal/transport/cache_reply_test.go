package transport

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// choice makes a chat reply with one choice.
func choice(reason, message string) string {
	return `{"choices":[{"finish_reason":` + reason + `,"message":` + message + `}]}`
}

// Nothing but a complete answer is stored: the next request is asked again, and the good reply is kept.
func TestUnfitRepliesAreNotStored(t *testing.T) {
	said := `{"content":"x"}`
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"400":                 {400, good},
		"429":                 {429, good},
		"500":                 {500, good},
		"redirect":            {307, good},
		"empty":               {200, ""},
		"html":                {200, "<html>busy</html>"},
		"array":               {200, "[]"},
		"cut":                 {200, good[:len(good)-5]},
		"two values":          {200, good + good},
		"error":               {200, `{"error":{"message":"upstream overloaded","code":502}}`},
		"error text":          {200, `{"error":"overloaded"}`},
		"error and choices":   {200, `{"error":{"message":"x"},` + good[1:]},
		"choices null":        {200, `{"choices":null}`},
		"choices empty":       {200, `{"choices":[]}`},
		"choices absent":      {200, `{}`},
		"choice's error":      {200, `{"choices":[{"error":{"code":502},"finish_reason":"stop","message":{"content":"x"}}]}`},
		"second choice cut":   {200, `{"choices":[{"message":{"content":"x"}},{"finish_reason":"length","message":{"content":"x"}}]}`},
		"length":              {200, choice(`"length"`, said)},
		"max_tokens":          {200, choice(`"MAX_TOKENS"`, said)},
		"content_filter":      {200, choice(`"content_filter"`, said)},
		"safety":              {200, choice(`"SAFETY"`, said)},
		"error reason":        {200, choice(`"error"`, said)},
		"no message":          {200, `{"choices":[{"finish_reason":"stop"}]}`},
		"content null":        {200, choice(`"stop"`, `{"content":null}`)},
		"content empty":       {200, choice(`"stop"`, `{"content":""}`)},
		"content blank":       {200, choice(`"stop"`, `{"content":" \n"}`)},
		"content empty parts": {200, choice(`"stop"`, `{"content":[{"type":"text","text":""}]}`)},
		"refusal alone":       {200, choice(`"stop"`, `{"content":null,"refusal":"no"}`)},
		"reasoning alone":     {200, choice(`"stop"`, `{"content":"","reasoning_content":"hm"}`)},
		"calls empty":         {200, choice(`"tool_calls"`, `{"tool_calls":[]}`)},
		"call without name":   {200, choice(`"tool_calls"`, `{"tool_calls":[{"id":"a","function":{"name":""}}]}`)},
		"full and broken": {200, `{"choices":[{"finish_reason":"stop","message":{"tool_calls":[{"function":{"name":"f","arguments":"{\"a\":"}}]}}],` +
			`"usage":{"completion_tokens":16}}`},
		"stream": {200, "data: " + good + "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			next, asked := script(replies(1, c.status, c.body)...)
			cache := openCache(t, t.TempDir(), 0)
			rt := NewCache(next, cache, CacheOn)
			const body = `{"max_tokens":16}`
			got, hit := ask(t, rt, body)
			assert.Equal(t, c.body, got)
			assert.False(t, hit)
			assert.Zero(t, stats(t, cache).Entries)
			assert.EqualValues(t, 1, stats(t, cache).Unfit)
			got, hit = ask(t, rt, body)
			assert.Equal(t, good, got)
			assert.False(t, hit)
			_, hit = ask(t, rt, body)
			assert.True(t, hit)
			assert.Equal(t, 2, *asked)
		})
	}
}

func TestCompleteRepliesAreStored(t *testing.T) {
	call := `{"function":{"name":"f","arguments":"{}"}}`
	for name, body := range map[string]string{
		"content":          good,
		"no reason":        choice("null", `{"content":"x"}`),
		"upper case":       choice(`"STOP"`, `{"content":"x"}`),
		"parts":            choice(`"stop"`, `{"content":[{"type":"text","text":"x"}]}`),
		"call":             choice(`"tool_calls"`, `{"content":null,"tool_calls":[`+call+`]}`),
		"call and stop":    choice(`"stop"`, `{"content":"","tool_calls":[`+call+`]}`),
		"flat call":        choice(`"stop"`, `{"tool_calls":[{"name":"f","arguments":{}}]}`),
		"function_call":    choice(`"function_call"`, `{"function_call":{"name":"f","arguments":"{}"}}`),
		"broken arguments": choice(`"tool_calls"`, `{"tool_calls":[{"function":{"name":"f","arguments":"{\"a\":"}}]}`),
		"error null":       `{"error":null,` + good[1:],
		"odd usage":        strings.Replace(good, `"completion_tokens":1`, `"completion_tokens":"many"`, 1),
	} {
		assert.True(t, fitToStore(chatEndpoint, 200, []byte(`{"max_tokens":16}`), []byte(body)), name)
	}
	full := strings.Replace(good, `"completion_tokens":1`, `"completion_tokens":16`, 1)
	assert.True(t, fitToStore(chatEndpoint, 201, []byte(`{"max_completion_tokens":16}`), []byte(full)), "text as long as allowed says so itself")
}

func TestEmbeddings(t *testing.T) {
	for body, want := range map[string]bool{
		`{"data":[{"embedding":[0.1,2]}]}`:                     true,
		`{"data":[{"embedding":"AAAA"}]}`:                      true,
		`{"data":[{"embedding":[0.1]},{"embedding":[]}]}`:      false,
		`{"data":[{"embedding":""}]}`:                          false,
		`{"data":[{}]}`:                                        false,
		`{"data":[]}`:                                          false,
		`{}`:                                                   false,
		`{"error":{"code":1},"data":[{"embedding":[1]}]}`:      false,
		`{"data":[{"embedding":[0.1,2]}]`:                      false,
		`{"choices":[{"message":{"content":"not a vector"}}]}`: false,
	} {
		next, asked := script(replies(2, 200, body)...)
		rt := NewCache(next, openCache(t, t.TempDir(), 0), CacheOn)
		for range 2 {
			resp, err := rt.RoundTrip(request(t, "http://model.invalid/v1/embeddings", `{"input":["a"]}`))
			require.NoError(t, err)
			assert.Equal(t, body, read(t, resp))
		}
		assert.Equal(t, want, *asked == 1, body)
	}
}
