package transport

import (
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRetryAfterForms(t *testing.T) {
	now := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		headers []string
		want    time.Duration
		ok      bool
	}{
		{nil, 0, false},
		{[]string{"Retry-After", "3"}, 3 * time.Second, true},
		{[]string{"Retry-After", " 1.5 "}, 1500 * time.Millisecond, true},
		{[]string{"Retry-After", "0"}, 0, true},
		{[]string{"Retry-After", "-3"}, 0, false},
		{[]string{"Retry-After", "soon"}, 0, false},
		{[]string{"Retry-After", "NaN"}, 0, false},
		{[]string{"Retry-After", "1e300"}, 1 << 62, true},
		{[]string{"Retry-After-Ms", "250", "Retry-After", "9"}, 250 * time.Millisecond, true},
		{[]string{"Retry-After-Ms", "?", "Retry-After", "9"}, 9 * time.Second, true},
		{[]string{"Retry-After", date(90 * time.Second)}, 90 * time.Second, true},
		{[]string{"Retry-After", date(-90 * time.Second)}, 0, true},
		{[]string{"Retry-After", date(time.Hour), "Date", date(time.Hour - 5*time.Second)}, 5 * time.Second, true},
	} {
		got, ok := retryAfter(respond(429, "", c.headers...).Header, now)
		assert.Equal(t, c.ok, ok, "%v", c.headers)
		if c.want > 1<<61 {
			assert.Greater(t, got, 100*365*24*time.Hour)
		} else {
			assert.Equal(t, c.want, got, "%v", c.headers)
		}
	}
}

// A limit that names no wait, but when it is full again, is waited for; one that has something left is not.
func TestResetOfLimits(t *testing.T) {
	for _, c := range []struct {
		headers []string
		want    time.Duration
		ok      bool
	}{
		{[]string{"X-Ratelimit-Remaining-Requests", "0", "X-Ratelimit-Reset-Requests", "1m2.5s"}, 62500 * time.Millisecond, true},
		{[]string{"X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "6ms"}, 6 * time.Millisecond, true},
		{[]string{"X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "12"}, 12 * time.Second, true},
		{[]string{"X-Ratelimit-Remaining-Tokens", "5", "X-Ratelimit-Reset-Tokens", "12"}, 0, false},
		{[]string{"X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "later"}, 0, false},
		{[]string{"X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "-1s"}, 0, false},
	} {
		got, ok := resetWait(respond(429, "", c.headers...).Header)
		assert.Equal(t, c.ok, ok, "%v", c.headers)
		assert.Equal(t, c.want, got, "%v", c.headers)
	}
	synctest.Test(t, func(t *testing.T) {
		headers := []string{"X-Ratelimit-Remaining-Requests", "0", "X-Ratelimit-Reset-Requests", "30s"}
		for status, want := range map[int]time.Duration{429: 30 * time.Second, 500: 0} {
			next, _ := script(replies(1, status, "", headers...)...)
			start := time.Now()
			_, err := NewRetry(next, RetryConfig{Rand: noJitter}).RoundTrip(post(t, t.Context()))
			require.NoError(t, err)
			assert.Equal(t, want, time.Since(start), strconv.Itoa(status))
		}
	})
}

// A wait longer than the ceiling is cut to it.
func TestRetryAfterCeiling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next, _ := script(replies(1, 429, "", "Retry-After", "86400")...)
		start := time.Now()
		_, err := NewRetry(next, RetryConfig{MaxRetryAfter: 30 * time.Second, Rand: noJitter}).RoundTrip(post(t, t.Context()))
		require.NoError(t, err)
		assert.Equal(t, 30*time.Second, time.Since(start))
	})
}
