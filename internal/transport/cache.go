package transport

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Cache is a directory of replies that many processes may share. There is one file per reply, written under another
// name and renamed, with a checksum: a reader sees a whole reply or none, nobody waits for anybody, and nothing is
// held while a request is under way. (A bbolt file was considered; its lock belongs to one process for as long as
// it is open, so that a second run would have to wait for the first.) Only replies are in it, with no headers but
// the content type; nothing of a request. A Cache is safe for concurrent use.
type Cache struct {
	store  store
	max    int64 // bytes; 0: no limit
	redact redactors

	hits, misses, stored, unfit, faults atomic.Int64

	losing    sync.Mutex // guards lost and firstLoss
	lost      int64      // replies that fit and could not be written
	firstLoss error

	grown   atomic.Int64 // bytes written since the directory was last measured
	measure sync.Mutex   // whoever holds it prunes; the others go on
	total   atomic.Int64 // bytes when it was last measured; -1: never
}

// CacheStats describes a cache: its directory now, and what this process did through one [Cache].
type CacheStats struct {
	Entries        int
	Bytes          int64
	Oldest, Newest time.Time // last use; zero when there are no entries

	Hits, Misses int64 // of requests that may be answered from the cache
	Stored       int64 // replies written
	Unfit        int64 // replies not stored: errors, cut, filtered, empty, or with a secret in them
	Faults       int64 // files that were damaged or could not be read or written; a fault never fails a request
}

// Pruned says what [Cache.Prune] removed.
type Pruned struct {
	Entries int
	Bytes   int64
}

// staleAfter is the age at which a file that is still being written belongs to a process that was killed.
const staleAfter = time.Hour

// OpenCache opens the cache in a directory, which is made when it is absent. When its files take more than maxBytes,
// those used longest ago are removed until a tenth is free; 0 is no limit. Each process measures the directory again
// when it has itself written an eighth of the limit, so that processes which share it may pass the limit by so much
// each. A reply in which one of the redact functions finds a secret is not stored.
func OpenCache(dir string, maxBytes int64, redact ...func(string) string) (*Cache, error) {
	if dir == "" {
		return nil, errors.New("cache: name a directory")
	}
	if maxBytes < 0 {
		return nil, fmt.Errorf("cache: size limit %d: write a number of bytes, or 0 for no limit", maxBytes)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	c := &Cache{store: store{dir: dir, schema: "skilleval.cache/v1", ext: ".reply"}, max: maxBytes, redact: redact}
	c.total.Store(-1)
	return c, nil
}

// Close keeps to the size limit a last time. No file is open between requests, and the Cache stays usable.
func (c *Cache) Close() error {
	if c.max == 0 || c.grown.Load() == 0 {
		return nil
	}
	_, err := c.Prune(c.max)
	return err
}

// Lost tells how many replies this process could not write, and why the first: a full disk, for instance. They were
// used all the same, and will be asked for again.
func (c *Cache) Lost() (replies int64, first error) {
	c.losing.Lock()
	defer c.losing.Unlock()
	return c.lost, c.firstLoss
}

// lose notes a reply that could not be written.
func (c *Cache) lose(err error) {
	c.losing.Lock()
	defer c.losing.Unlock()
	if c.lost++; c.lost == 1 {
		c.firstLoss = err
	}
}

// Stats measures the directory.
func (c *Cache) Stats() (CacheStats, error) {
	s := CacheStats{Hits: c.hits.Load(), Misses: c.misses.Load(), Stored: c.stored.Load(), Unfit: c.unfit.Load(), Faults: c.faults.Load()}
	err := c.store.each(func(_ string, info fs.FileInfo, finished bool) error {
		if !finished {
			return nil
		}
		used := info.ModTime()
		if s.Entries == 0 || used.Before(s.Oldest) {
			s.Oldest = used
		}
		if s.Entries == 0 || used.After(s.Newest) {
			s.Newest = used
		}
		s.Entries++
		s.Bytes += info.Size()
		return nil
	})
	if err != nil {
		return s, fmt.Errorf("cache: %w", err)
	}
	return s, nil
}

// Prune removes the entries used longest ago until the others take maxBytes or less; 0 removes all. Files that a
// killed process left half written go too. Other processes may go on meanwhile.
func (c *Cache) Prune(maxBytes int64) (Pruned, error) {
	if maxBytes < 0 {
		return Pruned{}, fmt.Errorf("cache: prune to %d: write a number of bytes, 0 or more", maxBytes)
	}
	c.measure.Lock()
	defer c.measure.Unlock()
	return c.prune(maxBytes, maxBytes)
}

// prune removes entries down to target bytes when there are more than limit. The caller holds measure.
func (c *Cache) prune(limit, target int64) (p Pruned, err error) {
	type file struct {
		path string
		size int64
		used time.Time
	}
	var files []file
	var total int64
	grown := c.grown.Load()
	err = c.store.each(func(path string, info fs.FileInfo, finished bool) error {
		switch {
		case finished:
			files = append(files, file{path, info.Size(), info.ModTime()})
			total += info.Size()
		case time.Since(info.ModTime()) > staleAfter:
			return removeFile(path)
		}
		return nil
	})
	if err == nil && total > limit {
		slices.SortFunc(files, func(a, b file) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
		for _, f := range files {
			if total <= target {
				break
			}
			if err = removeFile(f.path); err != nil {
				break
			}
			p.Entries++
			p.Bytes += f.size
			total -= f.size
		}
	}
	if err != nil {
		return p, fmt.Errorf("cache: %w", err)
	}
	c.total.Store(total)
	c.grown.Add(-grown)
	return p, nil
}

// removeFile removes a file that another process may have removed already.
func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// get returns the reply stored for a request, nil when there is none. What is damaged is removed.
func (c *Cache) get(key digest) *entry {
	e, err := c.store.read(key)
	switch {
	case err == nil:
		c.hits.Add(1)
		now := time.Now()
		if err := os.Chtimes(c.store.path(key), now, now); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.faults.Add(1) // it may be removed sooner than it should
		}
		return e
	case !errors.Is(err, fs.ErrNotExist):
		c.faults.Add(1)
		if errors.Is(err, errDamaged) && os.Remove(c.store.path(key)) != nil {
			c.faults.Add(1)
		}
	}
	c.misses.Add(1)
	return nil
}

// put stores a reply that fits. A failure to write costs the entry, not the request.
func (c *Cache) put(key digest, e *entry) {
	if c.redact.text(string(e.reply)) != string(e.reply) {
		c.unfit.Add(1)
		return
	}
	if c.max > 0 && int64(len(e.reply)) > c.max {
		c.unfit.Add(1)
		return
	}
	size, err := c.store.write(key, e)
	if err != nil {
		c.faults.Add(1)
		c.lose(err)
		return
	}
	c.stored.Add(1)
	if c.max == 0 {
		return
	}
	grown := c.grown.Add(size)
	if total := c.total.Load(); total >= 0 && total+grown <= c.max && grown <= c.max/8 {
		return
	}
	if !c.measure.TryLock() {
		return
	}
	defer c.measure.Unlock()
	if _, err := c.prune(c.max, c.max-c.max/10); err != nil {
		c.faults.Add(1)
	}
}
