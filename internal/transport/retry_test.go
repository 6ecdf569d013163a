package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noJitter draws the least, fullJitter (almost) the most.
func noJitter() float64   { return 0 }
func fullJitter() float64 { return 1 }

// A server that refuses three times and says when to come back costs time, and nothing else.
func TestRetryAfterThenSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next, asked := script(replies(3, 429, `{"error":{"message":"slow down"}}`, "Retry-After", "1")...)
		start := time.Now()
		resp, err := NewRetry(next, RetryConfig{Rand: noJitter}).RoundTrip(post(t, t.Context()))
		require.NoError(t, err)
		assert.Equal(t, 3*time.Second, time.Since(start))
		assert.Equal(t, 4, *asked)
		assert.Equal(t, "4", resp.Header.Get(AttemptsHeader))
		assert.Equal(t, good, read(t, resp))
	})
}

func TestFirstAttemptIsReported(t *testing.T) {
	next, _ := script()
	resp, err := NewRetry(next, RetryConfig{}).RoundTrip(post(t, t.Context()))
	require.NoError(t, err)
	assert.Equal(t, "1", resp.Header.Get(AttemptsHeader))
	assert.EqualValues(t, len(good), resp.ContentLength)
}

// Plain failures wait shortly: the ceilings double up to the longest, and the jitter is drawn below them.
func TestBackoffByClass(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for name, c := range map[string]struct {
		replies []func() (*http.Response, error)
		reason  string
		waits   []time.Duration
	}{
		"server error":      {replies(4, 500, "oops"), "server error", []time.Duration{1, 2, 4, 4}},
		"network error":     {failing(4, refused), "network error", []time.Duration{1, 2, 4, 4}},
		"request timeout":   {replies(1, 408, ""), "Request Timeout", []time.Duration{1}},
		"conflict":          {replies(1, 409, ""), "Conflict", []time.Duration{1}},
		"error in the body": {replies(1, 200, `{"error":{"code":502,"message":"overloaded"}}`), "error in a 200 reply", []time.Duration{1}},
		"rate limited":      {replies(4, 429, ""), "rate limited", []time.Duration{4, 8, 16, 20}},
		"told":              {replies(2, 503, "", "Retry-After", "7"), "server error", []time.Duration{8, 8}},
		"told 500":          {replies(1, 500, "", "Retry-After", "7"), "server error", []time.Duration{8}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				next, _ := script(c.replies...)
				var waits []time.Duration
				rt := NewRetry(next, RetryConfig{BaseDelay: time.Second, MaxDelay: 4 * time.Second, MaxRetryAfter: 20 * time.Second,
					Rand: fullJitter, OnRetry: func(r Retry) {
						waits = append(waits, r.Wait/time.Second)
						assert.Equal(t, c.reason, r.Reason)
						assert.Equal(t, len(waits), r.Attempt)
						assert.Equal(t, r.Status == 0, r.Err != nil)
					}})
				start := time.Now()
				_, err := rt.RoundTrip(post(t, t.Context()))
				require.NoError(t, err)
				assert.Equal(t, c.waits, waits)
				var sum time.Duration
				for _, w := range c.waits {
					sum += w * time.Second
				}
				assert.Equal(t, sum, time.Since(start))
			})
		})
	}
}

func TestNotRepeated(t *testing.T) {
	chat := func(body string) []func() (*http.Response, error) { return replies(1, 200, body) }
	for name, r := range map[string][]func() (*http.Response, error){
		"400":               replies(1, 400, `{"error":{"code":"content_filter"}}`),
		"401":               replies(1, 401, ""),
		"403":               replies(1, 403, ""),
		"404":               replies(1, 404, ""),
		"422":               replies(1, 422, ""),
		"501":               replies(1, 501, ""),
		"quota":             replies(1, 429, `{"error":{"code":"insufficient_quota"}}`),
		"said so":           replies(1, 500, "", "X-Should-Retry", "false"),
		"redirect":          replies(1, 307, "", "Location", "/x"),
		"unknown authority": failing(1, fmt.Errorf("tls: %w", x509.UnknownAuthorityError{})),
		"bad certificate":   failing(1, &tls.CertificateVerificationError{Err: errors.New("expired")}),
		"no such host":      failing(1, &net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}}),
		"scheme":            failing(1, errors.New(`unsupported protocol scheme "ftp"`)),
		"http for https":    failing(1, errors.New("http: server gave HTTP response to HTTPS client")),
		"no reply":          failing(1, nil),
		"reply":             chat(good),
		"error and choices": chat(`{"error":{"message":"warning"},"choices":[{"message":{"content":"x"}}]}`),
		"in-band key":       chat(`{"error":{"code":401,"message":"bad key"}}`),
		"in-band filter":    chat(`{"error":{"code":"content_filter"}}`),
		"in-band request":   chat(`{"error":{"type":"invalid_request_error"},"choices":[]}`),
		"in-band quota":     chat(`{"error":{"type":"insufficient_quota"}}`),
		"choice's error":    chat(`{"choices":[{"error":{"code":400}}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			next, asked := script(r...)
			resp, err := NewRetry(next, RetryConfig{BaseDelay: time.Nanosecond}).RoundTrip(post(t, t.Context()))
			assert.Equal(t, 1, *asked)
			if err == nil {
				read(t, resp)
			}
		})
	}
}

// What is inside a 200 reply is judged where it can still be repeated.
func TestRepeated(t *testing.T) {
	for name, r := range map[string][]func() (*http.Response, error){
		"in-band 502":       replies(1, 200, `{"error":{"message":"upstream overloaded","code":502}}`),
		"in-band 429":       replies(1, 200, `{"error":{"message":"slow","code":"429"}}`),
		"in-band text":      replies(1, 200, `{"error":"overloaded"}`),
		"in-band limit":     replies(1, 200, `{"error":{"type":"rate_limit_error"}}`),
		"choices null":      replies(1, 200, `{"choices":null}`),
		"choices empty":     replies(1, 200, `{"choices":[ ],"prompt_filter_results":[]}`),
		"choices absent":    replies(1, 200, `{}`),
		"choices text":      replies(1, 200, `{"choices":"none"}`),
		"choice's error":    replies(1, 200, `{"choices":[{"error":{"code":502,"message":"x"},"finish_reason":"error"}]}`),
		"html":              replies(1, 200, `<html>busy</html>`),
		"empty":             replies(1, 200, ``),
		"blank":             replies(1, 200, "\n\n"),
		"truncated":         replies(1, 200, good[:40]),
		"array":             replies(1, 200, `[]`),
		"500":               replies(1, 500, ""),
		"502":               replies(1, 502, "<html>"),
		"529":               replies(1, 529, ""),
		"425":               replies(1, 425, ""),
		"said so":           replies(1, 400, "", "X-Should-Retry", "true"),
		"said so when busy": replies(1, 429, "", "X-Should-Retry", "true"),
		"reset":             failing(1, syscall.ECONNRESET),
		"cut":               failing(1, io.ErrUnexpectedEOF),
		"dial timeout":      failing(1, &net.OpError{Op: "dial", Err: context.DeadlineExceeded}),
		"dns failure":       failing(1, &net.DNSError{IsTemporary: true}),
		"broken body": {func() (*http.Response, error) {
			r := respond(200, "")
			r.Body = io.NopCloser(io.MultiReader(strings.NewReader(good[:20]), brokenReader{}))
			return r, nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			next, asked := script(r...)
			resp, err := NewRetry(next, RetryConfig{BaseDelay: time.Nanosecond, MaxRetryAfter: time.Nanosecond}).RoundTrip(post(t, t.Context()))
			require.NoError(t, err)
			assert.Equal(t, 2, *asked)
			assert.Equal(t, good, read(t, resp))
		})
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, syscall.ECONNRESET }

// Only chat replies must have choices.
func TestOtherPathsAreNotLookedInto(t *testing.T) {
	next, asked := script(replies(1, 200, `{"data":[]}`)...)
	r := post(t, t.Context())
	r.URL.Path = "/v1/embeddings"
	_, err := NewRetry(next, RetryConfig{}).RoundTrip(r)
	require.NoError(t, err)
	assert.Equal(t, 1, *asked)
}

// When every attempt fails the caller still sees what the server said.
func TestLastFailureIsReturned(t *testing.T) {
	next, asked := script(replies(9, 503, `{"error":"loading model"}`)...)
	resp, err := NewRetry(next, RetryConfig{MaxAttempts: 3, BaseDelay: time.Nanosecond}).RoundTrip(post(t, t.Context()))
	require.NoError(t, err)
	assert.Equal(t, 3, *asked)
	assert.Equal(t, 503, resp.StatusCode)
	assert.Equal(t, "3", resp.Header.Get(AttemptsHeader))
	assert.Equal(t, `{"error":"loading model"}`, read(t, resp))

	next, _ = script(failing(9, syscall.ECONNREFUSED)...)
	_, err = NewRetry(next, RetryConfig{MaxAttempts: 3, BaseDelay: time.Nanosecond}).RoundTrip(post(t, t.Context()))
	var failed *RetryError
	require.ErrorAs(t, err, &failed)
	assert.ErrorIs(t, err, syscall.ECONNREFUSED)
	assert.Equal(t, 2, failed.Retries())
	assert.Contains(t, err.Error(), "3 attempts")
}

func TestCancelledWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next, _ := script(replies(9, 503, "", "Retry-After", "60")...)
		rt := NewRetry(next, RetryConfig{})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		start := time.Now()
		_, err := rt.RoundTrip(post(t, ctx))
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 3*time.Second, time.Since(start))
		var failed *RetryError
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, 1, failed.Attempts)

		_, err = rt.RoundTrip(post(t, ctx)) // cancelled before it began: nothing is sent
		assert.ErrorIs(t, err, context.Canceled)
	})
}

// The request is sent whole each time, whether or not it knows how to repeat its body.
func TestBodyIsReplayed(t *testing.T) {
	for _, known := range []bool{true, false} {
		var bodies []string
		next := tripper(func(r *http.Request) (*http.Response, error) {
			b, err := io.ReadAll(r.Body)
			bodies = append(bodies, string(b))
			return respond(500, ""), errors.Join(err, r.Body.Close())
		})
		r := post(t, t.Context())
		if !known {
			r.GetBody = nil
		}
		_, err := NewRetry(next, RetryConfig{MaxAttempts: 3, BaseDelay: time.Nanosecond}).RoundTrip(r)
		require.NoError(t, err)
		assert.Equal(t, []string{`{"model":"m"}`, `{"model":"m"}`, `{"model":"m"}`}, bodies)
	}
}

func TestRequestWithoutBody(t *testing.T) {
	next, _ := script()
	r, err := http.NewRequest(http.MethodGet, "http://model.invalid/v1/models", nil)
	require.NoError(t, err)
	_, err = NewRetry(next, RetryConfig{}).RoundTrip(r)
	assert.NoError(t, err)
}

// The header that an in-process server hands out again and again is not written to.
func TestSharedHeaderIsNotChanged(t *testing.T) {
	shared := http.Header{"Content-Type": {"application/json"}}
	next := tripper(func(*http.Request) (*http.Response, error) {
		r := respond(200, good)
		r.Header = shared
		return r, nil
	})
	rt := NewRetry(next, RetryConfig{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_, err := rt.RoundTrip(post(t, t.Context()))
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	assert.Len(t, shared, 1)

	r := respond(200, good)
	r.Header = nil
	resp, err := outcome{resp: r}.result(post(t, t.Context()), 7)
	require.NoError(t, err)
	assert.Equal(t, "7", resp.Header.Get(AttemptsHeader))
}

func TestDefaultsOfRetry(t *testing.T) {
	c := NewRetry(nil, RetryConfig{BaseDelay: 20 * time.Second}).(*retrier).c
	assert.Equal(t, DefaultMaxAttempts, c.MaxAttempts)
	assert.Equal(t, 20*time.Second, c.MaxDelay, "never below the first")
	assert.Equal(t, DefaultMaxRetryAfter, c.MaxRetryAfter)
	for range 100 {
		v := c.Rand()
		assert.True(t, v >= 0 && v < 1)
	}
}
