package transport

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// AttemptsHeader is the response header in which [NewRetry] reports the attempts made, the first included.
const AttemptsHeader = "X-Skilleval-Attempts"

// The defaults of [RetryConfig].
const (
	DefaultMaxAttempts   = 5
	DefaultBaseDelay     = 500 * time.Millisecond
	DefaultMaxDelay      = 8 * time.Second
	DefaultMaxRetryAfter = 2 * time.Minute
)

// patience bounds the attempts of a request that is refused again and again by a server which serves others.
const patience = 20

// RetryConfig says when and how long to retry. The zero value is usable.
type RetryConfig struct {
	// MaxAttempts counts the first attempt too; default [DefaultMaxAttempts]. An attempt refused with 429 while
	// the same server answered other requests does not count (it only stood in a queue), up to 20 times as many.
	MaxAttempts int
	// BaseDelay is the ceiling of the first back-off, doubled for each further one up to MaxDelay. The wait is
	// drawn evenly between zero and the ceiling ("full jitter"). After a 429 that tells no time, the first
	// ceiling is four times BaseDelay and the last is MaxRetryAfter.
	BaseDelay, MaxDelay time.Duration
	// MaxRetryAfter is the longest wait that a server may ask for; a longer one is cut to it.
	MaxRetryAfter time.Duration
	// AttemptTimeout limits one whole exchange, the reply's body included; 0: only the request's context does.
	AttemptTimeout time.Duration
	// Rand gives the jitter, in [0,1), and must be safe for concurrent use; nil: math/rand/v2.
	Rand func() float64
	// OnRetry is told of every failed attempt that will be repeated, before the wait; nil: nobody is.
	OnRetry func(Retry)
}

// Retry describes a failed attempt that will be repeated after Wait.
type Retry struct {
	Attempt int // from 1
	Wait    time.Duration
	Status  int    // HTTP status; 0 when there was no reply
	Reason  string // "rate limited", "server error", "network error", "timed out", "error in a 200 reply", …
	Err     error  // nil when there was a reply
}

// RetryError is the failure of the last attempt when there was no reply to return.
type RetryError struct {
	Attempts int
	Err      error
}

// Error implements error.
func (e *RetryError) Error() string {
	if e.Attempts > 1 {
		return fmt.Sprintf("%v (%d attempts)", e.Err, e.Attempts)
	}
	return e.Err.Error()
}

// Unwrap returns the failure of the last attempt.
func (e *RetryError) Unwrap() error { return e.Err }

// Retries is the number of attempts beyond the first.
func (e *RetryError) Retries() int { return max(e.Attempts-1, 0) }

// NewRetry returns a RoundTripper that repeats what failed and may succeed: network errors, attempts that ran
// out of time, 408, 409, 425, 429, 5xx, and 200 replies that hold an error object, no choices or no JSON at all.
// Each reply is read whole before it is judged, so a body that stalls is a failed attempt too, and the caller
// gets the last reply with its body readable even when every attempt failed. No wait goes past the deadline of
// the request's context: where it would, the last failure is returned at once. A pause that the server asks for
// (Retry-After, Retry-After-Ms, x-ratelimit-reset-…) holds every request of the RoundTripper.
//
// The loop is our own, not failsafe-go's: the shared pause, HTTP dates, the jitter's source, deadlines that
// cover the body and a next RoundTripper that ignores its context would each have to be built around that
// library's policies, and nothing but the loop would be left of it.
func NewRetry(next http.RoundTripper, c RetryConfig) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	if c.MaxAttempts <= 0 {
		c.MaxAttempts = DefaultMaxAttempts
	}
	if c.BaseDelay <= 0 {
		c.BaseDelay = DefaultBaseDelay
	}
	if c.MaxDelay <= 0 {
		c.MaxDelay = max(DefaultMaxDelay, c.BaseDelay)
	}
	if c.MaxRetryAfter <= 0 {
		c.MaxRetryAfter = DefaultMaxRetryAfter
	}
	if c.Rand == nil {
		c.Rand = rand.Float64
	}
	return &retrier{next: next, c: c}
}

// retrier is the RoundTripper of NewRetry.
type retrier struct {
	next   http.RoundTripper
	c      RetryConfig
	served atomic.Int64 // replies that were good: tells a queue from a wall

	mu          sync.Mutex
	pausedUntil time.Time
}

// AttemptTimeout tells the client that this layer limits each attempt.
func (r *retrier) AttemptTimeout() time.Duration { return r.c.AttemptTimeout }

// RoundTrip implements http.RoundTripper.
func (r *retrier) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := replay(req)
	if err != nil {
		return nil, err
	}
	ctx := req.Context()
	if err := r.passPause(ctx, true); err != nil {
		return nil, &RetryError{0, err}
	}
	failures := tally{served: r.served.Load()}
	for attempt := 1; ; attempt++ {
		o := r.attempt(req, body)
		if ctx.Err() != nil && o.err != nil {
			return nil, &RetryError{attempt, ctx.Err()}
		}
		v := judge(req, o)
		if v.kind == final {
			if o.err == nil && o.resp.StatusCode < 400 {
				r.served.Add(1)
			}
			return o.result(req, attempt)
		}
		again := failures.add(v.kind, r.served.Load(), r.c.MaxAttempts)
		wait := r.wait(v, failures)
		if deadline, ok := ctx.Deadline(); !again || ok && time.Until(deadline) <= wait {
			return o.result(req, attempt)
		}
		if r.c.OnRetry != nil {
			r.c.OnRetry(Retry{Attempt: attempt, Wait: wait, Status: o.status(), Reason: v.reason, Err: o.err})
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, &RetryError{attempt, err}
		}
		if err := r.passPause(ctx, false); err != nil {
			if ctx.Err() != nil {
				return nil, &RetryError{attempt, err}
			}
			return o.result(req, attempt)
		}
	}
}

// tally counts the failures of one request.
type tally struct {
	counted int // attempts that count towards MaxAttempts
	all     int
	limited int // refused with 429
	other   int
	served  int64 // replies of the server to anyone, up to the failure before
}

// add notes a failure and reports whether another attempt is allowed; served is the number of replies of the
// server to anyone up to now.
func (t *tally) add(k kind, served int64, limit int) bool {
	queued := k == rateLimited && served != t.served
	t.served = served
	t.all++
	if k == rateLimited {
		t.limited++
	} else {
		t.other++
	}
	if !queued {
		t.counted++
	}
	return t.counted < limit && t.all < limit*patience
}

// wait says how long to wait before the next attempt and, when the server told all a time, holds everyone for it.
func (r *retrier) wait(v verdict, t tally) time.Duration {
	if v.hasTold {
		told := min(v.told, r.c.MaxRetryAfter)
		if v.forAll {
			r.pause(told)
		}
		return told + r.jitter(r.c.BaseDelay)
	}
	if v.kind == rateLimited {
		return r.jitter(backoff(4*r.c.BaseDelay, r.c.MaxRetryAfter, t.limited))
	}
	return r.jitter(backoff(r.c.BaseDelay, r.c.MaxDelay, t.other))
}

// backoff is base doubled n-1 times, at most limit.
func backoff(base, limit time.Duration, n int) time.Duration {
	d := base
	for i := 1; i < n && d < limit; i++ {
		d *= 2
	}
	return min(d, limit)
}

// jitter draws evenly from [0, d).
func (r *retrier) jitter(d time.Duration) time.Duration {
	return time.Duration(r.c.Rand() * float64(d))
}

// pause holds every request of the RoundTripper for d from now.
func (r *retrier) pause(d time.Duration) {
	until := time.Now().Add(d)
	r.mu.Lock()
	defer r.mu.Unlock()
	if until.After(r.pausedUntil) {
		r.pausedUntil = until
	}
}

// errPaused is a request whose time ends before the pause that the server asked for.
var errPaused = fmt.Errorf("the server asked to wait longer than the time left: %w", context.DeadlineExceeded)

// passPause waits until no pause is in force. Waking is spread over BaseDelay, so that a pause does not end in
// a stampede. A request that was refused before and whose time ends before the pause fails at once; one that is only
// now beginning waits as long as it may, so that one long pause does not fail everything that follows it.
func (r *retrier) passPause(ctx context.Context, first bool) error {
	for {
		r.mu.Lock()
		left := time.Until(r.pausedUntil)
		r.mu.Unlock()
		if left <= 0 {
			return ctx.Err()
		}
		wait := left + r.jitter(r.c.BaseDelay)
		if deadline, ok := ctx.Deadline(); ok && !first && time.Until(deadline) <= wait {
			return errPaused
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// sleep waits for d or for the end of ctx, whose error it returns.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// result hands the outcome to the caller: the reply with the attempts in its header, or an error with them.
func (o outcome) result(req *http.Request, attempts int) (*http.Response, error) {
	if o.err != nil {
		return nil, &RetryError{attempts, o.err}
	}
	// The header may be shared by the replies of an in-process server: it is copied before it is changed.
	header := o.resp.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set(AttemptsHeader, strconv.Itoa(attempts))
	o.resp.Header = header
	o.resp.Request = req
	return o.resp, nil
}

// errNoReply is a RoundTripper that broke its contract.
var errNoReply = errors.New("the transport gave neither a reply nor an error")
