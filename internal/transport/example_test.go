package transport

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

func ExampleNewRetry() {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Retry-After-Ms", "5")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if _, err := io.WriteString(w, good); err != nil {
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()

	limits := LimitConfig{RPM: 60_000}
	retries := RetryConfig{AttemptTimeout: time.Minute, BaseDelay: time.Millisecond}
	client := &http.Client{Transport: NewRetry(NewLimit(Base(8), limits), retries)}
	resp, err := client.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader("{}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Status, resp.Header.Get(AttemptsHeader), resp.Body.Close())
	// Output: 200 OK 2 <nil>
}

func ExampleRedact() {
	redact := Redact("sk-test-abc123")
	fmt.Println(redact("https://user:pw@host/v1?api_key=xyz answered: bad key sk-test-abc123"))
	// Output: https://[redacted]@host/v1?api_key=[redacted] answered: bad key [redacted]
}
