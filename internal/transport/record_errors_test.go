package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Errors in the place of a reply are recorded too, and come back as what they were.
func TestRecordedErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		stall := tripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		cause := errors.New("no complete reply within 5s")
		for body, next := range map[string]http.RoundTripper{
			"reset":    tripper(func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET }),
			"timeout":  stall,
			"deadline": stall,
			"huge": tripper(func(*http.Request) (*http.Response, error) {
				return respond(200, strings.Repeat("x", MaxReplyBytes)), nil
			}),
			"none": tripper(func(*http.Request) (*http.Response, error) { return nil, nil }),
		} {
			ctx, cancel := t.Context(), func() {}
			c := RetryConfig{MaxAttempts: 3, BaseDelay: time.Nanosecond}
			switch body {
			case "deadline":
				ctx, cancel = context.WithTimeoutCause(ctx, 5*time.Second, cause)
			case "timeout":
				c.AttemptTimeout = time.Second
			}
			live, liveErr := newRecord(t, NewRetry(next, c), dir).RoundTrip(request(t, chatURL, body).WithContext(ctx))
			cancel()
			require.Nil(t, live)
			start := time.Now()
			_, err := NewRetry(newReplay(t, dir), RetryConfig{}).RoundTrip(request(t, chatURL, body))
			require.Error(t, err, body)
			assert.Zero(t, time.Since(start), "not repeated")
			want := liveErr.Error()
			if body == "deadline" {
				want = cause.Error()
			}
			assert.EqualError(t, err, want)
			assert.Equal(t, errors.Is(liveErr, context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded), body)
			var before, after interface{ Retries() int }
			_, err = newReplay(t, dir).RoundTrip(request(t, chatURL, body))
			require.ErrorAs(t, err, &after)
			_, err = (&http.Client{Transport: newReplay(t, dir)}).Do(request(t, chatURL, body))
			var failed *url.Error
			require.ErrorAs(t, err, &failed)
			assert.Equal(t, body == "timeout" || body == "deadline", failed.Timeout(), body)
			if errors.As(liveErr, &before) {
				assert.Equal(t, before.Retries(), after.Retries(), body)
			}
		}
	})
}

// A request that was cancelled leaves nothing, and whoever waited for it asks.
func TestCancelledIsNotRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		asked := 0
		record := newRecord(t, tripper(func(r *http.Request) (*http.Response, error) {
			if asked++; asked == 1 {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return respond(200, good), nil
		}), dir)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, err := record.RoundTrip(request(t, chatURL, "{}").WithContext(ctx))
			assert.ErrorIs(t, err, context.Canceled)
		}()
		synctest.Wait()
		impatient, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		_, err := record.RoundTrip(request(t, chatURL, "{}").WithContext(impatient))
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		go func() {
			_, err := record.RoundTrip(request(t, chatURL, "{}"))
			assert.NoError(t, err)
		}()
		synctest.Wait()
		assert.Empty(t, files(t, dir))
		cancel()
		synctest.Wait()
		assert.Equal(t, 2, asked)
		assert.Len(t, files(t, dir), 1)
	})
}

func TestBrokenRecordings(t *testing.T) {
	_, err := NewReplay(t.TempDir())
	assert.ErrorContains(t, err, "holds no recording")
	_, err = NewReplay(filepath.Join(t.TempDir(), "absent"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = NewReplay("")
	assert.ErrorContains(t, err, "name the directory")
	_, err = NewRecord(nil, "")
	assert.ErrorContains(t, err, "name a directory")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	_, err = NewRecord(nil, file)
	assert.ErrorContains(t, err, "record: ")

	dir := t.TempDir()
	ask(t, newRecord(t, numbered(), dir), "{}")
	path := recording(dir).path(key(t, chatURL, "{}", ""))
	require.NoError(t, os.Truncate(path, 100))
	_, err = NewRetry(newReplay(t, dir), RetryConfig{}).RoundTrip(request(t, chatURL, "{}"))
	assert.ErrorContains(t, err, path)
	assert.ErrorContains(t, err, "damaged")
	assert.NotContains(t, err.Error(), "attempts")
	assert.FileExists(t, path, "a replay changes nothing")

	// What cannot be recorded fails, rather than leave a hole.
	dir = t.TempDir()
	record := newRecord(t, numbered(), dir)
	require.NoError(t, os.WriteFile(filepath.Dir(recording(dir).path(key(t, chatURL, "{}", ""))), nil, 0o666))
	_, err = record.RoundTrip(request(t, chatURL, "{}"))
	assert.ErrorContains(t, err, "cannot be written")
	assert.Error(t, record.(io.Closer).Close())
}

// After the first exchange that cannot be written nothing more is asked; what was recorded before is still given.
func TestBrokenRecordingAsksNothingMore(t *testing.T) {
	dir := t.TempDir()
	next, asked := script()
	record := newRecord(t, next, dir)
	ask(t, record, `{"n":1}`)
	folder := filepath.Dir(recording(dir).path(key(t, chatURL, `{"n":2}`, "")))
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.WriteFile(folder, nil, 0o666))
	_, first := record.RoundTrip(request(t, chatURL, `{"n":2}`))
	var broken *RecordError
	require.ErrorAs(t, first, &broken)
	assert.Equal(t, dir, broken.Dir)
	assert.Error(t, broken.Unwrap())
	for _, body := range []string{`{"n":2}`, `{"n":3}`} {
		_, err := NewRetry(record, RetryConfig{OnRetry: func(Retry) { t.Error("repeated") }}).RoundTrip(request(t, chatURL, body))
		assert.ErrorIs(t, err, first)
	}
	assert.Equal(t, 2, *asked)
	reply, _ := ask(t, record, `{"n":1}`)
	assert.Equal(t, good, reply)
}

// A directory that nothing can be written into is refused before anything is asked.
func TestRecordNeedsADirectory(t *testing.T) {
	dir := t.TempDir()
	_, err := NewRecord(nil, dir)
	require.NoError(t, err)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A recorded refusal is not asked for again.
func TestReplayedRefusalIsNotRepeated(t *testing.T) {
	dir := t.TempDir()
	_, err := newRecord(t, tripper(scripted), dir).RoundTrip(request(t, chatURL, `{"n":3}`))
	require.NoError(t, err)
	resp, err := NewRetry(newReplay(t, dir), RetryConfig{OnRetry: func(Retry) { t.Error("repeated") }}).RoundTrip(request(t, chatURL, `{"n":3}`))
	require.NoError(t, err)
	assert.Equal(t, 500, resp.StatusCode)
}
