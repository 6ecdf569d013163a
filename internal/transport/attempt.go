package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// MaxReplyBytes is as much of a reply as [NewRetry] reads: one byte more than the client accepts, so that the
// client sees that the reply is too large.
const MaxReplyBytes = 32<<20 + 1

// maxRequestBytes limits a request body that has to be copied so that it can be sent again.
const maxRequestBytes = 64 << 20

// outcome is what one attempt came to: a reply read whole, or an error.
type outcome struct {
	resp     *http.Response
	body     []byte
	err      error
	panicked any
}

// status is the HTTP status, 0 when there was no reply.
func (o outcome) status() int {
	if o.resp == nil {
		return 0
	}
	return o.resp.StatusCode
}

// timeoutError is an attempt that ran out of time. It is context.DeadlineExceeded to errors.Is.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("no complete reply within %s", e.after) }

// Timeout marks the error for those who ask with net.Error's method.
func (e *timeoutError) Timeout() bool { return true }

func (e *timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// attempt makes one exchange and returns when it is over, when its time is up or when the request's context
// ends, whichever is first. The exchange has a goroutine of its own because an in-process RoundTripper may
// ignore its context; one that never returns is left behind, with its own copy of the request.
func (r *retrier) attempt(req *http.Request, body func() (io.ReadCloser, error)) outcome {
	ctx, cancel := context.WithCancelCause(req.Context())
	defer cancel(nil)
	if d := r.c.AttemptTimeout; d > 0 {
		c := &clock{timeout: d}
		c.timer = time.AfterFunc(d, func() { cancel(&timeoutError{d}) })
		defer c.timer.Stop()
		ctx = context.WithValue(ctx, clockKey{}, c)
	}
	own := req.Clone(ctx)
	if body != nil {
		var err error
		if own.Body, err = body(); err != nil {
			return outcome{err: err}
		}
	}
	done := make(chan outcome, 1)
	go func() { done <- exchange(r.next, own) }()
	select {
	case o := <-done:
		if o.panicked != nil {
			panic(o.panicked)
		}
		if o.err != nil && ctx.Err() != nil {
			o.err = context.Cause(ctx)
		}
		return o
	case <-ctx.Done():
		return outcome{err: context.Cause(ctx)}
	}
}

// exchange sends the request and reads the reply whole. A panic is handed over to the goroutine that waits.
func exchange(next http.RoundTripper, req *http.Request) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{panicked: fmt.Sprintf("%v\n\n%s", p, debug.Stack())}
		}
	}()
	resp, err := next.RoundTrip(req)
	if err != nil {
		return outcome{err: err}
	}
	if resp == nil {
		return outcome{err: errNoReply}
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	body, err := readBounded(resp.Body, resp.ContentLength, MaxReplyBytes)
	if cerr := resp.Body.Close(); err == nil && cerr != nil {
		err = cerr
	}
	if err != nil {
		return outcome{err: fmt.Errorf("reading the reply: %w", err)}
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	resp.TransferEncoding = nil
	return outcome{resp: resp, body: body}
}

// readBounded reads at most limit bytes. The length told by the peer only sizes the first buffer.
func readBounded(r io.Reader, told, limit int64) ([]byte, error) {
	size := int64(512)
	if told > 0 {
		size = min(told, 1<<20) + bytes.MinRead
	}
	buf := bytes.NewBuffer(make([]byte, 0, size))
	_, err := buf.ReadFrom(io.LimitReader(r, limit))
	return buf.Bytes(), err
}

// replay returns what makes a new copy of the request's body for each attempt; nil when there is no body. The
// original body is read or closed, as a RoundTripper must.
func replay(req *http.Request) (func() (io.ReadCloser, error), error) {
	if req.Body == nil || req.Body == http.NoBody {
		return nil, nil
	}
	defer func() { _ = req.Body.Close() }() // a body that was read or will be read anew has nothing left to report
	if req.GetBody != nil {
		return req.GetBody, nil
	}
	data, err := readBounded(req.Body, req.ContentLength, maxRequestBytes+1)
	if err != nil {
		return nil, fmt.Errorf("reading the request: %w", err)
	}
	if len(data) > maxRequestBytes {
		return nil, fmt.Errorf("request larger than %d bytes", maxRequestBytes)
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }, nil
}

// clockKey finds the clock of an attempt in its context.
type clockKey struct{}

// clock is the time of one attempt. A layer below that makes the attempt wait for its turn suspends it.
type clock struct {
	timeout time.Duration
	mu      sync.Mutex
	timer   *time.Timer
}

// suspendClock stops the time of the attempt that ctx belongs to, if any; the function it returns starts it
// anew, from the full time.
func suspendClock(ctx context.Context) (resume func()) {
	c, ok := ctx.Value(clockKey{}).(*clock)
	if !ok {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.timer.Stop() {
		return func() {}
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if ctx.Err() == nil {
			c.timer.Reset(c.timeout)
		}
	}
}
