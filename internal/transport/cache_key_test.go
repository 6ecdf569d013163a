package transport

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const chatURL = "http://model.invalid/v1/chat/completions"

// request makes a POST request.
func request(t testing.TB, url, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	return r
}

// key is the digest of a POST request.
func key(t testing.TB, url, body, repetition string) digest {
	t.Helper()
	return keyOf(request(t, url, body), []byte(body), repetition)
}

func TestKeySeparates(t *testing.T) {
	base := `{"model":"m","messages":[{"role":"user","content":"hi"}],"temperature":0,"max_tokens":16}`
	want := key(t, chatURL, base, "")
	for name, c := range map[string]struct{ url, body, repetition string }{
		"temperature":         {chatURL, strings.Replace(base, `"temperature":0`, `"temperature":1`, 1), ""},
		"temperature left":    {chatURL, strings.Replace(base, `"temperature":0,`, ``, 1), ""},
		"temperature as text": {chatURL, strings.Replace(base, `"temperature":0`, `"temperature":0.0`, 1), ""},
		"max_tokens":          {chatURL, strings.Replace(base, "16", "4000", 1), ""},
		"seed":                {chatURL, strings.Replace(base, `{"model"`, `{"seed":1,"model"`, 1), ""},
		"tool_choice":         {chatURL, strings.Replace(base, `{"model"`, `{"tool_choice":"auto","model"`, 1), ""},
		"null":                {chatURL, strings.Replace(base, `{"model"`, `{"seed":null,"model"`, 1), ""},
		"white space inside":  {chatURL, strings.Replace(base, "hi", "hi ", 1), ""},
		"repetition":          {chatURL, base, "1"},
		"repetition 0":        {chatURL, base, "0"},
		"other host":          {"http://other.invalid/v1/chat/completions", base, ""},
		"other port":          {"http://model.invalid:81/v1/chat/completions", base, ""},
		"other scheme":        {"https://model.invalid/v1/chat/completions", base, ""},
		"other path":          {"http://model.invalid/v2/chat/completions", base, ""},
		"query":               {chatURL + "?api-version=1", base, ""},
		"not JSON":            {chatURL, base + "x", ""},
		"field twice":         {chatURL, strings.Replace(base, `{"model"`, `{"model":"m","model"`, 1), ""},
		"empty":               {chatURL, "", ""},
	} {
		assert.NotEqual(t, want, key(t, c.url, c.body, c.repetition), name)
	}
	get := request(t, chatURL, base)
	get.Method = http.MethodGet
	assert.NotEqual(t, want, keyOf(get, []byte(base), ""))
	// Parts do not run into each other.
	assert.NotEqual(t, key(t, chatURL, "x1", ""), key(t, chatURL, "x", "1"))
	// Large numbers differ in their last digit; a lone surrogate is not another one; bytes that are not UTF-8 count.
	assert.NotEqual(t, key(t, chatURL, `[8021929379916255508]`, ""), key(t, chatURL, `[8021929379916255509]`, ""))
	assert.NotEqual(t, key(t, chatURL, `["\ud800"]`, ""), key(t, chatURL, `["\ud801"]`, ""))
	assert.NotEqual(t, key(t, chatURL, "[\"\xff\"]", ""), key(t, chatURL, "[\"\xfe\"]", ""))
}

func TestKeyIgnores(t *testing.T) {
	base := `{"model":"m","messages":[{"role":"user","content":"hi"}]}`
	want := key(t, chatURL+"?api-version=1&b=2", base, "3")
	for name, c := range map[string]struct{ url, body string }{
		"order of fields":  {chatURL + "?api-version=1&b=2", `{"messages":[{"content":"hi","role":"user"}],"model":"m"}`},
		"white space":      {chatURL + "?api-version=1&b=2", "{ \"model\" : \"m\",\n\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"},
		"key in the query": {chatURL + "?api-version=1&api_key=abc&b=2&sig=x", base},
		"order of query":   {chatURL + "?b=2&api-version=1", base},
		"user information": {"http://user:pw@model.invalid/v1/chat/completions?api-version=1&b=2", base},
		"case of the host": {"http://MODEL.invalid/v1/chat/completions?api-version=1&b=2", base},
	} {
		assert.Equal(t, want, key(t, c.url, c.body, "3"), name)
	}
	r := request(t, chatURL+"?api-version=1&b=2", base)
	r.Header.Set("Authorization", "Bearer x")
	assert.Equal(t, want, keyOf(r, []byte(base), "3"))
	assert.NotEqual(t, want, key(t, chatURL+"?max_tokens=1&api-version=1&b=2", base, "3")) // not a key
	assert.NotEqual(t, key(t, chatURL+"?a=1&a=2", base, ""), key(t, chatURL+"?a=2&a=1", base, ""))
}

// Any byte of the prompt, changed, added or left out, makes another request.
func TestKeyOfEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prompt := rapid.StringN(1, 60, -1).Draw(t, "prompt")
		i := rapid.IntRange(0, len(prompt)-1).Draw(t, "at")
		c := rapid.Byte().Draw(t, "byte")
		changed := prompt[:i] + string([]byte{c}) + prompt[i+rapid.IntRange(0, 1).Draw(t, "replaced"):]
		body := func(prompt string) []byte { // as bytes: json.Marshal would mend what is not UTF-8
			text, err := json.Marshal(strings.ToValidUTF8(prompt, "?"))
			if err != nil {
				t.Fatal(err)
			}
			if strings.ToValidUTF8(prompt, "?") != prompt {
				text = []byte(`"` + prompt + `"`)
			}
			return []byte(`{"model":"m","messages":[{"role":"system","content":` + string(text) + `}]}`)
		}
		r, err := http.NewRequest(http.MethodPost, chatURL, nil)
		if err != nil {
			t.Fatal(err)
		}
		same := keyOf(r, body(prompt), "") == keyOf(r, body(changed), "")
		if same != (prompt == changed) {
			t.Fatalf("%q and %q: same key %v", prompt, changed, same)
		}
	})
}

// The repetition never reaches the server, and layers below the first still see it.
func TestRepetitionIsStripped(t *testing.T) {
	cache, err := OpenCache(t.TempDir(), 0)
	require.NoError(t, err)
	record := func(next http.RoundTripper) http.RoundTripper {
		rt, err := NewRecord(next, t.TempDir())
		require.NoError(t, err)
		return rt
	}
	for name, wrap := range map[string]func(http.RoundTripper) http.RoundTripper{
		"strip":  NewStrip,
		"off":    func(next http.RoundTripper) http.RoundTripper { return NewCache(next, cache, CacheOff) },
		"no dir": func(next http.RoundTripper) http.RoundTripper { return NewCache(next, nil, CacheOn) },
		"on":     func(next http.RoundTripper) http.RoundTripper { return NewCache(next, cache, CacheOn) },
		"record": record,
		"all": func(next http.RoundTripper) http.RoundTripper {
			return record(NewCache(NewStrip(next), cache, CacheOn))
		},
	} {
		t.Run(name, func(t *testing.T) {
			body := `{"model":"` + name + `"}`
			asked := 0
			rt := wrap(tripper(func(r *http.Request) (*http.Response, error) {
				asked++
				assert.Empty(t, r.Header.Values(RepetitionHeader))
				assert.Equal(t, "Bearer k", r.Header.Get("Authorization"))
				got, err := io.ReadAll(r.Body)
				assert.NoError(t, err)
				assert.Equal(t, body, string(got))
				return respond(200, good), nil
			}))
			for _, repetition := range []string{"1", "2"} {
				r := request(t, chatURL, body)
				r.Header.Set(RepetitionHeader, repetition)
				r.Header.Set("Authorization", "Bearer k")
				resp, err := rt.RoundTrip(r)
				require.NoError(t, err)
				assert.Equal(t, good, read(t, resp))
				assert.Equal(t, repetition, r.Header.Get(RepetitionHeader), "the caller's request is not changed")
			}
			assert.Equal(t, 2, asked, "repetitions are independent")
		})
	}
}

func TestOtherRequestsPassThrough(t *testing.T) {
	cache, err := OpenCache(t.TempDir(), 0)
	require.NoError(t, err)
	next, asked := script()
	rt := NewCache(next, cache, CacheOn)
	for range 2 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://model.invalid/v1/models", nil)
		require.NoError(t, err)
		resp, err := rt.RoundTrip(r)
		require.NoError(t, err)
		assert.Equal(t, good, read(t, resp))
	}
	assert.Equal(t, 2, *asked)
}

func TestEndedContextIsNotAnswered(t *testing.T) {
	cache, err := OpenCache(t.TempDir(), 0)
	require.NoError(t, err)
	next, asked := script()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = NewCache(next, cache, CacheOn).RoundTrip(request(t, chatURL, "{}").WithContext(ctx))
	assert.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, *asked)
}
