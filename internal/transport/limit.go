package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
	"unicode/utf8"

	"golang.org/x/time/rate"
)

// LimitConfig holds the limits per minute; 0 is no limit.
type LimitConfig struct {
	RPM int // requests a minute
	TPM int // tokens a minute, of requests and replies
	// CountTokens counts the tokens of a request's body; nil: about four bytes of Latin text a token.
	CountTokens func(string) int
}

// NewLimit returns a RoundTripper that lets requests through evenly: no faster than RPM and TPM, and never more
// than a second's worth at once. A request's tokens are counted before it is sent, the reply's are taken from
// the usage it reports and slow the next requests. A request larger than TPM counts as TPM. Waiting ends with the
// request's context, and at once when its deadline would come first. Without limits it returns next itself.
func NewLimit(next http.RoundTripper, c LimitConfig) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	if c.RPM <= 0 && c.TPM <= 0 {
		return next
	}
	l := &limiter{next: next, tpm: c.TPM, count: c.CountTokens}
	if c.RPM > 0 {
		l.requests = rate.NewLimiter(rate.Limit(float64(c.RPM)/60), max(c.RPM/60, 1))
	}
	if c.TPM > 0 {
		l.tokens = rate.NewLimiter(rate.Limit(float64(c.TPM)/60), max(c.TPM/60, 1))
		l.turn = make(chan struct{}, 1)
	}
	if l.count == nil {
		l.count = estimate
	}
	return l
}

// limiter is the RoundTripper of NewLimit.
type limiter struct {
	next             http.RoundTripper
	requests, tokens *rate.Limiter // nil: no limit
	tpm              int
	count            func(string) int
	turn             chan struct{} // whoever holds it collects tokens: first come, first served
}

// errNoTurn is a request whose time would end before its turn comes.
var errNoTurn = fmt.Errorf("the rate limit leaves no turn before the deadline: %w", context.DeadlineExceeded)

// AttemptTimeout tells the client whether a layer below limits each attempt.
func (l *limiter) AttemptTimeout() time.Duration {
	if next, ok := l.next.(interface{ AttemptTimeout() time.Duration }); ok {
		return next.AttemptTimeout()
	}
	return 0
}

// RoundTrip implements http.RoundTripper.
func (l *limiter) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	body, err := replay(req)
	if err != nil {
		return nil, err
	}
	resume := suspendClock(ctx)
	err = l.wait(ctx, body)
	resume()
	if err != nil {
		return nil, err
	}
	if body != nil {
		req = req.WithContext(ctx)
		if req.Body, err = body(); err != nil {
			return nil, err
		}
	}
	resp, err := l.next.RoundTrip(req)
	if err == nil && l.tokens != nil && resp != nil && resp.Body != nil {
		resp.Body = &meter{ReadCloser: resp.Body, spend: l.spend}
	}
	return resp, err
}

// wait takes the tokens and the request out of the limits.
func (l *limiter) wait(ctx context.Context, body func() (io.ReadCloser, error)) error {
	if l.tokens != nil && body != nil {
		r, err := body()
		if err != nil {
			return err
		}
		text, err := readBounded(r, 0, maxRequestBytes)
		if err := errors.Join(err, r.Close()); err != nil {
			return fmt.Errorf("reading the request: %w", err)
		}
		if err := l.collect(ctx, min(l.count(string(text)), l.tpm)); err != nil {
			return err
		}
	}
	if l.requests != nil {
		return turnError(ctx, l.requests.Wait(ctx))
	}
	return ctx.Err()
}

// collect waits for n tokens. The limiter gives no more at once than its burst, so they are taken in parts,
// by one request at a time.
func (l *limiter) collect(ctx context.Context, n int) error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for burst := l.tokens.Burst(); n > 0; n -= burst {
		if err := l.tokens.WaitN(ctx, min(n, burst)); err != nil {
			return turnError(ctx, err)
		}
	}
	return nil
}

// turnError tells the end of the context from a deadline that would come before the turn.
func turnError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return errNoTurn
}

// spend takes n tokens that are used already: later requests wait for them, a minute's worth at most.
func (l *limiter) spend(n int) {
	now := time.Now()
	n = min(n, l.tpm)
	for burst := l.tokens.Burst(); n > 0; n -= burst {
		l.tokens.ReserveN(now, min(n, burst))
	}
}

// estimate is the token count without a vocabulary: a quarter of a token per ASCII byte, one per other rune.
func estimate(text string) int {
	runes := utf8.RuneCountInString(text)
	other := (len(text) - runes + 1) / 2 // continuation bytes: two or so for each rune beyond ASCII
	return (runes-min(other, runes))/4 + other + 1
}
