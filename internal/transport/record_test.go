package transport

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newRecord records for a test.
func newRecord(t testing.TB, next http.RoundTripper, dir string, redact ...func(string) string) http.RoundTripper {
	t.Helper()
	rt, err := NewRecord(next, dir, redact...)
	require.NoError(t, err)
	return rt
}

// newReplay replays for a test.
func newReplay(t testing.TB, dir string, redact ...func(string) string) http.RoundTripper {
	t.Helper()
	rt, err := NewReplay(dir, redact...)
	require.NoError(t, err)
	return rt
}

// files reads a directory.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = string(data)
		return err
	}))
	return all
}

// exchanges are replies of every kind, by request.
var exchanges = map[string]struct {
	status  int
	body    string
	headers []string
}{
	`{"n":1}`:  {200, good, []string{AttemptsHeader, "4"}},
	`{"n": 2}`: {200, "\ufeff {\"spaced\" : 1.0,\r\n\"bytes\":\"\xff\x00\"}\n\n", []string{CacheHeader, "hit"}},
	`{"n":3}`:  {500, "oops", []string{"Retry-After", "7", "Set-Cookie", "session=1"}},
	`{"n":4}`:  {401, `{"error":"no"}`, nil},
	`{"n":5}`:  {200, "", nil},
	`{"n":6}`:  {307, "", []string{"Location", "http://elsewhere.invalid/?token=abc"}},
	`not JSON`: {200, `{"error":{"code":502}}`, nil},
	``:         {204, "", nil},
}

// scripted answers by exchanges.
func scripted(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	e := exchanges[string(body)]
	return respond(e.status, e.body, e.headers...), err
}

// A replay answers byte by byte as the server did, and two recordings of the same run are equal files.
func TestReplayIsTheRecording(t *testing.T) {
	var dirs [2]string
	for i := range dirs {
		dirs[i] = t.TempDir()
		record := newRecord(t, tripper(scripted), dirs[i], Redact())
		var group sync.WaitGroup
		for body, e := range exchanges {
			group.Go(func() {
				resp, err := record.RoundTrip(request(t, chatURL, body))
				if assert.NoError(t, err) {
					assert.Equal(t, e.body, read(t, resp))
				}
			})
		}
		group.Wait()
		require.NoError(t, record.(io.Closer).Close())
	}
	assert.Equal(t, files(t, dirs[0]), files(t, dirs[1]))
	assert.Len(t, files(t, dirs[0]), len(exchanges)+1)

	replay := newReplay(t, dirs[0], Redact())
	for range 2 {
		for body, e := range exchanges {
			resp, err := replay.RoundTrip(request(t, chatURL, body))
			require.NoError(t, err)
			assert.Equal(t, e.status, resp.StatusCode)
			assert.EqualValues(t, len(e.body), resp.ContentLength)
			assert.Equal(t, e.body, read(t, resp))
			assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
			assert.Empty(t, resp.Header.Get("Set-Cookie"))
			for h := 0; h+1 < len(e.headers); h += 2 {
				if name := e.headers[h]; name != "Set-Cookie" {
					want := strings.Replace(e.headers[h+1], "abc", "[redacted]", 1)
					assert.Equal(t, want, resp.Header.Get(name))
				}
			}
		}
	}
}

func TestIndex(t *testing.T) {
	dir := t.TempDir()
	record := newRecord(t, tripper(scripted), dir)
	for _, body := range []string{`{"n":1}`, `{"n":3}`} {
		r := request(t, chatURL+"?api-version=1&key=secret", body)
		r.Header.Set(RepetitionHeader, "2")
		_, err := record.RoundTrip(r)
		require.NoError(t, err)
	}
	cut := filepath.Join(dir, "00", strings.Repeat("0", 64)+".exchange")
	require.NoError(t, os.MkdirAll(filepath.Dir(cut), 0o777))
	require.NoError(t, os.WriteFile(cut, []byte("skilleval.recording/v1 sha"), 0o666))
	require.NoError(t, record.(io.Closer).Close())
	data, err := os.ReadFile(filepath.Join(dir, indexFile))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	require.Len(t, lines, 2)
	statuses := map[int]bool{}
	for _, line := range lines {
		var m meta
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		assert.Equal(t, "http://model.invalid/v1/chat/completions?api-version=1", m.URL)
		assert.Equal(t, "2", m.Repetition)
		statuses[m.Status] = true
	}
	assert.Equal(t, map[int]bool{200: true, 500: true}, statuses)
	assert.Less(t, lines[0], lines[1], "in the order of the keys")
}

func TestNotRecorded(t *testing.T) {
	dir := t.TempDir()
	_, err := newRecord(t, tripper(scripted), dir).RoundTrip(request(t, chatURL, `{"n":1}`))
	require.NoError(t, err)
	replay := newReplay(t, dir)
	long := strings.Repeat("wörd ", 40)
	body := `{"messages":[{"role":"user","content":"first"},{"role":"user","content":"` + long + `"},{"role":"assistant","content":"x"}]}`
	attempts := 0
	rt := NewRetry(replay, RetryConfig{OnRetry: func(Retry) { attempts++ }})
	_, err = (&http.Client{Transport: rt}).Do(request(t, chatURL+"?k=v", body))
	var missing *NotRecordedError
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, NotRecordedError{Dir: dir, Method: "POST", Path: "/v1/chat/completions",
		Key: key(t, chatURL+"?k=v", body, "").String(), Prompt: strings.Repeat("wörd ", 24)}, *missing)
	for _, part := range []string{"POST /v1/chat/completions", dir, missing.Key, missing.Prompt, "record the run again"} {
		assert.ErrorContains(t, err, part)
	}
	assert.Zero(t, attempts)

	r := request(t, chatURL, `{"n":1}`)
	r.Header.Set(RepetitionHeader, "1")
	_, err = replay.RoundTrip(r)
	assert.ErrorAs(t, err, &missing, "another repetition is another request")
}

func TestLastUserMessage(t *testing.T) {
	for body, want := range map[string]string{
		`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"},{"text":"b"}]}]}`: "a b",
		`{"messages":[{"role":"system","content":"s"}]}`:                                                          "",
		`{"messages":[{"role":"user","content":null}]}`:                                                           "",
		`{"input":["x","y"]}`: "x y",
		`{"input":"x\n\ty"}`:  "x y",
		`{"input":5}`:         "",
		`{"messages":5}`:      "",
		`x`:                   "",
		``:                    "",
	} {
		assert.Equal(t, want, lastUserMessage([]byte(body)), body)
	}
}

// Equal requests of one process get one reply, or a replay could not tell them apart.
func TestEqualRequestsGetOneReply(t *testing.T) {
	dir := t.TempDir()
	record := newRecord(t, numbered(), dir)
	var group sync.WaitGroup
	bodies := make([]string, 8)
	for i := range bodies {
		group.Go(func() { bodies[i], _ = ask(t, record, "{}") })
	}
	group.Wait()
	for _, body := range bodies {
		assert.Equal(t, strings.Replace(good, "hello", "A", 1), body)
	}
	// A later process asks anew and replaces it.
	next := numbered()
	_, err := next(nil)
	require.NoError(t, err)
	got, _ := ask(t, newRecord(t, next, dir), "{}")
	assert.Equal(t, strings.Replace(good, "hello", "B", 1), got)
	got, _ = ask(t, newReplay(t, dir), "{}")
	assert.Equal(t, strings.Replace(good, "hello", "B", 1), got)
}

// Nothing that is written holds a secret; a conversation that repeats it can be replayed without it.
func TestRecordHoldsNoSecret(t *testing.T) {
	const secret = "sk-test-abc123"
	dir := t.TempDir()
	redact := RedactExact(secret)
	next := tripper(func(r *http.Request) (*http.Response, error) {
		if r.URL.Query().Get("fail") != "" {
			return nil, fmt.Errorf("dial with %s failed", secret)
		}
		return respond(200, strings.Replace(good, "hello", secret, 1), "Location", "/"+secret), nil
	})
	record := newRecord(t, next, dir, redact)
	converse := func(rt http.RoundTripper, secret string) (reply string) {
		for _, body := range []string{`{"messages":[{"role":"user","content":"use ` + secret + `"}]}`, ""} {
			if body == "" { // the second turn repeats the reply
				body = `{"messages":[{"role":"assistant","content":` + reply + `}]}`
			}
			r := request(t, "http://u:"+url.PathEscape(secret)+"@model.invalid/v1/chat/completions?key="+url.QueryEscape(secret), body)
			r.Header.Set("Authorization", "Bearer "+secret)
			r.Header.Set(RepetitionHeader, "1")
			resp, err := rt.RoundTrip(r)
			require.NoError(t, err)
			reply = read(t, resp)
		}
		return reply
	}
	assert.Contains(t, converse(record, secret), secret)
	_, err := record.RoundTrip(request(t, chatURL+"?fail=1", "{}"))
	assert.ErrorContains(t, err, secret)
	require.NoError(t, record.(io.Closer).Close())
	assertNowhere(t, dir, secret)

	assert.Contains(t, converse(newReplay(t, dir, redact), secret), "[redacted]")
	assert.Contains(t, converse(newReplay(t, dir), "[redacted]"), "[redacted]")
}
