package transport

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A server that serves others while it refuses one has a queue: waiting in it does not use up the attempts. A
// server that refuses everyone does.
func TestQueueDoesNotUseUpAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		served := map[int64]int{}
		next := tripper(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			if second := time.Now().Unix(); served[second] < 4 {
				served[second]++
				return respond(200, good), nil
			}
			return respond(429, `{"error":{"message":"4 requests a second"}}`, "Retry-After", "1"), nil
		})
		rt := NewRetry(next, RetryConfig{MaxAttempts: 2})
		var wg sync.WaitGroup
		for range 32 {
			wg.Go(func() {
				resp, err := rt.RoundTrip(post(t, t.Context()))
				if assert.NoError(t, err) {
					assert.Equal(t, 200, resp.StatusCode)
				}
			})
		}
		wg.Wait()
	})
}

func TestQueueHasAnEnd(t *testing.T) {
	rt := NewRetry(nil, RetryConfig{MaxAttempts: 2, BaseDelay: time.Nanosecond, MaxRetryAfter: time.Nanosecond}).(*retrier)
	asked := 0
	rt.next = tripper(func(*http.Request) (*http.Response, error) {
		asked++
		rt.served.Add(1) // others are served all the time
		return respond(429, ""), nil
	})
	resp, err := rt.RoundTrip(post(t, t.Context()))
	require.NoError(t, err)
	assert.Equal(t, 429, resp.StatusCode)
	assert.Equal(t, 2*patience, asked)
}

// One refused request holds them all.
func TestPauseIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		var times []time.Duration
		next := tripper(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			times = append(times, time.Since(start))
			if len(times) == 1 {
				return respond(429, "", "Retry-After", "10"), nil
			}
			return respond(200, good), nil
		})
		rt := NewRetry(next, RetryConfig{})
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * time.Second)
				_, err := rt.RoundTrip(post(t, t.Context()))
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		require.Len(t, times, 9)
		distinct := map[time.Duration]bool{}
		for _, at := range times[1:] {
			assert.GreaterOrEqual(t, at, 10*time.Second)
			assert.Less(t, at, 11*time.Second)
			distinct[at] = true
		}
		assert.Greater(t, len(distinct), 4, "they do not wake all at once")
	})
}

// A wait asked for with a 429 or a 503 concerns the server, one with another failure the request alone.
func TestWhomAPauseHolds(t *testing.T) {
	for status, held := range map[int]bool{429: true, 503: true, 500: false} {
		synctest.Test(t, func(t *testing.T) {
			next, _ := script(replies(1, status, "", "Retry-After", "10")...)
			rt := NewRetry(next, RetryConfig{Rand: noJitter})
			var wg sync.WaitGroup
			wg.Go(func() {
				_, err := rt.RoundTrip(post(t, t.Context()))
				assert.NoError(t, err)
			})
			time.Sleep(time.Second)
			start := time.Now()
			_, err := rt.RoundTrip(post(t, t.Context()))
			require.NoError(t, err)
			assert.Equal(t, held, time.Since(start) >= 9*time.Second, status)
			wg.Wait()
		})
	}
}

// No wait goes past the deadline: the last reply is returned while there is time to report it.
func TestNoWaitPastTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next, asked := script(replies(1, 429, `{"error":"full"}`, "Retry-After", "60")...)
		rt := NewRetry(next, RetryConfig{})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		resp, err := rt.RoundTrip(post(t, ctx))
		require.NoError(t, err)
		assert.Zero(t, time.Since(start))
		assert.Equal(t, 429, resp.StatusCode)
		assert.Equal(t, `{"error":"full"}`, read(t, resp))

		_, err = rt.RoundTrip(post(t, ctx)) // the pause holds this one too; it waits as long as it may
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, 10*time.Second, time.Since(start))
		assert.Equal(t, 1, *asked)
	})
}

// A pause that begins during a back-off is respected, and where it is too long the failure before it is told.
func TestPauseDuringBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next, asked := script(replies(1, 500, "oops")...)
		rt := NewRetry(next, RetryConfig{BaseDelay: 2 * time.Second, Rand: fullJitter}).(*retrier)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		time.AfterFunc(time.Second, func() { rt.pause(time.Minute) })
		resp, err := rt.RoundTrip(post(t, ctx))
		require.NoError(t, err)
		assert.Equal(t, 500, resp.StatusCode)
		assert.Equal(t, 1, *asked)
	})
}
