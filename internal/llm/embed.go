package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"
)

const (
	embeddings     = "embeddings" // what a request for embeddings adds to the base address
	embedBatch     = 64           // texts of one request
	maxEmbedLength = 1 << 14      // dimensions of one vector
)

// Embedder turns texts into vectors through a server's /embeddings endpoint.
type Embedder struct{ m *model }

// NewEmbedder checks the configuration and returns the embedder. Of Config it uses the address, the key, the model, the
// client, the time limit and Redact. It sends nothing.
func NewEmbedder(c Config) (*Embedder, error) {
	if u, err := url.Parse(strings.TrimSpace(c.BaseURL)); err == nil && u.Host != "" { // a full …/embeddings
		u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/"+embeddings)
		u.RawPath = strings.TrimSuffix(strings.TrimRight(u.RawPath, "/"), "/"+embeddings)
		c.BaseURL = u.String()
	}
	c.Temperature, c.TopP, c.MaxTokens, c.Extra = nil, nil, nil, nil
	made, err := New(c)
	if err != nil {
		return nil, err
	}
	m := made.(*model)
	m.address.path = strings.Replace(m.address.path, endpoint, embeddings, 1)
	m.address.shown = strings.Replace(m.address.shown, endpoint, embeddings, 1)
	return &Embedder{m}, nil
}

// Embed gives a vector for each text, all of one length, in the order of the texts. Texts must not be empty. An error is
// an *[agent.ModelError] when the server did not give what was asked.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for from := 0; from < len(texts); from += embedBatch {
		vectors, err := e.batch(ctx, texts[from:min(from+embedBatch, len(texts))])
		if err != nil {
			return nil, err
		}
		if len(out) > 0 && len(vectors[0]) != len(out[0]) {
			return nil, fmt.Errorf("the server gave vectors of %d and of %d dimensions", len(out[0]), len(vectors[0]))
		}
		out = append(out, vectors...)
	}
	return out, nil
}

// batch is one request.
func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(map[string]any{"model": e.m.config.Model, "input": texts, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	x, err := e.m.exchange(ctx, body)
	if err != nil {
		return nil, err
	}
	vectors, err := decodeEmbeddings(x.body, len(texts))
	if err != nil {
		return nil, e.m.unusable(x, err)
	}
	return vectors, nil
}

// decodeEmbeddings reads n vectors, in whatever order the server lists them.
func decodeEmbeddings(body []byte, n int) ([][]float32, error) {
	var reply struct {
		Error json.RawMessage
		Data  []struct {
			Index     *int
			Embedding []float32
		}
	}
	if err := json.Unmarshal(body, &reply); err != nil {
		return nil, fmt.Errorf("the reply is no list of embeddings: %w", err)
	}
	if len(reply.Error) > 0 && string(reply.Error) != "null" {
		return nil, &errorReply{raw: reply.Error}
	}
	if len(reply.Data) != n {
		return nil, fmt.Errorf("the reply holds %d embeddings for %d texts", len(reply.Data), n)
	}
	out := make([][]float32, n)
	for i, d := range reply.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		switch {
		case at < 0 || at >= n || out[at] != nil:
			return nil, fmt.Errorf("the reply gives index %d twice or out of range", at)
		case len(d.Embedding) == 0 || len(d.Embedding) > maxEmbedLength || len(d.Embedding) != len(reply.Data[0].Embedding):
			return nil, fmt.Errorf("embedding %d of the reply has %d dimensions, the first one %d", at, len(d.Embedding), len(reply.Data[0].Embedding))
		}
		for _, v := range d.Embedding {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return nil, errors.New("an embedding of the reply holds a value that is no number")
			}
		}
		out[at] = d.Embedding
	}
	return out, nil
}
