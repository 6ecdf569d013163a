package transport

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every worker keeps its connection: after the first round no new one is opened.
func TestConnectionsAreKept(t *testing.T) {
	const workers = 16
	var gate sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		gate.Done()
		gate.Wait() // all of them are here at once
		assert.Empty(t, r.Header.Get("Accept-Encoding"))
	}))
	defer server.Close()
	base := Base(workers)
	defer base.CloseIdleConnections()
	var opened, reused atomic.Int32
	trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if i.Reused {
			reused.Add(1)
		} else {
			opened.Add(1)
		}
	}}
	for range 3 {
		gate.Add(workers)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				r, err := http.NewRequestWithContext(httptrace.WithClientTrace(t.Context(), trace), http.MethodGet, server.URL, nil)
				if !assert.NoError(t, err) {
					return
				}
				resp, err := base.RoundTrip(r)
				if assert.NoError(t, err) {
					_, err = io.Copy(io.Discard, resp.Body)
					assert.NoError(t, err)
					assert.NoError(t, resp.Body.Close())
				}
			})
		}
		wg.Wait()
	}
	assert.EqualValues(t, workers, opened.Load())
	assert.EqualValues(t, 2*workers, reused.Load())
}

func TestBaseSpeaksHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	base := Base(0)
	base.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	defer base.CloseIdleConnections()
	r, err := http.NewRequest(http.MethodGet, server.URL, nil)
	require.NoError(t, err)
	resp, err := base.RoundTrip(r)
	require.NoError(t, err)
	assert.Equal(t, 2, resp.ProtoMajor)
	assert.NoError(t, resp.Body.Close())
	assert.Equal(t, 2, base.MaxIdleConnsPerHost)
}

// The environment is read once a process, so the test is run in another.
func TestProxyOfTheEnvironment(t *testing.T) {
	if os.Getenv("SKILLEVAL_TEST_PROXY") == "" {
		self, err := os.Executable()
		require.NoError(t, err)
		cmd := exec.Command(self, "-test.run=^TestProxyOfTheEnvironment$")
		cmd.Env = append(os.Environ(), "SKILLEVAL_TEST_PROXY=1", "HTTP_PROXY=http://proxy.invalid:3128", "NO_PROXY=", "REQUEST_METHOD=")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	for url, proxied := range map[string]bool{
		"http://model.invalid/v1": true,
		"http://127.0.0.1:8000":   false,
		"http://[::1]:8000":       false,
		"http://localhost:11434":  false,
	} {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		require.NoError(t, err)
		p, err := Base(1).Proxy(r)
		require.NoError(t, err)
		assert.Equal(t, proxied, p != nil, url)
	}
}
