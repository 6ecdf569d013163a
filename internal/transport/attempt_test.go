package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server that sends the header and then stalls is a failed attempt like any other, over a real connection.
func TestStalledBodyIsRepeated(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if asked.Add(1) == 1 {
			_, err := io.WriteString(w, good[:10])
			assert.NoError(t, err)
			assert.NoError(t, http.NewResponseController(w).Flush())
			<-r.Context().Done()
			return
		}
		_, err := io.WriteString(w, good)
		assert.NoError(t, err)
	}))
	defer server.Close()
	rt := NewRetry(Base(2), RetryConfig{AttemptTimeout: 40 * time.Millisecond, BaseDelay: time.Nanosecond})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/chat/completions", strings.NewReader("{}"))
	require.NoError(t, err)
	resp, err := rt.RoundTrip(r)
	require.NoError(t, err)
	assert.Equal(t, "2", resp.Header.Get(AttemptsHeader))
	assert.Equal(t, good, read(t, resp))
}

// A connection that breaks in the middle of the reply is repeated too.
func TestBrokenConnectionIsRepeated(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 {
			w.Header().Set("Content-Length", "500")
			_, err := io.WriteString(w, good[:10])
			assert.NoError(t, err)
			panic(http.ErrAbortHandler)
		}
		_, err := io.WriteString(w, good)
		assert.NoError(t, err)
	}))
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/v1/chat/completions", strings.NewReader("{}"))
	require.NoError(t, err)
	resp, err := NewRetry(Base(2), RetryConfig{BaseDelay: time.Nanosecond}).RoundTrip(r)
	require.NoError(t, err)
	assert.Equal(t, good, read(t, resp))
}

// stuck is a RoundTripper that takes no notice of its context.
func stuck(release chan struct{}) tripper {
	return func(*http.Request) (*http.Response, error) {
		<-release
		return respond(200, good), nil
	}
}

func TestAttemptsTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		rt := NewRetry(stuck(release), RetryConfig{MaxAttempts: 3, AttemptTimeout: 10 * time.Second, BaseDelay: time.Second, Rand: noJitter})
		assert.Equal(t, 10*time.Second, rt.(*retrier).AttemptTimeout())
		start := time.Now()
		_, err := rt.RoundTrip(post(t, t.Context()))
		assert.Equal(t, 30*time.Second, time.Since(start))
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.ErrorContains(t, err, "no complete reply within 10s (3 attempts)")
		var timeout interface{ Timeout() bool }
		require.ErrorAs(t, err, &timeout)
		assert.True(t, timeout.Timeout())
	})
}

// The request's own deadline ends an attempt that does not listen, and is not taken for the attempt's.
func TestParentDeadlineEndsTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		rt := NewRetry(stuck(release), RetryConfig{AttemptTimeout: 10 * time.Second, Rand: noJitter})
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		start := time.Now()
		_, err := rt.RoundTrip(post(t, ctx))
		assert.Equal(t, 4*time.Second, time.Since(start))
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		var failed *RetryError
		require.ErrorAs(t, err, &failed)
		assert.Equal(t, 1, failed.Attempts)

		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, cancel)
		start = time.Now()
		_, err = rt.RoundTrip(post(t, ctx))
		assert.Equal(t, 2*time.Second, time.Since(start))
		assert.ErrorIs(t, err, context.Canceled)
	})
}

// A transport that does listen reports its context's end; it is still a timeout, and repeated.
func TestTimeoutOfAListeningTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		next := tripper(func(r *http.Request) (*http.Response, error) {
			if asked.Add(1) == 1 {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return respond(200, good), nil
		})
		var reasons []string
		rt := NewRetry(next, RetryConfig{AttemptTimeout: time.Second, Rand: noJitter, OnRetry: func(r Retry) {
			reasons = append(reasons, r.Reason)
			assert.ErrorIs(t, r.Err, context.DeadlineExceeded)
		}})
		resp, err := rt.RoundTrip(post(t, t.Context()))
		require.NoError(t, err)
		assert.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, []string{"timed out"}, reasons)
	})
}

// Waiting for a turn is not the server's slowness.
func TestLimitDoesNotUseUpTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next := tripper(func(*http.Request) (*http.Response, error) {
			time.Sleep(900 * time.Millisecond)
			return respond(200, good), nil
		})
		rt := NewRetry(NewLimit(next, LimitConfig{RPM: 6}), RetryConfig{AttemptTimeout: time.Second})
		start := time.Now()
		for range 3 { // at 0, 10 and 20 s
			resp, err := rt.RoundTrip(post(t, t.Context()))
			require.NoError(t, err)
			assert.Equal(t, "1", resp.Header.Get(AttemptsHeader))
		}
		assert.Equal(t, 20900*time.Millisecond, time.Since(start))
	})
	synctest.Test(t, func(t *testing.T) { // and the time runs again afterwards
		release := make(chan struct{})
		defer close(release)
		limited := NewLimit(stuck(release), LimitConfig{RPM: 6})
		rt := NewRetry(limited, RetryConfig{AttemptTimeout: time.Second, MaxAttempts: 2, Rand: noJitter})
		start := time.Now()
		_, err := rt.RoundTrip(post(t, t.Context()))
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 11*time.Second, time.Since(start))
	})
}

// A turn that never comes before the deadline is told at once, and not repeated.
func TestNoTurnIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next, asked := script()
		rt := NewRetry(NewLimit(next, LimitConfig{RPM: 1}), RetryConfig{})
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		start := time.Now()
		for range 2 {
			_, err := rt.RoundTrip(post(t, ctx))
			if *asked == 1 && err != nil {
				assert.ErrorIs(t, err, errNoTurn)
				assert.ErrorIs(t, err, context.DeadlineExceeded)
			}
		}
		assert.Zero(t, time.Since(start))
		assert.Equal(t, 1, *asked)
	})
}

func TestPanicReachesTheCaller(t *testing.T) {
	rt := NewRetry(tripper(func(*http.Request) (*http.Response, error) { panic("boom") }), RetryConfig{})
	defer func() { assert.Contains(t, recover(), "boom") }()
	_, err := rt.RoundTrip(post(t, t.Context()))
	t.Fatal("no panic", err)
}

// A reply without end is read up to a bound, which the client then finds too large.
func TestHugeReplyIsBounded(t *testing.T) {
	var left atomic.Int64
	left.Store(MaxReplyBytes + 1<<20)
	next := tripper(func(*http.Request) (*http.Response, error) {
		r := respond(500, "", "X-Should-Retry", "false")
		r.ContentLength = 1 << 40
		r.Body = io.NopCloser(zeros{&left})
		return r, nil
	})
	resp, err := NewRetry(next, RetryConfig{}).RoundTrip(post(t, t.Context()))
	require.NoError(t, err)
	assert.EqualValues(t, MaxReplyBytes, resp.ContentLength)
	assert.EqualValues(t, 1<<20, left.Load())
}

type zeros struct{ left *atomic.Int64 }

func (z zeros) Read(p []byte) (int, error) {
	n := min(int64(len(p)), z.left.Load())
	if n == 0 {
		return 0, io.EOF
	}
	z.left.Add(-n)
	return int(n), nil
}

func TestBrokenRequests(t *testing.T) {
	next, asked := script()
	rt := NewRetry(next, RetryConfig{})
	r := post(t, t.Context())
	r.GetBody = nil
	r.Body = io.NopCloser(brokenReader{})
	_, err := rt.RoundTrip(r)
	assert.ErrorContains(t, err, "reading the request")

	r = post(t, t.Context())
	r.GetBody = func() (io.ReadCloser, error) { return nil, errors.New("gone") }
	_, err = NewRetry(next, RetryConfig{MaxAttempts: 1}).RoundTrip(r)
	assert.ErrorContains(t, err, "gone")

	var left atomic.Int64
	left.Store(maxRequestBytes + 2)
	r = post(t, t.Context())
	r.GetBody = nil
	r.Body = io.NopCloser(zeros{&left})
	_, err = rt.RoundTrip(r)
	assert.ErrorContains(t, err, "larger than")
	assert.Zero(t, *asked)
}

func TestReplyWithoutBody(t *testing.T) {
	next := tripper(func(r *http.Request) (*http.Response, error) {
		resp := respond(401, "")
		resp.Body = nil
		return resp, nil
	})
	resp, err := NewRetry(next, RetryConfig{}).RoundTrip(post(t, t.Context()))
	require.NoError(t, err)
	assert.Empty(t, read(t, resp))
}
