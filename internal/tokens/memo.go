package tokens

import (
	"strings"
	"sync"
)

// memo remembers counts of texts, up to about limit bytes of them. It keeps two generations: when the young one
// is full it becomes the old one and the old one is forgotten; what is used again moves to the young.
type memo struct {
	limit int

	mu         sync.RWMutex
	young, old map[string]int
	size       int // bytes of the young generation
}

// entryCost is what an entry takes beside its text.
const entryCost = 64

// get finds the count of a text.
func (m *memo) get(text string) (int, bool) {
	m.mu.RLock()
	n, ok := m.young[text]
	if ok {
		m.mu.RUnlock()
		return n, true
	}
	n, ok = m.old[text]
	m.mu.RUnlock()
	if ok {
		m.put(text, n)
	}
	return n, ok
}

// put remembers the count of a text. The text is copied: it may be a part of a much longer one.
func (m *memo) put(text string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.young[text]; ok {
		return
	}
	if cost := len(text) + entryCost; m.young == nil || m.size+cost > m.limit {
		m.old, m.young, m.size = m.young, make(map[string]int), 0
	}
	m.young[strings.Clone(text)] = n
	m.size += len(text) + entryCost
}
