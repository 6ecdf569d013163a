package llm

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked sends a request and returns what reached the server.
func askedRequest(t *testing.T, c Config) *http.Request {
	t.Helper()
	var got *http.Request
	c.Model = "m"
	c.HTTPClient = over(tripper(func(r *http.Request) (*http.Response, error) {
		got = r
		return respond(200, "application/json", message(`{"content":"ok"}`)), nil
	}))
	m, err := New(c)
	require.NoError(t, err)
	_, err = m.Chat(t.Context(), hello())
	require.NoError(t, err)
	return got
}

func TestBaseURL(t *testing.T) {
	for base, want := range map[string]string{
		"":                                     "https://api.openai.com/v1/chat/completions",
		"http://h":                             "http://h/v1/chat/completions",
		"http://h/":                            "http://h/v1/chat/completions",
		" http://h/v1 ":                        "http://h/v1/chat/completions",
		"http://h/v1/":                         "http://h/v1/chat/completions",
		"http://h/v1//":                        "http://h/v1/chat/completions",
		"http://h:8000/api/v1":                 "http://h:8000/api/v1/chat/completions",
		"http://h/v1/chat/completions":         "http://h/v1/chat/completions",
		"http://h/v1/chat/completions/":        "http://h/v1/chat/completions",
		"http://h/chat/completions":            "http://h/chat/completions",
		"https://h/v1?api-version=2024-10-21":  "https://h/v1/chat/completions?api-version=2024-10-21",
		"http://h?a=b":                         "http://h/v1/chat/completions?a=b",
		"http://h/v1/chat/completions?a=b&c=d": "http://h/v1/chat/completions?a=b&c=d",
		"http://h/v1#part":                     "http://h/v1/chat/completions",
		"http://h/openai/deployments/my%2Fmodel/chat/completions?api-version=x": "http://h/openai/deployments/my%2Fmodel/chat/completions?api-version=x",
		"HTTP://[::1]:8080/v1": "http://[::1]:8080/v1/chat/completions",
	} {
		r := askedRequest(t, Config{BaseURL: base})
		assert.Equal(t, want, r.URL.String(), "%q", base)
		assert.Equal(t, http.MethodPost, r.Method)
	}
}

func TestBadBaseURL(t *testing.T) {
	for base, want := range map[string]string{
		"localhost:8000":        "must begin with http:// or https://",
		"h":                     "must begin with http:// or https://",
		"ftp://h/v1":            "must begin with http:// or https://",
		"http://":               "names no host",
		"http:///v1":            "names no host",
		"http://h/%zz":          "not a URL",
		"http://u:secret@h:x/ ": "not a URL",
	} {
		_, err := New(Config{BaseURL: base, Model: "m"})
		require.Error(t, err, base)
		assert.ErrorContains(t, err, want, base)
		assert.NotContains(t, err.Error(), "secret")
	}
}

// User information is Basic authorization; a key takes its place.
func TestUserInfo(t *testing.T) {
	r := askedRequest(t, Config{BaseURL: "http://user:p%40ss@h/v1"})
	name, password, ok := r.BasicAuth()
	assert.True(t, ok)
	assert.Equal(t, "user:p@ss", name+":"+password)

	r = askedRequest(t, Config{BaseURL: "http://user:pw@h/v1", APIKey: " sk-key "})
	assert.Equal(t, "Bearer sk-key", r.Header.Get("Authorization"))
	assert.Nil(t, r.URL.User)
}

// What a message shows of the address holds no secret.
func TestAddressIsRedacted(t *testing.T) {
	a, err := parseAddress("https://user:hunter2@h/v1?api-version=1&api_key=abcd&sig=a%2Fbcd")
	require.NoError(t, err)
	assert.Equal(t, "https://h/v1/chat/completions?api-version=1&api_key=[redacted]&sig=[redacted]", a.shown)
	r := redactor(Config{APIKey: "sk-key"}, a)
	assert.Equal(t, "[redacted] [redacted] [redacted] [redacted] [redacted] [redacted] user abc",
		r("sk-key user:hunter2 hunter2 abcd a/bcd dXNlcjpodW50ZXIy user abc"))

	a, err = parseAddress("https://token-as-name@h/v1?key=abc")
	require.NoError(t, err)
	assert.Equal(t, "[redacted] abc", redactor(Config{}, a)("token-as-name abc"))
}

// Nothing of the environment reaches a server, and the key goes only where it was given.
func TestNothingFromTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_BASE_URL":       "http://elsewhere.invalid/v1",
		"OPENAI_API_KEY":        "sk-environment",
		"OPENAI_ADMIN_KEY":      "sk-admin",
		"OPENAI_ORG_ID":         "org-environment",
		"OPENAI_PROJECT_ID":     "project-environment",
		"OPENAI_CUSTOM_HEADERS": "X-Environment: yes",
	} {
		t.Setenv(name, value)
	}
	for _, key := range []string{"", "sk-given"} {
		r := askedRequest(t, Config{BaseURL: "http://h/v1", APIKey: key})
		want := http.Header{"Accept": {"application/json"}, "Content-Type": {"application/json"}, "User-Agent": {"skilleval"}}
		if key != "" {
			want.Set("Authorization", "Bearer sk-given")
		}
		assert.Equal(t, want, r.Header)
		assert.Equal(t, "h", r.URL.Host)
	}
	assert.Equal(t, "api.openai.com", askedRequest(t, Config{}).URL.Host)
}

func TestBadConfig(t *testing.T) {
	nan := 0.0
	nan /= nan
	for want, c := range map[string]Config{
		"name the model":                     {Model: " "},
		"cannot be sent in a header":         {Model: "m", APIKey: "sk\nkey"},
		"temperature: NaN":                   {Model: "m", Temperature: &nan},
		"top_p: -1 is not":                   {Model: "m", TopP: number(-1.0)},
		"max_tokens: 0 is not":               {Model: "m", MaxTokens: number(0)},
		`extra field "temperature": not`:     {Model: "m", Extra: map[string]any{"temperature": 1}},
		`extra field "stream": not taken`:    {Model: "m", Extra: map[string]any{"stream": true}},
		`extra field "x": json: unsupported`: {Model: "m", Extra: map[string]any{"x": func() {}}},
	} {
		_, err := New(c)
		assert.ErrorContains(t, err, want)
	}
}
