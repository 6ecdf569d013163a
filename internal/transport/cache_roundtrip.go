package transport

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// CacheHeader is the response header that marks a reply from the cache; its value is then [CacheHit].
const CacheHeader = "X-Skilleval-Cache"

// CacheHit is the value of [CacheHeader].
const CacheHit = "hit"

// The modes of [NewCache].
const (
	CacheOff     = "off"     // ask the server; the cache is not touched
	CacheRead    = "read"    // answer from the cache what is there, store nothing
	CacheWrite   = "write"   // ask the server, store what the cache has not
	CacheOn      = "on"      // answer from the cache what is there, ask for the rest and store it
	CacheRefresh = "refresh" // ask the server, store every reply in the place of the older one
)

// CacheModes lists the modes of [NewCache].
func CacheModes() []string { return []string{CacheOff, CacheRead, CacheWrite, CacheOn, CacheRefresh} }

// CheckCacheMode returns an error that lists the modes unless mode is one of them.
func CheckCacheMode(mode string) error {
	if slices.Contains(CacheModes(), mode) {
		return nil
	}
	return fmt.Errorf("cache mode %q: write one of %s", mode, strings.Join(CacheModes(), ", "))
}

// NewCache returns a RoundTripper that answers requests for chat completions and embeddings from c and stores their
// replies in it, as mode says ("off", "read", "write", "on", "refresh"; with any other, every request fails by the
// error of [CheckCacheMode]). A stored reply is given back for the same request only: method, address, path, query,
// body and the repetition in [RepetitionHeader] are equal; see also [NewReplay]. Only complete replies are stored: 2xx,
// JSON, no error object, every choice finished and with content or a call; vectors in the case of embeddings.
// Replies from the cache have [AttemptsHeader] "1" and [CacheHeader] "hit". Put it above [NewRetry], so that an
// attempt is never answered from the cache and a hit waits for no limit.
func NewCache(next http.RoundTripper, c *Cache, mode string) http.RoundTripper {
	next = orDefault(next)
	if err := CheckCacheMode(mode); err != nil {
		return refuser{err}
	}
	if mode == CacheOff || c == nil {
		return NewStrip(next)
	}
	return &cached{layer{next}, c, mode}
}

// refuser is a RoundTripper that was set up wrongly.
type refuser struct{ err error }

// RoundTrip implements http.RoundTripper.
func (r refuser) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		_ = req.Body.Close() // nothing was read
	}
	return nil, &lastingError{r.err}
}

// lastingError is an error that another attempt would meet again.
type lastingError struct{ error }

// Unwrap returns the error itself.
func (e *lastingError) Unwrap() error { return e.error }

func (e *lastingError) lasting() {}

// cached is the RoundTripper of NewCache.
type cached struct {
	layer
	cache *Cache
	mode  string
}

// RoundTrip implements http.RoundTripper.
func (c *cached) RoundTrip(req *http.Request) (*http.Response, error) {
	asks, err := open(req)
	if err != nil {
		return nil, err
	}
	kind := endpointOf(req)
	if kind == otherEndpoint {
		return c.next.RoundTrip(asks.out)
	}
	key := keyOf(req, asks.body, asks.repetition)
	if c.mode == CacheOn || c.mode == CacheRead {
		if e := c.cache.get(key); e != nil {
			header := http.Header{AttemptsHeader: {"1"}, CacheHeader: {CacheHit}}
			for name, value := range e.Header {
				header.Set(name, value)
			}
			return answer(req, e.Status, header, e.reply), nil
		}
	}
	resp, err := c.next.RoundTrip(asks.out)
	if err != nil || resp == nil || c.mode == CacheRead {
		return resp, err
	}
	body, err := readWhole(resp)
	if err != nil {
		return nil, err
	}
	c.keep(kind, key, asks, resp, body)
	return resp, nil
}

// keep stores a reply when it fits.
func (c *cached) keep(kind endpoint, key digest, asks *call, resp *http.Response, body []byte) {
	if c.mode == CacheWrite && c.cache.store.holds(key) {
		return
	}
	if !fitToStore(kind, resp.StatusCode, asks.body, body) {
		c.cache.unfit.Add(1)
		return
	}
	e := &entry{meta: meta{Status: resp.StatusCode}, reply: body}
	if t := resp.Header.Get("Content-Type"); t != "" {
		e.Header = map[string]string{"Content-Type": t}
	}
	c.cache.put(key, e)
}
