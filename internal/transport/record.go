package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

// indexFile is the list of a recording for human readers.
const indexFile = "index.jsonl"

// recorded lists the reply headers that are kept: what the client and the layers look at, nothing else.
var recorded = [...]string{"Content-Type", "Location", "Retry-After", AttemptsHeader, CacheHeader}

// NewRecord returns a RoundTripper that keeps every exchange in a directory, for [NewReplay]: the request's body, and
// the reply of whatever status or the error that came instead (a request that was cancelled leaves nothing). There
// is one file per request, with the same digest as in the cache; equal exchanges give equal files, without clock
// times. No header of a request is kept, of an address no user information and no key, and the redact functions are
// applied to everything before it is written.
//
// A replayed run must be the recorded one, whatever the order of its requests. So equal requests of one process get
// one reply: the first is asked, the others wait for it and are given what was recorded. What an earlier process
// recorded is replaced. Put it outermost, above the cache and the retries, so that it sees what the client sees.
//
// When an exchange cannot be written, its request and every later one fail with a [*RecordError] and nothing more is
// asked: a run that went on would spend on what its recording lacks. The error of NewRecord is a directory that cannot
// be made or written to.
//
// The RoundTripper is an io.Closer: Close writes index.jsonl, one line per exchange in the order of the digests, for
// people to read. A recording without it is complete.
func NewRecord(next http.RoundTripper, dir string, redact ...func(string) string) (http.RoundTripper, error) {
	if dir == "" {
		return nil, errors.New("record: name a directory")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	probe, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &recorder{layer: layer{orDefault(next)}, store: recording(dir), redact: redact, flights: map[digest]chan struct{}{}}, nil
}

// recording is the store of a directory of exchanges.
func recording(dir string) store {
	return store{dir: dir, schema: "skilleval.recording/v1", ext: ".exchange"}
}

// RecordError is an exchange that could not be written to a recording: a full disk, a directory that was taken away.
type RecordError struct {
	Dir string // of the recording
	Err error
}

// Error implements error.
func (e *RecordError) Error() string {
	return fmt.Sprintf("the recording %s cannot be written: %v", e.Dir, e.Err)
}

// Unwrap returns the cause.
func (e *RecordError) Unwrap() error { return e.Err }

func (e *RecordError) lasting() {}

// recorder is the RoundTripper of NewRecord.
type recorder struct {
	layer
	store  store
	redact redactors

	mu      sync.Mutex
	flights map[digest]chan struct{} // closed when the request is over; nil: recorded
	broken  *RecordError             // the first; nothing is asked after it
}

// RoundTrip implements http.RoundTripper.
func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	asks, err := open(req)
	if err != nil {
		return nil, err
	}
	body := r.redact.bytes(asks.body)
	key := keyOf(req, body, asks.repetition)
	flight, err := r.claim(req.Context(), key)
	if err != nil {
		return nil, err
	}
	if flight == nil {
		return reproduce(r.store, key, req)
	}
	done := false
	defer func() { r.land(key, flight, done) }()
	resp, reply, err := r.ask(asks.out)
	e := r.describe(req, asks, body)
	if err != nil {
		if !e.describeError(req.Context(), err) {
			return nil, err
		}
		e.Error = r.redact.text(e.Error)
	} else {
		e.describeReply(resp, r.redact)
		e.reply = r.redact.bytes(reply)
	}
	if _, werr := r.store.write(key, e); werr != nil {
		return nil, r.fail(werr)
	}
	done = true
	return resp, err
}

// fail notes that the recording is broken, and gives the first error of that kind.
func (r *recorder) fail(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken == nil {
		r.broken = &RecordError{r.store.dir, err}
	}
	return r.broken
}

// claim gives the caller the turn to ask, or waits until the request is recorded and gives nil.
func (r *recorder) claim(ctx context.Context, key digest) (chan struct{}, error) {
	for {
		r.mu.Lock()
		flight, known := r.flights[key]
		if r.broken != nil && (!known || flight != nil) {
			r.mu.Unlock()
			return nil, r.broken
		}
		if !known {
			flight = make(chan struct{})
			r.flights[key] = flight
			r.mu.Unlock()
			return flight, nil
		}
		r.mu.Unlock()
		if flight == nil {
			return nil, nil
		}
		select {
		case <-flight:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// land ends a turn: the request is recorded, or the next one who waits may ask.
func (r *recorder) land(key digest, flight chan struct{}, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if done {
		r.flights[key] = nil
	} else {
		delete(r.flights, key)
	}
	close(flight)
}

// ask sends the request on and reads the reply whole.
func (r *recorder) ask(out *http.Request) (*http.Response, []byte, error) {
	resp, err := r.next.RoundTrip(out)
	if err == nil && resp == nil {
		err = errNoReply
	}
	if err != nil {
		return nil, nil, err
	}
	body, err := readWhole(resp)
	if err != nil {
		return nil, nil, err
	}
	if len(body) >= MaxReplyBytes {
		return nil, nil, &lastingError{fmt.Errorf("record: the reply has more than %d bytes", MaxReplyBytes-1)}
	}
	return resp, body, nil
}

// describe begins the entry of a request.
func (r *recorder) describe(req *http.Request, asks *call, body []byte) *entry {
	return &entry{
		meta: meta{
			Method:     req.Method,
			URL:        r.redact.text(publicURL(req.URL)),
			Repetition: r.redact.text(asks.repetition),
			Prompt:     lastUserMessage(body),
		},
		request: body,
	}
}

// describeReply notes status and headers.
func (e *entry) describeReply(resp *http.Response, redact redactors) {
	e.Status = resp.StatusCode
	e.Header = map[string]string{}
	for _, name := range recorded {
		if value := resp.Header.Get(name); value != "" {
			e.Header[name] = redact.text(value)
		}
	}
}

// describeError notes an error in the place of a reply. It reports false when there is nothing to note: somebody
// cancelled the request. A deadline that passed is noted as its cause, which is what the client tells.
func (e *entry) describeError(ctx context.Context, err error) bool {
	e.Error = err.Error()
	if ctx.Err() != nil {
		cause := context.Cause(ctx)
		if !errors.Is(ctx.Err(), context.DeadlineExceeded) && !errors.Is(cause, context.DeadlineExceeded) {
			return false
		}
		e.Error, e.Timeout = cause.Error(), true
	}
	var timeout interface{ Timeout() bool }
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		e.Timeout = true
	}
	var counted interface{ Retries() int }
	if errors.As(err, &counted) {
		e.Retries = counted.Retries()
	}
	return true
}

// Close writes the index.
func (r *recorder) Close() error {
	if err := writeIndex(r.store); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// writeIndex lists the descriptions of all exchanges in the order of their digests.
func writeIndex(s store) error {
	path := filepath.Join(s.dir, indexFile)
	f, err := os.CreateTemp(s.dir, temporary)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = s.each(func(path string, _ fs.FileInfo, finished bool) error {
		if !finished {
			return nil
		}
		line, err := readDescription(path)
		if err != nil {
			return err
		}
		_, err = w.Write(line)
		return err
	})
	err = errors.Join(err, w.Flush(), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// readDescription returns the second line of an exchange's file. A file without one, which a crash of the machine
// may leave, has no line in the index.
func readDescription(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(io.LimitReader(f, 64<<10))
	_, err = r.ReadSlice('\n')
	var line []byte
	if err == nil {
		line, err = r.ReadBytes('\n')
	}
	if errors.Is(err, io.EOF) || errors.Is(err, bufio.ErrBufferFull) || err == nil && !json.Valid(line) {
		line, err = nil, nil
	}
	return line, errors.Join(err, f.Close())
}
