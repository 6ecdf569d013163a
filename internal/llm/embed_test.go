package llm

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skilleval/skilleval/agent"
)

// embedServer answers with vectors in reverse order, as a server may, and keeps what it was sent.
func embedServer(t *testing.T, sent *[][]string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/v1/embeddings", r.URL.Path)
		assert.Equal(t, "Bearer sk-embed-key", r.Header.Get("Authorization"))
		var q struct {
			Model  string
			Input  []string
			Format string `json:"encoding_format"`
		}
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&q))
		assert.Equal(t, "e", q.Model)
		assert.Equal(t, "float", q.Format)
		*sent = append(*sent, q.Input)
		var data []string
		for i := len(q.Input) - 1; i >= 0; i-- {
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[%d,1]}`, i, len(q.Input[i])))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(s.Close)
	return s
}

func TestEmbed(t *testing.T) {
	var sent [][]string
	s := embedServer(t, &sent)
	for _, base := range []string{s.URL, s.URL + "/v1", s.URL + "/v1/embeddings", s.URL + "/v1/embeddings/"} {
		sent = nil
		e, err := NewEmbedder(Config{BaseURL: base, APIKey: "sk-embed-key", Model: "e"})
		require.NoError(t, err)
		texts := make([]string, embedBatch+3)
		for i := range texts {
			texts[i] = strings.Repeat("x", i+1)
		}
		vectors, err := e.Embed(t.Context(), texts)
		require.NoError(t, err)
		require.Len(t, sent, 2, "batches")
		assert.Equal(t, texts, append(sent[0], sent[1]...))
		for i, v := range vectors {
			assert.Equal(t, []float32{float32(i + 1), 1}, v)
		}
	}
}

func TestEmbedFaults(t *testing.T) {
	for body, want := range map[string]string{
		`{"data":[{"index":0,"embedding":[1]}]}`:                                 "1 embeddings for 2 texts",
		`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`:     "index 0 twice or out of range",
		`{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`:     "index 7 twice or out of range",
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`:   "has 2 dimensions, the first one 1",
		`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`:       "0 dimensions",
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":["x"]}]}`:   "no list of embeddings",
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e999]}]}`: "no list of embeddings",
		`<html>`: "It usually ends with /v1, and /embeddings is added to it",
		``:       "no list of embeddings",
		`{"error":{"message":"overloaded sk-embed-key","code":502}}`: "overloaded",
		`{"data":null}`: "0 embeddings for 2 texts",
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
		e, err := NewEmbedder(Config{BaseURL: s.URL, APIKey: "sk-embed-key", Model: "e"})
		require.NoError(t, err)
		_, err = e.Embed(t.Context(), []string{"a", "b"})
		var failed *agent.ModelError
		require.ErrorAs(t, err, &failed, body)
		assert.ErrorContains(t, err, want, body)
		assert.Contains(t, err.Error(), "/v1/embeddings")
		assert.NotContains(t, err.Error(), "sk-embed-key")
		s.Close()
	}
	_, err := NewEmbedder(Config{BaseURL: "ftp://h", Model: "e"})
	require.ErrorContains(t, err, "http://")
	_, err = NewEmbedder(Config{})
	require.ErrorContains(t, err, "model")
}

// Two batches of different lengths cannot be compared.
func TestEmbedDimensions(t *testing.T) {
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		var q struct{ Input []string }
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&q))
		var data []string
		for range q.Input {
			data = append(data, `{"embedding":[`+strings.TrimSuffix(strings.Repeat("1,", n), ",")+`]}`)
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(s.Close)
	e, err := NewEmbedder(Config{BaseURL: s.URL, Model: "e"})
	require.NoError(t, err)
	_, err = e.Embed(t.Context(), make([]string, embedBatch+1))
	require.ErrorContains(t, err, "1 and of 2 dimensions")
}
