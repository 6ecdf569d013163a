package transport

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter reads how long the server asks to wait: Retry-After-Ms, else Retry-After in seconds or as an HTTP
// date (RFC 9110 section 10.2.3, counted from the reply's own Date where it has one, so that a wrong clock does
// no harm). A time in the past is no wait.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if d, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d, true
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if d, ok := number(after, time.Second); ok {
		return d, true
	}
	if at, err := http.ParseTime(after); err == nil {
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			now = date
		}
		return max(at.Sub(now), 0), true
	}
	return 0, false
}

// resetWait is the longest x-ratelimit-reset-… of the limits of which nothing remains: a Go duration such as
// 1m2.5s, or seconds.
func resetWait(h http.Header) (wait time.Duration, ok bool) {
	for _, what := range []string{"Requests", "Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+what) != "0" {
			continue
		}
		reset := h.Get("X-Ratelimit-Reset-" + what)
		d, err := time.ParseDuration(reset)
		if err != nil {
			var isNumber bool
			if d, isNumber = number(reset, time.Second); !isNumber {
				continue
			}
		}
		if d >= 0 {
			wait, ok = max(wait, d), true
		}
	}
	return wait, ok
}

// number reads a count of units. What is not a number of zero or more is not one.
func number(text string, unit time.Duration) (time.Duration, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || v < 0 {
		return 0, false
	}
	const most = float64(math.MaxInt64 / 2)
	return time.Duration(min(v*float64(unit), most)), true
}
