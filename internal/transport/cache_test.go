package transport

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// openCache opens a cache for a test.
func openCache(t testing.TB, dir string, maxBytes int64, redact ...func(string) string) *Cache {
	t.Helper()
	c, err := OpenCache(dir, maxBytes, redact...)
	require.NoError(t, err)
	return c
}

// stats measures a cache.
func stats(t testing.TB, c *Cache) CacheStats {
	t.Helper()
	s, err := c.Stats()
	require.NoError(t, err)
	return s
}

// ask sends a chat request and returns the reply's body, and whether it came from the cache.
func ask(t testing.TB, rt http.RoundTripper, body string) (string, bool) {
	t.Helper()
	resp, err := rt.RoundTrip(request(t, chatURL, body))
	require.NoError(t, err)
	hit := resp.Header.Get(CacheHeader) == CacheHit
	if hit {
		assert.Equal(t, "1", resp.Header.Get(AttemptsHeader))
		assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		assert.Equal(t, "200 OK", resp.Status)
		assert.EqualValues(t, resp.ContentLength, len(peek(t, resp)))
	}
	return peek(t, resp), hit
}

// peek returns a reply's body and leaves it readable.
func peek(t testing.TB, resp *http.Response) string {
	t.Helper()
	b, err := readWhole(resp)
	require.NoError(t, err)
	return string(b)
}

// numbered answers each request by a complete reply with its number.
func numbered() tripper {
	var n atomic.Int64
	return func(*http.Request) (*http.Response, error) {
		return respond(200, strings.Replace(good, "hello", string(rune('A'+n.Add(1)-1)), 1), AttemptsHeader, "3"), nil
	}
}

func TestModes(t *testing.T) {
	reply := func(letter string) string { return strings.Replace(good, "hello", letter, 1) }
	for mode, want := range map[string]struct {
		first, second, later string // of an empty cache; later: of a reader afterwards, "" for none
		hit                  bool
	}{
		CacheOff:     {"A", "B", "", false},
		CacheRead:    {"A", "B", "", false},
		CacheWrite:   {"A", "B", "A", false},
		CacheOn:      {"A", "A", "A", true},
		CacheRefresh: {"A", "B", "B", false},
	} {
		t.Run(mode, func(t *testing.T) {
			dir := t.TempDir()
			rt := NewCache(numbered(), openCache(t, dir, 0), mode)
			got, hit := ask(t, rt, "{}")
			assert.Equal(t, reply(want.first), got)
			assert.False(t, hit)
			got, hit = ask(t, rt, "{}")
			assert.Equal(t, reply(want.second), got)
			assert.Equal(t, want.hit, hit)

			later := openCache(t, dir, 0)
			got, hit = ask(t, NewCache(numbered(), later, CacheRead), "{}")
			assert.Equal(t, want.later != "", hit)
			if hit {
				assert.Equal(t, reply(want.later), got)
				assert.EqualValues(t, 1, later.hits.Load())
			}
		})
	}
}

func TestUnknownMode(t *testing.T) {
	next, asked := script()
	_, err := NewRetry(NewCache(next, openCache(t, t.TempDir(), 0), "rw"), RetryConfig{}).RoundTrip(request(t, chatURL, "{}"))
	assert.ErrorContains(t, err, `cache mode "rw": write one of off, read, write, on, refresh`)
	assert.NotContains(t, err.Error(), "attempts")
	assert.Zero(t, *asked)
	for _, mode := range CacheModes() {
		assert.NoError(t, CheckCacheMode(mode))
	}
}

func TestOpenCacheFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	_, err := OpenCache(file, 0)
	assert.ErrorContains(t, err, "cache: ")
	_, err = OpenCache("", 0)
	assert.ErrorContains(t, err, "name a directory")
	_, err = OpenCache(t.TempDir(), -1)
	assert.ErrorContains(t, err, "0 for no limit")
	_, err = openCache(t, t.TempDir(), 0).Prune(-1)
	assert.ErrorContains(t, err, "0 or more")
}

// Replies that cannot be written are used, counted, and the reason is kept.
func TestLostReplies(t *testing.T) {
	dir := t.TempDir()
	for shard := range 256 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02x", shard)), nil, 0o666))
	}
	next, asked := script()
	cache := openCache(t, dir, 0)
	n, err := cache.Lost()
	assert.Zero(t, n)
	require.NoError(t, err)
	rt := NewCache(next, cache, CacheOn)
	for _, body := range []string{`{"n":1}`, `{"n":2}`} {
		reply, hit := ask(t, rt, body)
		assert.Equal(t, good, reply)
		assert.False(t, hit)
	}
	assert.Equal(t, 2, *asked)
	n, err = cache.Lost()
	assert.EqualValues(t, 2, n)
	assert.ErrorContains(t, err, "not a directory")
}

// Failures of the transport pass, and leave nothing.
func TestFailuresAreNotStored(t *testing.T) {
	cutOff := func() (*http.Response, error) {
		r := respond(200, good)
		r.ContentLength += 10
		return r, nil
	}
	broken := func() (*http.Response, error) {
		r := respond(200, good)
		r.Body = http.NoBody
		r.ContentLength = -1
		return r, nil
	}
	next, _ := script(append(failing(1, syscall.ECONNRESET), cutOff, broken)...)
	cache := openCache(t, t.TempDir(), 0)
	rt := NewCache(next, cache, CacheOn)
	_, err := rt.RoundTrip(request(t, chatURL, "{}"))
	assert.ErrorIs(t, err, syscall.ECONNRESET)
	_, err = rt.RoundTrip(request(t, chatURL, "{}"))
	assert.ErrorContains(t, err, "reading the reply: unexpected EOF")
	got, _ := ask(t, rt, "{}")
	assert.Empty(t, got)
	assert.Zero(t, stats(t, cache).Entries)
}

// The cache holds no secret: no header is written, and a reply that repeats one is not stored.
func TestCacheHoldsNoSecret(t *testing.T) {
	const secret = "sk-test-abc123"
	dir := t.TempDir()
	cache := openCache(t, dir, 0, RedactExact(secret))
	next, _ := script(replies(1, 200, strings.Replace(good, "hello", secret, 1))...)
	rt := NewCache(next, cache, CacheOn)
	for range 2 {
		r := request(t, "http://u:"+secret+"@model.invalid/v1/chat/completions?key="+secret, `{"model":"`+secret+`"}`)
		r.Header.Set("Authorization", "Bearer "+secret)
		_, err := rt.RoundTrip(r)
		require.NoError(t, err)
	}
	s := stats(t, cache)
	assert.Equal(t, 1, s.Entries)
	assert.EqualValues(t, 1, s.Unfit)
	assertNowhere(t, dir, secret)
}

// assertNowhere looks for a text in all files of a directory.
func assertNowhere(t *testing.T, dir, text string) {
	t.Helper()
	files := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		assert.NotContains(t, string(data), text, path)
		files++
		return err
	}))
	assert.NotZero(t, files)
}

// A cache that cannot be written costs entries, not replies.
func TestCacheThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	cache := openCache(t, dir, 0)
	shard := filepath.Dir(cache.store.path(key(t, chatURL, "{}", "")))
	require.NoError(t, os.WriteFile(shard, nil, 0o666)) // a file where a folder should be
	rt := NewCache(numbered(), cache, CacheOn)
	for range 2 {
		_, hit := ask(t, rt, "{}")
		assert.False(t, hit)
	}
	assert.EqualValues(t, 4, cache.faults.Load())
	_, err := cache.Stats()
	assert.ErrorContains(t, err, "cache: ")
}

type limited struct{ tripper }

func (limited) AttemptTimeout() time.Duration { return time.Minute }

func TestAttemptTimeoutIsPassedOn(t *testing.T) {
	next := limited{func(*http.Request) (*http.Response, error) { return nil, errors.New("unused") }}
	record, err := NewRecord(NewCache(NewStrip(next), openCache(t, t.TempDir(), 0), CacheOn), t.TempDir())
	require.NoError(t, err)
	assert.Equal(t, time.Minute, record.(interface{ AttemptTimeout() time.Duration }).AttemptTimeout())
	assert.Zero(t, NewStrip(nil).(*stripper).AttemptTimeout())
}
