package offline

import "sync"

// The bounds of the cache of indexes: how many, and how many bytes of catalogue text in all.
const (
	cacheEntries = 64
	cacheBytes   = 16 << 20
)

// indexCache keeps the indexes of the last catalogues, by their text. Oldest leave first.
type indexCache struct {
	mu         sync.Mutex
	maxEntries int
	maxBytes   int
	bytes      int
	order      []string
	byText     map[string]*index
}

// newIndexCache makes a cache of at most so many entries and bytes of text.
func newIndexCache(entries, bytes int) *indexCache {
	return &indexCache{maxEntries: entries, maxBytes: bytes, byText: make(map[string]*index)}
}

// get returns the index of a catalogue, building it when it is not at hand.
func (c *indexCache) get(text string, build func() []entry) *index {
	c.mu.Lock()
	x := c.byText[text]
	c.mu.Unlock()
	if x != nil {
		return x
	}
	x = newIndex(build())
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.byText[text]; known != nil {
		return known
	}
	if len(text) > c.maxBytes {
		return x
	}
	for len(c.order) > 0 && (len(c.order) >= c.maxEntries || c.bytes+len(text) > c.maxBytes) {
		oldest := c.order[0]
		c.order = c.order[1:]
		c.bytes -= len(oldest)
		delete(c.byText, oldest)
	}
	c.byText[text] = x
	c.order = append(c.order, text)
	c.bytes += len(text)
	return x
}
