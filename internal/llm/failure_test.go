package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
)

// Every way in which servers refuse, and what is made of it.
func TestErrorReplies(t *testing.T) {
	const asked = "POST http://model.invalid/v1/chat/completions (model m): "
	for name, c := range map[string]struct {
		status      int
		contentType string
		body        string
		class       agent.ErrorClass
		message     string
	}{
		"OpenAI":         {400, "application/json", `{"error":{"message":"bad thing","type":"invalid_request_error","param":null,"code":null}}`, agent.ErrRequest, asked + "got HTTP 400, application/json: [invalid_request_error] bad thing"},
		"vLLM":           {400, "application/json", `{"object":"error","message":"too long","type":"BadRequestError","code":400}`, agent.ErrRequest, "[400, badrequesterror] too long"},
		"Ollama":         {404, "application/json; charset=utf-8", `{"error":"model 'x' not found"}`, agent.ErrRequest, "model 'x' not found; does the server offer this model?"},
		"FastAPI":        {422, "application/json", `{"detail":[{"msg":"field required"}]}`, agent.ErrRequest, `[{"msg":"field required"}]`},
		"plain text":     {404, "text/plain", "404 page not found\n", agent.ErrRequest, `got HTTP 404, text/plain: 404 page not found\n; is the base URL right? It usually ends with /v1`},
		"HTML":           {502, "text/html", "<html>\x1b[31m\tBad\x00 Gateway\u202e", agent.ErrServer, `<html>\x1b[31m\tBad\x00 Gateway\u202e; is the base URL right?`},
		"no body":        {500, "", "", agent.ErrServer, "got HTTP 500, no content type: (no body)"},
		"array":          {400, "application/json", `[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]`, agent.ErrRequest, "[400, invalid_argument] bad"},
		"empty array":    {400, "application/json", `[]`, agent.ErrRequest, ": []"},
		"not UTF-8":      {500, "text/plain", "a\xffb", agent.ErrServer, "a\uFFFDb"},
		"bad error":      {500, "application/json", `{"error":17}`, agent.ErrServer, ": 17"},
		"no key":         {401, "application/json", `{"error":{"message":"no key"}}`, agent.ErrAuth, "no key"},
		"forbidden":      {403, "", "", agent.ErrAuth, "HTTP 403"},
		"method":         {405, "", "", agent.ErrRequest, "is the base URL right?"},
		"timeout":        {408, "", "", agent.ErrTimeout, "HTTP 408"},
		"rate limit":     {429, "application/json", `{"error":{"message":"slow down"}}`, agent.ErrRateLimit, "slow down"},
		"unavailable":    {503, "", "loading", agent.ErrServer, "loading"},
		"filter":         {400, "application/json", `{"error":{"code":"content_filter","message":"filtered"}}`, agent.ErrFiltered, "filtered"},
		"inner filter":   {400, "application/json", `{"error":{"code":"x","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, agent.ErrFiltered, "HTTP 400"},
		"too many words": {500, "text/plain", strings.Repeat("é", 500), agent.ErrServer, ": " + strings.Repeat("é", 200) + "…"},
		"no content":     {304, "", "", agent.ErrReply, "HTTP 304"},

		"200 error object":  {200, "application/json", `{"error":{"message":"upstream overloaded","code":502}}`, agent.ErrServer, "an error object in a 200 reply: got HTTP 200, application/json: [502] upstream overloaded"},
		"200 error text":    {200, "application/json", `{"error":"overloaded"}`, agent.ErrServer, "overloaded"},
		"200 no such model": {200, "application/json", `{"error":{"message":"no model","code":"model_not_found"}}`, agent.ErrRequest, "no model"},
		"200 bad key":       {200, "application/json", `{"error":{"message":"key","code":401}}`, agent.ErrAuth, "key"},
		"200 key by name":   {200, "application/json", `{"error":{"message":"key","code":"invalid_api_key"}}`, agent.ErrAuth, "key"},
		"200 limit":         {200, "application/json", `{"error":{"message":"slow","type":"rate_limit_error"}}`, agent.ErrRateLimit, "slow"},
		"200 filter":        {200, "application/json", `{"error":{"message":"no","code":"content_filter"},"choices":[]}`, agent.ErrFiltered, "no"},
		"200 choice error":  {200, "application/json", `{"choices":[{"error":{"code":504,"message":"late"},"finish_reason":"error","message":{"content":"half"}}]}`, agent.ErrServer, "late"},
		"200 no choices":    {200, "application/json", `{"choices":[],"prompt_filter_results":[]}`, agent.ErrReply, `the reply has no choices; got HTTP 200, application/json: {"choices":[],"prompt_filter_results":[]}`},
		"200 null choices":  {200, "application/json", `{"choices":null}`, agent.ErrReply, "no choices"},
		"200 null error":    {200, "application/json", `{"error":null}`, agent.ErrReply, "no choices"},
		"200 odd choices":   {200, "application/json", `{"choices":"x"}`, agent.ErrReply, "no choices"},
		"200 null choice":   {200, "application/json", `{"choices":[null]}`, agent.ErrReply, "no message"},
		"200 null message":  {200, "application/json", `{"choices":[{"message":null}]}`, agent.ErrReply, "no message"},
		"200 HTML":          {200, "text/html", `<!doctype html>`, agent.ErrReply, "not a JSON object; got HTTP 200, text/html: <!doctype html>; is the base URL right?"},
		"200 empty":         {200, "application/json", ``, agent.ErrReply, "the reply is empty; got HTTP 200, application/json: (no body)"},
		"200 truncated":     {200, "application/json", `{"choices":[{"message":{"content":"abc`, agent.ErrReply, "not complete JSON"},
		"200 trailing":      {200, "application/json", `{"choices":[]} {"choices":[]}`, agent.ErrReply, "not complete JSON"},
		"200 array":         {200, "application/json", `[]`, agent.ErrReply, "not a JSON object"},
		"204":               {204, "", ``, agent.ErrReply, "the reply is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := modelOver(t, answer(c.status, c.contentType, c.body, "X-Skilleval-Attempts", "4")).Chat(t.Context(), hello())
			assert.Nil(t, reply)
			e := failed(t, err, c.class)
			assert.Equal(t, c.status, e.Status)
			assert.Equal(t, 3, e.Retries)
			assert.Contains(t, e.Message, c.message)
			assert.True(t, strings.HasPrefix(e.Message, asked), e.Message)
			assert.NotContains(t, e.Message, "\x1b")
			assert.NotContains(t, e.Message, "\n")
		})
	}
}

// A server that repeats the request's header, or a model that repeats the key, does not bring it into a message;
// and it is taken out before the text is cut, so that no half of it is left.
func TestNoSecretInMessages(t *testing.T) {
	const key = "sk-test-abcdefghijklmnop"
	secrets := []string{key, "sk-test", "hunter2", "query-secret"}
	url := "http://user:hunter2@model.invalid/v1?key=query-secret"
	pad := strings.Repeat("x", excerptRunes-10)
	for name, rt := range map[string]tripper{
		"echo":    answer(401, "text/plain", "you sent Authorization: Bearer "+key+" and hunter2 query-secret"),
		"message": answer(401, "application/json", `{"error":{"message":"bad key `+key+`","code":"`+key+`"}}`),
		"cut":     answer(500, "text/plain", pad+key),
		"type":    answer(500, key, ""),
		"reply":   answer(200, "text/plain", key),
		"moved":   answer(302, "", "", "Location", "http://model.invalid/?key=query-secret&x="+key),
		"network": func(r *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("dialing %s with %s", r.URL, r.Header.Get("Authorization"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := modelOver(t, rt, func(c *Config) { c.APIKey, c.BaseURL = key, url }).Chat(t.Context(), hello())
			require.Error(t, err)
			for text, e := err.Error(), err; ; text = e.Error() {
				for _, s := range secrets {
					assert.NotContains(t, text, s)
				}
				var inner *agent.ModelError
				if !errors.As(e, &inner) || inner.Err == nil {
					break
				}
				e = inner.Err
			}
		})
	}
	// The caller's own redaction is used too.
	_, err := modelOver(t, answer(500, "text/plain", pad+"other-secret"), func(c *Config) {
		c.Redact = func(s string) string { return strings.ReplaceAll(s, "other-secret", "[gone]") }
	}).Chat(t.Context(), hello())
	assert.ErrorContains(t, err, "[gone]")
}

func TestNetworkErrors(t *testing.T) {
	for name, c := range map[string]struct {
		err     error
		class   agent.ErrorClass
		message string
	}{
		"refused":      {&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}, agent.ErrNetwork, "connection refused"},
		"reset":        {syscall.ECONNRESET, agent.ErrNetwork, "connection reset"},
		"dns":          {&net.DNSError{Err: "no such host", Name: "model.invalid", IsNotFound: true}, agent.ErrNetwork, "is the host in the base URL right?"},
		"certificate":  {&tls.CertificateVerificationError{Err: errors.New("expired")}, agent.ErrNetwork, "expired"},
		"not https":    {errors.New("http: server gave HTTP response to HTTPS client"), agent.ErrNetwork, "does the server speak http"},
		"deadline":     {context.DeadlineExceeded, agent.ErrTimeout, "deadline exceeded"},
		"dial timeout": {&net.OpError{Op: "dial", Err: &net.DNSError{IsTimeout: true}}, agent.ErrTimeout, "dial"},
		"retried":      {retried{syscall.ECONNREFUSED}, agent.ErrNetwork, "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			rt := tripper(func(*http.Request) (*http.Response, error) { return nil, c.err })
			_, err := modelOver(t, rt).Chat(t.Context(), hello())
			e := failed(t, err, c.class)
			assert.Zero(t, e.Status)
			assert.Contains(t, e.Message, c.message)
			assert.Contains(t, e.Message, "POST http://model.invalid/v1/chat/completions (model m): ")
			assert.ErrorIs(t, err, c.err)
			assert.Equal(t, name == "retried", e.Retries == 4)
		})
	}
}

// retried is an error of a transport that made several attempts.
type retried struct{ error }

func (retried) Retries() int    { return 4 }
func (r retried) Unwrap() error { return r.error }

// The caller's own time is up, or the user interrupts: told apart from the server's failures.
func TestContextEnds(t *testing.T) {
	listening := tripper(func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, retried{r.Context().Err()}
	})
	stalling := tripper(func(r *http.Request) (*http.Response, error) {
		resp := respond(200, "application/json", "", attemptsHeader, "3")
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"cho`), waiter{r.Context()}))
		resp.ContentLength = -1
		return resp, nil
	})
	for name, rt := range map[string]tripper{"header": listening, "body": stalling} {
		synctest.Test(t, func(t *testing.T) {
			m := modelOver(t, rt)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			start := time.Now()
			_, err := m.Chat(ctx, hello())
			e := failed(t, err, agent.ErrTimeout)
			assert.ErrorIs(t, err, context.DeadlineExceeded, name)
			assert.Equal(t, 5*time.Second, time.Since(start))
			assert.Equal(t, map[string]int{"header": 4, "body": 2}[name], e.Retries)

			ctx, stop := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, stop)
			_, err = m.Chat(ctx, hello())
			e = failed(t, err, agent.ErrCancelled)
			assert.Contains(t, e.Message, "cancelled")
			assert.ErrorIs(t, err, context.Canceled, name)

			ctx2, stop2 := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { stop2(fmt.Errorf("the run's time is up: %w", context.DeadlineExceeded)) })
			_, err = m.Chat(ctx2, hello())
			e = failed(t, err, agent.ErrTimeout)
			assert.Contains(t, e.Message, "the run's time is up")

			_, err = modelOver(t, rt, func(c *Config) { c.AttemptTimeout = 2 * time.Second }).Chat(t.Context(), hello())
			e = failed(t, err, agent.ErrTimeout)
			assert.Contains(t, e.Message, "no complete reply within 2s")
			assert.ErrorIs(t, err, context.DeadlineExceeded)
		})
	}
}

// The same over a real connection, where the header comes and the body does not.
func TestStalledBody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.WriteString(w, `{"choices":[`)
		assert.NoError(t, err)
		assert.NoError(t, http.NewResponseController(w).Flush())
		<-r.Context().Done()
	}))
	defer server.Close()
	m, err := New(Config{BaseURL: server.URL, Model: "m", AttemptTimeout: 40 * time.Millisecond})
	require.NoError(t, err)
	_, err = m.Chat(t.Context(), hello())
	e := failed(t, err, agent.ErrTimeout)
	assert.Contains(t, e.Message, "no complete reply within 40ms")
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// waiter is a body that says nothing until its context ends.
type waiter struct{ ctx context.Context }

func (w waiter) Read([]byte) (int, error) {
	<-w.ctx.Done()
	return 0, w.ctx.Err()
}

// A transport that limits each attempt itself is not limited again as a whole.
func TestAttemptTimeoutIsLeftToTheTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := tripper(func(*http.Request) (*http.Response, error) {
			time.Sleep(3 * time.Second)
			return respond(200, "", message(`{}`)), nil
		})
		for limit, class := range map[time.Duration]agent.ErrorClass{time.Second: "", 0: agent.ErrTimeout} {
			m := modelOver(t, limiting{slow, limit}, func(c *Config) { c.AttemptTimeout = time.Second })
			_, err := m.Chat(t.Context(), hello())
			if class == "" {
				assert.NoError(t, err)
			}
		}
	})
}

type limiting struct {
	http.RoundTripper
	limit time.Duration
}

func (l limiting) AttemptTimeout() time.Duration { return l.limit }

// The body breaks off: a network failure, with the status that was seen.
func TestBrokenBody(t *testing.T) {
	rt := tripper(func(*http.Request) (*http.Response, error) {
		resp := respond(200, "application/json", "")
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"cho`), broken{}))
		resp.ContentLength = -1
		return resp, nil
	})
	_, err := modelOver(t, rt).Chat(t.Context(), hello())
	e := failed(t, err, agent.ErrNetwork)
	assert.Equal(t, 200, e.Status)
	assert.ErrorIs(t, err, syscall.ECONNRESET)
	assert.Contains(t, e.Message, "while the reply's body was read")
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, syscall.ECONNRESET }
func (broken) Close() error             { return syscall.ECONNRESET }

func TestReplyLimit(t *testing.T) {
	big := func(n int) tripper {
		return func(*http.Request) (*http.Response, error) {
			head, tail := `{"choices":[{"message":{"content":"`, `"}}]}`
			body := io.MultiReader(strings.NewReader(head), io.LimitReader(letters{}, int64(n-len(head)-len(tail))), strings.NewReader(tail))
			resp := respond(200, "application/json", "")
			resp.Body, resp.ContentLength = io.NopCloser(body), -1
			return resp, nil
		}
	}
	assert.Equal(t, 32<<20, modelOver(t, nil).(*model).maxReply)
	const limit = 100_000
	small := func(n int) agent.Model {
		m := modelOver(t, big(n))
		m.(*model).maxReply = limit
		return m
	}
	reply, err := small(limit).Chat(t.Context(), hello())
	require.NoError(t, err)
	assert.Greater(t, len(reply.Content), limit-100)
	_, err = small(limit+1).Chat(t.Context(), hello())
	e := failed(t, err, agent.ErrReply)
	assert.Equal(t, 200, e.Status)
	assert.Contains(t, e.Message, "the reply is too large: more than 100000 bytes")
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// A redirect that keeps the request is followed on the same host; any other would turn it into something else,
// or show it to somebody else.
func TestRedirects(t *testing.T) {
	var elsewhere int
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.Contains(t, string(body), "hello")
		w.Header().Set("Content-Type", "application/json")
		_, err = io.WriteString(w, message(`{"content":"ok"}`))
		assert.NoError(t, err)
	})
	mux.Handle("/kept/chat/completions", http.RedirectHandler("/v1/chat/completions", http.StatusTemporaryRedirect))
	mux.Handle("/changed/chat/completions", http.RedirectHandler("/v1/chat/completions", http.StatusMovedPermanently))
	mux.Handle("/away/chat/completions", http.RedirectHandler(other.URL+"/v1/chat/completions", http.StatusPermanentRedirect))
	mux.Handle("/loop/chat/completions", http.RedirectHandler("/loop/chat/completions", http.StatusPermanentRedirect))
	server := httptest.NewServer(mux)
	defer server.Close()
	ask := func(path string) error {
		m, err := New(Config{BaseURL: server.URL + path, Model: "m"})
		require.NoError(t, err)
		_, err = m.Chat(t.Context(), hello())
		return err
	}
	assert.NoError(t, ask("/kept"))
	for path, target := range map[string]string{"/changed": "/v1/chat/completions", "/away": other.URL + "/v1/chat/completions", "/loop": "/loop/chat/completions"} {
		e := failed(t, ask(path), agent.ErrReply)
		assert.Contains(t, e.Message, "redirects to "+target+": set the base URL")
	}
	assert.Zero(t, elsewhere)
}

// A caller's client is not changed, and its own policy on redirects is kept.
func TestClientIsCopied(t *testing.T) {
	own := &http.Client{}
	_, err := New(Config{Model: "m", HTTPClient: own})
	require.NoError(t, err)
	assert.Nil(t, own.CheckRedirect)
	assert.Nil(t, own.Transport)
	policy := errors.New("no redirects")
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return policy }
	assert.Equal(t, policy, ownClient(own).CheckRedirect(nil, nil))
}

func TestCutTo(t *testing.T) {
	assert.Equal(t, `a\n\r\t\x00\x7f\u200b\xff`+"\uFFFD 中", cutTo("a\n\r\t\x00\x7f\u200b\xff\uFFFD 中"))
	assert.Equal(t, strings.Repeat("中", 200)+"…", cutTo(strings.Repeat("中", 201)))
	assert.Equal(t, strings.Repeat("中", 200), cutTo(strings.Repeat("中", 200)))
}
