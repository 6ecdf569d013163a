package transport

import (
	"net"
	"net/http"
	"time"
)

// Base returns a connection pool for many parallel requests to one host: as many connections as there are
// workers stay open between requests (Go's default keeps two), HTTP/2 is used where the server offers it. The
// proxy of the environment is used, never for localhost and loopback addresses. Replies are not asked for
// compressed: they are small, and what is recorded is what was sent.
func Base(concurrency int) *http.Transport {
	n := max(concurrency, 2)
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment, // leaves out localhost and loopback addresses itself
		DialContext:           dialer.DialContext,
		ForceAttemptHTTP2:     true, // a DialContext of our own would switch it off
		MaxIdleConns:          2 * n,
		MaxIdleConnsPerHost:   n,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		DisableCompression:    true,
		WriteBufferSize:       16 << 10, // a request with its catalogue in one write
		ReadBufferSize:        8 << 10,
	}
}
