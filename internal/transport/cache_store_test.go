package transport

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a crash or another program left in the place of an entry is a miss, is removed, and the next reply is kept.
func TestDamagedEntries(t *testing.T) {
	dir := t.TempDir()
	cache := openCache(t, dir, 0)
	rt := NewCache(numbered(), cache, CacheOn)
	ask(t, rt, "{}")
	path := cache.store.path(key(t, chatURL, "{}", ""))
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	ask(t, rt, "[]")
	other, err := os.ReadFile(cache.store.path(key(t, chatURL, "[]", "")))
	require.NoError(t, err)

	damaged := map[string][]byte{
		"empty":            {},
		"foreign":          []byte("hello\nworld\n"),
		"other request's":  other,
		"longer":           append(append([]byte{}, whole...), '\n'),
		"other schema":     []byte(strings.Replace(string(whole), "cache/v1", "cache/v2", 1)),
		"one letter":       []byte(strings.Replace(string(whole), `"content":"A"`, `"content":"Z"`, 1)),
		"wrong lengths":    resum(cache.store, `{"key":"x","request_bytes":-1,"reply_bytes":1}`+"\n\n\n"),
		"not JSON":         resum(cache.store, "x\n\n\n"),
		"huge length":      resum(cache.store, `{"request_bytes":9223372036854775807,"reply_bytes":1}`+"\n\n\n"),
		"only description": resum(cache.store, `{"request_bytes":0,"reply_bytes":0}`),
	}
	for cut := 1; cut < len(whole); cut += 7 {
		damaged[fmt.Sprintf("cut at %d", cut)] = whole[:cut]
	}
	for name, data := range damaged {
		require.NoError(t, os.WriteFile(path, data, 0o666))
		faults := cache.faults.Load()
		assert.Nil(t, cache.get(key(t, chatURL, "{}", "")), name)
		assert.EqualValues(t, faults+1, cache.faults.Load(), name)
		assert.NoFileExists(t, path, name)
	}
	_, hit := ask(t, rt, "{}")
	assert.False(t, hit)
	_, hit = ask(t, rt, "{}")
	assert.True(t, hit)

	require.NoError(t, os.Remove(path)) // a folder in its place is not ours to remove with what is in it
	require.NoError(t, os.MkdirAll(filepath.Join(path, "x"), 0o777))
	_, hit = ask(t, rt, "{}")
	assert.False(t, hit)
	assert.DirExists(t, path)
}

// resum makes a file with a right checksum.
func resum(s store, rest string) []byte {
	return fmt.Appendf(nil, "%s sha256:%x\n%s", s.schema, sha256.Sum256([]byte(rest)), rest)
}

// Two handles on one directory, as of two processes, many goroutines each: every reply is the right one and whole.
func TestSharedDirectory(t *testing.T) {
	dir := t.TempDir()
	const prompts, workers = 20, 8
	reply := func(i int) string {
		return strings.Replace(good, "hello", fmt.Sprintf("%d %s", i, strings.Repeat("x", 50*i)), 1)
	}
	echo := tripper(func(r *http.Request) (*http.Response, error) {
		var i int
		if _, err := fmt.Fscanf(r.Body, `{"n":%d}`, &i); err != nil {
			return nil, err
		}
		return respond(200, reply(i)), nil
	})
	caches := []*Cache{openCache(t, dir, 20_000), openCache(t, dir, 0)}
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			mode := []string{CacheOn, CacheOn, CacheRefresh, CacheRead}[w/2]
			rt := NewCache(echo, caches[w%2], mode)
			for round := range 40 {
				i := (round*7 + w*3) % prompts
				got, _ := ask(t, rt, fmt.Sprintf(`{"n":%d}`, i))
				assert.Equal(t, reply(i), got)
			}
			if w == 0 {
				_, err := caches[1].Prune(5_000)
				assert.NoError(t, err)
			}
		})
	}
	group.Wait()
	for _, c := range caches {
		s := stats(t, c)
		assert.Zero(t, s.Faults, "a reader saw half a file")
		assert.NotZero(t, s.Hits)
	}
}

func TestStatsAndPrune(t *testing.T) {
	dir := t.TempDir()
	cache := openCache(t, dir, 0)
	rt := NewCache(numbered(), cache, CacheOn)
	old := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	for i := range 5 {
		body := fmt.Sprintf(`{"n":%d}`, i)
		ask(t, rt, body)
		used := old.Add(time.Duration(i) * time.Hour)
		require.NoError(t, os.Chtimes(cache.store.path(key(t, chatURL, body, "")), used, used))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("mine"), 0o666))
	shard := filepath.Dir(cache.store.path(key(t, chatURL, `{"n":0}`, "")))
	stale, fresh := filepath.Join(shard, temporary+"a"), filepath.Join(shard, temporary+"b")
	foreign := filepath.Join(shard, "notes.reply")
	for _, path := range []string{stale, fresh, foreign} {
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o666))
	}
	require.NoError(t, os.Chtimes(stale, old, old))

	s := stats(t, cache)
	assert.Equal(t, 5, s.Entries)
	assert.True(t, s.Oldest.Equal(old), s.Oldest)
	assert.True(t, s.Newest.Equal(old.Add(4*time.Hour)), s.Newest)
	assert.EqualValues(t, 5, s.Stored)
	assert.EqualValues(t, 5, s.Misses)
	assert.Zero(t, s.Hits)
	size := s.Bytes / 5

	_, hit := ask(t, rt, `{"n":0}`) // the oldest becomes the newest
	assert.True(t, hit)
	assert.EqualValues(t, 1, stats(t, cache).Hits)
	assert.WithinDuration(t, time.Now(), stats(t, cache).Newest, time.Minute)
	p, err := cache.Prune(2*size + size/2)
	require.NoError(t, err)
	assert.Equal(t, Pruned{3, 3 * size}, p)
	left := map[int]bool{}
	for i := range 5 {
		left[i] = cache.store.holds(key(t, chatURL, fmt.Sprintf(`{"n":%d}`, i), ""))
	}
	assert.Equal(t, map[int]bool{0: true, 1: false, 2: false, 3: false, 4: true}, left)
	assert.NoFileExists(t, stale)
	assert.FileExists(t, fresh)

	p, err = cache.Prune(2 * size)
	require.NoError(t, err)
	assert.Zero(t, p)
	p, err = cache.Prune(0)
	require.NoError(t, err)
	assert.Equal(t, 2, p.Entries)
	assert.FileExists(t, filepath.Join(dir, "notes.txt"))
	assert.FileExists(t, foreign)
	assert.Equal(t, CacheStats{Hits: 1, Misses: 5, Stored: 5}, stats(t, cache))
}

// The limit is kept to while a run goes on, also where earlier runs filled the directory, and by Close.
func TestSizeLimit(t *testing.T) {
	dir := t.TempDir()
	first := openCache(t, dir, 0)
	rt := NewCache(numbered(), first, CacheOn)
	for i := range 20 {
		ask(t, rt, fmt.Sprintf(`{"n":%d}`, i))
	}
	require.NoError(t, first.Close())
	size := stats(t, first).Bytes / 20

	exact := openCache(t, dir, 21*size) // as many as fit, then one more
	rt = NewCache(numbered(), exact, CacheOn)
	for i := range 2 {
		ask(t, rt, fmt.Sprintf(`{"e":%d}`, i))
		assert.LessOrEqual(t, stats(t, exact).Bytes, 21*size)
	}

	limited := openCache(t, dir, 10*size)
	rt = NewCache(numbered(), limited, CacheOn)
	for i := 20; i < 60; i++ {
		ask(t, rt, fmt.Sprintf(`{"n":%d}`, i))
		assert.LessOrEqual(t, stats(t, limited).Bytes, 10*size+size/2)
	}
	_, hit := ask(t, rt, `{"n":59}`)
	assert.True(t, hit, "the newest stays")
	assert.GreaterOrEqual(t, stats(t, limited).Entries, 8)

	_, err := limited.Prune(0)
	require.NoError(t, err)
	rt = NewCache(numbered(), first, CacheOn) // another process fills it
	for i := range 20 {
		ask(t, rt, fmt.Sprintf(`{"m":%d}`, i))
	}
	rt = NewCache(numbered(), limited, CacheOn)
	ask(t, rt, `{"last":1}`)
	assert.Greater(t, stats(t, limited).Bytes, 10*size)
	ask(t, rt, `{"last":2}`) // more than an eighth of the limit is new: measured again
	assert.LessOrEqual(t, stats(t, limited).Bytes, 10*size)

	for i := range 20 {
		ask(t, NewCache(numbered(), first, CacheOn), fmt.Sprintf(`{"k":%d}`, i))
	}
	ask(t, rt, `{"last":3}`)
	require.NoError(t, limited.Close())
	assert.LessOrEqual(t, stats(t, limited).Bytes, 10*size)

	tiny := openCache(t, t.TempDir(), 10)
	ask(t, NewCache(numbered(), tiny, CacheOn), "{}")
	assert.EqualValues(t, 1, stats(t, tiny).Unfit, "a reply above the limit would only push out the others")
}

func FuzzDecodeEntry(f *testing.F) {
	s := recording("")
	good, err := s.encode(&entry{meta: meta{Key: "k", Status: 200}, request: []byte("a"), reply: []byte("b\nc")})
	require.NoError(f, err)
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := s.decode(data)
		if err != nil {
			assert.ErrorIs(t, err, errDamaged)
			return
		}
		assert.Len(t, e.request, e.RequestBytes)
		assert.Len(t, e.reply, e.ReplyBytes)
	})
}
