package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNoLimit(t *testing.T) {
	next := &http.Transport{}
	assert.Same(t, next, NewLimit(next, LimitConfig{}))
	assert.Same(t, http.DefaultTransport, NewLimit(nil, LimitConfig{RPM: -1}))
}

// times sends n requests at once and says when each reached the server.
func times(t *testing.T, c LimitConfig, n int, reply string) []time.Duration {
	start := time.Now()
	var mu sync.Mutex
	var at []time.Duration
	rt := NewLimit(tripper(func(r *http.Request) (*http.Response, error) {
		b, err := io.ReadAll(r.Body)
		assert.NoError(t, errors.Join(err, r.Body.Close()))
		assert.Equal(t, `{"model":"m"}`, string(b))
		mu.Lock()
		defer mu.Unlock()
		at = append(at, time.Since(start))
		return respond(200, reply), nil
	}), c)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			resp, err := rt.RoundTrip(post(t, t.Context()))
			if assert.NoError(t, err) {
				assert.Equal(t, reply, read(t, resp))
			}
		})
	}
	wg.Wait()
	return at
}

// seconds rounds to whole seconds, up: a limiter may wake a hair early.
func seconds(at []time.Duration) []int {
	out := make([]int, len(at))
	for i, d := range at {
		out[i] = int((d + 500*time.Millisecond) / time.Second)
	}
	return out
}

func TestRequestsAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		assert.Equal(t, []int{0, 2, 4, 6, 8}, seconds(times(t, LimitConfig{RPM: 30}, 5, "{}")))
		// 600 a minute are 10 a second: a second's worth at once at first, then one each 100 ms.
		at := times(t, LimitConfig{RPM: 600}, 40, "{}")
		assert.InDelta(t, 3.0, at[39].Seconds(), 0.01)
	})
}

func TestTokensAMinute(t *testing.T) {
	count := func(n int) func(string) int {
		return func(s string) int {
			assert.Equal(t, `{"model":"m"}`, s)
			return n
		}
	}
	synctest.Test(t, func(t *testing.T) {
		// 60 a minute is 1 a second: 10 tokens take 10 s, but for the second's worth that is there at first.
		assert.Equal(t, []int{9, 19, 29}, seconds(times(t, LimitConfig{TPM: 60, CountTokens: count(10)}, 3, "{}")))
		// More than a minute's worth waits a minute, not for ever.
		assert.Equal(t, []int{59, 119}, seconds(times(t, LimitConfig{TPM: 60, CountTokens: count(5000)}, 2, "{}")))
		assert.Equal(t, []int{0, 0}, seconds(times(t, LimitConfig{TPM: 60, CountTokens: count(0)}, 2, "{}")))
		// Both limits at once: the stricter counts.
		assert.Equal(t, []int{9, 19}, seconds(times(t, LimitConfig{TPM: 60, RPM: 600, CountTokens: count(10)}, 2, "{}")))
		assert.Equal(t, []int{9, 69}, seconds(times(t, LimitConfig{TPM: 60, RPM: 1, CountTokens: count(10)}, 2, "{}")))
	})
}

// What the reply used is taken from what the next requests may use.
func TestReplyTokensCount(t *testing.T) {
	for reply, want := range map[string]time.Duration{
		`{"usage":{"prompt_tokens":5,"completion_tokens": 20}}`:       20,
		`{"usage":{"input_tokens":5,"output_tokens":20}}`:             20,
		`{"usage":{"completion_tokens":999999999999}}`:                60,
		`{"usage":{"completion_tokens":"many"}}`:                      0,
		`{"content":"\"completion_tokens\":50","usage":null}`:         0,
		strings.Repeat(" ", 9000) + `{"completion_tokens":20}`:        20,
		`{"completion_tokens":20}` + strings.Repeat(" ", 3*meterTail): 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			rt := NewLimit(tripper(func(*http.Request) (*http.Response, error) { return respond(200, reply), nil }),
				LimitConfig{TPM: 60, CountTokens: func(string) int { return 1 }})
			start := time.Now()
			for range 2 {
				resp, err := rt.RoundTrip(post(t, t.Context()))
				require.NoError(t, err)
				assert.Equal(t, reply, read(t, resp))
			}
			if want > 0 {
				want++ // the second request's own token
			} else {
				want = 1
			}
			assert.InDelta(t, (want * time.Second).Seconds(), time.Since(start).Seconds(), 0.01, "%.60s", reply)
		})
	}
}

func TestLimitIsCancelled(t *testing.T) {
	for name, c := range map[string]LimitConfig{
		"requests": {RPM: 1},
		"tokens":   {TPM: 60, CountTokens: func(string) int { return 50 }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				next, asked := script()
				rt := NewLimit(next, c)
				_, err := rt.RoundTrip(post(t, t.Context()))
				require.NoError(t, err)
				var wg sync.WaitGroup
				for range 3 {
					wg.Go(func() {
						start := time.Now()
						ctx, cancel := context.WithCancel(t.Context())
						time.AfterFunc(7*time.Second, cancel)
						_, err := rt.RoundTrip(post(t, ctx))
						assert.ErrorIs(t, err, context.Canceled)
						assert.Equal(t, 7*time.Second, time.Since(start))
					})
				}
				wg.Wait()
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				start := time.Now()
				_, err = rt.RoundTrip(post(t, ctx))
				assert.ErrorIs(t, err, context.DeadlineExceeded)
				assert.LessOrEqual(t, time.Since(start), 5*time.Second)
				assert.Equal(t, 1, *asked)
			})
		})
	}
}

func TestLimitOfABrokenRequest(t *testing.T) {
	next, asked := script()
	rt := NewLimit(next, LimitConfig{TPM: 60})
	r := post(t, t.Context())
	r.GetBody = func() (io.ReadCloser, error) { return nil, errors.New("gone") }
	_, err := rt.RoundTrip(r)
	assert.ErrorContains(t, err, "gone")
	r = post(t, t.Context())
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(brokenReader{}), nil }
	_, err = rt.RoundTrip(r)
	assert.ErrorContains(t, err, "reading the request")
	r = post(t, t.Context())
	r.GetBody, r.Body = nil, io.NopCloser(brokenReader{})
	_, err = rt.RoundTrip(r)
	assert.ErrorContains(t, err, "reading the request")
	assert.Zero(t, *asked)
}

// The request that the caller holds is left as it was.
func TestLimitDoesNotChangeTheRequest(t *testing.T) {
	next, _ := script()
	r := post(t, t.Context())
	body := r.Body
	_, err := NewLimit(next, LimitConfig{RPM: 60000}).RoundTrip(r)
	require.NoError(t, err)
	assert.Equal(t, body, r.Body)
}

func TestLimitTellsTheAttemptTimeoutBelow(t *testing.T) {
	below := NewRetry(nil, RetryConfig{AttemptTimeout: time.Second})
	for want, next := range map[time.Duration]http.RoundTripper{time.Second: below, 0: http.DefaultTransport} {
		l, ok := NewLimit(next, LimitConfig{RPM: 1}).(interface{ AttemptTimeout() time.Duration })
		require.True(t, ok)
		assert.Equal(t, want, l.AttemptTimeout())
	}
}

func TestEstimate(t *testing.T) {
	for text, want := range map[string]int{"": 1, "abcdefgh": 3, "今天杭州": 5, "héllo": 3} {
		assert.Equal(t, want, estimate(text), text)
	}
}
